"""Loads an order for the entry of its clinical results, by one statement (ADR 22)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from app.server.catalog.models import ReferenceRange
from app.server.catalog.repository import choose_ranges
from app.server.database.records import build_rows_json, parse_record
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import PreviousResult, TestWithResult
from app.server.results.clinical.rules import compute_age_in_days
from app.server.results.entry.families import SEPARATE_FAMILIES
from app.server.results.entry.loading import EntryQuery, OrderEntry

_TESTS = "SELECT t.test_id FROM order_tests t JOIN chosen o ON o.id = t.order_id"

ENTRY_QUERY = EntryQuery(
    parts=(
        (
            "results",
            build_rows_json(
                Result, "r", "WHERE r.order_id = (SELECT o.id FROM chosen o)", order="r.revision"
            ),
        ),
        ("ranges", build_rows_json(ReferenceRange, "g", f"WHERE g.test_id IN ({_TESTS})")),
        (
            "previous",
            "(SELECT coalesce(json_agg(json_build_array(p.test_id, p.value, p.collection_date)), "
            "'[]'::json) FROM (SELECT DISTINCT ON (t.test_id) t.test_id, r.value, "
            "x.collection_date FROM chosen o JOIN orders x ON x.patient_id = o.patient_id "
            "AND x.id <> o.id AND x.collection_date <= o.collection_date "
            "JOIN results r ON r.order_id = x.id AND r.released_at IS NOT NULL "
            f"JOIN order_tests t ON t.id = r.order_test_id AND t.test_id IN ({_TESTS}) "
            "ORDER BY t.test_id, x.collection_date DESC, x.id, r.revision DESC) p)",
        ),
    ),
    users=(
        "SELECT r.entered_by FROM results r WHERE r.order_id = (SELECT o.id FROM chosen o) "
        "AND r.entered_by IS NOT NULL"
    ),
)


@dataclass
class EntryRecord:
    """An order with the content of its clinical result entry.

    ``ranges`` and ``previous`` (the patient's last released results of earlier orders) are by test
    id.
    """

    entry: OrderEntry
    tests: list[TestWithResult]
    ranges: Mapping[int, ReferenceRange]
    previous: Mapping[int, PreviousResult]


def build_record(entry: OrderEntry) -> EntryRecord:
    """Build the record from an order that was loaded with ``ENTRY_QUERY``."""
    order, parts = entry.order, entry.parts
    versions: dict[int, list[Result]] = {}
    for row in parts["results"]:
        versions.setdefault(row["order_test_id"], []).append(parse_record(Result, row))
    age = compute_age_in_days(order.patient_birth_date, order.collection_date.date())
    ranges = [parse_record(ReferenceRange, row) for row in parts["ranges"]]
    return EntryRecord(
        entry=entry,
        tests=[
            TestWithResult(item.row, item.test, tuple(versions.get(item.row.id, ())))
            for item in entry.tests
            if item.row.kind not in SEPARATE_FAMILIES
        ],
        ranges=choose_ranges(ranges, order.patient_gender, age),
        previous={
            test_id: PreviousResult(value, datetime.fromisoformat(time))
            for test_id, value, time in parts["previous"]
        },
    )
