"""SQL of an order's clinical results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import select

from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository
from app.server.database.statements import build_insert, build_update, format_rows, get_statements
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result

_ENTRY_COLUMNS = ("value", "comment", "flag", "unit", "reference_range", "entered_by", "entered_at")
_NEW_COLUMNS = ("order_id", "order_test_id", "revision", "is_current", *_ENTRY_COLUMNS)


@dataclass(frozen=True)
class TestWithResult:
    """A test of an order with its catalog row and all versions of its result, oldest first."""

    __test__ = False

    row: OrderTest
    test: LabTest
    versions: tuple[Result, ...]

    @property
    def current(self) -> Result | None:
        """The version in result entry, released or not."""
        return next((version for version in self.versions if version.is_current), None)

    @property
    def released(self) -> Result | None:
        """The version that clients see: the newest released one."""
        return next((v for v in reversed(self.versions) if v.released_at is not None), None)

    @property
    def is_corrected(self) -> bool:
        """Whether a released version replaced another released version."""
        return sum(version.released_at is not None for version in self.versions) > 1


@dataclass(frozen=True)
class PreviousResult:
    """The patient's last released result of a test, from an earlier order."""

    value: str
    collection_date: datetime


@dataclass
class ResultChanges:
    """Results that a write changes, already in their new state."""

    added: list[Result] = field(default_factory=list)
    edited: list[Result] = field(default_factory=list)
    withdrawn: list[Result] = field(default_factory=list)
    restored: list[Result] = field(default_factory=list)
    released: list[Result] = field(default_factory=list)


class ClinicalResultRepository(ScopedRepository):
    """Tests and results of orders in the actor's scope, which the caller has checked."""

    async def load_tests(self, order: Order) -> list[TestWithResult]:
        """Load the order's tests by position; row-level security hides unreleased results."""
        rows = await self.session.execute(
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
            for row in rows
        ]

    def store_changes(self, changes: ResultChanges) -> None:
        """Queue the changed results; the commit stores them."""
        statements = get_statements(self.session)
        # Withdrawals come first, since a test has only one current result.
        for results, columns in (
            (changes.withdrawn, ("is_current",)),
            (changes.restored, ("is_current",)),
            (changes.edited, _ENTRY_COLUMNS),
            (changes.released, ("released_at", "released_by")),
        ):
            if results:
                rows = _select_rows(results, ("id", *columns))
                statements.add(build_update("results", columns), {"rows": rows})
        if changes.added:
            rows = _select_rows(changes.added, _NEW_COLUMNS)
            statements.add(build_insert("results", _NEW_COLUMNS), {"rows": rows})


def _select_rows(records: Iterable[object], columns: Sequence[str]) -> str:
    return format_rows({name: getattr(record, name) for name in columns} for record in records)
