"""Formulas of calculated results, and the inputs and people for which they give no result."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract import messages
from app.contract.limits import RESULT_DIGITS_MAX
from app.server.results.clinical.formulas import (
    FORMULAS,
    Person,
    Quantity,
    calculate_result,
    find_obstacle,
    find_title,
)
from app.server.results.clinical.rules import compute_age_in_years
from seeds.reference import list_lab_tests, list_test_formulas

WOMAN, MAN = Person("FEMALE", 40), Person("MALE", 50)
NUMBERS = st.decimals(min_value="0.01", max_value=2000, places=2)


def run_formula(
    name: str, *numbers: str | Decimal, person: Person = WOMAN, decimals: int = 1
) -> str | None:
    """Calculate with inputs in the units that the formula expects."""
    formula = FORMULAS[name]
    quantities = [
        Quantity(Decimal(number), unit) for number, unit in zip(numbers, formula.units, strict=True)
    ]
    return calculate_result(name, quantities, formula.unit, person, decimals)


@given(st.data(), st.sampled_from(sorted(FORMULAS)), st.integers(0, 8))
def test_no_number_is_too_long_for_a_formula(data: st.DataObject, name: str, decimals: int) -> None:
    sizes = st.integers(-RESULT_DIGITS_MAX, RESULT_DIGITS_MAX - 1)
    numbers = [Decimal(f"1e{data.draw(sizes)}") for _ in FORMULAS[name].units]
    result = run_formula(name, *numbers, person=MAN, decimals=decimals)
    assert result is None or Decimal(result).is_finite()


class TestValues:
    """Worked examples, calculated by hand or by published calculators."""

    @pytest.mark.parametrize(
        ("name", "numbers", "person", "expected"),
        [
            # The calculator of the National Kidney Foundation.
            ("ckd-epi-2021", ("1.0",), MAN, "92"),
            ("ckd-epi-2021", ("0.6",), WOMAN, "116"),
            ("ckd-epi-2021", ("4.0",), MAN, "17"),
            ("ldl-friedewald", ("200", "50", "150"), WOMAN, "120"),
            ("ldl-nih", ("200", "50", "150"), WOMAN, "123"),
            ("vldl", ("150",), WOMAN, "30"),
            ("non-hdl", ("200", "50"), WOMAN, "150"),
            ("anion-gap", ("140", "104", "24"), WOMAN, "12"),
            ("globulin", ("7.4", "4.4"), WOMAN, "3"),
            ("indirect-bilirubin", ("1.2", "0.2"), WOMAN, "1"),
            ("mcv", ("45", "5"), WOMAN, "90"),
            ("mch", ("15", "5"), WOMAN, "30"),
            ("mchc", ("15", "45"), WOMAN, "33"),
            ("bun-ratio", ("15", "1"), WOMAN, "15"),
            ("albumin-ratio", ("7", "4"), WOMAN, "1"),
            ("cholesterol-ratio", ("200", "50"), WOMAN, "4"),
        ],
    )
    def test_values_match_published_examples(
        self, name: str, numbers: tuple[str, ...], person: Person, expected: str
    ) -> None:
        assert run_formula(name, *numbers, person=person, decimals=0) == expected

    def test_values_round_half_up(self) -> None:
        assert run_formula("vldl", "12.5", decimals=0) == "3"
        assert run_formula("mcv", "45", "5", decimals=1) == "90.0"

    def test_keeps_all_digits_of_a_long_number(self) -> None:
        assert run_formula("mcv", "1e19", "1", decimals=20) == f"1{20 * '0'}.{20 * '0'}"

    def test_never_returns_negative_zero(self) -> None:
        assert run_formula("anion-gap", "140", "116.2", "24", decimals=0) == "0"


class TestValidity:
    """A formula gives no result where it is not valid."""

    @pytest.mark.parametrize("name", sorted(FORMULAS))
    def test_needs_every_input_in_its_unit(self, name: str) -> None:
        formula = FORMULAS[name]
        right = [Quantity(Decimal(40), unit) for unit in formula.units]
        for i in range(len(right)):
            for wrong_quantity in (
                None,
                Quantity(Decimal(40), "umol/L"),
                Quantity(Decimal(40), None),
            ):
                inputs = [*right[:i], wrong_quantity, *right[i + 1 :]]
                assert calculate_result(name, inputs, formula.unit, WOMAN, 1) is None
        assert calculate_result(name, right, "mmol", WOMAN, 1) is None
        assert calculate_result(name, right[:-1], formula.unit, WOMAN, 1) is None

    def test_says_which_input_is_the_obstacle(self) -> None:
        exact, other = Quantity(Decimal(40), "mg/dL"), Quantity(Decimal(40), None)
        names = ("CHOLESTEROL", "HDL")
        assert FORMULAS["non-hdl"].units == ("mg/dL", "mg/dL")
        for quantities, expected in (
            ((exact, None), (messages.RESULT_INPUT_NOT_EXACT, "HDL")),
            ((other, None), (messages.RESULT_INPUT_NOT_EXACT, "HDL")),
            ((exact, other), (messages.RESULT_INPUT_UNIT, "HDL")),
            ((other, exact), (messages.RESULT_INPUT_UNIT, "CHOLESTEROL")),
            ((exact, exact), (messages.RESULT_FORMULA_NOT_VALID, None)),
        ):
            inputs = list(zip(names, quantities, strict=True))
            assert find_obstacle("non-hdl", inputs, WOMAN) == expected
        assert find_obstacle("mcv", [("A", other), ("B", exact)], WOMAN)[1] == "A"
        unknown_formula = find_obstacle("no-such", [("A", exact)], WOMAN)
        assert unknown_formula == (messages.RESULT_FORMULA_NOT_VALID, None)

    @pytest.mark.parametrize(
        ("years", "expected"),
        [(None, messages.RESULT_AGE_UNKNOWN), (17, messages.RESULT_FORMULA_NOT_VALID)],
    )
    def test_says_that_the_filtration_rate_needs_the_age(
        self, years: int | None, expected: str
    ) -> None:
        inputs = [("CREATININE", Quantity(Decimal(1), "mg/dL"))]
        person = Person("FEMALE", years)
        assert find_obstacle("ckd-epi-2021", inputs, person) == (expected, None)
        ages_matter = find_obstacle("bun-ratio", [*inputs, *inputs], person)
        assert ages_matter == (messages.RESULT_FORMULA_NOT_VALID, None)

    @pytest.mark.parametrize(
        "person", [Person("FEMALE", 17), Person("UNKNOWN", 40), Person("MALE", None)]
    )
    def test_filtration_rate_needs_an_adult_of_known_sex(self, person: Person) -> None:
        assert run_formula("ckd-epi-2021", "1.0", person=person) is None
        assert run_formula("ckd-epi-2021", "1.0", person=Person("FEMALE", 18)) is not None

    def test_ldl_has_no_result_at_high_triglycerides(self) -> None:
        assert run_formula("ldl-friedewald", "300", "40", "400") == "180.0"
        assert run_formula("ldl-friedewald", "300", "40", "401") is None
        assert run_formula("vldl", "400") == "80.0"
        assert run_formula("vldl", "401") is None
        # 300 / 0.948 - 40 / 0.971 - (800 / 8.56 + 800 * 260 / 2140 - 800 ** 2 / 16100) - 9.44
        assert run_formula("ldl-nih", "300", "40", "800", decimals=4) == "114.9184"
        assert run_formula("ldl-nih", "300", "40", "801") is None

    @pytest.mark.parametrize(
        ("cholesterol", "ldl"), [("80", None), ("90", None), ("90.5", "0.5"), ("91", "1.0")]
    )
    def test_ldl_is_positive(self, cholesterol: str, ldl: str | None) -> None:
        assert run_formula("ldl-friedewald", cholesterol, "40", "250") == ldl

    def test_an_unknown_formula_has_no_result(self) -> None:
        assert calculate_result("no-such", [], "mg/dL", WOMAN, 1) is None

    @given(whole=NUMBERS, part=NUMBERS)
    def test_a_part_is_never_larger_than_its_whole(self, whole: Decimal, part: Decimal) -> None:
        value = run_formula("indirect-bilirubin", whole, part, decimals=2)
        assert (value is None) == (part > whole)
        assert value is None or Decimal(value) == whole - part

    @given(
        name=st.sampled_from(sorted(FORMULAS)),
        numbers=st.lists(NUMBERS | st.just(Decimal(0)), min_size=3, max_size=3),
    )
    def test_any_inputs_give_a_finite_number_or_none(
        self, name: str, numbers: list[Decimal]
    ) -> None:
        value = run_formula(name, *numbers[: len(FORMULAS[name].units)])
        assert value is None or Decimal(value).is_finite()

    @given(first=NUMBERS, second=NUMBERS)
    def test_more_creatinine_never_means_better_filtration(
        self, first: Decimal, second: Decimal
    ) -> None:
        low, high = sorted((first, second))
        better, worse = run_formula("ckd-epi-2021", low), run_formula("ckd-epi-2021", high)
        assert better is not None
        assert worse is not None
        assert Decimal(better) >= Decimal(worse)


def test_reports_name_the_formula() -> None:
    assert find_title("non-hdl") == FORMULAS["non-hdl"].title
    assert find_title("of an earlier release") == "of an earlier release"
    assert find_title(None) is None
    assert find_title("") == ""


class TestCatalog:
    """The formulas that come with the portal."""

    def test_formulas_match_the_units_of_their_tests_and_name_a_source(self) -> None:
        units = {test.code: test.unit or "" for test in list_lab_tests()}
        rows = list_test_formulas()
        assert {row.formula for row in rows} <= FORMULAS.keys()
        for row in rows:
            formula = FORMULAS[row.formula]
            assert tuple(units[code] for code in row.inputs) == formula.units, row.test
            assert units[row.test] == formula.unit, row.test
            assert row.source

    def test_formulas_use_measured_inputs_only(self) -> None:
        rows = list_test_formulas()
        assert not {row.test for row in rows} & {code for row in rows for code in row.inputs}


@given(birth=st.dates(), day=st.dates())
def test_age_increases_on_the_birthday(birth, day) -> None:
    years = compute_age_in_years(birth, day)
    had_birthday = (day.month, day.day) >= (birth.month, birth.day)
    assert years == day.year - birth.year - (0 if had_birthday else 1)
