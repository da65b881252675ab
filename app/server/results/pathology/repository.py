"""SQL of an order's pathology reports."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from app.contract.enumerations import ReportKind, ResultKind
from app.server.catalog.models import LabTest
from app.server.database.repository import ScopedRepository, build_ids_condition
from app.server.database.statements import build_insert, build_update, format_rows
from app.server.orders.models import Order, OrderTest
from app.server.results.pathology import rules
from app.server.results.pathology.models import PathologyReport

_ENTRY_COLUMNS = (
    "kind",
    "content",
    "flag",
    "signed_out_by",
    "performing_lab",
    "reason_code",
    "reason",
    "explanation",
    "entered_by",
    "entered_at",
)
_NEW_COLUMNS = ("order_id", "order_test_id", "revision", "is_current", *_ENTRY_COLUMNS)
_RELEASE_COLUMNS = ("number", "released_by", "released_by_name", "released_at")


@dataclass
class ReportedTest:
    """A pathology test with all its reports, oldest first; withdrawn ones are included."""

    row: OrderTest
    test: LabTest
    reports: list[PathologyReport]

    @property
    def released_reports(self) -> list[PathologyReport]:
        """The released reports, oldest first, including withheld ones."""
        return [report for report in self.reports if report.released_at is not None]

    @property
    def visible_reports(self) -> list[PathologyReport]:
        """The released reports that people outside the lab see, oldest first."""
        return [report for report in self.released_reports if report.withheld is None]

    @property
    def is_withheld(self) -> bool:
        """Whether the newest released report is under review or withdrawn."""
        released_reports = self.released_reports
        return bool(released_reports) and released_reports[-1].withheld is not None

    def compute_next_number(self, kind: ReportKind) -> int:
        """Return the number that a report of this kind gets when it is released."""
        return rules.compute_next_number(kind, list_kinds(self.released_reports))

    @property
    def draft(self) -> PathologyReport | None:
        """The entered report that is not released."""
        return next((r for r in self.reports if r.is_current and r.released_at is None), None)


def list_kinds(reports: Sequence[PathologyReport]) -> list[ReportKind]:
    """List the kinds of these reports."""
    return [ReportKind(report.kind) for report in reports]


class PathologyRepository(ScopedRepository):
    """Pathology tests of orders; the caller has checked that the orders are in scope."""

    async def load_tests(self, order: Order) -> list[ReportedTest]:
        """Load the pathology tests by position; row-level security hides unreleased reports."""
        return (await self.load_tests_of_many([order.id])).get(order.id, [])

    async def load_tests_of_many(self, order_ids: Collection[int]) -> dict[int, list[ReportedTest]]:
        """Load the pathology tests of these orders by order id and position."""
        rows = await self.session.execute(
            select(OrderTest, LabTest)
            .join(LabTest, LabTest.id == OrderTest.test_id)
            .where(
                build_ids_condition(OrderTest.order_id, order_ids),
                OrderTest.kind == ResultKind.PATHOLOGY,
                ~OrderTest.is_panel,
            )
            .order_by(OrderTest.order_id, OrderTest.position)
        )
        reports: dict[int, list[PathologyReport]] = {}
        for report in await self.session.scalars(
            select(PathologyReport)
            .where(build_ids_condition(PathologyReport.order_id, order_ids))
            .order_by(PathologyReport.order_id, PathologyReport.revision)
        ):
            reports.setdefault(report.order_test_id, []).append(report)
        tests: dict[int, list[ReportedTest]] = {}
        for row in rows:
            test = ReportedTest(row.OrderTest, row.LabTest, reports.get(row.OrderTest.id, []))
            tests.setdefault(row.OrderTest.order_id, []).append(test)
        return tests

    def add_report(self, report: PathologyReport) -> None:
        """Queue a new report; the commit stores it."""
        self._add(build_insert("pathology_reports", _NEW_COLUMNS), [report], _NEW_COLUMNS)

    def update_draft(self, report: PathologyReport) -> None:
        """Queue the changes of an entered report."""
        self._update([report], _ENTRY_COLUMNS)

    def withdraw_draft(self, report: PathologyReport) -> None:
        """Queue the withdrawal of an entered report."""
        self._update([report], ("is_current",))

    def release_reports(self, reports: list[PathologyReport]) -> None:
        """Queue the release of reports."""
        self._update(reports, _RELEASE_COLUMNS)

    def _update(self, reports: list[PathologyReport], columns: tuple[str, ...]) -> None:
        self._add(build_update("pathology_reports", columns), reports, ("id", *columns))

    def _add(self, statement: str, reports: list[PathologyReport], names: tuple[str, ...]) -> None:
        rows = [{name: getattr(report, name) for name in names} for report in reports]
        self.statements.add(statement, {"rows": format_rows(rows)})
