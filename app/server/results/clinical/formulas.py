"""Formulas of calculated results; the catalog names the formula of a test, and its source."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext

from app.contract import messages
from app.contract.enumerations import Gender

_ADULT_YEARS = 18
_DIGITS = 100  # more than a product of two inputs has
_FRIEDEWALD_TRIGLYCERIDES_MAX = 400
_NIH_TRIGLYCERIDES_MAX = 800


@dataclass(frozen=True)
class Person:
    """The patient's data that a formula needs; ``years`` is the age at collection, if known."""

    gender: str
    years: int | None


Compute = Callable[[Sequence[Decimal], Person], Decimal | None]


@dataclass(frozen=True)
class Formula:
    """A formula with its name on reports.

    Attributes:
        units: the units of its inputs, in their order.
        unit: the unit of its result.
        compute: returns the result, or None for inputs or people that the formula is not valid for.
        needs_age: whether it is not valid for people of unknown age.
    """

    title: str
    units: tuple[str, ...]
    unit: str
    compute: Compute
    needs_age: bool = False


@dataclass(frozen=True)
class Quantity:
    """An input of a formula: an exact number with its unit."""

    number: Decimal
    unit: str | None


def calculate_result(
    name: str,
    quantities: Sequence[Quantity | None],
    unit: str | None,
    person: Person,
    decimals: int | None,
) -> str | None:
    """Return the result of a formula, rounded half up to ``decimals``.

    Returns None if the formula is unknown or not valid, an input is missing, or an input or the
    result does not have the unit that the formula expects.
    """
    formula = FORMULAS.get(name)
    known_quantities = [quantity for quantity in quantities if quantity is not None]
    if formula is None or unit != formula.unit or len(known_quantities) != len(quantities):
        return None
    if tuple(quantity.unit for quantity in known_quantities) != formula.units:
        return None
    number = formula.compute([quantity.number for quantity in known_quantities], person)
    if number is None:
        return None
    with localcontext(prec=_DIGITS):
        # Adding zero turns -0 into 0.
        return f"{number.quantize(Decimal(f'1e-{decimals or 0}'), ROUND_HALF_UP) + 0:f}"


def find_obstacle(
    name: str, quantities: Sequence[tuple[str, Quantity | None]], person: Person
) -> tuple[str, str | None]:
    """Return why entered inputs allow no result: the message, and the input that it names.

    ``quantities`` are the names of all inputs with their exact numbers, in their order.
    """
    entered_units = []
    for input_name, quantity in quantities:
        if quantity is None:
            return messages.RESULT_INPUT_NOT_EXACT, input_name
        entered_units.append((input_name, quantity.unit))
    formula = FORMULAS.get(name)
    expected_units = formula.units if formula else ()
    for (input_name, unit), expected_unit in zip(entered_units, expected_units):  # noqa: B905 - an unknown formula has none
        if unit != expected_unit:
            return messages.RESULT_INPUT_UNIT, input_name
    if formula and formula.needs_age and person.years is None:
        return messages.RESULT_AGE_UNKNOWN, None
    return messages.RESULT_FORMULA_NOT_VALID, None


def find_title(name: str | None) -> str | None:
    """Return the name of a formula on reports; None without a formula."""
    if name is None:
        return None
    formula = FORMULAS.get(name)
    return formula.title if formula else name


def compute_ckd_epi_2021(creatinine: Decimal, person: Person) -> Decimal | None:
    """Compute the filtration rate of an adult from creatinine in mg/dL.

    Inker et al., N Engl J Med 2021;385:1737: mL/min/1.73 m2, without a coefficient for race.
    """
    is_female = person.gender == Gender.FEMALE
    is_known = is_female or person.gender == Gender.MALE
    if not is_known or person.years is None or person.years < _ADULT_YEARS or creatinine <= 0:
        return None
    kappa, alpha = ("0.7", "-0.241") if is_female else ("0.9", "-0.302")
    ratio = creatinine / Decimal(kappa)
    rate = (
        142
        * min(ratio, Decimal(1)) ** Decimal(alpha)
        * max(ratio, Decimal(1)) ** Decimal("-1.200")
        * Decimal("0.9938") ** person.years
    )
    return rate * Decimal("1.012") if is_female else rate


def compute_ldl_friedewald(
    cholesterol: Decimal, hdl: Decimal, triglycerides: Decimal
) -> Decimal | None:
    """Compute LDL cholesterol in mg/dL; valid up to triglycerides of 400 mg/dL.

    Friedewald et al., Clin Chem 1972;18:499.
    """
    if triglycerides > _FRIEDEWALD_TRIGLYCERIDES_MAX:
        return None
    return _get_if_positive(cholesterol - hdl - triglycerides / 5)


def compute_ldl_nih(cholesterol: Decimal, hdl: Decimal, triglycerides: Decimal) -> Decimal | None:
    """Compute LDL cholesterol in mg/dL; valid up to triglycerides of 800 mg/dL.

    Sampson et al., JAMA Cardiol 2020;5:540.
    """
    if triglycerides > _NIH_TRIGLYCERIDES_MAX:
        return None
    remnants = (
        triglycerides / Decimal("8.56")
        + triglycerides * (cholesterol - hdl) / 2140
        - triglycerides**2 / 16100
    )
    ldl = cholesterol / Decimal("0.948") - hdl / Decimal("0.971") - remnants - Decimal("9.44")
    return _get_if_positive(ldl)


def compute_vldl(triglycerides: Decimal) -> Decimal | None:
    """Compute VLDL cholesterol in mg/dL, a fifth of triglycerides of at most 400 mg/dL."""
    return None if triglycerides > _FRIEDEWALD_TRIGLYCERIDES_MAX else triglycerides / 5


def compute_difference(minuend: Decimal, subtrahend: Decimal) -> Decimal | None:
    """Compute a difference of a whole and its part; None if the part is larger."""
    return minuend - subtrahend if minuend >= subtrahend else None


def compute_ratio(dividend: Decimal, divisor: Decimal, *, factor: int = 1) -> Decimal | None:
    """Compute a ratio times ``factor``; None if the divisor is not positive."""
    return factor * dividend / divisor if divisor > 0 else None


def _get_if_positive(number: Decimal) -> Decimal | None:
    """Return the number, or None if it is not positive."""
    return number if number > 0 else None


_MG = "mg/dL"
_G = "g/dL"
_MMOL = "mmol/L"
_RED_CELLS = "10*6/uL"

FORMULAS: Mapping[str, Formula] = {
    "ckd-epi-2021": Formula(
        "CKD-EPI 2021",
        (_MG,),
        "mL/min/1.73 m2",
        lambda v, p: compute_ckd_epi_2021(v[0], p),
        needs_age=True,
    ),
    "ldl-friedewald": Formula(
        "Friedewald", (_MG, _MG, _MG), _MG, lambda v, _: compute_ldl_friedewald(*v)
    ),
    "ldl-nih": Formula("NIH 2020", (_MG, _MG, _MG), _MG, lambda v, _: compute_ldl_nih(*v)),
    "vldl": Formula("triglycerides / 5", (_MG,), _MG, lambda v, _: compute_vldl(*v)),
    "non-hdl": Formula("cholesterol - HDL", (_MG, _MG), _MG, lambda v, _: compute_difference(*v)),
    "cholesterol-ratio": Formula(
        "cholesterol / HDL", (_MG, _MG), "ratio", lambda v, _: compute_ratio(*v)
    ),
    "anion-gap": Formula(
        "sodium - chloride - CO2", (_MMOL, _MMOL, _MMOL), _MMOL, lambda v, _: v[0] - v[1] - v[2]
    ),
    "bun-ratio": Formula("BUN / creatinine", (_MG, _MG), "ratio", lambda v, _: compute_ratio(*v)),
    "globulin": Formula("protein - albumin", (_G, _G), _G, lambda v, _: compute_difference(*v)),
    "albumin-ratio": Formula(
        "albumin / globulin", (_G, _G), "ratio", lambda v, _: compute_ratio(v[1], v[0] - v[1])
    ),
    "indirect-bilirubin": Formula(
        "total - direct", (_MG, _MG), _MG, lambda v, _: compute_difference(*v)
    ),
    "mcv": Formula(
        "hematocrit / red cells", ("%", _RED_CELLS), "fL", lambda v, _: compute_ratio(*v, factor=10)
    ),
    "mch": Formula(
        "hemoglobin / red cells", (_G, _RED_CELLS), "pg", lambda v, _: compute_ratio(*v, factor=10)
    ),
    "mchc": Formula(
        "hemoglobin / hematocrit", (_G, "%"), _G, lambda v, _: compute_ratio(*v, factor=100)
    ),
}
"""The formulas by the name that the catalog uses."""
