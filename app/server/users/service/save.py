"""Creates and changes users (P 4 'User form', P 5)."""

from collections.abc import Sequence
from dataclasses import asdict, replace
from uuid import UUID

from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.contract.enumerations import Role
from app.server.access.work import Work
from app.server.transmissions.senders.choose import Senders
from app.server.users import rules
from app.server.users.errors import MailNotConfigured
from app.server.users.models import UserEntry
from app.server.users.repository import UserRepository, build_email_error, get_assignments
from app.server.users.rules import Assignments, UserValues
from app.server.users.schemas import UserData, UserRead, UserWrite
from app.server.users.service.read import build_read, build_state, get_entry


async def create_user(work: Work, body: UserWrite) -> UserRead:
    """Create a user, who gets an e-mail with a link to choose a password.

    Raises:
        BadInput, EmailInUse, MailNotConfigured.
    """
    require_allowed(rules.judge_administering(work.actor))
    role = body.role or _get_registered_role(body)
    values = UserValues(
        email=rules.normalize_email(body.email),
        last_name=rules.build_name(body.last_name),
        first_name=rules.build_name(body.first_name),
        role=role,
        assigned=_normalize_assignments(role, _parse_assignments(body.data)),
        # Without an invitation that works, nobody could let the user in later.
        active=True,
    )
    await require_valid(work, values)
    return await add_user(work, values)


async def create_patient_user(work: Work, patient_id: int, body: UserWrite) -> UserRead:
    """Create a user for a patient; missing values come from the patient's record (P 7).

    Raises:
        NotFound: there is no such patient within the actor's clients.
        BadInput, EmailInUse, MailNotConfigured.
    """
    require_allowed(rules.judge_administering(work.actor))
    patient = await work.build_repository(UserRepository).find_patient(patient_id)
    if patient is None:
        raise NotFound(messages.NOT_FOUND)
    values = UserValues(
        email=rules.normalize_email(body.email or patient.email),
        last_name=rules.build_name(body.last_name or patient.last_name),
        first_name=rules.build_name(body.first_name or patient.first_name),
        role=Role.PATIENT,
        assigned=Assignments(patients=(patient_id,)),
    )
    require_no_errors(rules.validate_user(values, (Role.PATIENT,)))
    return await add_user(work, values)


async def add_user(work: Work, values: UserValues) -> UserRead:
    """Add a valid user, with the invitation.

    Raises:
        EmailInUse, MailNotConfigured.
    """
    user_id = await insert_user(work, values)
    return await build_read(work, await get_entry(work, user_id))


async def insert_user(work: Work, values: UserValues) -> UUID:
    """Insert a valid user with the invitation, and return the id.

    Raises:
        EmailInUse, MailNotConfigured.
    """
    require_mail(work)
    users = work.build_repository(UserRepository)
    if await users.is_email_in_use(values.email):
        raise build_email_error()
    user_id = await users.create_user(values, rules.choose_username(values.email))
    detail = {"user": str(user_id), "role": values.role, **asdict(values.assigned)}
    await work.audit("create", "user", [], detail)
    return user_id


async def require_valid(work: Work, values: UserValues) -> None:
    """Raise BadInput unless the actor may create a user with these values."""
    require_no_errors(rules.validate_user(values, rules.list_assignable_roles(work.actor)))
    await _require_visible_assignments(work, values, Assignments())


async def change_user(work: Work, user_id: UUID, body: UserWrite) -> UserRead:
    """Change a user; absent fields stay, and so do assignments that the actor does not see.

    Raises:
        NotFound, StaleVersion, UserOutOfReach, BadInput, EmailInUse.
    """
    entry = await get_entry(work, user_id, lock=True)
    actor, state = work.actor, build_state(work, entry)
    require_allowed(rules.judge_change(actor, state))
    before = _get_values(entry)
    values = await _merge_fields(work, before, body)
    if values.role != before.role:
        require_allowed(rules.judge_role_change(actor, state))
    if _sort_ids(values.assigned) != _sort_ids(before.assigned):
        require_allowed(rules.judge_access_change(actor, state))
    if (values.email, values.active) != (before.email, before.active):
        require_allowed(rules.judge_email_change(actor, state))
    roles = (before.role, *rules.list_assignable_roles(actor))
    require_no_errors(rules.validate_user(values, roles))
    await _require_visible_assignments(work, values, before.assigned)
    await _store_changes(work, user_id, before, values)
    return await build_read(work, await get_entry(work, user_id))


def require_mail(work: Work) -> None:
    """Raise MailNotConfigured unless the portal can send e-mails."""
    if work.portal.get_part(Senders).email is None:
        raise MailNotConfigured(messages.EMAIL_NOT_CONFIGURED)


async def _store_changes(work: Work, user_id: UUID, before: UserValues, values: UserValues) -> None:
    users = work.build_repository(UserRepository)
    changed_names = [
        name
        for name in ("email", "last_name", "first_name", "active", "role")
        if getattr(values, name) != getattr(before, name)
    ]
    if "email" in changed_names and await users.is_email_in_use(values.email):
        raise build_email_error()
    await users.change_user(user_id, values)
    detail: dict[str, object] = {"user": str(user_id), "fields": changed_names}
    if values.role != before.role or _sort_ids(values.assigned) != _sort_ids(before.assigned):
        await users.change_access(user_id, values)
        detail |= {"role": values.role, **asdict(values.assigned)}
    await work.audit("change", "user", [], detail)


def _get_registered_role(body: UserWrite) -> str:
    roles = body.registration.roles if body.registration else None
    return roles[0] if roles else ""


async def _merge_fields(work: Work, before: UserValues, body: UserWrite) -> UserValues:
    """Merge the sent fields with those of the user."""
    sent_fields = body.model_fields_set
    role = _get_registered_role(body) or before.role
    if "role" in sent_fields:
        role = body.role or ""
    assignments = before.assigned
    if "data" in sent_fields or role != before.role:
        assignments = await _merge_assignments(work, before.assigned, body.data, role)
    return UserValues(
        email=rules.normalize_email(body.email) if "email" in sent_fields else before.email,
        last_name=rules.build_name(body.last_name)
        if "last_name" in sent_fields
        else before.last_name,
        first_name=(
            rules.build_name(body.first_name) if "first_name" in sent_fields else before.first_name
        ),
        role=role,
        assigned=assignments,
        active=before.active if body.active is None else body.active,
    )


async def _merge_assignments(
    work: Work, current: Assignments, data: UserData | None, role: str
) -> Assignments:
    sent_ids = _parse_assignments(data)
    users = work.build_repository(UserRepository)
    merged_ids = {}
    for kind in ("clients", "physicians", "patients"):
        ids = current.get(kind)
        if data is not None and kind in data.model_fields_set:
            visible_ids = await users.list_visible_ids(kind, ids) if ids else []
            ids = rules.merge_assignments(sent_ids.get(kind), ids, visible_ids)
        merged_ids[kind] = ids
    return _normalize_assignments(role, Assignments(**merged_ids))


async def _require_visible_assignments(
    work: Work, values: UserValues, current: Assignments
) -> None:
    """Raise BadInput if a new assignment does not exist or is out of the actor's scope."""
    kind = rules.get_assigned_kind(values.role)
    if kind is None:
        return
    added_ids = sorted(set(values.assigned.get(kind)) - set(current.get(kind)))
    visible_ids = await work.build_repository(UserRepository).list_visible_ids(kind, added_ids)
    if set(added_ids) - set(visible_ids):
        require_no_errors([FieldError(f"data.{kind}", messages.NOT_FOUND)])


def _get_values(entry: UserEntry) -> UserValues:
    return UserValues(
        entry.email,
        entry.last_name,
        entry.first_name,
        entry.role,
        get_assignments(entry),
        entry.active,
    )


def _parse_assignments(data: UserData | None) -> Assignments:
    if data is None:
        return Assignments()
    return Assignments(
        tuple(data.clients or ()), tuple(data.physicians or ()), tuple(data.patients or ())
    )


def _normalize_assignments(role: str, assignments: Assignments) -> Assignments:
    return rules.normalize_assignments(role, assignments) if role in set(Role) else assignments


def _sort_ids(assignments: Assignments) -> Assignments:
    def sort(ids: Sequence[int]) -> tuple[int, ...]:
        return tuple(sorted(ids))

    return replace(
        assignments,
        clients=sort(assignments.clients),
        physicians=sort(assignments.physicians),
        patients=sort(assignments.patients),
    )
