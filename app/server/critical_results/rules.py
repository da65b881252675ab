"""Rules about notifying clients of critical results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from app.basics.errors import FieldError, PortalError
from app.contract import messages
from app.contract.enumerations import Role, TellingMethod
from app.server.access.policy import CLIENT_STAFF, LAB_STAFF, judge_role
from app.server.actor import Actor
from app.server.critical_results.errors import CriticalResultClosed

READERS = LAB_STAFF | CLIENT_STAFF | {Role.PHYSICIAN}
"""Who sees the notices; a patient reads the results on the order page."""
NOTIFIERS = LAB_STAFF


@dataclass(frozen=True)
class Contact:
    """A person to notify, with the data that escalation needs."""

    position: int
    name: str
    email: str | None
    is_open: bool = True


@dataclass(frozen=True)
class CallState:
    """What a call says about who knows the results."""

    told_name: str
    method: TellingMethod | None
    is_told: bool
    has_read_back: bool


def judge_reading(actor: Actor) -> PortalError | None:
    """Return why the actor may not see notices of critical results, or None."""
    return judge_role(actor, READERS)


def judge_telling(actor: Actor, *, is_open: bool) -> PortalError | None:
    """Return why the actor may not record calls and close the notice, or None."""
    if is_open:
        return judge_role(actor, NOTIFIERS)
    return judge_role(actor, NOTIFIERS) or CriticalResultClosed(messages.CRITICAL_ALREADY_CLOSED)


def validate_call(call: CallState) -> list[FieldError]:
    """Return what is missing or contradictory in a call."""
    errors = []
    if not call.told_name:
        errors.append(FieldError("toldName", messages.CRITICAL_NAME_REQUIRED))
    if call.method is None:
        errors.append(FieldError("method", messages.CRITICAL_METHOD_REQUIRED))
    if call.has_read_back and not call.is_told:
        errors.append(FieldError("hasReadBack", messages.CRITICAL_READ_BACK_WITHOUT_CALL))
    return errors


def validate_closing(note: str | None, *, is_told: bool) -> list[FieldError]:
    """Return why the notice cannot be closed: nobody has read back, and no note says why."""
    if is_told or note:
        return []
    return [FieldError("note", messages.CRITICAL_NOTE_REQUIRED)]


def choose_next_contact(level: int, contacts: Sequence[Contact]) -> Contact | None:
    """Return the contact to alert after the one at position ``level``, or None after the last."""
    later = [contact for contact in contacts if contact.position > level]
    return min(later, key=lambda contact: contact.position, default=None)


def compute_escalation_delay(contact: Contact, limit: timedelta) -> timedelta:
    """Return the time between the alert of this contact and the alert of the next one.

    It is zero if this contact is closed now. A closed contact is alerted anyway, because its
    recorded hours may be wrong.
    """
    return limit if contact.is_open else timedelta()
