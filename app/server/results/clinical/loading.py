"""Loads an order for result entry, by one statement (ADR 22)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

from app.contract.enumerations import ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import LabTest, ReferenceRange
from app.server.catalog.repository import choose_ranges
from app.server.database.records import build_row_json, build_rows_json, parse_record
from app.server.database.scope import ENTER_RESULTS
from app.server.orders.models import Order, OrderTest
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import PreviousResult, TestWithResult
from app.server.results.clinical.rules import compute_age_in_days

_SEARCHED = frozenset({"search_text"})


@dataclass
class EntryRecord:
    """An order with the content of its result entry screen.

    ``ranges`` and ``previous`` (the patient's last released results of earlier orders) are by test
    id. ``user_names`` are the names of the users who entered results, and of the actor. ``flags``
    are the lab's settings of result entry.
    """

    order: Order
    client_name: str
    patient_code: str | None
    tests: list[TestWithResult]
    ranges: Mapping[int, ReferenceRange]
    previous: Mapping[int, PreviousResult]
    user_names: Mapping[UUID, str]
    flags: Mapping[str, Any]


async def load_entry(
    work: Work, order_id: int, *, lock: bool = False
) -> tuple[dict[str, Any], EntryRecord | None]:
    """Load the lab's settings of result entry, and the order, or None when out of scope.

    ``lock`` holds the order until the commit.
    """
    kind, values = work.actor.kind, {"order": order_id}
    # Declared before the permission is judged: an actor without it gets an error instead of rows.
    work.statements.add(ENTER_RESULTS, {})
    if lock:
        # A separate statement: after waiting for the lock, this one would still read older rows.
        work.statements.add(_build_lock_statement(kind), values)
    row = await work.statements.fetch(_build_load_statement(kind), values)
    assert row is not None
    loaded = row[0]
    flags = loaded["flags"] or {}
    return flags, _build_record(loaded, flags) if loaded["order"] else None


def _build_record(loaded: Mapping[str, Any], flags: Mapping[str, Any]) -> EntryRecord:
    order = parse_record(Order, loaded["order"])
    versions: dict[int, list[Result]] = {}
    for row in loaded["results"]:
        versions.setdefault(row["order_test_id"], []).append(parse_record(Result, row))
    age = compute_age_in_days(order.patient_birth_date, order.collection_date.date())
    ranges = [parse_record(ReferenceRange, row) for row in loaded["ranges"]]
    return EntryRecord(
        order=order,
        client_name=loaded["client_name"],
        patient_code=loaded["patient_code"],
        tests=[
            TestWithResult(
                parse_record(OrderTest, row),
                parse_record(LabTest, test),
                tuple(versions.get(row["id"], ())),
            )
            for row, test in loaded["tests"]
        ],
        ranges=choose_ranges(ranges, order.patient_gender, age),
        previous={
            test_id: PreviousResult(value, datetime.fromisoformat(time))
            for test_id, value, time in loaded["previous"]
        },
        user_names={UUID(user_id): name for user_id, name in loaded["users"].items() if name},
        flags=flags,
    )


@lru_cache(maxsize=8)
def _build_lock_statement(kind: ScopeKind) -> str:
    return f"SELECT 1 {_select_order(kind)} FOR NO KEY UPDATE"


def _select_order(kind: ScopeKind) -> str:
    return f"FROM orders o WHERE o.id = %(order)s AND {Order.__scope__.build_predicate(kind, 'o')}"


@lru_cache(maxsize=8)
def _build_load_statement(kind: ScopeKind) -> str:
    tests = "SELECT t.test_id FROM order_tests t JOIN chosen o ON o.id = t.order_id"
    parts = {
        "flags": "(SELECT s.value FROM lab_settings s WHERE s.name = 'result-entry')",
        "order": f"(SELECT {build_row_json(Order, 'o')} FROM chosen o)",
        "client_name": "(SELECT c.name FROM chosen o JOIN clients c ON c.id = o.client_id)",
        "patient_code": "(SELECT code_of_patient(o.patient_id) FROM chosen o)",
        "tests": (
            f"(SELECT coalesce(json_agg(json_build_array({build_row_json(OrderTest, 't')}, "
            f"{build_row_json(LabTest, 'l', without=_SEARCHED)}) ORDER BY t.position), '[]'::json) "
            "FROM chosen o JOIN order_tests t ON t.order_id = o.id "
            "JOIN lab_tests l ON l.id = t.test_id)"
        ),
        "results": build_rows_json(
            Result, "r", "WHERE r.order_id = (SELECT o.id FROM chosen o)", order="r.revision"
        ),
        "ranges": build_rows_json(ReferenceRange, "g", f"WHERE g.test_id IN ({tests})"),
        "previous": (
            "(SELECT coalesce(json_agg(json_build_array(p.test_id, p.value, p.collection_date)), "
            "'[]'::json) FROM (SELECT DISTINCT ON (t.test_id) t.test_id, r.value, "
            "x.collection_date FROM chosen o JOIN orders x ON x.patient_id = o.patient_id "
            "AND x.id <> o.id AND x.collection_date <= o.collection_date "
            "JOIN results r ON r.order_id = x.id AND r.released_at IS NOT NULL "
            f"JOIN order_tests t ON t.id = r.order_test_id AND t.test_id IN ({tests}) "
            "ORDER BY t.test_id, x.collection_date DESC, x.id, r.revision DESC) p)"
        ),
        "users": (
            "(SELECT coalesce(json_object_agg(u.id, name_of_user(u.id)), '{}'::json) FROM "
            "(SELECT r.entered_by AS id FROM results r "
            "WHERE r.order_id = (SELECT o.id FROM chosen o) AND r.entered_by IS NOT NULL "
            "UNION SELECT nullif(%(user)s, '')::uuid) u WHERE u.id IS NOT NULL)"
        ),
    }
    pairs = ", ".join(f"'{name}', {sql}" for name, sql in parts.items())
    return (
        f"WITH chosen AS MATERIALIZED (SELECT o.* {_select_order(kind)}) "
        f"SELECT json_build_object({pairs})"
    )
