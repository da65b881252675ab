"""Rules of lab data: values, ranges, rules of the benches, and cells of files."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.server.lab_data.csv_text import escape_cell, read_csv, unescape_cell, write_csv
from app.server.lab_data.kind import Field
from app.server.lab_data.kinds import KINDS
from app.server.lab_data.kinds.microbiology import (
    validate_breakpoint,
    validate_critical_culture,
)
from app.server.lab_data.kinds.reflex import validate_reflex_rule
from app.server.lab_data.kinds.tests import compare_ranges, validate_range, validate_test
from app.server.lab_data.lookups import LOOKUPS
from app.server.lab_data.values import InvalidValue, format_value, parse_value
from app.server.physicians.rules import is_valid_npi

NUMBER = Field("low", "Low", "number")
WHOLE = Field("position", "Position", "integer")


def build_range(**values: Any) -> dict[str, Any]:
    """Build a range that applies to everybody."""
    blank = {"gender": None, "ageFromDays": 0, "ageToDays": 60000, "words": None}
    limits = dict.fromkeys(("low", "high", "criticalLow", "criticalHigh"))
    return {**blank, **limits, "low": "1", **values}


class TestDeclarations:
    """The declarations of all kinds."""

    @pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
    def test_names_only_existing_columns(self, kind: Any) -> None:
        names = [field.name for field in kind.fields]
        assert len(set(names)) == len(names)
        assert len({field.label for field in kind.fields}) == len(names)
        assert set(kind.identity) <= set(names)
        assert not kind.parent or kind.parent in names
        assert all(KINDS[child].parent for child in kind.children)
        columns = kind.model.__table__.columns
        assert all(field.links or field.column in columns for field in kind.fields)
        assert all(not field.lookup or field.lookup in LOOKUPS for field in kind.fields)
        required_columns = {c.name for c in columns if not c.nullable and c.server_default is None}
        declared_columns = {field.column for field in kind.fields if field.required}
        assert required_columns - declared_columns - {"id", "search_text", "is_panel"} == set()

    def test_each_computed_name_is_declared_once(self) -> None:
        """A file of 50,000 rows asks for the names millions of times."""
        [field] = [f for f in KINDS["physicians"].fields if f.column == "last_name"]
        assert field.name == "lastName" and field.name is field.name


class TestContacts:
    """Critical contacts."""

    def test_rejects_unreadable_hours(self) -> None:
        [hours] = [f for f in KINDS["critical-contacts"].fields if f.name == "hours"]
        assert parse_value(hours, "Mon-Fri 8:00-17:00; Sat 9-12") == "Mon-Fri 8:00-17:00; Sat 9-12"
        with pytest.raises(InvalidValue, match="Enter days and hours"):
            parse_value(hours, "after hours")

    def test_positions_begin_with_one(self) -> None:
        """A notice starts at level 0, and alerts only contacts with a position above its level."""
        [position] = [f for f in KINDS["critical-contacts"].fields if f.name == "position"]
        assert parse_value(position, "1") == 1
        with pytest.raises(InvalidValue, match="from 1 to 32,767"):
            parse_value(position, "0")


class TestValues:
    """Values of a field."""

    @pytest.mark.parametrize(
        ("text", "number"), [("4.0", "4"), ("0.50", "0.5"), ("-3", "-3"), ("100", "100")]
    )
    def test_numbers_lose_superfluous_zeros(self, text: str, number: str) -> None:
        assert parse_value(NUMBER, text) == number

    @pytest.mark.parametrize("text", ["1,5", "NaN", "1e9", "abc", "9" * 13])
    def test_rejects_invalid_numbers(self, text: str) -> None:
        with pytest.raises(InvalidValue, match="must be a number"):
            parse_value(NUMBER, text)

    @pytest.mark.parametrize("value", ["-1", "40000", "1.5", True])
    def test_rejects_numbers_that_a_position_cannot_have(self, value: Any) -> None:
        with pytest.raises(InvalidValue, match="whole number"):
            parse_value(WHOLE, value)

    @pytest.mark.parametrize(("text", "value"), [("yes", True), ("No", False), ("", False)])
    def test_flags_are_words_in_files(self, text: str, *, value: bool) -> None:
        assert parse_value(Field("on", "On", "boolean"), text) is value

    def test_items_are_distinct_and_in_order(self) -> None:
        field = Field("words", "Words", "texts", upper=True)
        assert parse_value(field, "b; a ;B;") == ["B", "A"]
        assert format_value(["B", "A"]) == "B; A"


class TestCells:
    """Cells of CSV files."""

    @given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n\0"), max_size=30))
    def test_cells_survive_a_round_trip(self, text: str) -> None:
        assert unescape_cell(escape_cell(text)) == text

    @given(st.text("=+-@'12a", min_size=1, max_size=6))
    def test_cells_are_never_formulas(self, text: str) -> None:
        [[cell]] = [line.split(",") for line in write_csv([[text]]).decode("utf-8-sig").split()]
        assert cell[0] not in "=+-@" or cell[1:].isdigit()
        assert read_csv(write_csv([[text]])) == [[text]]


class TestNpi:
    """The check digit of an NPI."""

    @given(st.integers(0, 99_999_999), st.integers(1, 9))
    def test_detects_one_wrong_digit(self, number: int, shift: int) -> None:
        base = f"2{number:08d}"
        [valid] = [f"{base}{digit}" for digit in range(10) if is_valid_npi(f"{base}{digit}")]
        assert not is_valid_npi(f"{valid[:-1]}{(int(valid[-1]) + shift) % 10}")


class TestRanges:
    """Reference ranges."""

    def test_accepts_limits_in_their_order(self) -> None:
        values = build_range(criticalLow="2", low="3.5", high="5.1", criticalHigh="6")
        assert validate_range(values) == []

    @pytest.mark.parametrize(
        ("values", "field"),
        [
            ({"low": "5", "high": "3"}, "high"),
            ({"criticalLow": "4", "low": "3"}, "low"),
            ({"high": "6", "criticalHigh": "5"}, "criticalHigh"),
            ({"ageFromDays": 10, "ageToDays": 10}, "ageToDays"),
            ({"low": None}, "low"),
        ],
    )
    def test_rejects_invalid_ranges(self, values: dict[str, Any], field: str) -> None:
        assert [error.field for error in validate_range(build_range(**values))] == [field]

    def test_ranges_may_touch_and_differ_by_sex(self) -> None:
        child = build_range(ageToDays=6570)
        adult = build_range(ageFromDays=6570)
        assert compare_ranges(adult, [child, build_range(gender="Male")]) == []
        assert compare_ranges(adult, [build_range()])[0].message == messages.RANGE_OVERLAPS


class TestBenchRules:
    """Rules of formulas, breakpoints, and reflex tests."""

    def test_names_the_formulas_when_one_is_unknown(self) -> None:
        names = ("possibleLow", "possibleHigh", "plausibleLow", "plausibleHigh")
        values: dict[str, Any] = {**dict.fromkeys((*names, "kind", "choices")), "formula": "mine"}
        [error] = validate_test({**values, "formulaInputs": [], "formulaSource": "x"})
        assert error.field == "formula" and "ckd-epi-2021" in error.message

    @pytest.mark.parametrize(
        ("kind", "choices", "is_valid"),
        [
            ("Toxicology", ["Negative", "POSITIVE"], True),
            ("Toxicology", ["NOT DETECTED", "Detected"], True),
            ("Toxicology", ["NEGATIVE", "PRESUMPTIVE POSITIVE"], False),
            ("Toxicology", None, True),
            ("Clinical", ["PRESUMPTIVE POSITIVE"], True),
        ],
    )
    def test_choices_of_toxicology_tests_say_what_was_detected(
        self, kind: str, choices: list[str] | None, *, is_valid: bool
    ) -> None:
        names = ("possibleLow", "possibleHigh", "plausibleLow", "plausibleHigh")
        marks = ("normalChoices", "criticalChoices")
        blank: dict[str, Any] = dict.fromkeys((*names, *marks, "formula", "formulaInputs"))
        errors = validate_test({**blank, "kind": kind, "choices": choices})
        assert [error.field for error in errors] == ([] if is_valid else ["choices"])

    @pytest.mark.parametrize(
        ("method", "limits", "is_valid"),
        [
            ("MIC", ("4", "8", "16"), True),
            ("MIC", ("16", None, "4"), False),
            ("ZONE", ("20", None, "15"), True),
            ("ZONE", ("15", None, "20"), False),
        ],
    )
    def test_breakpoints_follow_their_method(
        self, method: str, limits: tuple[Any, ...], *, is_valid: bool
    ) -> None:
        names = ("susceptible", "doseDependent", "resistant")
        values = {"method": method, **dict(zip(names, limits, strict=True))}
        assert (validate_breakpoint(values) == []) is is_valid

    def test_a_critical_culture_names_something(self) -> None:
        """An empty rule would make every culture critical."""
        blank = dict.fromkeys(("source", "appliesTo", "mark", "finding"))
        [error] = validate_critical_culture(blank)
        assert error.message == messages.CRITICAL_CULTURE_EMPTY
        assert validate_critical_culture({**blank, "mark": "CRE"}) == []

    def test_a_reflex_rule_has_what_its_condition_needs(self) -> None:
        values: dict[str, Any] = {
            "test": "TSH",
            "addedTest": "FT4",
            "condition": "Above",
            "flags": [],
            "words": [],
            "low": None,
            "high": None,
        }
        assert [error.field for error in validate_reflex_rule(values)] == ["low"]
        assert validate_reflex_rule({**values, "low": "5"}) == []
        same = validate_reflex_rule({**values, "low": "5", "addedTest": "TSH"})
        assert [error.field for error in same] == ["addedTest"]
