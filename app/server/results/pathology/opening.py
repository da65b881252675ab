"""Loads the pathology results of an order for reading, by one statement (ADR 42)."""

from functools import lru_cache

from app.contract.enumerations import ResultKind, ScopeKind
from app.server.access.reader import Reader
from app.server.catalog.models import LabTest
from app.server.database.records import Columns, build_decoder, build_rows_type
from app.server.orders.loading import build_parts_statement, build_tests_json, fetch_parts
from app.server.orders.models import Order, OrderTest
from app.server.results.pathology.models import PathologyReport
from app.server.results.pathology.repository import ReportedTest
from app.server.results.performing import LAB_NAME

_ORDER = Columns(Order, ("status",))
_ROW = Columns(OrderTest, ("id", "name", "status", "withheld", "withheld_at", "awaits_collection"))
_TEST = Columns(LabTest, ("id",))
_REPORT = Columns(
    PathologyReport,
    (
        "id",
        "is_current",
        "kind",
        "number",
        "content",
        "flag",
        "signed_out_by",
        "performing_lab",
        "reason",
        "explanation",
        "released_by_name",
        "released_at",
        "withheld",
    ),
)
_REPORTS = _REPORT.build_all_json("r", "WHERE r.order_test_id = t.id", order="r.revision")
_TESTS = build_tests_json(ResultKind.PATHOLOGY, _ROW, _TEST, _REPORTS, has_panels=False)
_DECODER = build_decoder(
    order=_ORDER.row,
    tests=build_rows_type(_ROW.row, _TEST.row, _REPORT.rows),
    lab_name=str | None,
)


async def open_reports(
    reader: Reader, order_id: int
) -> tuple[Order, list[ReportedTest], str | None]:
    """Load an order's status, its pathology tests by position, and the lab's name.

    Raises:
        NotFound.
    """
    parts = await fetch_parts(reader, order_id, _build_statement(reader.actor.kind), _DECODER)
    return parts.order, [ReportedTest(*test) for test in parts.tests], parts.lab_name


@lru_cache(maxsize=8)
def _build_statement(kind: ScopeKind) -> str:
    parts = (("order", _ORDER.build_json("o")), ("tests", _TESTS), ("lab_name", LAB_NAME))
    return build_parts_statement(kind, "order-results", parts)
