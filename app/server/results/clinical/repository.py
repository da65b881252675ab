"""SQL of the clinical results of one order."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository
from app.server.database.statements import insert_text, rows_text, statements_of, update_text
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result

_ENTERED = ("value", "comment", "flag", "unit", "reference_range", "entered_by", "entered_at")
_ADDED = ("order_id", "order_test_id", "revision", "is_current", *_ENTERED)
_OF_ORDER = ("status", "has_critical", "has_abnormal", "reported_at", "version")


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


@dataclass
class ResultChanges:
    """Results that a write changes; each is in its new state already."""

    added: list[Result] = field(default_factory=list)
    edited: list[Result] = field(default_factory=list)
    withdrawn: list[Result] = field(default_factory=list)
    restored: list[Result] = field(default_factory=list)
    released: list[Result] = field(default_factory=list)


class ClinicalResultRepository(ScopedRepository):
    """The tests of orders that the actor was found to see, with their results."""

    async def tests(self, order: Order) -> list[TestWithResult]:
        """The order's tests in printing order; row-level security hides unreleased results."""
        found = await self.session.execute(
            select(OrderTest, LabTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(OrderTest.order_id == order.id)
            .order_by(OrderTest.position)
        )
        versions: dict[int, list[Result]] = {}
        for result in await self.session.scalars(
            select(Result).where(Result.order_id == order.id).order_by(Result.revision)
        ):
            versions.setdefault(result.order_test_id, []).append(result)
        return [
            TestWithResult(row.OrderTest, row.LabTest, tuple(versions.get(row.OrderTest.id, ())))
            for row in found
        ]

    def write(self, order: Order, tests: Sequence[OrderTest], changes: ResultChanges) -> None:
        """Write, with the commit, an order's changed results, and what follows of them."""
        statements = statements_of(self.session)
        # A test has one current result: the one that was makes room for the one that is to be.
        for results, columns in (
            (changes.withdrawn, ("is_current",)),
            (changes.restored, ("is_current",)),
            (changes.edited, _ENTERED),
            (changes.released, ("released_at", "released_by")),
        ):
            if results:
                rows = _rows(results, ("id", *columns))
                statements.add(update_text("results", columns), {"rows": rows})
        if changes.added:
            rows = _rows(changes.added, _ADDED)
            statements.add(insert_text("results", _ADDED), {"rows": rows})
        if tests:
            rows = _rows(tests, ("id", "status"))
            statements.add(update_text("order_tests", ("status",)), {"rows": rows})
        rows = _rows([order], ("id", *_OF_ORDER))
        statements.add(update_text("orders", _OF_ORDER), {"rows": rows})


def _rows(records: Iterable[object], columns: Sequence[str]) -> str:
    return rows_text({name: getattr(record, name) for name in columns} for record in records)
