"""Rules about clinical results: flags and reference ranges (DECISIONS, Results)."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag, ResultType
from app.server.results.clinical.rules import (
    NUMERIC_TYPES,
    Range,
    compute_age_in_days,
    compute_flag,
    format_range,
    is_abnormal,
    is_critical,
    parse_number,
)

POTASSIUM = Range(Decimal("3.5"), Decimal("5.1"), Decimal("2.8"), Decimal("6.2"))
NUMBERS = st.decimals(min_value=-1000, max_value=1000, places=2)
ORDER = [
    ResultFlag.CRITICAL_LOW,
    ResultFlag.LOW,
    ResultFlag.NORMAL,
    ResultFlag.HIGH,
    ResultFlag.CRITICAL_HIGH,
]


def flag_number(value: str, limits: Range = POTASSIUM) -> ResultFlag | None:
    """Return the flag of a numeric value."""
    return compute_flag(ResultType.VALUE_VALUE, value, limits)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    """Draw a range with ordered limits."""
    critical_low, low, high, critical_high = sorted(draw(st.tuples(*[NUMBERS] * 4)))
    return Range(low, high, critical_low, critical_high)


class TestNumbers:
    """Flags of numeric results."""

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("2.7", "LL"),
            ("2.8", "L"),
            ("3.4", "L"),
            ("3.5", "N"),
            ("5.1", "N"),
            ("5.2", "H"),
            ("6.2", "H"),
            ("6.3", "HH"),
        ],
    )
    def test_limits_belong_to_the_less_severe_flag(self, value: str, flag: str) -> None:
        assert flag_number(value) == flag

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("<2.8", "LL"),
            ("<3.5", "L"),
            ("< 5", "N"),
            ("<=3.5", "N"),
            (">5.1", "H"),
            (">=5.1", "N"),
            (">6.2", "HH"),
            (">200", "HH"),
            ("<200", "HH"),
        ],
    )
    def test_comparison_signs_count_as_just_below_or_above(self, value: str, flag: str) -> None:
        assert flag_number(value) == flag

    @pytest.mark.parametrize("value", ["", "HEMOLYZED", "4.1 mmol/L", "4,1", "--4", "1e5", "4.1.2"])
    def test_text_has_no_flag(self, value: str) -> None:
        assert flag_number(value) is None

    def test_commas_can_separate_thousands(self) -> None:
        assert parse_number("1,234.5") == ("", Decimal("1234.5"))

    def test_has_no_flag_without_a_range(self) -> None:
        assert flag_number("4.1", Range()) is None

    def test_one_sided_ranges_flag_one_side_only(self) -> None:
        assert flag_number("250", Range(high=Decimal(199))) is ResultFlag.HIGH
        assert flag_number("100", Range(high=Decimal(199))) is ResultFlag.NORMAL
        assert flag_number("30", Range(low=Decimal(40))) is ResultFlag.LOW

    @given(value=NUMBERS, limits=ranges())
    def test_flags_match_the_limits(self, value: Decimal, limits: Range) -> None:
        flag = flag_number(str(value), limits)
        assert flag in ORDER
        assert limits.low is not None
        assert limits.high is not None
        assert (flag not in NOT_ABNORMAL_FLAGS) == (not limits.low <= value <= limits.high)
        is_value_critical = value < (limits.critical_low or 0) or value > (
            limits.critical_high or 0
        )
        if limits.critical_low and limits.critical_high:
            assert (flag in CRITICAL_FLAGS) == is_value_critical

    @given(smaller=NUMBERS, larger=NUMBERS, limits=ranges())
    def test_flags_are_monotonic(self, smaller: Decimal, larger: Decimal, limits: Range) -> None:
        assume(smaller <= larger)
        first, second = flag_number(str(smaller), limits), flag_number(str(larger), limits)
        assert first is not None
        assert second is not None
        assert ORDER.index(first) <= ORDER.index(second)

    @given(value=NUMBERS, limits=ranges())
    def test_comparison_signs_never_reverse_the_order(self, value: Decimal, limits: Range) -> None:
        flags = [flag_number(f"{sign}{value}", limits) for sign in ("<", "", ">")]
        indexes = [ORDER.index(flag) for flag in flags if flag is not None]
        assert len(indexes) == 3
        assert indexes == sorted(indexes)

    @given(kind=st.sampled_from(sorted(NUMERIC_TYPES)), value=NUMBERS, limits=ranges())
    def test_all_numeric_types_have_the_same_flags(
        self, kind: ResultType, value: Decimal, limits: Range
    ) -> None:
        assert compute_flag(kind, str(value), limits) == flag_number(str(value), limits)

    @given(st.text())
    def test_accepts_any_text(self, text: str) -> None:
        flag_number(text)


class TestChoices:
    """Flags of chosen results."""

    @pytest.mark.parametrize(
        ("value", "normal", "flag"),
        [
            ("NOT DETECTED", ["NOT DETECTED"], "NEG"),
            ("detected", ["NOT DETECTED"], "POS"),
            ("REACTIVE", ["NON-REACTIVE"], "POS"),
            ("NON-REACTIVE", ["NON-REACTIVE"], "NEG"),
            ("YELLOW", ["YELLOW", "STRAW"], "N"),
            ("BROWN", ["YELLOW", "STRAW"], "A"),
            ("2+", ["NEGATIVE"], "A"),
            ("ABSENT", ["PRESENT"], "NEG"),
            ("IMMUNE", ["IMMUNE"], "N"),
            ("POSITIVE", ["POSITIVE"], "N"),
            ("O", [], None),
        ],
    )
    def test_are_flagged_by_the_normal_choices(
        self, value: str, normal: list[str], flag: str | None
    ) -> None:
        assert compute_flag(ResultType.ALPHA_RESULTS, value, Range(), normal) == flag

    @given(st.text(), st.lists(st.text(min_size=1)))
    def test_a_normal_choice_is_never_abnormal(self, value: str, normal: list[str]) -> None:
        flag = compute_flag(
            ResultType.ALPHA_RESULTS, value, Range(), [*normal, value.strip() or "x"]
        )
        assert flag is None or value.strip() == "" or flag in NOT_ABNORMAL_FLAGS


@pytest.mark.parametrize(
    "kind", [ResultType.OPEN_RESULT_WITHOUT_UNIT, ResultType.MICROBIOLOGY, ResultType.NONE]
)
def test_free_text_has_no_flag(kind: ResultType) -> None:
    assert compute_flag(kind, "12", POTASSIUM, ["12"]) is None


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


class TestFlags:
    """Abnormal and critical flags."""

    @pytest.mark.parametrize("flag", ResultFlag)
    def test_normal_negative_and_susceptible_are_not_abnormal(self, flag: ResultFlag) -> None:
        assert is_abnormal(flag) == (flag not in ("N", "NEG", "S"))

    @pytest.mark.parametrize("flag", ResultFlag)
    def test_outermost_and_very_abnormal_are_critical(self, flag: ResultFlag) -> None:
        assert is_critical(flag) == (flag in ("LL", "HH", "AA"))

    @pytest.mark.parametrize("empty", [None, ""])
    def test_no_flag_is_neither_abnormal_nor_critical(self, empty: str | None) -> None:
        assert not is_abnormal(empty)
        assert not is_critical(empty)


class TestAge:
    """The age for reference ranges."""

    @given(st.dates(), st.integers(0, 10_000))
    def test_is_counted_in_days(self, birth: date, days: int) -> None:
        assume(birth <= date.max - timedelta(days=days))
        assert compute_age_in_days(birth, birth + timedelta(days=days)) == days

    def test_is_not_below_zero(self) -> None:
        assert compute_age_in_days(date(2026, 5, 6), date(2026, 5, 5)) == 0
