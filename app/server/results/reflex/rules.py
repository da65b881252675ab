"""Rules about reflex tests: which released results add which tests to an order (ADR 49)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from app.contract.enumerations import ResultFlag


class ConditionKind(StrEnum):
    """How the condition of a rule compares a result."""

    FLAG = "flag"
    ABOVE = "above"
    BELOW = "below"
    BETWEEN = "between"
    EQUALS = "equals"


@dataclass(frozen=True)
class Condition:
    """When a result leads to another test; the limits of BETWEEN are inclusive.

    ``unit`` is the unit of the limits.
    """

    kind: ConditionKind
    flags: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()
    low: Decimal | None = None
    high: Decimal | None = None
    unit: str | None = None

    @property
    def has_limits(self) -> bool:
        """Whether it compares numbers."""
        return self.kind not in (ConditionKind.FLAG, ConditionKind.EQUALS)


@dataclass(frozen=True)
class Value:
    """A released value.

    Attributes:
        number: None for text.
        flags: the flags of everything that the value can mean: several for a signed value. None is
            among them where the value may have no flag.
        least, greatest: the bounds of what the quantity can be.
    """

    text: str
    sign: str | None = None
    number: Decimal | None = None
    flags: frozenset[ResultFlag | None] = frozenset()
    least: Decimal | None = None
    greatest: Decimal | None = None
    unit: str | None = None


@dataclass(frozen=True)
class Rule:
    """An active rule: a value of a test that meets the condition adds another test."""

    id: int
    code: str
    test_id: int
    added_test_id: int
    condition: Condition


def is_met(condition: Condition, value: Value) -> bool:
    """Whether the condition is true of everything that the value can mean."""
    if condition.kind is ConditionKind.FLAG:
        return bool(value.flags) and value.flags <= condition.flags
    if condition.kind is ConditionKind.EQUALS:
        words = {word.strip().upper() for word in condition.words}
        return value.text.strip().upper() in words
    # A number in another unit than the limits says nothing about them.
    if value.number is None or value.unit != condition.unit:
        return False
    return _meets_limits(condition, value, value.number)


def _meets_limits(condition: Condition, value: Value, number: Decimal) -> bool:
    """Whether all numbers that a value can mean are above, below, or between the limits."""
    first, last = _find_bounds(value.sign or "", number, value)
    if first.number is not None and last.number is not None and first.number > last.number:
        return False  # The value is beyond what the quantity can be.
    if condition.kind is ConditionKind.ABOVE:
        return condition.low is not None and _is_beyond(first, condition.low)
    if condition.kind is ConditionKind.BELOW:
        return condition.high is not None and _is_beyond(last, condition.high, is_below=True)
    return _is_between(first, last, condition)


@dataclass(frozen=True)
class _Bound:
    """A bound of the numbers that a value can mean; None without a limit."""

    number: Decimal | None
    is_included: bool


def _find_bounds(sign: str, number: Decimal, value: Value) -> tuple[_Bound, _Bound]:
    bound = _Bound(number, not sign or sign.endswith("="))
    if sign.startswith("<"):
        return _Bound(value.least, is_included=True), bound
    if sign.startswith(">"):
        return bound, _Bound(value.greatest, is_included=True)
    return bound, bound


def _is_beyond(bound: _Bound, limit: Decimal, *, is_below: bool = False) -> bool:
    """Whether the bound, and with it all numbers, is above the limit, or below it."""
    number, is_included = bound.number, bound.is_included
    if number is None or (is_included and number == limit):
        return False
    return number <= limit if is_below else number >= limit


def _is_between(first: _Bound, last: _Bound, condition: Condition) -> bool:
    if condition.low is None or condition.high is None:
        return False
    if first.number is None or last.number is None:
        return False
    return condition.low <= first.number and last.number <= condition.high


def choose_rules(
    rules: Iterable[Rule],
    values: Mapping[int, Value],
    ordered_ids: Collection[int],
    used_ids: Collection[int],
) -> list[Rule]:
    """Return the rules that add a test to an order, at most one for each test, in their order.

    Args:
        rules: the active rules.
        values: the values that have just been released, by the id of their test.
        ordered_ids: the ids of all tests of the order, including panels, their members, and
            canceled tests.
        used_ids: the ids of the rules that have added a test to the order before.
    """
    chosen_rules: dict[int, Rule] = {}
    for rule in rules:
        value = values.get(rule.test_id)
        if value is None or rule.id in used_ids or rule.added_test_id in ordered_ids:
            continue
        if is_met(rule.condition, value):
            chosen_rules.setdefault(rule.added_test_id, rule)
    return list(chosen_rules.values())


def has_all_tests(ordered_ids: Collection[int], measured_ids: Sequence[int]) -> bool:
    """Whether an order has all tests that an added test or panel would measure."""
    return all(test_id in ordered_ids for test_id in measured_ids)
