"""SQL of the clinical results of one order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import distinct_on

from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result


@dataclass(frozen=True)
class TestWithResult:
    """A test of an order with its catalogue row and all versions of its result, oldest first."""

    __test__ = False

    row: OrderTest
    test: LabTest
    versions: tuple[Result, ...]

    @property
    def current(self) -> Result | None:
        """What the bench works on: released or not."""
        return next((version for version in self.versions if version.is_current), None)

    @property
    def released(self) -> Result | None:
        """What clients see: the newest released version."""
        return next((v for v in reversed(self.versions) if v.released_at is not None), None)

    @property
    def is_corrected(self) -> bool:
        """Whether a released version replaced another released one."""
        return sum(version.released_at is not None for version in self.versions) > 1


@dataclass(frozen=True)
class Previous:
    """The last released value of a test for the same patient."""

    value: str
    at: datetime


class ClinicalResultRepository(ScopedRepository):
    """The tests of orders that the actor was found to see, with their results."""

    async def tests(self, order_id: int) -> list[TestWithResult]:
        """The order's tests in printing order; row-level security hides unreleased results."""
        found = await self.session.execute(
            select(OrderTest, LabTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(OrderTest.order_id == order_id)
            .order_by(OrderTest.position)
        )
        versions: dict[int, list[Result]] = {}
        for result in await self.session.scalars(
            select(Result).where(Result.order_id == order_id).order_by(Result.revision)
        ):
            versions.setdefault(result.order_test_id, []).append(result)
        return [
            TestWithResult(row.OrderTest, row.LabTest, tuple(versions.get(row.OrderTest.id, ())))
            for row in found
        ]

    async def enterers(self, order_id: int) -> dict[UUID, str]:
        """The names of those who entered the order's current results, by their ids."""
        found = await self.session.execute(
            select(Result.entered_by, func.name_of_user(Result.entered_by).label("name"))
            .where(Result.order_id == order_id, Result.is_current, Result.entered_by.is_not(None))
            .distinct()
        )
        return {row.entered_by: row.name for row in found if row.name}

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
                Result.released_at.is_not(None),
            )
            .ext(distinct_on(OrderTest.test_id))
            .order_by(
                OrderTest.test_id, Order.collection_date.desc(), Order.id, Result.revision.desc()
            )
        )
        return {row.test_id: Previous(row.value, row.collection_date) for row in found}
