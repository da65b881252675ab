"""SQL of an order's clinical results."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import lru_cache

from sqlalchemy import select

from app.contract.enumerations import ReasonKind, ResultStatus, ScopeKind, Withholding
from app.contract.limits import LAST_VALUES_MAX
from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.lab_settings.models import Reason
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.checks import find_difference
from app.server.results.clinical.models import Result
from app.server.results.entry.models import WITHHELD_COLUMNS

_UNWRITTEN_COLUMNS = frozenset({"id", "range_comment"})
_NEW_COLUMNS = tuple(c.name for c in Result.__table__.columns if c.name not in _UNWRITTEN_COLUMNS)
_FIXED_COLUMNS = frozenset({"order_id", "order_test_id", "revision", "is_current"})
_ENTRY_COLUMNS = tuple(name for name in _NEW_COLUMNS if name not in _FIXED_COLUMNS)


@dataclass(slots=True)
class TestWithResult:
    """A test of an order with its catalog row and all versions of its result.

    Attributes:
        versions: oldest first. All rows of one analyte share them.
        owner_row_id: the id of the row that owns the result; the others only show it.
        is_canceled: whether all rows of the analyte are canceled.
    """

    __test__ = False

    row: OrderTest
    test: LabTest
    versions: tuple[Result, ...]
    owner_row_id: int
    is_canceled: bool

    @property
    def owns_result(self) -> bool:
        """Whether this row owns the result that all rows of its analyte show."""
        return self.row.id == self.owner_row_id

    @property
    def is_row_canceled(self) -> bool:
        """Whether this row is canceled; another row of the analyte may have its result."""
        return self.row.status == ResultStatus.CANCELED

    @property
    def current(self) -> Result | None:
        """The version in result entry, released or not."""
        for version in self.versions:
            if version.is_current:
                return version
        return None

    @property
    def newest_released(self) -> Result | None:
        """The newest version that was released, even if it is withheld now."""
        for version in reversed(self.versions):
            if version.released_at is not None:
                return version
        return None

    @property
    def released(self) -> Result | None:
        """The version that clients see: the newest released one, unless it is withheld."""
        version = self.newest_released
        return version if version is not None and version.withheld is None else None

    @property
    def corrections(self) -> list[tuple[Result, Result]]:
        """Pairs of a released version and the different version that replaced it, oldest first."""
        return [(old, new) for old, new in self.listed_corrections if old is not None]

    @property
    def listed_corrections(self) -> list[tuple[Result | None, Result]]:
        """The corrections, with None in place of replaced versions that the reader does not see.

        A released version with a reason is a correction, even if the version that it replaced was
        withdrawn.
        """
        if len(self.versions) < 2 and all(v.reason is None for v in self.versions):
            return []  # the usual case
        released_versions = [v for v in self.versions if v.released_at is not None]
        corrections: list[tuple[Result | None, Result]] = []
        for old, new in zip([None, *released_versions], released_versions, strict=False):
            corrected = old if old is not None and _has_changed(old, new) else None
            if corrected is not None or new.reason is not None:
                corrections.append((corrected, new))
        return corrections

    @property
    def is_corrected(self) -> bool:
        """Whether a released version is a correction."""
        return bool(self.listed_corrections)


def _has_changed(old: Result, new: Result) -> bool:
    columns = ("value", "comment", "unit", "reference_range")
    return any(getattr(old, name) != getattr(new, name) for name in columns)


def build_tests(
    ordered_tests: Sequence[tuple[OrderTest, LabTest]], results: Iterable[Result]
) -> list[TestWithResult]:
    """Build an order's tests with the versions of their analytes; ``results`` are by revision.

    Results of tests that are not in ``ordered_tests`` belong to other families.
    """
    analytes = {row.id: row.test_id for row, _ in ordered_tests}
    versions: dict[int, list[Result]] = {}
    result_row_ids: dict[int, int] = {}
    for result in results:
        analyte = analytes.get(result.order_test_id)
        if analyte is not None:
            versions.setdefault(analyte, []).append(result)
            result_row_ids[analyte] = result.order_test_id
    first_row_ids: dict[int, int] = {}
    open_row_ids: dict[int, int] = {}
    for row, _ in ordered_tests:
        first_row_ids.setdefault(row.test_id, row.id)
        if row.status != ResultStatus.CANCELED:
            open_row_ids.setdefault(row.test_id, row.id)
    # A test without results belongs to its first row that is not canceled.
    owner_row_ids = first_row_ids | open_row_ids | result_row_ids
    return [
        TestWithResult(
            row,
            test,
            tuple(versions.get(row.test_id, ())),
            owner_row_ids[row.test_id],
            row.test_id not in open_row_ids,
        )
        for row, test in ordered_tests
    ]


@dataclass(frozen=True)
class PreviousResult:
    """The patient's last released result of a test, from an earlier order."""

    value: str
    sign: str | None
    number: Decimal | None
    unit: str | None
    method: str | None
    collection_date: datetime

    def find_difference(self, test: LabTest) -> str | None:
        """Return why a result of the test cannot be compared with it, or None."""
        return find_difference(test.unit, test.method, self.unit, self.method)


@dataclass(frozen=True)
class EarlierValue:
    """A released value of an earlier order; ``number`` is None for text."""

    collection_date: datetime
    value: str
    number: float | None
    flag: str | None


@dataclass
class ResultChanges:
    """Results that a write changes, already in their new state."""

    added: list[Result] = field(default_factory=list)
    edited: list[Result] = field(default_factory=list)
    withdrawn: list[Result] = field(default_factory=list)
    restored: list[Result] = field(default_factory=list)
    verified: list[Result] = field(default_factory=list)
    released: list[Result] = field(default_factory=list)
    withheld: list[Result] = field(default_factory=list)
    marked: list[OrderTest] = field(default_factory=list)
    """Rows whose ``withheld`` changed."""


class ClinicalResultRepository(ScopedRepository):
    """Tests and results of orders; the caller has checked that the orders are in scope."""

    async def load_tests(self, order: Order) -> list[TestWithResult]:
        """Load the order's tests by position; row-level security hides unreleased results."""
        return (await self.load_tests_of_many([order.id])).get(order.id, [])

    async def load_tests_of_many(
        self, order_ids: Collection[int]
    ) -> dict[int, list[TestWithResult]]:
        """Load the tests of these orders by order id and position, with two statements."""
        rows = await self.session.execute(
            select(OrderTest, LabTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(build_ids_condition(OrderTest.order_id, order_ids))
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        results = await self.session.scalars(
            select(Result)
            .where(build_ids_condition(Result.order_id, order_ids))
            .order_by(Result.order_id, Result.revision)
        )
        tests_by_order: dict[int, list[tuple[OrderTest, LabTest]]] = {}
        for row in rows:
            tests_by_order.setdefault(row.OrderTest.order_id, []).append(
                (row.OrderTest, row.LabTest)
            )
        results_by_order: dict[int, list[Result]] = {}
        for result in results:
            results_by_order.setdefault(result.order_id, []).append(result)
        return {
            order_id: build_tests(tests, results_by_order.get(order_id, ()))
            for order_id, tests in tests_by_order.items()
        }

    async def load_reason_words(self, kind: ReasonKind) -> Mapping[str, str]:
        """Load the lab's words for the reasons of a kind, by code."""
        rows = await self.session.execute(
            select(Reason.code, Reason.words).where(Reason.kind == kind)
        )
        return {row.code: row.words for row in rows}

    async def load_last_values(
        self, order: Order, test_ids: Sequence[int]
    ) -> Mapping[int, Sequence[EarlierValue]]:
        """Load the patient's last released values of tests before the order, oldest first.

        Values in another unit or by another method than the order's result are left out. Without a
        result, they are compared with the test's unit and method.
        """
        values = {
            "order": order.id,
            "patient": order.patient_id,
            "collected": order.collection_date,
            "tests": list(test_ids),
            "count": LAST_VALUES_MAX,
        }
        row = await self.statements.fetch(_build_last_values_statement(self.actor.kind), values)
        assert row is not None
        values_by_test: dict[int, list[EarlierValue]] = {}
        for test_id, collection_date, value, number, flag in row[0]:
            time = datetime.fromisoformat(collection_date)
            values_by_test.setdefault(test_id, []).append(EarlierValue(time, value, number, flag))
        return values_by_test

    def store_changes(self, changes: ResultChanges) -> None:
        """Queue the changed results; the commit stores them."""
        # Withdrawals come first, since a test has only one current result.
        for results, columns in (
            (changes.withdrawn, ("is_current",)),
            (changes.restored, ("is_current",)),
            (changes.edited, _ENTRY_COLUMNS),
            (changes.verified, ("verified_at", "verified_by")),
            (changes.released, ("released_at", "released_by", "autoverified_version")),
            (changes.withheld, WITHHELD_COLUMNS),
        ):
            if results:
                rows = _select_rows(results, ("id", *columns))
                self.statements.add(build_update("results", columns), {"rows": rows})
        if changes.added:
            rows = _select_rows(changes.added, _NEW_COLUMNS)
            self.statements.add(build_insert("results", _NEW_COLUMNS), {"rows": rows})
        if changes.marked:
            rows = _select_rows(changes.marked, ("id", "withheld", "withheld_at"))
            self.statements.add(
                build_update("order_tests", ("withheld", "withheld_at")), {"rows": rows}
            )


def build_earlier_condition(collected: str, order_id: str) -> str:
    """Return the condition that order ``x`` comes before the order of these SQL expressions.

    Of two orders collected at the same time, the one with the lower id comes first.
    """
    return f"(x.collection_date, x.id) < ({collected}, {order_id})"


@lru_cache(maxsize=8)
def _build_last_values_statement(kind: ScopeKind) -> str:
    # Reads only the newest released version of each result.
    earlier = (
        "SELECT DISTINCT ON (r.order_test_id) t.test_id, x.id AS order_id, x.collection_date, "
        "r.value, r.number, r.flag, r.unit, r.method FROM orders x "
        "JOIN results r ON r.order_id = x.id AND r.released_at IS NOT NULL AND r.withheld IS NULL "
        "JOIN order_tests t ON t.id = r.order_test_id AND t.test_id = ANY(%(tests)s::bigint[]) "
        "WHERE x.patient_id = %(patient)s "
        f"AND {build_earlier_condition('%(collected)s', '%(order)s')} "
        f"AND {Order.__scope__.build_predicate(kind, 'x')} "
        "ORDER BY r.order_test_id, r.revision DESC"
    )
    # When a lab changes the method of a test, earlier results keep the old one.
    shown = (
        "SELECT DISTINCT ON (t.test_id) t.test_id, r.unit, r.method FROM order_tests t "
        "JOIN results r ON r.order_test_id = t.id AND r.released_at IS NOT NULL "
        "WHERE t.order_id = %(order)s ORDER BY t.test_id, r.revision DESC"
    )
    return (
        "SELECT coalesce(json_agg(json_build_array(s.test_id, s.collection_date, s.value, "
        "s.number, s.flag) ORDER BY s.collection_date, s.order_id), '[]'::json) "
        "FROM (SELECT e.*, row_number() OVER "
        "(PARTITION BY e.test_id ORDER BY e.collection_date DESC, e.order_id DESC) AS rank "
        f"FROM ({earlier}) e JOIN lab_tests l ON l.id = e.test_id "
        f"LEFT JOIN ({shown}) o ON o.test_id = e.test_id "
        "WHERE e.unit IS NOT DISTINCT FROM CASE WHEN o.test_id IS NULL THEN l.unit ELSE o.unit END "
        "AND (e.method IS NULL OR e.method = coalesce(o.method, l.method))) s "
        "WHERE s.rank <= %(count)s"
    )


def find_withholding(item: TestWithResult) -> Withholding | None:
    """Return why the test's released result is not visible outside the lab, or None."""
    return Withholding(item.row.withheld) if item.row.withheld else None


def _select_rows(records: Iterable[object], columns: Sequence[str]) -> str:
    return format_rows({name: getattr(record, name) for name in columns} for record in records)
