"""SQL of autoverification that result entry loads with the order (ADR 22)."""

from collections.abc import Mapping
from typing import Any

from app.server.database.records import build_rows_json, parse_record
from app.server.results.automation.models import AutoverificationRule
from app.server.results.automation.rules import SETTING, ActiveRule, Limits

STAFF_PARTS = (
    (
        "autoverification",
        build_rows_json(
            AutoverificationRule,
            "v",
            "WHERE v.is_on AND v.test_id IN (SELECT t.test_id FROM order_tests t "
            "WHERE t.order_id = (SELECT o.id FROM chosen o)) AND EXISTS (SELECT 1 "
            f"FROM lab_settings s WHERE s.name = '{SETTING}' "
            "AND s.value -> 'enabled' = 'true'::jsonb)",
        ),
    ),
)
PARTS = (("autoverification", "'[]'::json"),)
"""Entries from outside the lab always wait for a person of the lab."""


def parse_rules(parts: Mapping[str, Any]) -> dict[int, ActiveRule]:
    """Parse the rules that are on, by test id; none if the lab does not use autoverification."""
    rules = [parse_record(AutoverificationRule, row) for row in parts["autoverification"]]
    return {rule.test_id: ActiveRule(rule.version, build_limits(rule, rule)) for rule in rules}


def build_limits(limits: Any, measured: Any) -> Limits:
    """Build the limits of a rule, a trial, or a request.

    ``measured`` has their unit and method: the rule or trial itself, or the test of a request.
    """
    return Limits(
        limits.low,
        limits.high,
        limits.allows_abnormal,
        limits.delta_percent,
        limits.delta_days,
        measured.unit,
        measured.method,
    )
