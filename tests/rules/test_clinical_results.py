"""How results are judged (DECISIONS, Results)."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag, ResultType
from app.server.results.clinical.rules import (
    NUMERIC_TYPES,
    Range,
    age_in_days,
    flag_for,
    is_abnormal,
    is_critical,
    number_in,
    range_text,
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


def judge(value: str, limits: Range = POTASSIUM) -> ResultFlag | None:
    return flag_for(ResultType.VALUE_VALUE, value, limits)


@st.composite
def ranges(draw: st.DrawFn) -> Range:
    critical_low, low, high, critical_high = sorted(draw(st.tuples(*[NUMBERS] * 4)))
    return Range(low, high, critical_low, critical_high)


class TestNumbers:
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
    def test_limits_belong_to_the_better_side(self, value: str, flag: str) -> None:
        assert judge(value) == flag

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
    def test_beyond_the_measuring_range_is_just_below_or_above(self, value: str, flag: str) -> None:
        assert judge(value) == flag

    @pytest.mark.parametrize("value", ["", "HEMOLYZED", "4.1 mmol/L", "4,1", "--4", "1e5", "4.1.2"])
    def test_what_is_no_number_is_not_judged(self, value: str) -> None:
        assert judge(value) is None

    def test_thousands_may_be_grouped(self) -> None:
        assert number_in("1,234.5") == ("", Decimal("1234.5"))

    def test_without_a_range_nothing_can_be_said(self) -> None:
        assert judge("4.1", Range()) is None

    def test_one_sided_ranges(self) -> None:
        assert judge("250", Range(high=Decimal(199))) is ResultFlag.HIGH
        assert judge("100", Range(high=Decimal(199))) is ResultFlag.NORMAL
        assert judge("30", Range(low=Decimal(40))) is ResultFlag.LOW

    @given(value=NUMBERS, limits=ranges())
    def test_a_flag_means_what_it_says(self, value: Decimal, limits: Range) -> None:
        flag = judge(str(value), limits)
        assert flag in ORDER
        assert limits.low is not None
        assert limits.high is not None
        assert (flag not in NOT_ABNORMAL_FLAGS) == (not limits.low <= value <= limits.high)
        critical = value < (limits.critical_low or 0) or value > (limits.critical_high or 0)
        if limits.critical_low and limits.critical_high:
            assert (flag in CRITICAL_FLAGS) == critical

    @given(one=NUMBERS, other=NUMBERS, limits=ranges())
    def test_a_larger_value_is_never_judged_lower(
        self, one: Decimal, other: Decimal, limits: Range
    ) -> None:
        assume(one <= other)
        first, second = judge(str(one), limits), judge(str(other), limits)
        assert first is not None
        assert second is not None
        assert ORDER.index(first) <= ORDER.index(second)

    @given(value=NUMBERS, limits=ranges())
    def test_less_than_is_never_above_and_more_than_never_below(
        self, value: Decimal, limits: Range
    ) -> None:
        found = [judge(f"{sign}{value}", limits) for sign in ("<", "", ">")]
        places = [ORDER.index(flag) for flag in found if flag is not None]
        assert len(places) == 3
        assert places == sorted(places)

    @given(kind=st.sampled_from(sorted(NUMERIC_TYPES)), value=NUMBERS, limits=ranges())
    def test_every_numeric_type_is_judged_alike(
        self, kind: ResultType, value: Decimal, limits: Range
    ) -> None:
        assert flag_for(kind, str(value), limits) == judge(str(value), limits)

    @given(st.text())
    def test_no_text_is_too_strange(self, text: str) -> None:
        judge(text)


class TestWords:
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
    def test_are_judged_by_the_normal_choices(
        self, value: str, normal: list[str], flag: str | None
    ) -> None:
        assert flag_for(ResultType.ALPHA_RESULTS, value, Range(), normal) == flag

    @given(st.text(), st.lists(st.text(min_size=1)))
    def test_a_normal_choice_is_never_abnormal(self, value: str, normal: list[str]) -> None:
        flag = flag_for(ResultType.ALPHA_RESULTS, value, Range(), [*normal, value.strip() or "x"])
        assert flag is None or value.strip() == "" or flag in NOT_ABNORMAL_FLAGS


@pytest.mark.parametrize(
    "kind", [ResultType.OPEN_RESULT_WITHOUT_UNIT, ResultType.MICROBIOLOGY, ResultType.NONE]
)
def test_free_text_is_never_judged(kind: ResultType) -> None:
    assert flag_for(kind, "12", POTASSIUM, ["12"]) is None


class TestRangeText:
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
    def test_is_as_it_is_printed(
        self,
        low: str | None,
        high: str | None,
        words: str | None,
        normal: list[str],
        text: str | None,
    ) -> None:
        lowest, highest = (None if limit is None else Decimal(limit) for limit in (low, high))
        assert range_text(lowest, highest, words, normal) == text


class TestMeaningOfFlags:
    @pytest.mark.parametrize("flag", ResultFlag)
    def test_normal_negative_and_susceptible_are_not_abnormal(self, flag: ResultFlag) -> None:
        assert is_abnormal(flag) == (flag not in ("N", "NEG", "S"))

    @pytest.mark.parametrize("flag", ResultFlag)
    def test_critical_are_the_outermost_and_very_abnormal(self, flag: ResultFlag) -> None:
        assert is_critical(flag) == (flag in ("LL", "HH", "AA"))

    @pytest.mark.parametrize("nothing", [None, ""])
    def test_no_flag_means_neither(self, nothing: str | None) -> None:
        assert not is_abnormal(nothing)
        assert not is_critical(nothing)


class TestAge:
    @given(st.dates(), st.integers(0, 10_000))
    def test_is_counted_in_days(self, birth: date, days: int) -> None:
        assume(birth <= date.max - timedelta(days=days))
        assert age_in_days(birth, birth + timedelta(days=days)) == days

    def test_is_not_below_zero(self) -> None:
        assert age_in_days(date(2026, 5, 6), date(2026, 5, 5)) == 0
