"""Loads an order for the entry of its clinical results, by one statement (ADR 22)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from app.contract.enumerations import ReasonKind, ResultKind, ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.catalog.repository import choose_ranges, split_by_unit
from app.server.database.records import build_rows_json, parse_record
from app.server.results.automation import loading as automation
from app.server.results.automation.loading import parse_rules
from app.server.results.automation.rules import ActiveRule
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import (
    PreviousResult,
    TestWithResult,
    build_earlier_condition,
    build_tests,
)
from app.server.results.clinical.rules import compute_age_in_days
from app.server.results.entry.loading import EntryQuery, OrderEntry
from app.server.results.entry.models import ResultHold
from app.server.results.reflex import loading as reflex
from app.server.results.reflex.loading import AddedTest, parse_additions
from app.server.results.reflex.rules import Rule

_TESTS = "SELECT t.test_id FROM order_tests t JOIN chosen o ON o.id = t.order_id"
_OF_ORDER = "WHERE r.order_id = (SELECT o.id FROM chosen o)"
_PARTS = (
    ("results", build_rows_json(Result, "r", _OF_ORDER, order="r.revision")),
    ("ranges", build_rows_json(ReferenceRange, "g", f"WHERE g.active AND g.test_id IN ({_TESTS})")),
    (
        "previous",
        # For each test, the walk from the newest earlier order ends at the first result: a patient
        # may have thousands of results.
        "(SELECT coalesce(json_agg(json_build_array(n.test_id, p.value, p.sign, p.number::text, "
        "p.unit, p.method, p.collection_date)), '[]'::json) FROM chosen o "
        f"CROSS JOIN (SELECT DISTINCT n.test_id FROM ({_TESTS}) n) n CROSS JOIN LATERAL ("
        "SELECT r.value, r.sign, r.number, r.unit, r.method, x.collection_date FROM orders x "
        "JOIN order_tests t ON t.order_id = x.id AND t.test_id = n.test_id "
        "JOIN results r ON r.order_test_id = t.id AND r.released_at IS NOT NULL "
        "AND r.withheld IS NULL WHERE x.patient_id = o.patient_id "
        f"AND {build_earlier_condition('o.collection_date', 'o.id')} "
        "ORDER BY x.collection_date DESC, x.id DESC, r.revision DESC LIMIT 1) p)",
    ),
    (
        "reasons",
        "(SELECT coalesce(json_object_agg(s.code, s.words), '{}'::json) "
        f"FROM reasons s WHERE s.kind = '{ReasonKind.CORRECTION}')",
    ),
)
_USERS = (
    "SELECT unnest(ARRAY[r.entered_by, r.verified_by, r.released_by, r.withheld_by]) "
    f"FROM results r {_OF_ORDER}"
)
_QUERY = EntryQuery(parts=(*_PARTS, *reflex.PARTS, *automation.PARTS), users=_USERS)
_STAFF_QUERY = EntryQuery(
    parts=(
        *_PARTS,
        *reflex.STAFF_PARTS,
        *automation.STAFF_PARTS,
    ),
    users=_USERS,
)


@dataclass
class EntryRecord:
    """An order with the content of its clinical result entry.

    Attributes:
        ranges: by test id.
        other_ranges: the ranges that judge nothing, because their test has another unit now.
        reflex_rules: the active rules about tests of the order.
        previous: the patient's last released results of earlier orders, by test id.
        holds: the open holds on its tests.
        reasons: the lab's words, by kind and code.
        additions: why tests were added, by the id of the order's test.
        automation: the rules of autoverification by test id, if the lab uses it.
        sex_dependent: the ids of the tests whose range depends on the sex.
        age_dependent: the ids of the tests whose range depends on the age.
    """

    entry: OrderEntry
    tests: list[TestWithResult]
    ranges: Mapping[int, ReferenceRange]
    other_ranges: Mapping[int, ReferenceRange]
    reflex_rules: Sequence[Rule]
    previous: Mapping[int, PreviousResult]
    holds: list[ResultHold]
    reasons: Mapping[ReasonKind, Mapping[str, str]]
    additions: Mapping[int, AddedTest]
    automation: Mapping[int, ActiveRule]
    sex_dependent: Collection[int]
    age_dependent: Collection[int]


def choose_query(work: Work) -> EntryQuery:
    """Return the query of clinical result entry for the actor; only the lab sees holds."""
    return _STAFF_QUERY if work.actor.kind is ScopeKind.STAFF else _QUERY


def build_record(entry: OrderEntry) -> EntryRecord:
    """Build the record from an order that was loaded with ``choose_query``."""
    order, parts = entry.order, entry.parts
    age = compute_age_in_days(order.patient_birth_date, order.collection_date.date())
    ranges = [parse_record(ReferenceRange, row) for row in parts["ranges"]]
    fitting_ranges, other_ranges = split_by_unit(
        choose_ranges(ranges, order.patient_gender, age),
        {item.test.id: item.test.unit for item in entry.tests},
    )
    return EntryRecord(
        entry=entry,
        tests=build_tests(
            [(item.row, item.test) for item in entry.tests if item.row.kind == ResultKind.CLINICAL],
            [parse_record(Result, row) for row in parts["results"]],
        ),
        ranges=fitting_ranges,
        other_ranges=other_ranges,
        reflex_rules=reflex.parse_rules(parts),
        previous={row[0]: _build_previous(*row[1:]) for row in parts["previous"]},
        holds=entry.holds,
        reasons={ReasonKind.CORRECTION: parts["reasons"], ReasonKind.HOLD: entry.hold_reasons},
        additions=parse_additions(parts),
        automation=parse_rules(parts),
        sex_dependent={row.test_id for row in ranges if row.gender is not None},
        age_dependent={row.test_id for row in ranges if row.has_age_limit},
    )


def _build_previous(
    value: str,
    sign: str | None,
    number: str | None,
    unit: str | None,
    method: str | None,
    collection_date: str,
) -> PreviousResult:
    return PreviousResult(
        value,
        sign,
        None if number is None else Decimal(number),
        unit,
        method,
        datetime.fromisoformat(collection_date),
    )
