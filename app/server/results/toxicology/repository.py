"""SQL of an order's toxicology results."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on

from app.contract.enumerations import ResultKind, ResultStatus, ToxicologyMethod
from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.orders.models import Order, OrderTest
from app.server.results.toxicology.models import (
    ToxicologyAssessment,
    ToxicologyResult,
    ToxicologyTest,
)
from app.server.results.toxicology.rules import parse_number

_ENTRY_COLUMNS = (
    "value",
    "is_detected",
    "method",
    "unit",
    "cut_off",
    "low",
    "high",
    "detection_window",
    "performing_lab",
    "measured",
    "dilution",
    "first_value",
    "is_confirmed",
    "comment",
    "reason_code",
    "reason",
    "explanation",
    "entered_by",
    "entered_at",
)
_NEW_COLUMNS = ("order_id", "order_test_id", "revision", "is_current", *_ENTRY_COLUMNS)
_RELEASE_COLUMNS = ("released_by", "released_by_name", "released_at")
_ASSESSMENT_COLUMNS = (
    "order_id",
    "revision",
    "medications",
    "edition",
    "specimen_fault",
    "verdicts",
    "released_by",
    "released_at",
)


@dataclass
class MeasuredTest:
    """A toxicology test or panel of an order with all versions of its result, oldest first.

    Attributes:
        reference: the test's row of the reference tables; None for panels and unknown tests.
        owner: the row that the versions belong to, if it is another row of the same test.
    """

    row: OrderTest
    test: LabTest
    reference: ToxicologyTest | None
    versions: list[ToxicologyResult]
    owner: OrderTest | None = None

    @property
    def owner_row_id(self) -> int:
        """The id of the row that the versions belong to."""
        return (self.owner or self.row).id

    @property
    def method(self) -> ToxicologyMethod | None:
        """How the test works; None if the reference tables do not know it."""
        return ToxicologyMethod(self.reference.method) if self.reference else None

    def find_method(self, result: ToxicologyResult | None) -> ToxicologyMethod | None:
        """Return how a result was found; for a missing one, how the test works now."""
        if result is not None and result.method is not None:
            return ToxicologyMethod(result.method)
        return self.method

    @property
    def fitting_reference(self) -> ToxicologyTest | None:
        """The reference, unless its cut-off and limits are in another unit than the test now."""
        return self.reference if judges_unit(self.reference, self.test.unit) else None

    @property
    def choices(self) -> list[str]:
        """The lab's choices in upper case, as results are stored."""
        return [choice.upper() for choice in self.test.choices]

    @property
    def current(self) -> ToxicologyResult | None:
        """The version in result entry, released or not."""
        return next((version for version in self.versions if version.is_current), None)

    @property
    def released_versions(self) -> list[ToxicologyResult]:
        """The released versions, oldest first, including withheld ones."""
        return [version for version in self.versions if version.released_at is not None]

    @property
    def visible_versions(self) -> list[ToxicologyResult]:
        """The released versions that people outside the lab see, oldest first."""
        return [version for version in self.released_versions if version.withheld is None]

    @property
    def released(self) -> ToxicologyResult | None:
        """The version that clients see: the newest released one, unless it is withheld."""
        newest = self.newest_released
        return newest if newest is not None and newest.withheld is None else None

    @property
    def newest_released(self) -> ToxicologyResult | None:
        """The newest version that was released, even if it is withheld now."""
        return next(reversed(self.released_versions), None)


def judges_unit(reference: ToxicologyTest | None, unit: str | None) -> bool:
    """Whether values in this unit may be compared with the cut-off and the limits of a test."""
    return reference is None or not reference.has_limits or reference.unit == unit


def is_in_other_unit(item: MeasuredTest, result: ToxicologyResult | None) -> bool:
    """Whether a number was entered before the test got its current unit (ADR 102)."""
    if result is None or parse_number(result.value) is None:
        return False
    return result.unit != item.test.unit


def share_results(tests: Sequence[MeasuredTest]) -> list[MeasuredTest]:
    """Return the tests; those in several panels share one result (DECISIONS, Results).

    Rows whose results were entered separately in the past keep their own results.
    """
    rows_by_test: dict[int, list[MeasuredTest]] = {}
    for item in tests:
        if not item.row.is_panel:
            rows_by_test.setdefault(item.row.test_id, []).append(item)
    for same_tests in rows_by_test.values():
        owner = min(
            same_tests,
            key=lambda item: (not item.versions, item.row.status == ResultStatus.CANCELED),
        )
        for item in same_tests:
            if item is not owner and not item.versions:
                item.versions, item.owner = owner.versions, owner.row
    return list(tests)


def list_distinct(tests: Iterable[MeasuredTest]) -> list[MeasuredTest]:
    """List the tests; rows that share one result are listed once, as the first of them."""
    first_tests: dict[int, MeasuredTest] = {}
    for item in tests:
        first_tests.setdefault(id(item.versions), item)
    return list(first_tests.values())


@dataclass
class ResultChanges:
    """Results that a write changes, already in their new state."""

    added: list[ToxicologyResult] = field(default_factory=list)
    edited: list[ToxicologyResult] = field(default_factory=list)
    withdrawn: list[ToxicologyResult] = field(default_factory=list)
    restored: list[ToxicologyResult] = field(default_factory=list)
    released: list[ToxicologyResult] = field(default_factory=list)


class ToxicologyRepository(ScopedRepository):
    """Toxicology tests of orders; the caller has checked that the orders are in scope."""

    async def load_tests(self, order: Order) -> list[MeasuredTest]:
        """Load the toxicology tests by position; policies hide unreleased results."""
        return (await self.load_tests_of_many([order.id])).get(order.id, [])

    async def load_tests_of_many(self, order_ids: Collection[int]) -> dict[int, list[MeasuredTest]]:
        """Load the toxicology tests of these orders by order id and position."""
        rows = await self.session.execute(
            select(OrderTest, LabTest, ToxicologyTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .outerjoin(ToxicologyTest, ToxicologyTest.test_id == OrderTest.test_id)
            .where(
                build_ids_condition(OrderTest.order_id, order_ids),
                OrderTest.kind == ResultKind.TOXICOLOGY,
            )
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        versions: dict[int, list[ToxicologyResult]] = {}
        for result in await self.session.scalars(
            select(ToxicologyResult)
            .where(build_ids_condition(ToxicologyResult.order_id, order_ids))
            .order_by(ToxicologyResult.order_id, ToxicologyResult.revision)
        ):
            versions.setdefault(result.order_test_id, []).append(result)
        tests: dict[int, list[MeasuredTest]] = {}
        for row in rows:
            measured_test = MeasuredTest(
                row.OrderTest,
                row.LabTest,
                row.ToxicologyTest,
                versions.get(row.OrderTest.id, []),
            )
            tests.setdefault(row.OrderTest.order_id, []).append(measured_test)
        return {order_id: share_results(items) for order_id, items in tests.items()}

    async def load_assessments(self, order_ids: Collection[int]) -> dict[int, ToxicologyAssessment]:
        """Load the latest assessment of each of these orders, by order id."""
        assessments = await self.session.scalars(
            select(ToxicologyAssessment)
            .where(build_ids_condition(ToxicologyAssessment.order_id, order_ids))
            .ext(distinct_on(ToxicologyAssessment.order_id))
            .order_by(ToxicologyAssessment.order_id, ToxicologyAssessment.revision.desc())
        )
        return {assessment.order_id: assessment for assessment in assessments}

    def store_changes(self, changes: ResultChanges) -> None:
        """Queue the changed results; the commit stores them."""
        # Withdrawals come first, since a test has only one current result.
        for results, columns in (
            (changes.withdrawn, ("is_current",)),
            (changes.restored, ("is_current",)),
            (changes.edited, _ENTRY_COLUMNS),
            (changes.released, _RELEASE_COLUMNS),
        ):
            if results:
                self._add(build_update("toxicology_results", columns), results, ("id", *columns))
        if changes.added:
            statement = build_insert("toxicology_results", _NEW_COLUMNS)
            self._add(statement, changes.added, _NEW_COLUMNS)

    def add_assessment(self, assessment: ToxicologyAssessment) -> None:
        """Queue a new assessment; the commit stores it."""
        statement = build_insert("toxicology_assessments", _ASSESSMENT_COLUMNS)
        self._add(statement, [assessment], _ASSESSMENT_COLUMNS)

    def _add(self, statement: str, records: Iterable[object], names: Sequence[str]) -> None:
        rows = [{name: getattr(record, name) for name in names} for record in records]
        self.statements.add(statement, {"rows": format_rows(rows)})
