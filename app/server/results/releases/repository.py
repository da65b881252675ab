"""SQL of the releases of orders' results."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import text

from app.contract import messages
from app.contract.enumerations import ReasonKind, Withholding
from app.server.database.repository import ScopedRepository

# A later version is a correction only if it differs from the released version before it.
_CLINICAL = (
    "SELECT r.order_id, r.order_test_id, r.released_at, r.released_by, "
    f"CASE WHEN r.autoverified_version IS NOT NULL THEN '{messages.AUTOVERIFICATION}' END "
    "AS by_name, "
    "count(*) OVER w > 1 AND (r.value, r.comment, r.unit, r.reference_range) IS DISTINCT FROM "
    "(lag(r.value) OVER w, lag(r.comment) OVER w, lag(r.unit) OVER w, "
    "lag(r.reference_range) OVER w) AS is_correction, "
    "concat_ws(', ', coalesce(s.words, r.reason), r.reason_words) AS reason "
    f"FROM results r LEFT JOIN reasons s ON s.kind = '{ReasonKind.CORRECTION}' "
    "AND s.code = r.reason "
    "WHERE r.order_id = ANY(:orders) AND r.released_at IS NOT NULL "
    "WINDOW w AS (PARTITION BY r.order_test_id ORDER BY r.revision)"
)
# A final culture after a preliminary one, and an addendum, have no reason: they correct nothing.
_OTHERS = (
    "SELECT r.order_id, r.order_test_id, r.released_at, r.released_by, "
    "r.released_by_name AS by_name, "
    "count(*) OVER (PARTITION BY r.order_test_id ORDER BY r.revision) > 1 "
    "AND (r.reason_code IS NOT NULL OR r.explanation IS NOT NULL) AS is_correction, "
    "concat_ws(', ', r.reason, r.explanation) AS reason "
    "FROM {table} r WHERE r.order_id = ANY(:orders) AND r.released_at IS NOT NULL"
)
_OTHER_TABLES = ("cultures", "toxicology_results", "pathology_reports")
_RELEASES = text(
    "SELECT v.order_id, t.name, v.released_at, v.released_by, v.by_name, v.is_correction, "
    f"nullif(v.reason, '') AS reason FROM (({_CLINICAL}) UNION ALL "
    + " UNION ALL ".join(f"({_OTHERS.format(table=table)})" for table in _OTHER_TABLES)
    + ") v JOIN order_tests t ON t.id = v.order_test_id "
    "ORDER BY v.order_id, v.released_at, t.position"
)

# Even after its review has ended, a version keeps the time when it was last withheld.
_WITHHOLDINGS = text(
    " UNION ALL ".join(
        f"SELECT r.withheld_at, r.withheld FROM {table} r WHERE r.order_id = :order "
        "AND r.released_at IS NOT NULL AND r.withheld_at IS NOT NULL"
        for table in ("results", *_OTHER_TABLES)
    )
)


@dataclass(frozen=True)
class Release:
    """A released version of a test's result; ``reason`` explains a correction."""

    order_id: int
    test: str
    released_at: datetime
    released_by: UUID | None
    released_by_name: str | None
    is_correction: bool
    reason: str | None


@dataclass(frozen=True)
class WithheldVersion:
    """A released version with the time when it was last withheld.

    ``kind`` is None if people outside the lab see it again.
    """

    at: datetime
    kind: Withholding | None


class ReleaseRepository(ScopedRepository):
    """Releases of orders that the caller has checked; policies hide what is withheld."""

    async def list_releases(self, order_ids: Collection[int]) -> list[Release]:
        """Return the releases of these orders by order and time."""
        rows = await self.session.execute(_RELEASES, {"orders": list(order_ids)})
        return [Release(*row) for row in rows]

    async def find_last_correction(self, order_id: int) -> datetime | None:
        """Return when a released result of the order was last corrected, or None."""
        releases = await self.list_releases([order_id])
        return max((r.released_at for r in releases if r.is_correction), default=None)

    async def list_withheld_versions(self, order_id: int) -> list[WithheldVersion]:
        """Return the order's released versions that were ever withheld, for the lab."""
        rows = await self.session.execute(_WITHHOLDINGS, {"order": order_id})
        return [WithheldVersion(at, Withholding(kind) if kind else None) for at, kind in rows]
