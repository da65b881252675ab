"""Reads of users."""

from uuid import UUID

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import Role
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.users import rules
from app.server.users.models import UserEntry
from app.server.users.repository import UserRepository
from app.server.users.rules import UserState
from app.server.users.schemas import Application, AssignedIds, RegistrationRead, UserRead


def read_application(work: Work) -> Application:
    """Read the roles of the application that concern the actor."""
    return Application(
        roles=list(rules.list_roles(work.actor)),
        given_roles=list(rules.list_assignable_roles(work.actor)),
    )


async def read_user(work: Work, user_id: UUID) -> UserRead:
    """Read a user, with an audit row.

    Raises:
        NotFound: there is no such user within the actor's clients.
    """
    entry = await get_entry(work, user_id)
    await work.audit("read", "user", [], {"user": str(user_id)})
    return await build_read(work, entry)


async def get_entry(work: Work, user_id: UUID, *, lock: bool = False) -> UserEntry:
    """Return a user's entry in the directory.

    Raises:
        NotFound, StaleVersion.
    """
    users = work.build_repository(UserRepository)
    if lock:
        await users.lock_user(user_id)
    entry = await users.find_entry(user_id)
    if entry is None:
        raise NotFound(messages.NOT_FOUND)
    if lock:
        work.require_version(entry)
    return entry


def build_state(work: Work, entry: UserEntry) -> UserState:
    """Build the state that decides who may change the user."""
    is_within = work.actor.role is Role.SUPERUSER or set(entry.admin_client_ids) <= set(
        work.actor.ids
    )
    return UserState(
        entry.role,
        is_self=entry.id == work.actor.user_id,
        is_within=is_within,
        active=entry.active,
    )


async def build_read(work: Work, entry: UserEntry) -> UserRead:
    """Build the answer of a user."""
    users = work.build_repository(UserRepository)
    assignments = await users.load_assignments(entry.id)
    actor, state = work.actor, build_state(work, entry)
    role = Role(entry.role)
    return UserRead.model_validate(
        {
            "id": entry.id,
            "version": entry.version,
            "email": entry.email,
            "username": entry.username,
            "last_name": entry.last_name,
            "first_name": entry.first_name,
            "active": entry.active,
            "role": role,
            "registrations": [RegistrationRead(application_id=rules.APPLICATION, roles=[role])],
            "data": AssignedIds(
                clients=entry.client_ids,
                patients=entry.patient_ids,
                physicians=entry.physician_ids,
            ),
            "last_login_instant": entry.last_login_at,
            **assignments,
            "can_change": Permission.of(rules.judge_change(actor, state)),
            "can_change_access": Permission.of(rules.judge_access_change(actor, state)),
            "can_change_role": Permission.of(rules.judge_role_change(actor, state)),
            "can_change_email": Permission.of(rules.judge_email_change(actor, state)),
            "can_delete": Permission.of(rules.judge_deletion(actor, state)),
            "can_invite": Permission.of(rules.judge_invitation(actor, state)),
        }
    )
