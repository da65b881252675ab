"""Loads the toxicology results of an order for reading, by one statement (ADR 42)."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from app.contract.enumerations import ResultKind, ScopeKind
from app.server.access.reader import Reader
from app.server.catalog.models import LabTest
from app.server.database.records import Columns, build_decoder, build_rows_type
from app.server.orders.loading import build_parts_statement, build_tests_json, fetch_parts
from app.server.orders.models import OrderTest
from app.server.results.performing import LAB_NAME
from app.server.results.toxicology.models import ToxicologyResult, ToxicologyTest
from app.server.results.toxicology.repository import MeasuredTest, share_results

_ROW = Columns(
    OrderTest,
    (
        "id",
        "test_id",
        "parent_id",
        "name",
        "is_panel",
        "status",
        "withheld",
        "withheld_at",
        "awaits_collection",
    ),
)
_TEST = Columns(LabTest, ("unit",))
_METHOD = Columns(ToxicologyTest, ("method", "cut_off", "detection_window", "low", "high", "unit"))
_RESULT = Columns(
    ToxicologyResult,
    (
        "is_current",
        "value",
        "is_detected",
        "method",
        "unit",
        "cut_off",
        "low",
        "high",
        "detection_window",
        "performing_lab",
        "comment",
        "reason",
        "explanation",
        "released_by_name",
        "released_at",
        "withheld",
    ),
)
_METHODS = (
    f"(SELECT {_METHOD.build_json('m')} "
    f"FROM {ToxicologyTest.__tablename__} m WHERE m.test_id = t.test_id)"
)
_RESULTS = _RESULT.build_all_json("r", "WHERE r.order_test_id = t.id", order="r.revision")
_TESTS = build_tests_json(ResultKind.TOXICOLOGY, _ROW, _TEST, _METHODS, _RESULTS)
_ASSESSMENT = (
    "(SELECT json_build_array(s.verdicts, s.specimen_fault) FROM toxicology_assessments s "
    "WHERE s.order_id = o.id ORDER BY s.revision DESC LIMIT 1)"
)
_DECODER = build_decoder(
    tests=build_rows_type(_ROW.row, _TEST.row, _METHOD.row | None, _RESULT.rows),
    assessment=tuple[list[dict[str, Any]], str | None] | None,
    lab_name=str | None,
)


@dataclass(frozen=True)
class OpenedToxicology:
    """The toxicology tests of an order by position, and the assessment in force as stored.

    ``lab_name`` is the name that the lab has on its reports now.
    """

    tests: list[MeasuredTest]
    verdicts: list[dict[str, Any]]
    specimen_fault: str | None
    lab_name: str | None


async def open_toxicology(reader: Reader, order_id: int) -> OpenedToxicology:
    """Load the toxicology results of an order, or raise NotFound."""
    parts = await fetch_parts(reader, order_id, _build_statement(reader.actor.kind), _DECODER)
    tests = share_results([MeasuredTest(*test) for test in parts.tests])
    verdicts, specimen_fault = parts.assessment or ([], None)
    return OpenedToxicology(tests, verdicts, specimen_fault, parts.lab_name)


@lru_cache(maxsize=8)
def _build_statement(kind: ScopeKind) -> str:
    parts = (("tests", _TESTS), ("assessment", _ASSESSMENT), ("lab_name", LAB_NAME))
    return build_parts_statement(kind, "order-results", parts)
