"""Builds accounts, and the people who act with them."""

from dataclasses import dataclass, field
from unittest.mock import patch
from uuid import UUID

from app.server.accounts.tokens import Tokens
from tests.server.records import Records

PASSWORD = "Correct-Horse-1!"


@dataclass
class Person:
    """A person with an account, a token if signed in, and records that a fixture made."""

    email: str
    user_id: str
    token: str = ""
    client: int = 0
    patient: int = 0
    ids: list[int] = field(default_factory=list)
    """Ids of requisitions, oldest first; ``codes`` are their codes."""
    codes: list[str] = field(default_factory=list)
    year: int = 0

    @property
    def headers(self) -> dict[str, str]:
        """The Authorization header."""
        return {"Authorization": f"JWT {self.token}"}


class AccountBuilders(Records):
    """Inserts accounts and sessions."""

    tokens: Tokens
    password_hash: str

    def create_account(self, role: str, **ids: list[int]) -> Person:
        """Create an account; ``ids`` are client_ids, physician_ids, or patient_ids."""
        email = f"u{self.claim_number()}@test.lab"
        user_id = self.run_sql(
            "INSERT INTO users (email, username, password_hash, first_name, last_name, client_ids,"
            " physician_ids, patient_ids) VALUES (%s, %s, %s, 'Ada', 'Tester', %s, %s, %s)"
            " RETURNING id",
            (
                email,
                email,
                self.password_hash,
                ids.get("client_ids", []),
                ids.get("physician_ids", []),
                ids.get("patient_ids", []),
            ),
        )
        self.run_sql(
            "INSERT INTO registrations (user_id, application_id, roles) VALUES (%s, 'portal', %s)",
            (user_id, [role]),
        )
        return Person(email, str(user_id))

    async def create_person(self, role: str, **ids: list[int]) -> Person:
        """Create an account, and sign in with it."""
        return await self.sign_in(self.create_account(role, **ids))

    async def sign_in(self, person: Person) -> Person:
        """Give the person a fresh session without checking a password.

        ``tests/server/accounts`` tests the sign-in itself, whose hashing is slow on purpose.
        """
        return self.start_session(person)

    def start_session(self, person: Person) -> Person:
        """Insert a session, and give the person its access token."""
        session_id, signed_in_at = self.owner.execute(
            "INSERT INTO user_sessions (user_id, signed_in_at, expires_at)"
            " VALUES (%s, now(), now() + interval '12 hours')"
            " RETURNING id, floor(extract(epoch FROM signed_in_at))::bigint",
            (person.user_id,),
        ).fetchone() or (None, None)
        # A run of tests takes longer than the few minutes of a real token.
        with patch("app.server.accounts.tokens.ACCESS_TOKEN_SECONDS", 24 * 3600):
            person.token = self.tokens.mint(UUID(person.user_id), session_id, signed_in_at)
        return person
