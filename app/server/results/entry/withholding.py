"""Chooses the versions of a result to hide outside the lab, or to show again (ADR 55)."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from app.basics.text import clean_text
from app.contract.enumerations import Withholding
from app.server.orders.models import OrderTest
from app.server.results.entry.models import Releasable
from app.server.results.entry.schemas import WithholdRequest

Version = TypeVar("Version", bound=Releasable)


def withhold_versions(
    versions: Iterable[Version], body: WithholdRequest, *, by: UUID | None, at: datetime
) -> list[Version]:
    """Withhold all released versions of a result, and return those that changed.

    No earlier value may appear instead. Versions that are already withdrawn stay withdrawn.
    """
    changed_versions = [
        version
        for version in versions
        if version.released_at is not None and version.withheld != Withholding.WITHDRAWN
    ]
    for version in changed_versions:
        version.withheld = body.kind
        version.withheld_reason, version.withheld_words = body.reason, clean_text(body.words)
        version.withheld_by, version.withheld_at = by, at
    return changed_versions


def end_review(versions: Iterable[Version]) -> list[Version]:
    """End the review of versions, and return those that were under review.

    A withdrawn version stays invisible outside the lab, even after the release of a correction.
    """
    changed_versions = [version for version in versions if version.withheld == Withholding.REVIEW]
    for version in changed_versions:
        version.withheld = None
    return changed_versions


def find_withholding(versions: Sequence[Releasable]) -> Withholding | None:
    """Return why the newest released version is not visible outside the lab, or None."""
    newest = next(
        (version for version in reversed(versions) if version.released_at is not None), None
    )
    return Withholding(newest.withheld) if newest is not None and newest.withheld else None


def mark_row(row: OrderTest, versions: Sequence[Releasable], at: datetime) -> bool:
    """Note on the order's test whether its result is withheld; return whether that changed."""
    kind = find_withholding(versions)
    if row.withheld == kind:
        return False
    row.withheld, row.withheld_at = kind, at if kind else None
    return True
