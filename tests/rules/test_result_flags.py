"""Flags of clinical results, by the range of their test (DECISIONS, Results)."""

from dataclasses import replace
from decimal import Decimal
from operator import ge, gt, le, lt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag, ResultType
from app.server.results.clinical.rules import (
    Range,
    compute_flag,
    has_no_range,
    is_abnormal,
    is_critical,
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


def list_meanings(sign: str, value: Decimal, limits: Range) -> list[Decimal]:
    """List numbers that a signed value can mean: near the value and the limits, and far away."""
    ends = (value, limits.low, limits.high, limits.critical_low, limits.critical_high)
    near = [
        end + step
        for end in ends
        if end is not None
        for step in (Decimal("-0.001"), Decimal(0), Decimal("0.001"))
    ]
    compare = {"<": lt, "<=": le, ">": gt, ">=": ge}[sign]
    return [number for number in (*near, Decimal(-9999), Decimal(9999)) if compare(number, value)]


def flag_number(value: str, limits: Range = POTASSIUM) -> ResultFlag | None:
    """Return the flag of a numeric value."""
    return compute_flag(ResultType.VALUE_VALUE, value, limits)


@st.composite
def draw_range(draw: st.DrawFn) -> Range:
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
            ("<=2.8", "L"),
            ("<3.5", "L"),
            ("< 5", None),
            ("<=3.5", None),
            (">3.5", None),
            (">5.1", "H"),
            (">=5.1", None),
            (">=6.2", "H"),
            (">6.2", "HH"),
            (">200", "HH"),
            ("<200", None),
        ],
    )
    def test_flags_signed_values_whose_possible_values_are_all_low_or_all_high(
        self, value: str, flag: str | None
    ) -> None:
        assert flag_number(value) == flag

    @pytest.mark.parametrize(
        ("value", "flag"), [("<0.5", "N"), ("<=5", "N"), ("<5.1", None), ("<0", None), ("<=0", "N")]
    )
    def test_signed_values_exclude_impossible_quantities(
        self, value: str, flag: str | None
    ) -> None:
        crp = Range(low=Decimal(0), high=Decimal(5), least=Decimal(0), greatest=Decimal(900))
        assert flag_number(value, crp) == flag
        assert flag_number("<0.5", replace(crp, least=None)) is None

    def test_signed_values_reach_up_to_the_greatest_possible_value(self) -> None:
        saturation = Range(low=Decimal(95), high=Decimal(100), greatest=Decimal(100))
        assert flag_number(">96", saturation) is ResultFlag.NORMAL
        assert flag_number(">=100", saturation) is ResultFlag.NORMAL
        assert flag_number(">100", saturation) is None

    @pytest.mark.parametrize("value", ["", "HEMOLYZED", "4.1 mmol/L", "4,1", "--4", "1e5", "4.1.2"])
    def test_text_has_no_flag(self, value: str) -> None:
        assert flag_number(value) is None

    def test_has_no_flag_without_a_range(self) -> None:
        assert flag_number("4.1", Range()) is None

    def test_one_sided_ranges_flag_one_side_only(self) -> None:
        assert flag_number("250", Range(high=Decimal(199))) is ResultFlag.HIGH
        assert flag_number("100", Range(high=Decimal(199))) is ResultFlag.NORMAL
        assert flag_number("30", Range(low=Decimal(40))) is ResultFlag.LOW

    @given(value=NUMBERS, limits=draw_range())
    def test_flags_match_the_limits(self, value: Decimal, limits: Range) -> None:
        flag = flag_number(str(value), limits)
        assert flag in ORDER
        assert limits.low is not None
        assert limits.high is not None
        assert (flag not in NOT_ABNORMAL_FLAGS) == (not limits.low <= value <= limits.high)
        assert limits.critical_low is not None
        assert limits.critical_high is not None
        is_within = limits.critical_low <= value <= limits.critical_high
        assert (flag in CRITICAL_FLAGS) == (not is_within)

    @given(smaller=NUMBERS, larger=NUMBERS, limits=draw_range())
    def test_flags_are_monotonic(self, smaller: Decimal, larger: Decimal, limits: Range) -> None:
        assume(smaller <= larger)
        first, second = flag_number(str(smaller), limits), flag_number(str(larger), limits)
        assert first is not None
        assert second is not None
        assert ORDER.index(first) <= ORDER.index(second)

    @given(sign=st.sampled_from(["<", "<=", ">", ">="]), value=NUMBERS, limits=draw_range())
    def test_signed_values_agree_with_every_value_that_they_can_mean(
        self, sign: str, value: Decimal, limits: Range
    ) -> None:
        possible_flags = {
            flag_number(str(meaning), limits) for meaning in list_meanings(sign, value, limits)
        }
        flag = flag_number(f"{sign}{value}", limits)
        if len(possible_flags) == 1:
            assert {flag} == possible_flags
        elif possible_flags == {"L", "LL"} or possible_flags == {"H", "HH"}:
            assert flag in ("L", "H")
        else:
            assert flag is None

    @given(
        kind=st.sampled_from(
            [
                ResultType.VALUE_VALUE,
                ResultType.GREATER_EQUAL_VALUE,
                ResultType.LESS_EQUAL_VALUE,
            ]
        ),
        value=NUMBERS,
        limits=draw_range(),
        sign=st.sampled_from("<>"),
    )
    def test_comparison_types_judge_one_side(
        self, kind: ResultType, value: Decimal, limits: Range, sign: str
    ) -> None:
        one_sided = {
            ResultType.VALUE_VALUE: limits,
            ResultType.GREATER_EQUAL_VALUE: replace(limits, high=None),
            ResultType.LESS_EQUAL_VALUE: replace(limits, low=None),
        }[kind]
        for text in (f"{value}", f"{sign}{value}"):
            assert compute_flag(kind, text, limits) == flag_number(text, one_sided)

    @pytest.mark.parametrize(
        ("kind", "value", "flag"),
        [
            (ResultType.GREATER_EQUAL_VALUE, "60", "N"),
            (ResultType.GREATER_THAN_VALUE, "60", "L"),
            (ResultType.GREATER_THAN_VALUE, "61", "N"),
            (ResultType.GREATER_THAN_VALUE, ">60", "N"),
            (ResultType.GREATER_THAN_VALUE, ">=60", None),
            (ResultType.GREATER_THAN_VALUE, "59", "L"),
            (ResultType.GREATER_THAN_VALUE, "201", "N"),
            (ResultType.LESS_EQUAL_VALUE, "200", "N"),
            (ResultType.LESS_THAN_VALUE, "200", "H"),
            (ResultType.LESS_THAN_VALUE, "199", "N"),
            (ResultType.LESS_THAN_VALUE, "<200", "N"),
            (ResultType.LESS_THAN_VALUE, "<=200", None),
            (ResultType.LESS_THAN_VALUE, "5", "N"),
        ],
    )
    def test_comparison_types_decide_whether_the_limit_is_normal(
        self, kind: ResultType, value: str, flag: str | None
    ) -> None:
        assert compute_flag(kind, value, Range(Decimal(60), Decimal(200))) == flag

    @pytest.mark.parametrize("kind", [ResultType.GREATER_THAN_VALUE, ResultType.LESS_EQUAL_VALUE])
    def test_critical_limits_count_on_both_sides(self, kind: ResultType) -> None:
        assert compute_flag(kind, "2", POTASSIUM) is ResultFlag.CRITICAL_LOW
        assert compute_flag(kind, "7", POTASSIUM) is ResultFlag.CRITICAL_HIGH

    def test_has_no_normal_flag_with_critical_limits_alone(self) -> None:
        critical_limits = Range(critical_low=Decimal(40), critical_high=Decimal(450))
        assert [flag_number(v, critical_limits) for v in ("39", "90", "451", "<40", "<41")] == [
            "LL",
            None,
            "HH",
            "LL",
            None,
        ]

    @pytest.mark.parametrize("value", ["4.1", "<2.8", "12", "HEMOLYZED"])
    def test_open_results_with_a_unit_are_flagged_like_numbers(self, value: str) -> None:
        flag = compute_flag(ResultType.OPEN_RESULT_WITH_UNIT, value, POTASSIUM)
        assert flag == flag_number(value)

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
    def test_flags_choices_by_the_normal_ones(
        self, value: str, normal: list[str], flag: str | None
    ) -> None:
        assert compute_flag(ResultType.ALPHA_RESULTS, value, Range(), normal) == flag

    def test_flags_critical_choices(self) -> None:
        def compute_text_flag(value: str, normal: list[str]) -> ResultFlag | None:
            return compute_flag(ResultType.ALPHA_RESULTS, value, Range(), normal, ["Seen"])

        assert compute_text_flag("seen ", ["NOT SEEN"]) is ResultFlag.CRITICAL_ABNORMAL
        assert compute_text_flag("seen", []) is ResultFlag.CRITICAL_ABNORMAL
        assert compute_text_flag("NOT SEEN", ["NOT SEEN"]) is ResultFlag.NORMAL

    @given(st.text(), st.lists(st.text(min_size=1)))
    def test_a_normal_choice_is_never_abnormal(self, value: str, normal: list[str]) -> None:
        flag = compute_flag(
            ResultType.ALPHA_RESULTS, value, Range(), [*normal, value.strip() or "x"]
        )
        assert flag is None or value.strip() == "" or flag in NOT_ABNORMAL_FLAGS


class TestCutOffs:
    """Flags by a cut-off, which is the high limit."""

    LIMITS = Range(low=Decimal("0.9"), high=Decimal("1.1"), critical_high=Decimal(10))

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("0.89", "NEG"),
            ("0.9", "A"),
            ("1.09", "A"),
            ("1.1", "POS"),
            ("10", "POS"),
            ("10.1", "AA"),
            ("<0.9", "NEG"),
            ("<0.95", None),
            (">0.95", "A"),
            (">1.1", "POS"),
            (">11", "AA"),
            ("REACTIVE", "POS"),
            ("NON-REACTIVE", "NEG"),
        ],
    )
    def test_values_are_positive_from_the_cut_off_on(self, value: str, flag: str | None) -> None:
        normal = ["NON-REACTIVE"]
        assert compute_flag(ResultType.SPECIFIC_CUT_OFF, value, self.LIMITS, normal) == flag

    def test_has_no_flag_without_a_cut_off(self) -> None:
        low = Range(low=Decimal(1))
        assert compute_flag(ResultType.SPECIFIC_CUT_OFF, "5", low) is None
        only = Range(high=Decimal(1))
        assert compute_flag(ResultType.SPECIFIC_CUT_OFF, "0.5", only) is ResultFlag.NEGATIVE
        assert compute_flag(ResultType.SPECIFIC_CUT_OFF, "99", only) is ResultFlag.POSITIVE


class TestTiters:
    """Flags of titers, by dilution."""

    @pytest.mark.parametrize(
        ("value", "flag"),
        [
            ("1:20", "N"),
            ("1:40", "N"),
            ("1:80", "H"),
            ("1 : 640", "H"),
            ("1:1280", "HH"),
            ("<1:20", "N"),
            ("<=1:40", "N"),
            ("<1:80", None),
            (">1:40", "H"),
            (">=1:1280", "HH"),
            ("80", None),
            ("1:0", None),
            ("2:80", None),
        ],
    )
    def test_compares_titers_by_their_dilution(self, value: str, flag: str | None) -> None:
        limits = Range(high=Decimal(40), critical_high=Decimal(640))
        assert compute_flag(ResultType.TITER, value, limits) == flag


@pytest.mark.parametrize(
    "kind",
    [
        ResultType.TITER,
        ResultType.OPEN_RESULT_WITH_UNIT,
        ResultType.OPEN_RESULT_WITHOUT_UNIT,
        ResultType.ALPHA_RESULTS,
        ResultType.SPECIFIC_CUT_OFF,
    ],
)
@pytest.mark.parametrize(
    ("value", "flag"),
    [("Reactive", "AA"), ("Nonreactive", "NEG"), ("Anticomplementary", "A")],
)
def test_every_type_flags_text_by_its_choices(kind: ResultType, value: str, flag: str) -> None:
    choices = ["REACTIVE", "NONREACTIVE", "ANTICOMPLEMENTARY"]
    assert compute_flag(kind, value, Range(), choices[1:2], choices[:1], choices) == flag


@pytest.mark.parametrize(
    "kind", [ResultType.OPEN_RESULT_WITHOUT_UNIT, ResultType.MICROBIOLOGY, ResultType.NONE]
)
def test_free_text_has_no_flag(kind: ResultType) -> None:
    assert compute_flag(kind, "12", POTASSIUM, ["12"]) is None


@pytest.mark.parametrize(
    ("number", "flag", "reference_range", "expected"),
    [
        (Decimal(5), None, None, True),
        (Decimal(5), "", None, True),
        (Decimal(5), "H", None, False),
        (Decimal(5), None, "3 - 6", False),
        (None, None, None, False),
    ],
)
def test_a_number_without_range_and_flag_was_not_judged(
    number: Decimal | None, flag: str | None, reference_range: str | None, expected: bool
) -> None:
    assert has_no_range(number, flag, reference_range) is expected


class TestFlags:
    """Abnormal and critical flags."""

    @pytest.mark.parametrize("flag", ResultFlag)
    def test_normal_negative_and_susceptible_are_not_abnormal(self, flag: ResultFlag) -> None:
        assert is_abnormal(flag) == (flag not in ("N", "NEG", "S"))

    @pytest.mark.parametrize("flag", ResultFlag)
    def test_outermost_and_very_abnormal_are_critical(self, flag: ResultFlag) -> None:
        assert is_critical(flag) == (flag in ("LL", "HH", "AA"))

    @pytest.mark.parametrize("empty_flag", [None, ""])
    def test_a_missing_flag_is_neither_abnormal_nor_critical(self, empty_flag: str | None) -> None:
        assert not is_abnormal(empty_flag)
        assert not is_critical(empty_flag)
