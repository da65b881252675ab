"""Adds reflex tests to an order, in the transaction of the release (ADR 49)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from app.contract.enumerations import ResultStatus, SpecimenState
from app.server.access.work import Work
from app.server.database.records import build_record
from app.server.orders.models import OrderTest
from app.server.orders.repository import OrderRepository
from app.server.results.entry.loading import OrderedTest, OrderEntry
from app.server.results.reflex.loading import parse_additions
from app.server.results.reflex.repository import NewTest, ReflexRepository
from app.server.results.reflex.rules import Rule, Value, choose_rules, has_all_tests
from app.server.specimens.models import Specimen
from app.server.specimens.repository import SpecimenRepository


@dataclass(frozen=True)
class Trigger:
    """A result that has just been released: its row, its revision, and its value."""

    order_test_id: int
    revision: int
    value: Value
    is_confidential: bool


async def add_tests(
    work: Work,
    entry: OrderEntry,
    active_rules: Sequence[Rule],
    triggers: Mapping[int, Trigger],
    *,
    added_by: UUID | None,
    added_at: datetime,
) -> list[OrderedTest]:
    """Add the tests that the released results require to a locked order, and return their rows.

    ``active_rules`` are those about tests of the order. ``triggers`` are by the id of their test.
    The commit stores the new tests, with the reason, and the tubes that they need besides those of
    the order.
    """
    ordered_ids = {item.test.id for item in entry.tests}
    used_ids = {addition.rule.id for addition in parse_additions(entry.parts).values()}
    values = {test_id: trigger.value for test_id, trigger in triggers.items()}
    rules = choose_rules(active_rules, values, ordered_ids, used_ids)
    if not rules:
        return []
    repository = work.build_repository(ReflexRepository)
    nodes = await repository.load_new_tests([rule.added_test_id for rule in rules])
    added_tests: list[OrderedTest] = []
    additions: list[dict[str, Any]] = []
    codes = []
    for rule in rules:
        tree = [node for node in nodes if node.root_id == rule.added_test_id]
        if not _can_add(entry, tree) or has_all_tests(ordered_ids, _list_measured_ids(tree)):
            continue
        trigger = triggers[rule.test_id]
        added_tests += _build_tests(entry, tree, trigger, start=len(added_tests))
        additions.append(_build_addition(entry, rule, tree[0], trigger, added_by, added_at))
        ordered_ids |= {node.test.id for node in tree}
        codes.append(rule.code)
    if not added_tests:
        return []
    order = entry.order
    order.test_ids = [*order.test_ids, *(t.test.id for t in added_tests if t.row.parent_id is None)]
    _add_tubes(work, entry, added_tests)
    entry.tests += added_tests
    rows = [item.row for item in added_tests]
    work.build_repository(OrderRepository).add_tests(order, rows, additions)
    await work.audit("add-tests", "order", [order.id], {"rules": codes})
    return added_tests


def _can_add(entry: OrderEntry, tree: Sequence[NewTest]) -> bool:
    """Whether the test exists and is not private to another client."""
    return bool(tree) and tree[0].test.client_id in (None, entry.order.client_id)


def _list_measured_ids(tree: Sequence[NewTest]) -> list[int]:
    return [node.test.id for node in tree if not node.test.is_panel]


def _build_tests(
    entry: OrderEntry, tree: Sequence[NewTest], trigger: Trigger, *, start: int
) -> Iterator[OrderedTest]:
    first = max((item.row.position for item in entry.tests), default=-1) + 1 + start
    for position, node in enumerate(tree, start=first):
        test = node.test
        status = ResultStatus.NONE if test.is_panel else ResultStatus.PENDING
        columns = {
            "id": node.id,
            "order_id": entry.order.id,
            "test_id": test.id,
            "parent_id": node.parent_id,
            "level": node.level,
            "position": position,
            "name": test.name,
            "kind": test.kind,
            "is_panel": test.is_panel,
            "is_confidential": trigger.is_confidential,
            "status": status,
            "withheld": None,
            "awaits_collection": False,
            "canceled_status": None,
            "cancel_reason": None,
            "cancel_words": None,
            "canceled_by": None,
            "canceled_at": None,
        }
        yield OrderedTest(build_record(OrderTest, columns), test)


def _build_addition(
    entry: OrderEntry,
    rule: Rule,
    root: NewTest,
    trigger: Trigger,
    added_by: UUID | None,
    added_at: datetime,
) -> dict[str, Any]:
    return {
        "order_id": entry.order.id,
        "order_test_id": root.id,
        "rule_id": rule.id,
        "trigger_test_id": trigger.order_test_id,
        "trigger_revision": trigger.revision,
        "added_by": added_by,
        "added_at": added_at,
    }


def _add_tubes(work: Work, entry: OrderEntry, added_tests: Sequence[OrderedTest]) -> None:
    """Add an expected tube for each missing container, and mark tests that await collection.

    Orders from before tubes were received one by one have no tubes.
    """
    tubes = entry.tubes
    if not tubes:
        return
    tube_kinds = {(tube.container, tube.specimen) for tube in tubes}
    awaited_kinds = {(tube.container, tube.specimen) for tube in tubes if _is_awaited(tube)}
    number = max(tube.number for tube in tubes)
    rows = []
    for item in added_tests:
        key = (item.test.container or "", item.test.specimen or "")
        if item.row.is_panel or not key[0]:
            continue
        item.row.awaits_collection = key in awaited_kinds
        entry.order.awaits_collection |= key in awaited_kinds
        if key in tube_kinds:
            continue
        tube_kinds.add(key)
        number += 1
        rows.append(
            {
                "order_id": entry.order.id,
                "number": number,
                "container": key[0],
                "specimen": key[1],
                "state": SpecimenState.EXPECTED,
                "received_at": None,
                "received_by": None,
            }
        )
    work.build_repository(SpecimenRepository).add_tubes(rows)


def _is_awaited(tube: Specimen) -> bool:
    return tube.state == SpecimenState.EXPECTED and tube.replaces_id is not None
