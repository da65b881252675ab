"""SQL of one order, its tests and results."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on

from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository
from app.server.orders.models import Order, OrderTest, Result


@dataclass(frozen=True)
class TestWithResult:
    """A test of an order with its catalogue row and its present result."""

    __test__ = False

    row: OrderTest
    test: LabTest
    result: Result | None


@dataclass(frozen=True)
class Previous:
    """The last released value of a test for the same patient."""

    value: str
    at: datetime


class OrderRepository(ScopedRepository):
    """Orders within the actor's scope."""

    async def order(self, order_id: int, *, lock: bool = False) -> Order | None:
        """An order, or None."""
        return await self.one(Order, order_id, lock=lock)

    async def tests(self, order_id: int) -> list[TestWithResult]:
        """The order's tests in printing order; row-level security hides unreleased results."""
        found = await self.session.execute(
            select(OrderTest, LabTest, Result)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .outerjoin(Result, (Result.order_test_id == OrderTest.id) & Result.is_current)
            .where(OrderTest.order_id == order_id)
            .order_by(OrderTest.position)
            .execution_options(populate_existing=True)
        )
        return [TestWithResult(row.OrderTest, row.LabTest, row.Result) for row in found]

    async def last_released(self, order_test_id: int) -> Result | None:
        """The newest released version of a test's result."""
        return await self.session.scalar(
            select(Result)
            .where(Result.order_test_id == order_test_id, Result.released_at.is_not(None))
            .order_by(Result.revision.desc())
            .limit(1)
        )

    async def previous(self, order: Order, test_ids: Sequence[int]) -> dict[int, Previous]:
        """The patient's last released value of each test, from earlier orders."""
        found = await self.session.execute(
            select(OrderTest.test_id, Result.value, Order.collection_date)
            .join(OrderTest, OrderTest.id == Result.order_test_id)
            .join(Order, Order.id == Result.order_id)
            .where(
                Order.patient_id == order.patient_id,
                Order.id != order.id,
                Order.collection_date <= order.collection_date,
                OrderTest.test_id.in_(list(test_ids)),
                Result.is_current,
                Result.released_at.is_not(None),
            )
            .ext(distinct_on(OrderTest.test_id))
            .order_by(OrderTest.test_id, Order.collection_date.desc())
        )
        return {row.test_id: Previous(row.value, row.collection_date) for row in found}
