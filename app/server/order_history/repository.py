"""SQL of the events of orders."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import select, text

from app.contract.enumerations import ReasonKind, ScopeKind, Withholding
from app.server.access.policy import LAB_STAFF
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.orders.models import (
    OrderAcknowledgment,
    OrderComment,
    OrderCompletion,
    OrderTest,
)
from app.server.requisitions.models import RequisitionSignature
from app.server.results.entry.models import CONCERNS_ORDER

# People of the lab who only read results are not recipients. What they printed or exported may have
# left the lab. Drawing may take long, so the row of a print says when its content was read.
_READERS = text(
    "SELECT e.user_id, name_of_user(e.user_id), e.role, e.action, "
    "max(c.read_at) FILTER (WHERE c.read_at < :until), max(c.read_at) FROM audit_events e "
    "CROSS JOIN LATERAL "
    "(SELECT least(e.at, CAST(e.detail->>'readAt' AS timestamptz)) AS read_at) c "
    "WHERE e.kind = 'order-results' AND e.at >= :since AND e.user_id IS NOT NULL "
    "AND e.action IN ('read', 'print', 'export') "
    "AND e.record_ids @> ARRAY[CAST(:order AS bigint)] "
    "AND (e.action <> 'read' OR NOT e.role = ANY(:lab)) "
    "GROUP BY e.user_id, e.role, e.action "
    "HAVING max(c.read_at) FILTER (WHERE c.read_at < :until) IS NOT NULL"
)

_HOLDS = text(
    "SELECT o.id, t.name, coalesce(s.words, h.reason), h.words, h.order_id IS NULL, "
    "h.placed_at, name_of_user(h.placed_by), h.lifted_at, name_of_user(h.lifted_by), "
    "h.lifted_words FROM orders o "
    "JOIN (SELECT DISTINCT ON (x.order_id, x.test_id) x.order_id, x.test_id, x.name "
    "FROM order_tests x WHERE x.order_id = ANY(:orders) "
    "ORDER BY x.order_id, x.test_id, x.position) t ON t.order_id = o.id "
    f"JOIN result_holds h ON h.test_id = t.test_id AND {CONCERNS_ORDER} "
    f"LEFT JOIN reasons s ON s.kind = '{ReasonKind.HOLD}' AND s.code = h.reason "
    "WHERE o.id = ANY(:orders) ORDER BY h.id"
)


@dataclass(frozen=True)
class Reading:
    """Somebody's last act on results before a correction.

    ``newest`` is when the same person last did this, before or after the correction. Both times are
    those at which the content was read.
    """

    user_id: UUID
    name: str | None
    role: str
    action: str
    at: datetime
    newest: datetime


@dataclass(frozen=True)
class HoldOfTest:
    """A hold that prevented the release of an order's test; ``reason`` is in the lab's words."""

    order_id: int
    test: str
    reason: str
    words: str | None
    is_everywhere: bool
    placed_at: datetime
    placed_by: str | None
    lifted_at: datetime | None
    lifted_by: str | None
    lifted_words: str | None


@dataclass(frozen=True)
class WithheldTest:
    """A test whose released result has been under review or withdrawn since ``at``."""

    name: str
    kind: Withholding
    at: datetime


class OrderHistoryRepository(ScopedRepository):
    """Events of orders that the caller has checked."""

    async def list_signatures(self, requisition_ids: Collection[int]) -> list[RequisitionSignature]:
        """Return all signatures of these requisitions, oldest first, including removed ones."""
        rows = await self.session.scalars(
            select(RequisitionSignature)
            .where(build_ids_condition(RequisitionSignature.requisition_id, requisition_ids))
            .order_by(RequisitionSignature.id)
        )
        return list(rows)

    async def list_acknowledgments(self, order_ids: Collection[int]) -> list[OrderAcknowledgment]:
        """Return all acknowledgments of these orders, oldest first; patients see none."""
        if self.actor.kind is ScopeKind.PATIENT:
            return []
        rows = await self.session.scalars(
            select(OrderAcknowledgment)
            .where(build_ids_condition(OrderAcknowledgment.order_id, order_ids))
            .order_by(OrderAcknowledgment.id)
        )
        return list(rows)

    async def list_completions(self, order_ids: Collection[int]) -> list[OrderCompletion]:
        """Return what was filled in for these orders, oldest first; patients see none."""
        if self.actor.kind is ScopeKind.PATIENT:
            return []
        rows = await self.session.scalars(
            select(OrderCompletion)
            .where(build_ids_condition(OrderCompletion.order_id, order_ids))
            .order_by(OrderCompletion.id)
        )
        return list(rows)

    async def list_comments(self, order_ids: Collection[int]) -> list[OrderComment]:
        """Return the comments that these orders have had, oldest first; only the lab sees them."""
        rows = await self.session.scalars(
            select(OrderComment)
            .where(build_ids_condition(OrderComment.order_id, order_ids))
            .order_by(OrderComment.id)
        )
        return list(rows)

    async def list_holds(self, order_ids: Collection[int]) -> list[HoldOfTest]:
        """Return the holds on tests of these orders, oldest first; only the lab sees them."""
        if self.actor.kind is not ScopeKind.STAFF:
            return []
        rows = await self.session.execute(_HOLDS, {"orders": list(order_ids)})
        return [HoldOfTest(*row) for row in rows]

    async def list_readings(
        self, order_id: int, since: datetime, until: datetime
    ) -> Sequence[Reading]:
        """Return who viewed, printed, or exported the results in this time; for the lab."""
        rows = await self.session.execute(
            _READERS,
            {
                "order": order_id,
                "since": since,
                "until": until,
                "lab": [str(role) for role in LAB_STAFF],
            },
        )
        return [Reading(*row) for row in rows]

    async def list_withheld_tests(self, order_id: int) -> list[WithheldTest]:
        """Return the tests of an order whose released result is withheld now, by position."""
        rows = await self.session.execute(
            select(OrderTest.name, OrderTest.withheld, OrderTest.withheld_at)
            .where(OrderTest.order_id == order_id, OrderTest.withheld.is_not(None))
            .order_by(OrderTest.position)
        )
        return [WithheldTest(name, Withholding(kind), at) for name, kind, at in rows if kind and at]
