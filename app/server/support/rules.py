"""Rules about writing to the lab: roles, validation, and when to try again (P 5, P 6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from app.basics.emails import is_valid_email
from app.basics.errors import FieldError, Forbidden
from app.basics.text import keep_digits
from app.contract import messages
from app.contract.choices import SUPPLY_UNITS
from app.contract.enumerations import Role
from app.contract.limits import (
    LAB_TEXT_MAX,
    SUPPLY_COMMENT_MAX,
    SUPPLY_QUANTITY_MAX,
    SUPPORT_MESSAGE_MAX,
)
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor
from app.server.transmissions.rules import (
    Outcome,
    RetryPolicy,
    Trouble,
    describe_trouble,
    is_uncertain_again,
)

WRITERS = ALL_ROLES
SUPPLY_REQUESTERS = frozenset({Role.SUPERUSER, Role.CLIENT_ADMIN, Role.CLIENT_BASIC})
_PHONE_DIGITS = 10


class RequestKind(StrEnum):
    """The kinds of requests that people write to the lab."""

    CONTACT = "contact"
    SUPPLY = "supply"


class RequestStatus(StrEnum):
    """The progress of a request's e-mail."""

    WAITING = "waiting"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True)
class Wish:
    """A supply that somebody asks for."""

    supply_id: int
    quantity: int | None
    unit: str | None
    comment: str | None


def judge_writing(actor: Actor) -> Forbidden | None:
    """Return why the actor may not write a message to the lab, or None."""
    return judge_role(actor, WRITERS)


def judge_requesting_supplies(actor: Actor) -> Forbidden | None:
    """Return why the actor may not ask the lab for supplies, or None."""
    return judge_role(actor, SUPPLY_REQUESTERS)


def validate_writer(
    name: str | None, email: str | None, phone: str | None, message: str | None
) -> list[FieldError]:
    """Validate who writes, and that the message is neither empty nor too long."""
    errors = []
    if name is None:
        errors.append(FieldError("name", messages.CONTACT_LAST_NAME_REQUIRED))
    elif len(name) > LAB_TEXT_MAX:
        errors.append(FieldError("name", messages.VALUE_TOO_LONG.format(max=LAB_TEXT_MAX)))
    if email is None:
        errors.append(FieldError("email", messages.EMAIL_REQUIRED))
    elif len(email) > LAB_TEXT_MAX or not is_valid_email(email):
        errors.append(FieldError("email", messages.EMAIL_INVALID))
    if phone is not None and len(keep_digits(phone) or "") != _PHONE_DIGITS:
        errors.append(FieldError("phone", messages.PHONE_INVALID))
    if message is None:
        errors.append(FieldError("message", messages.MESSAGE_REQUIRED))
    elif len(message) > SUPPORT_MESSAGE_MAX:
        text = messages.VALUE_TOO_LONG.format(max=SUPPORT_MESSAGE_MAX)
        errors.append(FieldError("message", text))
    return errors


def choose_wishes(wishes: Sequence[Wish]) -> list[Wish]:
    """Return the supplies that have both a quantity and a unit (P 5)."""
    return [wish for wish in wishes if wish.quantity is not None and wish.unit]


def validate_wishes(wishes: Sequence[Wish], supplies: Mapping[int, object]) -> list[FieldError]:
    """Validate the supplies that somebody asks for."""
    errors = []
    for wish in wishes:
        field = f"supplies.{wish.supply_id}"
        is_bad = wish.supply_id not in supplies or wish.unit not in SUPPLY_UNITS
        if is_bad or not 0 < (wish.quantity or 0) <= SUPPLY_QUANTITY_MAX:
            errors.append(FieldError(field, messages.VALUE_INVALID))
        elif len(wish.comment or "") > SUPPLY_COMMENT_MAX:
            text = messages.VALUE_TOO_LONG.format(max=SUPPLY_COMMENT_MAX)
            errors.append(FieldError(field, text))
    return errors


def is_over(
    policy: RetryPolicy, earlier_trouble: str | None, outcome: Outcome, age: timedelta
) -> bool:
    """Whether to stop trying: the request was refused, twice uncertain, or is too old."""
    is_too_old = age > policy.give_up_after
    return outcome is Outcome.REFUSED or is_uncertain_again(earlier_trouble, outcome) or is_too_old


def find_reason(status: RequestStatus, trouble: str | None) -> str | None:
    """Return why a request waits or has failed; while it waits, UNCERTAIN means NO_ANSWER."""
    if status is RequestStatus.WAITING and trouble == Trouble.UNCERTAIN:
        return describe_trouble(Trouble.NO_ANSWER)
    return describe_trouble(trouble)


def find_status(sent_at: datetime | None, next_try_at: datetime | None) -> RequestStatus:
    """Return the progress of a request."""
    if sent_at is not None:
        return RequestStatus.SENT
    return RequestStatus.FAILED if next_try_at is None else RequestStatus.WAITING
