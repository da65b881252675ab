"""The titles and field labels of a timeline."""

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
"""The title of each kind of event."""

_SPECIAL_LABELS = {
    "social_security_number": "SSN",
    "zip_code_plus4": "Zip plus 4",
    "medical_record_id": "Medical record id",
}


def build_field_labels(names: Iterable[str]) -> dict[str, str]:
    """Return the labels of a patient record's fields, by field name."""
    return {name: _SPECIAL_LABELS.get(name) or _build_label(name) for name in names}


def _build_label(name: str) -> str:
    words = name.removesuffix("_id").removesuffix("_name") if _is_reference(name) else name
    return words.replace("_", " ").capitalize()


def _is_reference(name: str) -> bool:
    return name.endswith("_id") or name == "zip_code_name"
