"""Validation of searches: every tree is either parsed correctly, or rejected with a path."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.basics.errors import BadInput
from app.contract import messages
from app.contract.enumerations import Role
from app.contract.limits import (
    SAVED_SEARCH_NAME_MAX,
    SEARCH_DAYS_MAX,
    SEARCH_DEPTH_MAX,
    SEARCH_RULES_MAX,
    SEARCH_TEXT_MAX,
    SEARCH_VALUES_MAX,
)
from app.server.order_search.columns import COLUMNS, SearchColumn, get_columns
from app.server.order_search.rules import (
    Group,
    Kind,
    Operator,
    Rule,
    is_name_in_use,
    validate_name,
    validate_query,
)

LAB = get_columns(Role.LABORATORY)
_BLANK = {"combinator": "and", "rules": []}


def build_value(column: SearchColumn, operator: Operator) -> Any:
    """Build a value that the operator of the column accepts."""
    if operator in (Operator.EMPTY, Operator.NOT_EMPTY):
        return None
    if operator is Operator.IN_LAST_DAYS:
        return 30
    if operator in (Operator.IN, Operator.NOT_IN):
        return [7, 8] if column.kind is Kind.REFERENCE else list(column.choices)[:2]
    single: Mapping[Any, Any] = {
        Kind.TEXT: "abc",
        Kind.NUMBER: 4.5,
        Kind.DATE: "2026-03-01",
        Kind.MOMENT: "03/01/2026",
        Kind.BOOLEAN: False,
    }
    value = single[column.kind]
    return [value, value] if operator is Operator.BETWEEN else value


def build_rule(column: SearchColumn, operator: Operator) -> dict[str, Any]:
    """Build a valid rule of a column, as it is sent."""
    rule = {"field": column.name, "operator": operator, "value": build_value(column, operator)}
    if column.needs_antibiotic:
        rule["antibiotic"] = "CIP"
    return {**rule, "test": 1} if column.needs_test else rule


RULES = [build_rule(column, operator) for column in COLUMNS for operator in column.operators]
LAB_RULES = [rule for rule in RULES if rule["field"] in LAB]
_SUSCEPTIBILITY_RULE = next(rule for rule in LAB_RULES if "antibiotic" in rule)


def build_groups(depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Return trees of valid rules with groups up to this depth."""
    members = st.sampled_from(LAB_RULES)
    if depth > 1:
        members = members | build_groups(depth - 1)
    return st.fixed_dictionaries(
        {"combinator": st.sampled_from(("and", "or")), "rules": st.lists(members, max_size=2)},
        optional={"not": st.booleans()},
    )


def count_rules(node: Rule | Group) -> int:
    """Count the conditions of a tree."""
    return 1 if isinstance(node, Rule) else sum(count_rules(member) for member in node.members)


def count_sent_rules(raw: dict[str, Any]) -> int:
    """Count the conditions of a tree as it is sent."""
    return sum(count_sent_rules(member) for member in raw["rules"]) if "rules" in raw else 1


def read_errors(raw: Any) -> dict[str, str]:
    """Return the errors of an invalid query by their paths."""
    with pytest.raises(BadInput) as caught:
        validate_query(raw, LAB)
    return {error.field: error.message for error in caught.value.errors}


def nest_groups(depth: int) -> dict[str, Any]:
    """Build groups in groups, with one condition in the innermost."""
    group: dict[str, Any] = {"combinator": "and", "rules": [RULES[0]]}
    for _ in range(depth - 1):
        group = {"combinator": "or", "rules": [group]}
    return group


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(("rules", "combinator", "not", "field", "operator", "value", "test")),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


class TestTrees:
    """Groups and conditions."""

    @given(build_groups(SEARCH_DEPTH_MAX))
    def test_keeps_every_valid_condition(self, raw: dict[str, Any]) -> None:
        if count_sent_rules(raw) <= SEARCH_RULES_MAX:
            group = validate_query(raw, LAB)
            assert count_rules(group) == count_sent_rules(raw)
            assert group.is_any == (raw["combinator"] == "or")
            assert group.is_negated == raw.get("not", False)

    @given(anything)
    def test_rejects_invalid_trees_with_the_path_of_the_error(self, raw: Any) -> None:
        try:
            group = validate_query(raw, LAB)
        except BadInput as error:
            assert error.errors
            assert all(e.field == "query" or e.field.startswith("query.") for e in error.errors)
        else:
            # Drawn values have no valid condition, so only empty groups are accepted.
            assert raw is None or count_rules(group) == 0

    @pytest.mark.parametrize(
        "rule", LAB_RULES, ids=lambda rule: f"{rule['field']}{rule['operator']}"
    )
    def test_keeps_all_parts_of_a_condition(self, rule: dict[str, Any]) -> None:
        [member] = validate_query({"rules": [rule]}, LAB).members
        assert isinstance(member, Rule)
        parts = (member.name, member.operator, member.test_id, member.antibiotic)
        sent_parts = (rule["field"], rule["operator"], rule.get("test"), rule.get("antibiotic"))
        assert parts == sent_parts

    @pytest.mark.parametrize(
        "parts",
        [
            {"rules": None},
            {"combinator": "xor"},
            {"not": 1},
            {"name": "mine"},
            {"combinator": "xor", "name": "mine"},
        ],
    )
    def test_rejects_a_malformed_group(self, parts: dict[str, Any]) -> None:
        group = {"combinator": "and", "not": False, "rules": [RULES[0]], "id": "a"}
        assert validate_query(group, LAB).members
        assert read_errors({**group, **parts}) == {"query": messages.SEARCH_MALFORMED}

    def test_a_group_without_a_combinator_needs_all_its_conditions(self) -> None:
        assert not validate_query({"rules": [RULES[0]]}, LAB).is_any

    @pytest.mark.parametrize("name", [["code"], {"code": 1}, None, 1])
    def test_rejects_a_column_that_is_not_named(self, name: Any) -> None:
        raw = {"rules": [{"field": name, "operator": "=", "value": "A"}]}
        assert read_errors(raw) == {"query.rules.0.field": messages.SEARCH_COLUMN_UNKNOWN}

    def test_accepts_conditions_up_to_the_limit(self) -> None:
        group = validate_query({"rules": [RULES[0]] * SEARCH_RULES_MAX}, LAB)
        assert count_rules(group) == SEARCH_RULES_MAX

    def test_does_not_read_conditions_beyond_the_limit(self) -> None:
        raw = {"rules": [*[RULES[0]] * SEARCH_RULES_MAX, {"field": "salary"}]}
        assert list(read_errors(raw)) == ["query"]

    def test_groups_without_conditions_restrict_nothing(self) -> None:
        raw = {"combinator": "or", "rules": [_BLANK, {**_BLANK, "not": True}]}
        assert validate_query(raw, LAB).members == ()
        assert validate_query(None, LAB).members == ()

    @pytest.mark.parametrize("depth", [1, SEARCH_DEPTH_MAX])
    def test_accepts_groups_up_to_the_limit(self, depth: int) -> None:
        assert count_rules(validate_query(nest_groups(depth), LAB)) == 1

    @pytest.mark.parametrize("depth", [SEARCH_DEPTH_MAX + 1, 50, 400])
    def test_rejects_groups_that_are_nested_deeper(self, depth: int) -> None:
        place = "query" + ".rules.0" * SEARCH_DEPTH_MAX
        message = messages.SEARCH_TOO_DEEP.format(max=SEARCH_DEPTH_MAX)
        assert read_errors(nest_groups(depth)) == {place: message}

    @pytest.mark.parametrize(
        "members", [[RULES[0]] * 10_000, [_BLANK] * 10_000, [_BLANK, RULES[0]] * 5_000]
    )
    def test_rejects_too_many_conditions_once(self, members: list[Any]) -> None:
        message = messages.SEARCH_TOO_MANY_RULES.format(max=SEARCH_RULES_MAX)
        raw = {"combinator": "and", "rules": [{"combinator": "or", "rules": members}]}
        assert read_errors(raw) == {"query": message}

    def test_names_every_condition_that_is_wrong(self) -> None:
        raw = {
            "combinator": "and",
            "rules": [
                {"field": "salary", "operator": "=", "value": 1},
                RULES[0],
                {
                    "combinator": "or",
                    "rules": [
                        {"field": "code", "operator": "<", "value": "A"},
                        {"field": "age", "operator": "=", "value": "old"},
                        {"field": "resultNumber", "operator": ">", "value": 5},
                    ],
                },
            ],
        }
        assert read_errors(raw) == {
            "query.rules.0.field": messages.SEARCH_COLUMN_UNKNOWN,
            "query.rules.2.rules.0.operator": messages.SEARCH_OPERATOR_UNKNOWN,
            "query.rules.2.rules.1.value": messages.SEARCH_NUMBER_INVALID,
            "query.rules.2.rules.2.test": messages.SEARCH_TEST_REQUIRED,
        }

    def test_hides_the_columns_of_other_roles(self) -> None:
        rule = {"field": "client", "operator": "in", "value": [1]}
        raw = {"combinator": "and", "rules": [rule]}
        assert count_rules(validate_query(raw, LAB)) == 1
        with pytest.raises(BadInput) as caught:
            validate_query(raw, get_columns(Role.PHYSICIAN))
        assert caught.value.errors[0].message == messages.SEARCH_COLUMN_UNKNOWN
        assert not get_columns(Role.PATIENT)


class TestValues:
    """The value of one condition."""

    def read_value(self, field: str, operator: str, value: Any, **other: Any) -> Any:
        """Return the parsed value of a condition."""
        rule = {"field": field, "operator": operator, "value": value, **other}
        group = validate_query({"combinator": "and", "rules": [rule]}, LAB)
        (member,) = group.members
        assert isinstance(member, Rule)
        return member.value

    def test_reads_values_by_type(self) -> None:
        assert self.read_value("lastName", "contains", " o'neil ") == "O'NEIL"
        assert self.read_value("age", "<=", "4.50") == Decimal("4.5")
        assert self.read_value("birthDate", "=", "01/02/1970") == date(1970, 1, 2)
        assert self.read_value("collectionDate", "between", ["2026-01-01", "2026-01-31"]) == (
            date(2026, 1, 1),
            date(2026, 1, 31),
        )
        assert self.read_value("signed", "=", True) is True
        assert self.read_value("status", "in", "FINAL") == ("FINAL",)
        assert self.read_value("client", "notIn", [3, 5]) == (3, 5)
        assert self.read_value("client", "in", [1, 2**53 - 1]) == (1, 2**53 - 1)
        assert self.read_value("receivedDate", "inLastDays", "7") == 7
        assert self.read_value("age", "=", 0.1) == Decimal("0.1")
        assert self.read_value("lastName", "=", "LE\ud800E") == "LEE"

    def test_reads_values_up_to_the_limits(self) -> None:
        assert self.read_value("lastName", "=", "A" * SEARCH_TEXT_MAX) == "A" * SEARCH_TEXT_MAX
        assert self.read_value("receivedDate", "inLastDays", 1) == 1
        assert self.read_value("receivedDate", "inLastDays", SEARCH_DAYS_MAX) == SEARCH_DAYS_MAX
        assert len(self.read_value("client", "in", [1] * SEARCH_VALUES_MAX)) == SEARCH_VALUES_MAX
        assert self.read_value("age", "=", "0" * 39 + "9") == 9
        assert self.read_value("age", "=", 10**15 - 1) == 10**15 - 1

    @pytest.mark.parametrize(
        ("field", "operator", "value", "message"),
        [
            ("lastName", "contains", "", messages.SEARCH_VALUE_REQUIRED),
            ("lastName", "contains", " \u200b\0 ", messages.SEARCH_VALUE_REQUIRED),
            ("lastName", "contains", 5, messages.VALUE_INVALID),
            ("lastName", "=", "A" * 201, messages.VALUE_TOO_LONG.format(max=200)),
            ("age", "=", None, messages.SEARCH_VALUE_REQUIRED),
            ("age", "=", "", messages.SEARCH_VALUE_REQUIRED),
            ("age", "=", "NaN", messages.SEARCH_NUMBER_INVALID),
            ("age", "=", True, messages.SEARCH_NUMBER_INVALID),
            pytest.param("age", "=", 10**5_000, messages.SEARCH_NUMBER_INVALID, id="huge"),
            ("age", "=", "9" * 5_000, messages.SEARCH_NUMBER_INVALID),
            ("age", "=", "0" * 41, messages.SEARCH_NUMBER_INVALID),
            ("age", "=", 10**15, messages.SEARCH_NUMBER_INVALID),
            ("age", "between", [1], messages.SEARCH_TWO_VALUES),
            ("age", "between", "12", messages.SEARCH_TWO_VALUES),
            ("age", "between", [2, 1], messages.SEARCH_BOUNDS_REVERSED),
            ("birthDate", "=", "02/30/2026", messages.DATE_INVALID),
            ("birthDate", "=", 20260230, messages.DATE_INVALID),
            ("birthDate", "=", None, messages.SEARCH_VALUE_REQUIRED),
            ("birthDate", "=", "", messages.SEARCH_VALUE_REQUIRED),
            ("receivedDate", "inLastDays", 0, messages.SEARCH_DAYS_INVALID.format(max="3660")),
            ("receivedDate", "inLastDays", 1.5, messages.SEARCH_DAYS_INVALID.format(max="3660")),
            ("signed", "=", "yes", messages.SEARCH_VALUE_REQUIRED),
            ("receivedDate", "inLastDays", 3661, messages.SEARCH_DAYS_INVALID.format(max="3660")),
            ("status", "in", [], messages.SEARCH_VALUE_REQUIRED),
            ("status", "in", None, messages.SEARCH_VALUE_REQUIRED),
            ("status", "in", "UNRELEASED", messages.VALUE_INVALID),
            ("client", "in", [1] * 51, messages.SEARCH_TOO_MANY_VALUES.format(max=50)),
        ],
    )
    def test_rejects_values_of_the_wrong_type(
        self, field: str, operator: str, value: Any, message: str
    ) -> None:
        rule = {"field": field, "operator": operator, "value": value}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.value": message}

    @pytest.mark.parametrize(
        ("field", "values"),
        [
            ("status", ["FINAL", "UNRELEASED"]),
            ("client", [1, "1"]),
            ("client", [1, True]),
            ("client", [1, 0]),
            ("client", [1, 2**53]),
            ("client", [1, 2**63]),
        ],
    )
    def test_names_the_position_of_an_invalid_member(self, field: str, values: list[Any]) -> None:
        rule = {"field": field, "operator": "in", "value": values}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.value.1": messages.VALUE_INVALID}

    def test_only_conditions_on_results_name_a_test(self) -> None:
        rule = {"field": "code", "operator": "=", "value": "L1", "test": 3}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.test": messages.SEARCH_MALFORMED}

    def test_only_conditions_on_susceptibility_name_an_antibiotic(self) -> None:
        rule = {"field": "code", "operator": "=", "value": "L1", "antibiotic": "CIP"}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.antibiotic": messages.SEARCH_MALFORMED}

    @pytest.mark.parametrize(
        "antibiotic", [None, 3, ["CIP"], "", "  ", "\ud800", "C" * (SEARCH_TEXT_MAX + 1)]
    )
    def test_conditions_on_susceptibility_need_an_antibiotic(self, antibiotic: Any) -> None:
        rule = {**_SUSCEPTIBILITY_RULE, "antibiotic": antibiotic}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.antibiotic": messages.SEARCH_ANTIBIOTIC_REQUIRED}

    @pytest.mark.parametrize(
        ("antibiotic", "code"),
        [(" CIP ", "CIP"), ("C" * SEARCH_TEXT_MAX, "C" * SEARCH_TEXT_MAX), ("CI\ud800P", "CIP")],
    )
    def test_reads_the_code_of_an_antibiotic(self, antibiotic: str, code: str) -> None:
        rule = {**_SUSCEPTIBILITY_RULE, "antibiotic": antibiotic}
        [member] = validate_query({"rules": [rule]}, LAB).members
        assert isinstance(member, Rule)
        assert member.antibiotic == code

    def test_only_optional_columns_can_be_searched_for_empty_values(self) -> None:
        rule = {"field": "code", "operator": Operator.EMPTY, "value": None}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0.operator": messages.SEARCH_OPERATOR_UNKNOWN}

    @pytest.mark.parametrize("raw", [None, 1, "code", [], {**RULES[0], "salary": 1}])
    def test_rejects_conditions_with_unknown_parts(self, raw: Any) -> None:
        errors = read_errors({"combinator": "and", "rules": [raw]})
        assert errors == {"query.rules.0": messages.SEARCH_MALFORMED}

    @pytest.mark.parametrize(
        "names",
        [[], {"1": 2}, {"1": "A" * 400}, {str(n): "" for n in range(SEARCH_VALUES_MAX + 2)}],
    )
    def test_rejects_invalid_names_of_ids(self, names: Any) -> None:
        rule = {"field": "client", "operator": "in", "value": [1], "names": names}
        errors = read_errors({"combinator": "and", "rules": [rule]})
        assert errors == {"query.rules.0": messages.SEARCH_MALFORMED}
        most: dict[str, str] = {str(n): "" for n in range(SEARCH_VALUES_MAX + 1)}
        for accepted_names in ({"1": "NORTH"}, {"1": "A" * 399}, most):
            validate_query({"combinator": "and", "rules": [{**rule, "names": accepted_names}]}, LAB)


def test_validates_the_name_of_a_saved_search() -> None:
    assert validate_name("N" * SAVED_SEARCH_NAME_MAX) == []
    [missing_error], [too_long_error] = validate_name(""), validate_name("N" * 1_000)
    assert (missing_error.field, missing_error.message) == (
        "name",
        messages.SELECTION_REQUIRED.format(label="Name"),
    )
    assert too_long_error.field == "name"
    assert too_long_error.message == messages.VALUE_TOO_LONG.format(max=SAVED_SEARCH_NAME_MAX)
    assert validate_name("N" * (SAVED_SEARCH_NAME_MAX + 1)) == [too_long_error]


def test_names_of_saved_searches_differ_by_more_than_case() -> None:
    assert is_name_in_use("Straße", ["Other", "STRASSE"])
    assert not is_name_in_use("Mine", ["Mine 2"])
    assert not is_name_in_use("Mine", [])
