"""The words about a correction on the result report: when, by whom, why, and what was reported."""

from collections.abc import Iterable
from datetime import datetime

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor

_NAMELESS = (ScopeKind.PATIENT, ScopeKind.WORKER)
_LABORATORY = "the laboratory"


def names_people(actor: Actor) -> bool:
    """Whether a report names people of the lab: not to patients, nor by e-mail or fax (ADR 41)."""
    return actor.kind not in _NAMELESS


def format_correction(
    at: datetime | None, by: str | None, reasons: Iterable[str | None], changes: str
) -> str:
    """Format one correction; without ``at``, it is entered and not released."""
    when = f"Corrected {at:%m/%d/%Y %H:%M}" if at else "Correction, not released,"
    reason = ", ".join(text for text in reasons if text) or "no reason stated"
    return f"{when} by {by or _LABORATORY} ({reason}): {changes}"


def format_earlier(value: str, at: datetime | None) -> str:
    """Format a value that an earlier correction replaced."""
    when = f" on {at:%m/%d/%Y %H:%M}" if at else ""
    return f"Reported before that{when}: {value}"
