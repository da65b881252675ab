"""Rules of users: which users a person administers, and what a user consists of (P 5, P 6)."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError, Forbidden
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import USER_ASSIGNMENTS_MAX, USER_EMAIL_MAX, USER_NAME_MAX
from app.server.access.policy import judge_role
from app.server.actor import Actor
from app.server.users.errors import UserOutOfReach

ADMINISTRATORS = frozenset({Role.SUPERUSER, Role.CLIENT_ADMIN})
CLIENT_ROLES = frozenset({Role.CLIENT_ADMIN, Role.CLIENT_BASIC})
GIVEN_BY_CLIENT_ADMIN = (Role.CLIENT_BASIC, Role.PATIENT)
"""The roles that a Client Admin gives, and whose users a Client Admin changes."""
LISTED_FOR_CLIENT_ADMIN = (Role.CLIENT_ADMIN, Role.CLIENT_BASIC)
APPLICATION = "portal"
_USERNAME_NUMBERS = range(10_000, 100_000)
_REQUIRED = {
    "clients": messages.USER_CLIENT_REQUIRED,
    "physicians": messages.USER_PHYSICIAN_REQUIRED,
    "patients": messages.USER_PATIENT_REQUIRED,
}


@dataclass(frozen=True)
class UserState:
    """The data that decide who may change a user.

    Attributes:
        is_within: whether every assignment is within the actor's clients; true for a Superuser.
    """

    role: str
    is_self: bool = False
    is_within: bool = True
    active: bool = True


@dataclass(frozen=True)
class Assignments:
    """The ids of the clients, physicians and patients that a user acts for."""

    clients: tuple[int, ...] = ()
    physicians: tuple[int, ...] = ()
    patients: tuple[int, ...] = ()

    def get(self, name: str) -> tuple[int, ...]:
        """Return the ids of a kind: 'clients', 'physicians' or 'patients'."""
        ids: tuple[int, ...] = getattr(self, name)
        return ids


@dataclass(frozen=True)
class SignUpValues:
    """The entries of a patient who signs up, normalized like patient records."""

    last_name: str
    first_name: str
    birth_date: date | None
    code: str
    email: str


@dataclass(frozen=True)
class UserValues:
    """The values of a user's form, as they are stored."""

    email: str
    last_name: str
    first_name: str
    role: str
    assigned: Assignments = field(default_factory=Assignments)
    active: bool = True


def judge_administering(actor: Actor) -> Forbidden | None:
    """Return why the actor may not administer users at all, or None."""
    return judge_role(actor, ADMINISTRATORS)


def judge_change(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not save the user's form, or None.

    Administrators may always save their own names.
    """
    if denial := judge_administering(actor):
        return denial
    if actor.role is Role.SUPERUSER or user.is_self or user.role in GIVEN_BY_CLIENT_ADMIN:
        return None
    return UserOutOfReach(messages.USER_OUT_OF_REACH)


def judge_access_change(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not change the user's role and assignments, or None."""
    if denial := judge_change(actor, user):
        return denial
    return UserOutOfReach(messages.USER_SELF) if user.is_self else None


def judge_role_change(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not change the user's role, or None.

    A change of the role removes all assignments.
    """
    if denial := judge_access_change(actor, user):
        return denial
    return None if user.is_within else UserOutOfReach(messages.USER_OF_OTHERS)


def judge_email_change(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not change the user's e-mail address or state, or None."""
    return judge_role_change(actor, user)


def judge_deletion(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not delete the user, or None."""
    return judge_role_change(actor, user)


def judge_invitation(actor: Actor, user: UserState) -> Forbidden | None:
    """Return why the actor may not send the user a new invitation, or None."""
    if denial := judge_role_change(actor, user):
        return denial
    return None if user.active else UserOutOfReach(messages.USER_INACTIVE)


def list_assignable_roles(actor: Actor) -> tuple[Role, ...]:
    """Return the roles that the actor may give to others (P 6)."""
    return tuple(Role) if actor.role is Role.SUPERUSER else GIVEN_BY_CLIENT_ADMIN


def list_roles(actor: Actor) -> tuple[Role, ...]:
    """Return the roles by which the actor filters the list (P 6)."""
    return tuple(Role) if actor.role is Role.SUPERUSER else LISTED_FOR_CLIENT_ADMIN


def normalize_email(text: str | None) -> str:
    """Return an e-mail address in its stored form, in lower case."""
    return (clean_text(text) or "").lower()


def validate_user(values: UserValues, roles: Sequence[str]) -> list[FieldError]:
    """Collect the errors of a user who gets one of ``roles`` (P 5)."""
    errors = validate_names(values.email, values.last_name, values.first_name)
    if values.role not in roles:
        return [*errors, FieldError("role", messages.USER_ROLE_REQUIRED)]
    kind = get_assigned_kind(values.role)
    if kind is not None and not values.assigned.get(kind):
        errors.append(FieldError(f"data.{kind}", _REQUIRED[kind]))
    if kind is not None and len(values.assigned.get(kind)) > USER_ASSIGNMENTS_MAX:
        message = messages.USER_ASSIGNMENTS_TOO_MANY.format(max=f"{USER_ASSIGNMENTS_MAX:,}")
        errors.append(FieldError(f"data.{kind}", message))
    return errors


def validate_names(email: str, last_name: str, first_name: str) -> list[FieldError]:
    """Collect the errors of a user's e-mail address and names (P 5)."""
    errors = []
    if not email:
        errors.append(FieldError("email", messages.EMAIL_REQUIRED))
    elif len(email) > USER_EMAIL_MAX or not is_valid_email(email):
        errors.append(FieldError("email", messages.EMAIL_INVALID))
    for name, value, message in (
        ("lastName", last_name, messages.LAST_NAME_REQUIRED),
        ("firstName", first_name, messages.USER_FIRST_NAME_REQUIRED),
    ):
        if not value:
            errors.append(FieldError(name, message))
        elif len(value) > USER_NAME_MAX:
            errors.append(FieldError(name, messages.VALUE_TOO_LONG.format(max=USER_NAME_MAX)))
    return errors


def validate_sign_up(values: SignUpValues) -> list[FieldError]:
    """Collect the errors of a patient's sign-up (P 5)."""
    errors = [
        FieldError(name, message)
        for name, value, message in (
            ("lastName", values.last_name, messages.SEARCH_LAST_NAME_REQUIRED),
            ("firstName", values.first_name, messages.SEARCH_FIRST_NAME_REQUIRED),
            ("birthDate", values.birth_date, messages.BIRTH_DATE_REQUIRED),
            ("code", values.code, messages.SIGN_UP_CODE_REQUIRED),
        )
        if not value
    ]
    if not values.email:
        errors.append(FieldError("email", messages.EMAIL_REQUIRED))
    elif len(values.email) > USER_EMAIL_MAX or not is_valid_email(values.email):
        errors.append(FieldError("email", messages.EMAIL_INVALID))
    return errors


def get_assigned_kind(role: str) -> str | None:
    """Return what users of a role are assigned to: 'clients', 'physicians', 'patients' or None."""
    if role in CLIENT_ROLES:
        return "clients"
    return {Role.PHYSICIAN: "physicians", Role.PATIENT: "patients"}.get(Role(role))


def normalize_assignments(role: str, assignments: Assignments) -> Assignments:
    """Return only the ids of the kind that the role needs, without duplicates (P 5)."""
    kind = get_assigned_kind(role)
    if kind is None:
        return Assignments()
    return Assignments(**{kind: tuple(dict.fromkeys(assignments.get(kind)))})


def merge_assignments(
    sent_ids: Sequence[int], current: Sequence[int], visible_ids: Sequence[int]
) -> tuple[int, ...]:
    """Return the sent ids, and those current ids that stay because the actor does not see them."""
    hidden_ids = [id_ for id_ in current if id_ not in set(visible_ids)]
    return tuple(dict.fromkeys((*sent_ids, *hidden_ids)))


def build_username(email: str, number: int) -> str:
    """Build the user name: the e-mail's part before the @, and a number of five digits (P 5)."""
    return f"{email.partition('@')[0]}{number}"


def choose_username(email: str) -> str:
    """Choose a user name with a random number."""
    return build_username(email, secrets.choice(_USERNAME_NUMBERS))


def build_name(text: str | None) -> str:
    """Return a name in its stored form."""
    return to_upper_case(text) or ""
