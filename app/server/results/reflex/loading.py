"""The SQL by which result entry loads reflex tests together with the order (ADR 22)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.server.database.records import build_row_json, build_rows_json, parse_record
from app.server.orders.models import OrderAddition
from app.server.results.reflex.models import ReflexRule
from app.server.results.reflex.rules import Condition, ConditionKind, Rule

_ORDER = "(SELECT o.id FROM chosen o)"
_NONE = "'[]'::json"
_ADDITIONS = (
    "additions",
    "(SELECT coalesce(json_agg(json_build_object("
    f"'addition', {build_row_json(OrderAddition, 'a')}, 'rule', {build_row_json(ReflexRule, 'x')})"
    ") , '[]'::json) FROM order_additions a JOIN reflex_rules x ON x.id = a.rule_id "
    f"WHERE a.order_id = {_ORDER})",
)
STAFF_PARTS = (
    _ADDITIONS,
    (
        "reflex_rules",
        build_rows_json(
            ReflexRule,
            "x",
            "WHERE x.is_active AND x.test_id IN "
            f"(SELECT t.test_id FROM order_tests t WHERE t.order_id = {_ORDER})",
            order="x.id",
        ),
    ),
)
PARTS = (_ADDITIONS, ("reflex_rules", _NONE))
"""The parts for people outside the lab, who release nothing."""


@dataclass(frozen=True)
class AddedTest:
    """Why a test was added: the rule, and the version of a result that met its condition then.

    ``is_reason_gone`` is stored: whether a later change of results removed the reason.
    """

    id: int
    rule: Rule
    trigger_test_id: int
    trigger_revision: int
    is_reason_gone: bool


def parse_rules(parts: Mapping[str, Any]) -> list[Rule]:
    """Parse the active rules about tests of the order."""
    return [_parse_rule(row) for row in parts["reflex_rules"]]


def parse_additions(parts: Mapping[str, Any]) -> dict[int, AddedTest]:
    """Parse why tests of the order were added, by the id of the order's test."""
    return {
        row["addition"]["order_test_id"]: AddedTest(
            row["addition"]["id"],
            _parse_rule(row["rule"]),
            row["addition"]["trigger_test_id"],
            row["addition"]["trigger_revision"],
            row["addition"]["is_reason_gone"],
        )
        for row in parts["additions"]
    }


def _parse_rule(row: Mapping[str, Any]) -> Rule:
    rule = parse_record(ReflexRule, row)
    condition = Condition(
        ConditionKind(rule.condition),
        frozenset(rule.flags),
        frozenset(rule.words),
        rule.low,
        rule.high,
        rule.unit,
    )
    return Rule(rule.id, rule.code, rule.test_id, rule.added_test_id, condition)
