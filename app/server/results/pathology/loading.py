"""The pathology tests of an order with their reports, for entry and release."""

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultKind
from app.server.database.records import build_rows_json, parse_record
from app.server.results.entry.loading import EntryQuery, OrderEntry
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import ReportedTest

_OF_ORDER = "WHERE r.order_id = (SELECT o.id FROM chosen o)"
QUERY = EntryQuery(
    parts=(
        ("reports", build_rows_json(PathologyReport, "r", _OF_ORDER, order="r.revision")),
        (
            "reasons",
            "(SELECT coalesce(json_object_agg(code, words), '{}'::json) FROM reasons "
            f"WHERE kind = '{ReasonKind.CORRECTION}')",
        ),
    ),
    users=f"SELECT r.entered_by FROM pathology_reports r {_OF_ORDER}",
)
"""The data that the entry of reports reads in addition to the order."""


def collect_tests(entry: OrderEntry) -> list[ReportedTest]:
    """Collect the order's pathology tests by position."""
    reports: dict[int, list[PathologyReport]] = {}
    for row in entry.parts["reports"]:
        reports.setdefault(row["order_test_id"], []).append(parse_record(PathologyReport, row))
    return [
        ReportedTest(ordered_test.row, ordered_test.test, reports.get(ordered_test.row.id, []))
        for ordered_test in entry.tests
        if ordered_test.row.kind == ResultKind.PATHOLOGY and not ordered_test.row.is_panel
    ]


def get_test(tests: list[ReportedTest], order_test_id: int) -> ReportedTest:
    """Return one of the tests, or raise NotFound."""
    for item in tests:
        if item.row.id == order_test_id:
            return item
    raise NotFound(messages.NOT_FOUND)
