"""Reflex tests: which released values meet a condition, and which tests they add (ADR 49)."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import ResultFlag, ResultType
from app.server.results.clinical.rules import Range, list_flags, parse_number
from app.server.results.reflex.rules import (
    Condition,
    ConditionKind,
    Rule,
    Value,
    choose_rules,
    has_all_tests,
    is_met,
)

NUMBERS = st.decimals(min_value=-50, max_value=50, places=1)
DISTANCES = st.decimals(min_value=0, max_value=100, places=1)
SIGNS = st.sampled_from(["", "<", "<=", ">", ">="])
ABOVE_3 = Condition(ConditionKind.ABOVE, low=Decimal(3))
BELOW_3 = Condition(ConditionKind.BELOW, high=Decimal(3))
FROM_4_TO_10 = Condition(ConditionKind.BETWEEN, low=Decimal(4), high=Decimal(10))


def build_value(text: str, **bounds: Decimal) -> Value:
    """Return a value as typed, with the flags of a range from 2 to 4."""
    parsed_value = parse_number(text)
    limits = Range(Decimal(2), Decimal(4), Decimal(1), Decimal(8))
    flags = frozenset(list_flags(ResultType.VALUE_VALUE, text, limits))
    if parsed_value is None:
        return Value(text, flags=flags)
    return Value(text, parsed_value[0] or None, parsed_value[1], flags, **bounds)


@st.composite
def draw_condition(draw: st.DrawFn) -> Condition:
    """Draw a condition on a number."""
    low, high = sorted(draw(st.tuples(NUMBERS, NUMBERS)))
    kind = draw(st.sampled_from([ConditionKind.ABOVE, ConditionKind.BELOW, ConditionKind.BETWEEN]))
    return Condition(kind, low=low, high=high)


class TestConditions:
    """A condition is met if it is true of everything that a value can mean."""

    @pytest.mark.parametrize(
        ("condition", "met", "unmet"),
        [
            (ABOVE_3, ["3.1", ">3", ">=3.1"], ["3", "<5", "<=9", ">=3", ">2.9", "HIGH"]),
            (BELOW_3, ["2.9", "<3", "<=2.9"], ["3", ">1", "<=3", "<3.1", "LOW"]),
            (FROM_4_TO_10, ["4", "10", "7.5"], ["3.9", "10.1", "<10", ">4", "SOME"]),
        ],
    )
    def test_compares_numbers_with_the_limits(
        self, condition: Condition, met: list[str], unmet: list[str]
    ) -> None:
        assert [text for text in met if not is_met(condition, build_value(text))] == []
        assert [text for text in unmet if is_met(condition, build_value(text))] == []

    @given(draw_condition(), st.sampled_from(["mmol/L", None]))
    def test_limits_say_nothing_about_another_unit(
        self, condition: Condition, unit: str | None
    ) -> None:
        value = replace(build_value("5"), unit="mg/dL")
        assert not is_met(replace(condition, unit=unit), value)
        same = is_met(condition, build_value("5"))
        assert is_met(replace(condition, unit="mg/dL"), value) is same

    def test_considers_only_possible_values(self) -> None:
        wide = Condition(ConditionKind.BETWEEN, low=Decimal(0), high=Decimal(10))
        assert is_met(wide, build_value("<10", least=Decimal(0)))
        assert not is_met(wide, build_value("<10", least=Decimal(-1)))
        # The value itself may be the least or the greatest.
        assert not is_met(ABOVE_3, build_value("<10", least=Decimal(3)))
        assert is_met(ABOVE_3, build_value("<10", least=Decimal("3.1")))
        assert not is_met(BELOW_3, build_value(">1", greatest=Decimal(3)))
        assert is_met(BELOW_3, build_value(">1", greatest=Decimal("2.9")))
        # An impossible value meets no condition.
        assert not is_met(BELOW_3, build_value("<2", least=Decimal(5)))

    def test_a_range_without_a_limit_is_never_met(self) -> None:
        for limits in ({"low": Decimal(4)}, {"high": Decimal(10)}):
            assert not is_met(Condition(ConditionKind.BETWEEN, **limits), build_value("7"))

    def test_looks_at_flags_that_are_certain(self) -> None:
        outside = Condition(ConditionKind.FLAG, flags=frozenset({"L", "H", "LL", "HH"}))
        assert [
            text
            for text in ("1.5", "0.5", "5", "9", "<2", ">4")
            if not is_met(outside, build_value(text))
        ] == []
        assert [
            text for text in ("3", "<3", ">3", "<9", "TEXT") if is_met(outside, build_value(text))
        ] == []
        # A value over 4 may be critical, and would then have another flag.
        high = Condition(ConditionKind.FLAG, flags=frozenset({"H"}))
        assert is_met(high, build_value("5"))
        assert not is_met(high, build_value(">4"))

    def test_compares_words_without_case(self) -> None:
        positive = Condition(ConditionKind.EQUALS, words=frozenset({"Positive", "1+"}))
        assert is_met(positive, Value(" POSITIVE"))
        assert is_met(positive, Value("1+"))
        assert not is_met(positive, Value("NOT POSITIVE"))
        assert not is_met(positive, Value("NEGATIVE"))

    @given(condition=draw_condition(), sign=SIGNS, number=NUMBERS, distance=DISTANCES)
    def test_numbers_meet_each_condition_that_their_signed_value_meets(
        self, condition: Condition, sign: str, number: Decimal, distance: Decimal
    ) -> None:
        # '<' and '>' mean numbers beyond the limit, '<=' and '>=' the limit as well.
        away = distance + (Decimal("0.1") if sign in ("<", ">") else 0)
        exact = number
        if sign.startswith("<"):
            exact -= away
        elif sign:
            exact += away
        if is_met(condition, Value(f"{sign}{number}", sign, number)):
            assert is_met(condition, Value(str(exact), None, exact))

    @given(st.sampled_from(list(ConditionKind)), NUMBERS)
    def test_a_condition_without_limits_is_never_met(
        self, kind: ConditionKind, number: Decimal
    ) -> None:
        value = Value(str(number), None, number, frozenset({ResultFlag.HIGH}))
        assert not is_met(Condition(kind), value)


TESTS = st.integers(0, 6)


@st.composite
def draw_rules(draw: st.DrawFn) -> list[Rule]:
    """Draw rules among a few tests, which may form circles."""
    pairs = draw(st.lists(st.tuples(TESTS, TESTS).filter(lambda p: p[0] != p[1]), max_size=20))
    return [
        Rule(i, f"R{i}", test, added_test, ABOVE_3) for i, (test, added_test) in enumerate(pairs)
    ]


HIGH = build_value("5")


class TestChoice:
    """Rules that add a test to an order."""

    @given(rules=draw_rules(), ordered_ids=st.sets(TESTS), used_ids=st.sets(st.integers(0, 20)))
    def test_adds_a_missing_test_once_and_uses_no_rule_twice(
        self, rules: list[Rule], ordered_ids: set[int], used_ids: set[int]
    ) -> None:
        values = dict.fromkeys(ordered_ids, HIGH)
        chosen_rules = choose_rules(rules, values, ordered_ids, used_ids)
        added_ids = [rule.added_test_id for rule in chosen_rules]
        assert len(added_ids) == len(set(added_ids))
        assert not ordered_ids & set(added_ids)
        assert not used_ids & {rule.id for rule in chosen_rules}
        triggered_ids = {
            r.added_test_id for r in rules if r.test_id in ordered_ids and r.id not in used_ids
        }
        assert triggered_ids - ordered_ids == set(added_ids)

    @given(rules=draw_rules(), ordered_ids=st.sets(TESTS, min_size=1))
    def test_chains_of_rules_end(self, rules: list[Rule], ordered_ids: set[int]) -> None:
        tests = set(ordered_ids)
        used_ids: set[int] = set()
        rounds = 0
        while chosen_rules := choose_rules(rules, dict.fromkeys(tests, HIGH), tests, used_ids):
            tests |= {rule.added_test_id for rule in chosen_rules}
            used_ids |= {rule.id for rule in chosen_rules}
            rounds += 1
            assert rounds <= 6

    def test_needs_a_value_of_its_own_test(self) -> None:
        rule = Rule(1, "R1", 1, 2, ABOVE_3)
        assert choose_rules([rule], {3: HIGH}, {1, 3}, ()) == []
        assert choose_rules([rule], {1: build_value("2")}, {1}, ()) == []
        assert choose_rules([rule], {1: HIGH}, {1}, ()) == [rule]

    def test_looks_at_each_rule(self) -> None:
        unmet = Rule(1, "R1", 3, 4, ABOVE_3)
        first = Rule(2, "R2", 1, 2, ABOVE_3)
        same = Rule(3, "R3", 1, 2, ABOVE_3)
        other = Rule(4, "R4", 1, 5, ABOVE_3)
        rules = [unmet, first, same, other]
        assert choose_rules(rules, {1: HIGH}, {1}, ()) == [first, other]

    def test_a_panel_counts_as_ordered_if_all_its_tests_are(self) -> None:
        assert has_all_tests({1, 2, 3}, [1, 2])
        assert not has_all_tests({1, 3}, [1, 2])
