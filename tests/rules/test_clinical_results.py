"""Clinical results: parsing of values, texts of ranges, and the age for a range."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract.enumerations import ResultType
from app.server.catalog.models import AGES_END, ReferenceRange
from app.server.catalog.repository import choose_ranges
from app.server.results.clinical.rules import (
    NUMERIC_TYPES,
    Range,
    compute_age_in_days,
    compute_age_in_years,
    compute_flag,
    format_range,
    parse_number,
    parse_titer,
    parse_value,
)


class TestParsing:
    """The number of a value, by the type of its test."""

    @pytest.mark.parametrize("kind", ResultType)
    def test_only_measured_types_have_numbers(self, kind: ResultType) -> None:
        measured_types = {
            *NUMERIC_TYPES,
            ResultType.SPECIFIC_CUT_OFF,
            ResultType.OPEN_RESULT_WITH_UNIT,
        }
        assert parse_value(kind, "<4.1") == (
            ("<", Decimal("4.1")) if kind in measured_types else None
        )

    def test_commas_can_separate_thousands(self) -> None:
        assert parse_number("1,234.5") == ("", Decimal("1234.5"))

    def test_a_titer_has_the_number_of_its_dilution(self) -> None:
        assert parse_titer(">= 1:160") == (">=", Decimal(160))
        assert parse_value(ResultType.TITER, "1:80") == ("", Decimal(80))
        assert parse_value(ResultType.VALUE_VALUE, "1:80") is None


class TestFormatRange:
    """The text of a reference range."""

    @pytest.mark.parametrize(
        ("low", "high", "words", "normal", "text"),
        [
            ("3.5", "5.1", None, [], "3.5 - 5.1"),
            (None, "199", None, [], "<= 199"),
            ("60", None, None, [], ">= 60"),
            ("0", "0.10", None, [], "0 - 0.10"),
            ("1E+2", None, None, [], ">= 100"),
            (None, None, None, ["YELLOW", "STRAW"], "YELLOW, STRAW"),
            (None, None, None, [], None),
            (None, None, "SEE COMMENT", ["NEGATIVE"], "SEE COMMENT"),
            ("1", "2", "", ["NEGATIVE"], "1 - 2"),
            ("1", "2", None, ["NEGATIVE"], "1 - 2"),
            ("1", "2", "SEE COMMENT", [], "SEE COMMENT"),
        ],
    )
    def test_formats_limits_words_and_choices(
        self,
        low: str | None,
        high: str | None,
        words: str | None,
        normal: list[str],
        text: str | None,
    ) -> None:
        lowest, highest = (None if limit is None else Decimal(limit) for limit in (low, high))
        assert format_range(lowest, highest, words, normal) == text

    @pytest.mark.parametrize(
        ("kind", "text"),
        [
            (ResultType.VALUE_VALUE, "20 - 40"),
            (ResultType.OPEN_RESULT_WITH_UNIT, "20 - 40"),
            (ResultType.GREATER_EQUAL_VALUE, ">= 20"),
            (ResultType.GREATER_THAN_VALUE, "> 20"),
            (ResultType.LESS_EQUAL_VALUE, "<= 40"),
            (ResultType.LESS_THAN_VALUE, "< 40"),
            (ResultType.SPECIFIC_CUT_OFF, "< 20"),
            (ResultType.TITER, "1:20 - 1:40"),
        ],
    )
    def test_formats_limits_by_type(self, kind: ResultType, text: str) -> None:
        assert format_range(Decimal(20), Decimal(40), None, [], kind) == text

    def test_formats_single_limits_by_type(self) -> None:
        assert format_range(None, Decimal(40), None, [], ResultType.TITER) == "<= 1:40"
        assert format_range(Decimal(40), None, None, [], ResultType.TITER) == ">= 1:40"
        assert format_range(None, Decimal(1), None, [], ResultType.SPECIFIC_CUT_OFF) == "< 1"
        assert format_range(Decimal(1), None, None, [], ResultType.SPECIFIC_CUT_OFF) == ">= 1"


class TestAge:
    """The age for reference ranges."""

    @given(st.dates(), st.integers(0, 10_000))
    def test_counts_the_age_in_days(self, birth: date, days: int) -> None:
        assume(birth <= date.max - timedelta(days=days))
        assert compute_age_in_days(birth, birth + timedelta(days=days)) == days

    def test_age_is_never_negative(self) -> None:
        assert compute_age_in_days(date(2026, 5, 6), date(2026, 5, 5)) == 0

    @given(st.dates())
    def test_age_without_a_birth_date_is_unknown(self, day: date) -> None:
        assert compute_age_in_days(None, day) is None
        assert compute_age_in_years(None, day) is None


SEXES = ("MALE", "FEMALE")
RANGES = st.lists(
    st.builds(
        lambda test_id, gender, ages: ReferenceRange(
            test_id=test_id, gender=gender, age_from_days=ages[0], age_to_days=ages[1]
        ),
        st.integers(1, 3),
        st.sampled_from([None, *SEXES]),
        st.sampled_from([(0, AGES_END), (0, 6_570), (6_570, AGES_END), (0, AGES_END + 1)]),
    ),
    max_size=6,
)


class TestRangesWithoutAnAge:
    """The ranges of a patient whose birth date is unknown."""

    @given(RANGES, st.sampled_from([*SEXES, "UNKNOWN"]))
    def test_only_ranges_for_all_ages_apply(self, rows: list[ReferenceRange], gender: str) -> None:
        unlimited_rows = [row for row in rows if not row.has_age_limit]
        chosen_ranges = choose_ranges(rows, gender, None)
        assert chosen_ranges == choose_ranges(unlimited_rows, gender, 10_000)
        assert not any(row.has_age_limit for row in chosen_ranges.values())

    @given(RANGES, st.sampled_from(SEXES), st.integers(0, AGES_END - 1))
    def test_a_range_for_all_ages_applies_at_every_age(
        self, rows: list[ReferenceRange], gender: str, age: int
    ) -> None:
        assert choose_ranges(rows, gender, None).keys() <= choose_ranges(rows, gender, age).keys()

    def test_a_number_without_a_range_has_no_flag(self) -> None:
        rows = [ReferenceRange(test_id=1, gender=None, age_from_days=6_570, age_to_days=AGES_END)]
        assert choose_ranges(rows, "FEMALE", None) == {}
        assert compute_flag(ResultType.VALUE_VALUE, "4.1", Range()) is None
