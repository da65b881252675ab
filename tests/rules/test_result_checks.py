"""Bounds, changes since the last value, dilutions, units, and obstacles to a release."""

from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.contract import messages
from app.contract.limits import RESULT_DIGITS_MAX
from app.server.catalog.models import LabTest
from app.server.results.clinical.checks import compute_delta, find_difference
from app.server.results.clinical.rules import (
    VersionState,
    find_release_obstacle,
    parse_number,
    split_unit,
)
from app.server.results.entry.checks import (
    Bound,
    Bounds,
    Excess,
    apply_dilution,
    ask_about_number,
    build_bounds,
    find_excess,
    find_number_fault,
)

NUMBERS = st.decimals(min_value=-1000, max_value=1000, places=2)
ME, OTHER = UUID(int=1), UUID(int=2)


@st.composite
def draw_bounds(draw: st.DrawFn) -> Bounds:
    """Draw bounds, the plausible within the possible ones."""
    lowest, low, high, highest = sorted(draw(st.tuples(*[NUMBERS] * 4)))
    return Bounds(lowest, highest, low, high)


class TestBounds:
    """The bounds that a number exceeds."""

    @given(number=NUMBERS, limits=draw_bounds())
    def test_impossible_overrides_absurd_and_the_bounds_are_allowed(
        self, number: Decimal, limits: Bounds
    ) -> None:
        assert limits.possible_low is not None
        assert limits.possible_high is not None
        assert limits.plausible_low is not None
        assert limits.plausible_high is not None
        expected = None
        if number < limits.possible_low:
            expected = Excess(Bound.IMPOSSIBLE, limits.possible_low, is_above=False)
        elif number > limits.possible_high:
            expected = Excess(Bound.IMPOSSIBLE, limits.possible_high, is_above=True)
        elif number < limits.plausible_low:
            expected = Excess(Bound.ABSURD, limits.plausible_low, is_above=False)
        elif number > limits.plausible_high:
            expected = Excess(Bound.ABSURD, limits.plausible_high, is_above=True)
        assert find_excess(number, limits, "") == expected

    @pytest.mark.parametrize(
        ("sign", "number", "bound", "is_above"),
        [
            (">", "20", Bound.IMPOSSIBLE, True),
            ("<", "0.5", Bound.IMPOSSIBLE, False),
            (">", "9", Bound.ABSURD, True),
            ("<", "2", Bound.ABSURD, False),
        ],
    )
    def test_a_signed_value_at_a_bound_means_only_values_beyond_it(
        self, sign: str, number: str, bound: Bound, *, is_above: bool
    ) -> None:
        limits = Bounds(Decimal("0.5"), Decimal(20), Decimal(2), Decimal(9))
        value = Decimal(number)
        assert find_excess(value, limits, sign) == Excess(bound, value, is_above=is_above)

    @pytest.mark.parametrize("sign", ["", "<=", ">="])
    @pytest.mark.parametrize("number", ["2", "9"])
    def test_a_value_that_may_be_the_bound_is_allowed(self, sign: str, number: str) -> None:
        limits = Bounds(Decimal("0.5"), Decimal(20), Decimal(2), Decimal(9))
        assert find_excess(Decimal(number), limits, sign) is None

    @given(NUMBERS)
    def test_accepts_any_value_without_bounds(self, number: Decimal) -> None:
        assert find_excess(number, Bounds(), "") is None

    @given(
        number=NUMBERS,
        limit=NUMBERS,
        name=st.sampled_from(["possible_low", "possible_high", "plausible_low", "plausible_high"]),
    )
    def test_a_single_bound_counts(self, number: Decimal, limit: Decimal, name: str) -> None:
        excess = find_excess(number, Bounds(**{name: limit}), "")
        is_beyond = number < limit if name.endswith("low") else number > limit
        assert (excess is not None) == is_beyond

    def test_tests_have_their_own_bounds(self) -> None:
        test = LabTest(
            possible_low=Decimal(1),
            possible_high=Decimal(9),
            plausible_low=Decimal(2),
            plausible_high=Decimal(8),
        )
        assert build_bounds(test) == Bounds(Decimal(1), Decimal(9), Decimal(2), Decimal(8))


class TestMessages:
    """What is said about a number that cannot be right, or is unusual."""

    LIMITS = Bounds(Decimal("0.5"), Decimal("1e3"), Decimal(2), Decimal(90))

    @pytest.mark.parametrize(
        ("sign", "number", "fault"),
        [
            ("", "0.4", messages.RESULT_TOO_LOW.format(test="GLU", limit="0.5")),
            ("", "1001", messages.RESULT_TOO_HIGH.format(test="GLU", limit="1000")),
            (">", "1000", messages.RESULT_TOO_HIGH.format(test="GLU", limit="1000")),
            ("", "1000", None),
            ("", "1.9", None),
            ("", "91", None),
            ("", "5", None),
        ],
    )
    def test_rejects_impossible_numbers(self, sign: str, number: str, fault: str | None) -> None:
        assert find_number_fault("GLU", sign, Decimal(number), self.LIMITS) == fault

    @pytest.mark.parametrize("number", ["9" * RESULT_DIGITS_MAX, f"1e-{RESULT_DIGITS_MAX}"])
    def test_rejects_numbers_with_more_digits_than_can_be_stored(self, number: str) -> None:
        assert find_number_fault("GLU", "", Decimal(number), Bounds()) is None
        text = messages.RESULT_TOO_LONG.format(test="GLU", max=RESULT_DIGITS_MAX)
        longer_number = Decimal(f"{number}1")
        assert find_number_fault("GLU", "", longer_number, Bounds()) == text

    @pytest.mark.parametrize(
        ("sign", "number", "question"),
        [
            (
                "",
                "1.9",
                messages.RESULT_ABSURDLY_LOW.format(test="GLU", value="01.9", limit="2"),
            ),
            (
                "",
                "1001",
                messages.RESULT_ABSURDLY_HIGH.format(test="GLU", value="01001", limit="1000"),
            ),
            (">", "90", messages.RESULT_ABSURDLY_HIGH.format(test="GLU", value="090", limit="90")),
            ("", "90", None),
            ("", "2", None),
        ],
    )
    def test_asks_about_unusual_numbers_as_typed(
        self, sign: str, number: str, question: str | None
    ) -> None:
        value = f"0{number}"
        assert ask_about_number("GLU", value, sign, Decimal(number), self.LIMITS) == question


class TestDifference:
    """Why a result cannot be compared with the last one."""

    @pytest.mark.parametrize(("last_unit", "last_method"), [("mg/dL", "Oxidase"), ("mg/dL", None)])
    def test_compares_results_of_one_unit_and_method(
        self, last_unit: str | None, last_method: str | None
    ) -> None:
        assert find_difference("mg/dL", "Oxidase", last_unit, last_method) is None

    def test_names_the_last_unit(self) -> None:
        text = messages.RESULT_LAST_UNIT
        assert find_difference("mg/dL", "A", "mmol/L", "B") == text.format(unit="mmol/L")
        no_unit = text.format(unit=messages.RESULT_LAST_NO_UNIT)
        assert find_difference("mg/dL", "A", None, "A") == no_unit

    def test_names_the_last_method(self) -> None:
        text = messages.RESULT_LAST_METHOD.format(method="Strip")
        assert find_difference("mg/dL", "Oxidase", "mg/dL", "Strip") == text
        assert find_difference("mg/dL", None, "mg/dL", "Strip") == text


class TestDelta:
    """The change since the last value."""

    @pytest.mark.parametrize(
        ("number", "previous", "days", "percent", "is_exceeded"),
        [
            ("130", "100", 5, 30, False),
            ("131", "100", 5, 31, True),
            ("69", "100", 5, -31, True),
            ("131", "100", 14, 31, True),
            ("131", "100", 15, 31, False),
            ("-131", "-100", 5, -31, True),
            ("55.2", "7.1", 1, 677, True),
        ],
    )
    def test_delta_is_exceeded_beyond_the_percentage_within_the_days(
        self, number: str, previous: str, days: int, percent: int, is_exceeded: bool
    ) -> None:
        delta = compute_delta(
            Decimal(number), Decimal(previous), days, percent_limit=Decimal(30), days_limit=14
        )
        assert delta is not None
        assert (delta.percent, delta.days, delta.is_exceeded) == (percent, days, is_exceeded)

    def test_delta_is_never_exceeded_without_a_percentage(self) -> None:
        delta = compute_delta(Decimal(9), Decimal(1), 1, percent_limit=None, days_limit=14)
        assert delta is not None
        assert not delta.is_exceeded

    def test_delta_without_days_compares_results_of_any_age(self) -> None:
        delta = compute_delta(
            Decimal(9), Decimal(1), 9_999, percent_limit=Decimal(30), days_limit=None
        )
        assert delta is not None
        assert delta.is_exceeded

    def test_change_from_zero_has_no_percentage(self) -> None:
        assert compute_delta(Decimal(9), Decimal(0), 1, percent_limit=None, days_limit=1) is None


class TestDilution:
    """A dilution multiplies the measured value."""

    @pytest.mark.parametrize(
        ("sign", "number", "factor", "decimals", "text"),
        [
            (">", "500", "10", 0, ">5000"),
            ("", "4.15", "2", 1, "8.3"),
            ("", "4.15", "2", None, "8.30"),
            ("<", "0.05", "2.5", 2, "<0.13"),
            ("", "12.25", "2", 0, "25"),
        ],
    )
    def test_multiplies_and_rounds_to_the_decimals_of_the_test(
        self, sign: str, number: str, factor: str, decimals: int | None, text: str
    ) -> None:
        assert apply_dilution(sign, Decimal(number), Decimal(factor), decimals) == text

    def test_keeps_every_digit(self) -> None:
        assert apply_dilution("", Decimal("1" * 40), Decimal(10), None) == "1" * 40 + "0"

    @given(
        number=st.decimals(min_value=0, max_value=10**40, places=3),
        factor=st.integers(2, 1_000_000),
        decimals=st.one_of(st.none(), st.integers(0, 4)),
    )
    def test_reads_back_as_a_number(
        self, number: Decimal, factor: int, decimals: int | None
    ) -> None:
        assert parse_number(apply_dilution("", number, Decimal(factor), decimals)) is not None


class TestUnits:
    """A unit typed after the number."""

    @pytest.mark.parametrize(
        ("typed_text", "number", "unit"),
        [
            ("4.1 mmol/L", "4.1", "mmol/L"),
            ("4.1mmol/L", "4.1", "mmol/L"),
            ("<4.1 %", "<4.1", "%"),
            ("7 10*3/uL", "7", "10*3/uL"),
            ("1,234 IU/mL FEU", "1,234", "IU/mL FEU"),
            ("4.1", "4.1", None),
            ("HEMOLYZED", "HEMOLYZED", None),
            ("4,1", "4,1", None),
            ("1.2.3", "1.2.3", None),
            ("1e5", "1e5", None),
            ("12 34", "12 34", None),
        ],
    )
    def test_splits_the_unit_from_the_number(
        self, typed_text: str, number: str, unit: str | None
    ) -> None:
        assert split_unit(typed_text) == (number, unit)


class TestRelease:
    """Obstacles to the release of an entered result."""

    @pytest.mark.parametrize("verifier", [None, ME, OTHER])
    @pytest.mark.parametrize("needs_verification", [True, False])
    def test_a_hold_always_prevents_a_release(
        self, verifier: UUID | None, needs_verification: bool
    ) -> None:
        state = VersionState("POTASSIUM", "Control out of range", verifier)
        assert find_release_obstacle(
            state, ME, needs_verification=needs_verification
        ) == messages.RESULT_ON_HOLD.format(test="POTASSIUM", reason="Control out of range")

    @given(verifier=st.sampled_from([None, ME, OTHER]), user=st.sampled_from([ME, OTHER]))
    def test_another_person_verifies_where_the_lab_requires_it(
        self, verifier: UUID | None, user: UUID
    ) -> None:
        state = VersionState("POTASSIUM", None, verifier)
        assert find_release_obstacle(state, user, needs_verification=False) is None
        obstacle = find_release_obstacle(state, user, needs_verification=True)
        assert (obstacle is None) == (verifier not in (None, user))
        assume(obstacle is not None)
        text = messages.RESULT_VERIFIED_BY_YOU if verifier else messages.RESULT_NOT_VERIFIED
        assert obstacle == text.format(test="POTASSIUM")
