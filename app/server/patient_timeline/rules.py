"""The words of a timeline; no session, no clock, no request."""

from collections.abc import Iterable

from app.contract import messages
from app.contract.enumerations import TimelineKind

TITLES = {
    TimelineKind.REGISTERED: messages.TIMELINE_REGISTERED,
    TimelineKind.CHANGED: messages.TIMELINE_CHANGED,
    TimelineKind.REQUISITION: messages.TIMELINE_REQUISITION,
    TimelineKind.SIGNED: messages.TIMELINE_SIGNED,
    TimelineKind.UNSIGNED: messages.TIMELINE_UNSIGNED,
    TimelineKind.CANCELED: messages.TIMELINE_CANCELED,
    TimelineKind.ORDER: messages.TIMELINE_ORDER,
    TimelineKind.RELEASED: messages.TIMELINE_RELEASED,
}
"""What is said of each kind of event."""

_OWN_WORDS = {
    "social_security_number": "SSN",
    "zip_code_plus4": "Zip plus 4",
    "medical_record_id": "Medical record id",
}


def field_labels(names: Iterable[str]) -> dict[str, str]:
    """What a person calls the fields of a patient's record."""
    return {name: _OWN_WORDS.get(name) or _label(name) for name in names}


def _label(name: str) -> str:
    words = name.removesuffix("_id").removesuffix("_name") if _is_reference(name) else name
    return words.replace("_", " ").capitalize()


def _is_reference(name: str) -> bool:
    return name.endswith("_id") or name == "zip_code_name"
