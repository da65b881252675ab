"""SQL of users, in the actor's scope; functions of the database write them (ADR 59)."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any
from uuid import UUID

import psycopg
from sqlalchemy import select

from app.basics.errors import FieldError, Forbidden
from app.contract import messages
from app.server.clients.models import Client
from app.server.database.repository import Repository, build_scope_predicate
from app.server.patients.models import Patient
from app.server.physicians.models import Physician
from app.server.users.errors import EmailInUse
from app.server.users.models import UserEntry
from app.server.users.rules import Assignments, SignUpValues, UserValues

_TABLES = {
    "clients": Client.__tablename__,
    "physicians": Physician.__tablename__,
    "patients": Patient.__tablename__,
}
_PERSON_NAME = "t.last_name || ', ' || t.first_name"
_CODES = {
    "clients": ("code", "t.name"),
    "physicians": ("npi", _PERSON_NAME),
    "patients": ("code", _PERSON_NAME),
}
"""The column of the code, and the SQL of the name."""
_ACCESS = (
    "%(role_name)s::text, %(clients)s::bigint[], %(physicians)s::bigint[], %(patients)s::bigint[]"
)
_NAMES = "%(last_name)s::text, %(first_name)s::text"
_CREATE = f"SELECT create_user(%(email)s::text, %(username)s::text, {_NAMES}, {_ACCESS})"
_CHANGE = f"SELECT change_user(%(wanted)s::uuid, %(email)s::text, {_NAMES}, %(active)s::boolean)"
_CHANGE_ACCESS = f"SELECT change_access(%(wanted)s::uuid, {_ACCESS})"


class UserRepository(Repository):
    """The users that an administrator sees."""

    async def find_entry(self, user_id: UUID) -> UserEntry | None:
        """Return a user in the actor's scope, or None."""
        return await self.session.scalar(
            select(UserEntry)
            .where(UserEntry.id == user_id, build_scope_predicate(UserEntry, self.actor))
            .execution_options(populate_existing=True)
        )

    async def lock_user(self, user_id: UUID) -> None:
        """Lock a user and the actor, so that nobody else changes them until the commit."""
        await self._call("SELECT lock_user(%(wanted)s::uuid)", {"wanted": user_id})

    async def load_assignments(self, user_id: UUID) -> dict[str, list[dict[str, Any]]]:
        """Load the clients, physicians, and patients for whom a user acts."""
        rows_by_kind = await self._call(
            "SELECT assignments_of_user(%(wanted)s::uuid)", {"wanted": user_id}
        )
        return {kind: rows or [] for kind, rows in rows_by_kind.items()}

    async def list_visible_ids(self, kind: str, ids: Sequence[int]) -> list[int]:
        """List the ids of the clients, physicians, or patients that the actor may see."""
        statement = (
            f"SELECT coalesce(array_agg(t.id), '{{}}') FROM {_TABLES[kind]} t "
            "WHERE t.id = ANY(%(wanted)s::bigint[])"
        )
        visible_ids: list[int] = await self._call(statement, {"wanted": list(ids)})
        return visible_ids

    async def find_patient(self, patient_id: int) -> Patient | None:
        """Return a patient in the actor's scope, or None."""
        return await self.session.scalar(
            select(Patient).where(
                Patient.id == patient_id, build_scope_predicate(Patient, self.actor)
            )
        )

    async def is_email_in_use(self, email: str) -> bool:
        """Whether a user has this e-mail address, even one that the actor does not see."""
        return bool(await self._call("SELECT is_email_in_use(%(email)s)", {"email": email}))

    async def list_used_emails(self, emails: Sequence[str]) -> list[str]:
        """List the addresses among ``emails`` that users have."""
        statement = (
            "SELECT coalesce(array_agg(t.email), '{}') FROM unnest(%(emails)s::text[]) t (email) "
            "WHERE is_email_in_use(t.email)"
        )
        used_emails: list[str] = await self._call(statement, {"emails": list(emails)})
        return used_emails

    async def count_hidden_emails(self, emails: Sequence[str]) -> int:
        """Count the addresses of users whom the actor does not see."""
        statement = (
            "SELECT count(*) FROM unnest(%(emails)s::text[]) t (email) WHERE NOT EXISTS "
            "(SELECT 1 FROM user_directory d WHERE d.email = t.email)"
        )
        count: int = await self._call(statement, {"emails": list(emails)})
        return count

    async def load_by_codes(self, kind: str, codes: Sequence[str]) -> dict[str, tuple[int, str]]:
        """Load id and name, by code, of the records that the actor may see."""
        code_column, name_sql = _CODES[kind]
        statement = (
            f"SELECT coalesce(jsonb_object_agg(t.{code_column},"
            f" jsonb_build_array(t.id, {name_sql})), '{{}}')"
            f" FROM {_TABLES[kind]} t WHERE t.{code_column} = ANY(%(codes)s::text[])"
        )
        rows = await self._call(statement, {"codes": list(codes)})
        return {code: (id_, name) for code, (id_, name) in rows.items()}

    async def create_user(self, values: UserValues, username: str) -> UUID:
        """Create a user with an invitation, and return the id.

        Raises:
            EmailInUse, Forbidden: somebody else was faster, or the actor has lost the right.
        """
        user_id: UUID = await self._call(
            _CREATE, {**_list_values(values), **_list_access(values), "username": username}
        )
        return user_id

    async def change_user(self, user_id: UUID, values: UserValues) -> None:
        """Change a user's e-mail address, names, and state.

        Raises:
            EmailInUse, Forbidden.
        """
        await self._call(_CHANGE, {**_list_values(values), "wanted": user_id})

    async def change_access(self, user_id: UUID, values: UserValues) -> None:
        """Change a user's role and assignments.

        Raises:
            Forbidden: the actor lost the right.
        """
        await self._call(_CHANGE_ACCESS, {**_list_access(values), "wanted": user_id})

    async def invite_user(self, user_id: UUID) -> None:
        """Send a user a new invitation; earlier links end."""
        await self._call("SELECT invite_user(%(wanted)s::uuid)", {"wanted": user_id})

    async def delete_user(self, user_id: UUID) -> None:
        """Delete a user and end their sessions; their name stays in the history."""
        await self._call("SELECT delete_user(%(wanted)s::uuid)", {"wanted": user_id})

    async def sign_up(self, values: SignUpValues, username: str) -> tuple[int | None, UUID | None]:
        """Return the patient who matches, and the new user; no user if the e-mail is in use.

        Raises:
            EmailInUse: somebody else was faster.
        """
        statement = (
            "SELECT sign_up_patient(%(last_name)s::text, %(first_name)s::text, "
            "%(birth_date)s::date, %(code)s::text, %(email)s::text, %(username)s::text)"
        )
        answer = await self._call(statement, {**asdict(values), "username": username})
        user_id = answer["user"]
        return answer["patient"], UUID(user_id) if user_id else None

    async def _call(self, statement: str, values: Mapping[str, Any]) -> Any:
        await self.session.flush()
        try:
            row = await self.statements.fetch(statement, values)
        except psycopg.errors.UniqueViolation as error:
            raise build_email_error() from error
        except psycopg.errors.InsufficientPrivilege as error:
            raise Forbidden(messages.FORBIDDEN) from error
        return row[0] if row else None


def build_email_error() -> EmailInUse:
    """Build the error of an e-mail address that another user has."""
    return EmailInUse.of(FieldError("email", messages.USER_EMAIL_IN_USE))


def get_assignments(entry: UserEntry) -> Assignments:
    """Return the clients, physicians, and patients for whom a user acts."""
    return Assignments(
        tuple(entry.client_ids), tuple(entry.physician_ids), tuple(entry.patient_ids)
    )


def _list_values(values: UserValues) -> dict[str, Any]:
    return {
        "email": values.email,
        "last_name": values.last_name,
        "first_name": values.first_name,
        "active": values.active,
    }


def _list_access(values: UserValues) -> dict[str, Any]:
    return {
        "role_name": values.role,
        "clients": list(values.assigned.clients),
        "physicians": list(values.assigned.physicians),
        "patients": list(values.assigned.patients),
    }
