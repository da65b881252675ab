"""Loads the clinical results of an order for reading, by one statement (ADR 42)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

from app.contract.enumerations import ReasonKind, ResultKind, ScopeKind
from app.server.access.reader import Reader
from app.server.catalog.models import LabTest, ReferenceRange
from app.server.catalog.repository import choose_ranges, split_by_unit
from app.server.database.records import Columns, build_decoder, build_rows_type
from app.server.orders.loading import build_parts_statement, build_tests_json, fetch_parts
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import TestWithResult, build_tests
from app.server.results.clinical.rules import compute_age_in_days
from app.server.results.performing import LAB_NAME

_ORDER = Columns(Order, ("collection_date", "patient_birth_date", "patient_gender"))
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
_TEST = Columns(
    LabTest, ("id", "unit", "result_type", "normal_choices", "possible_low", "possible_high")
)
_RESULT = Columns(
    Result,
    (
        "order_test_id",
        "is_current",
        "value",
        "number",
        "formula",
        "comment",
        "flag",
        "unit",
        "reference_range",
        "range_comment",
        "reason",
        "reason_words",
        "entered_by",
        "released_by",
        "autoverified_version",
        "performing_lab",
        "released_at",
        "withheld",
    ),
)
_RANGE = Columns(
    ReferenceRange,
    (
        "test_id",
        "gender",
        "age_from_days",
        "age_to_days",
        "low",
        "high",
        "critical_low",
        "critical_high",
        "words",
        "unit",
    ),
)
_TESTS = build_tests_json(ResultKind.CLINICAL, _ROW, _TEST)
# The current ranges; a result has the range that applied when it was entered.
_RANGES = _RANGE.build_all_json(
    "g",
    "WHERE g.active AND g.test_id IN (SELECT t.test_id FROM order_tests t WHERE t.order_id = o.id "
    f"AND t.kind = '{ResultKind.CLINICAL}')",
)
_RESULTS = _RESULT.build_all_json("r", "WHERE r.order_id = o.id", order="r.revision")
# Only a version after the first can be a correction.
_LATER = "FROM results r WHERE r.order_id = o.id AND r.revision > 1"
_REASONS = (
    "(SELECT json_object_agg(s.code, s.words) FROM reasons s "
    f"WHERE s.kind = '{ReasonKind.CORRECTION}' AND s.code IN (SELECT r.reason {_LATER}))"
)
_CORRECTORS = f"SELECT r.entered_by {_LATER}"
# Only the lab sees who released a result.
_PEOPLE = (
    f"{_CORRECTORS} UNION SELECT r.released_by FROM results r "
    "WHERE r.order_id = o.id AND r.is_current"
)
_DECODER = build_decoder(
    order=_ORDER.row,
    tests=build_rows_type(_ROW.row, _TEST.row),
    ranges=_RANGE.rows,
    results=_RESULT.rows,
    reasons=dict[str, str] | None,
    users=dict[UUID, str | None] | None,
    lab_name=str | None,
)


@dataclass(frozen=True)
class OpenedResults:
    """The clinical tests of an order with their results.

    Attributes:
        ranges: the current ones for the patient, by test id.
        reason_words: the lab's words for the reasons of corrections.
        user_names: the names of people who corrected results, and for the lab also of those who
            released them; empty for a patient.
        lab_name: the name that the lab has on its reports now.
    """

    tests: list[TestWithResult]
    ranges: Mapping[int, ReferenceRange]
    reason_words: Mapping[str, str]
    user_names: Mapping[UUID, str]
    lab_name: str | None


async def open_results(reader: Reader, order_id: int) -> OpenedResults:
    """Load the clinical results of an order, or raise NotFound."""
    parts = await fetch_parts(reader, order_id, _build_statement(reader.actor.kind), _DECODER)
    order = parts.order
    age = compute_age_in_days(order.patient_birth_date, order.collection_date.date())
    tests = build_tests(parts.tests, parts.results)
    ranges, _other_ranges = split_by_unit(
        choose_ranges(parts.ranges, order.patient_gender, age),
        {item.test.id: item.test.unit for item in tests},
    )
    return OpenedResults(
        tests=tests,
        ranges=ranges,
        reason_words=parts.reasons or {},
        user_names={user_id: name for user_id, name in (parts.users or {}).items() if name},
        lab_name=parts.lab_name,
    )


@lru_cache(maxsize=8)
def _build_statement(kind: ScopeKind) -> str:
    parts = {
        "order": _ORDER.build_json("o"),
        "tests": _TESTS,
        "ranges": _RANGES,
        "results": _RESULTS,
        "reasons": _REASONS,
        "lab_name": LAB_NAME,
        "users": "NULL" if kind is ScopeKind.PATIENT else _build_users(kind),
    }
    return build_parts_statement(kind, "order-results", tuple(parts.items()))


def _build_users(kind: ScopeKind) -> str:
    people = _PEOPLE if kind is ScopeKind.STAFF else _CORRECTORS
    return (
        f"(SELECT json_object_agg(u.id, name_of_user(u.id)) FROM ({people}) u(id) "
        "WHERE u.id IS NOT NULL)"
    )
