"""Texts about a correction on the result report: when, by whom, why, and what was reported."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from app.basics.dates import format_timestamp
from app.contract import messages
from app.contract.enumerations import ResultStatus, ScopeKind, Withholding
from app.server.actor import Actor

_NAMELESS = (ScopeKind.PATIENT, ScopeKind.WORKER)
_LABORATORY = "the laboratory"
_WITHHELD_STATES = {
    Withholding.REVIEW: messages.RESULT_UNDER_REVIEW,
    Withholding.WITHDRAWN: messages.RESULT_WITHDRAWN,
}


class UnseenResult(Protocol):
    """A test without a visible result, as the reports of all families describe it."""

    status: int
    awaits_collection: bool
    withheld: Withholding | None
    withheld_at: datetime | None


def may_name_people(actor: Actor) -> bool:
    """Whether a report names people of the lab: not to patients, nor by e-mail or fax (ADR 41)."""
    return actor.kind not in _NAMELESS


def format_correction(
    at: datetime | None, by: str | None, reasons: Iterable[str | None], changes: str
) -> str:
    """Format one correction; without ``at``, it is entered and not released."""
    when = f"Corrected {format_timestamp(at)}" if at else "Correction, not released,"
    reason = ", ".join(text for text in reasons if text) or "no reason stated"
    return f"{when} by {by or _LABORATORY} ({reason}): {changes}"


def format_earlier_value(value: str, at: datetime | None) -> str:
    """Format a value that an earlier correction replaced."""
    when = f" on {format_timestamp(at)}" if at else ""
    return f"Reported before that{when}: {value}"


def format_withheld(kind: str | None, at: datetime | None) -> str | None:
    """Format that a result is under review or withdrawn, and since when; None if it is not."""
    if kind is None:
        return None
    state = _WITHHELD_STATES[Withholding(kind)]
    # The time of older reviews and withdrawals was not stored (revision 0054).
    timeless = messages.RESULT_WITHHELD_TIMELESS.format(words=state)
    return f"{state} {format_timestamp(at)}" if at else timeless


def list_specimen_notes(*, awaits_collection: bool) -> list[str]:
    """List what a visible result says about its specimen, which may be rejected later."""
    return [messages.SPECIMEN_NEEDED] if awaits_collection else []


def describe_missing(test: UnseenResult, label: str) -> str:
    """Return why a test has no visible result: withheld, a rejected specimen, or its status."""
    if test.status == ResultStatus.CANCELED:
        return label
    if test.awaits_collection:
        return messages.SPECIMEN_NEEDED
    return format_withheld(test.withheld, test.withheld_at) or label
