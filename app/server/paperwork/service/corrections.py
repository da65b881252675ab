"""Texts about a correction on the result report: when, by whom, why, and what was reported."""

from collections.abc import Iterable
from datetime import datetime
from typing import Protocol

from app.basics.dates import format_timestamp
from app.contract import messages
from app.contract.enumerations import ResultStatus, Withholding

_LABORATORY = "the laboratory"
_WITHHELD_STATES = {
    Withholding.REVIEW: messages.RESULT_UNDER_REVIEW,
    Withholding.WITHDRAWN: messages.RESULT_WITHDRAWN,
}


class ReportedTest(Protocol):
    """A test of any family, with or without a result, as reports describe it."""

    status: int
    awaits_collection: bool
    withheld: Withholding | None
    withheld_at: datetime | None


def format_correction(
    at: datetime | None, by: str | None, reasons: Iterable[str | None], changes: str
) -> str:
    """Format one correction; without ``at``, it is entered and not released.

    Without ``changes``, what was reported before was withdrawn and stays inside the lab.
    """
    when = f"Corrected {format_timestamp(at)}" if at else "Correction, not released,"
    reason = ", ".join(text for text in reasons if text) or "no reason stated"
    text = f"{when} by {by or _LABORATORY} ({reason})"
    return f"{text}: {changes}" if changes else text


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


def list_state_notes(test: ReportedTest) -> list[str]:
    """List notes beside a shown result: a rejected specimen, a review, or a withdrawal.

    Only a preview shows a result that is withheld.
    """
    withheld = format_withheld(test.withheld, test.withheld_at)
    specimen = messages.SPECIMEN_NEEDED if test.awaits_collection else None
    return [note for note in (withheld, specimen) if note]


def describe_missing(test: ReportedTest, label: str) -> str:
    """Return why a test has no visible result: withheld, a rejected specimen, or its status."""
    if test.status == ResultStatus.CANCELED:
        return label
    if test.awaits_collection:
        return messages.SPECIMEN_NEEDED
    return format_withheld(test.withheld, test.withheld_at) or label
