"""Plausible results: patients have stable levels, and calculated results are consistent.

Each patient has a fixed level of each analyte within its reference range, so their results differ
little from order to order. Some results are abnormal, and a few are critical.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from zlib import crc32

from app.contract.enumerations import Gender, ResultType
from app.server.results.clinical.rules import NUMERIC_TYPES
from seeds.demo import words
from seeds.reference.catalog import CatalogTest, ReferenceRangeRow, find_range, list_lab_tests

ABNORMAL_SHARE = 0.09
CRITICAL_SHARE = 0.004

# Mean and spread of tests without a reference range.
_TYPICAL = {
    "UNA": (90.0, 40.0),
    "UK": (45.0, 20.0),
    "PSAF": (0.6, 0.3),
    "FSH": (7.0, 2.0),
}
_DEFAULT = (10.0, 3.0)

# Usual values as a share of the upper limit, for tests without a lower limit.
_ONE_SIDED = (0.25, 0.9)


@dataclass(frozen=True)
class Person:
    """The inputs of a patient's values; ``key`` determines the patient's levels."""

    key: int
    gender: Gender
    age_days: int

    @property
    def has_filtration_rate(self) -> bool:
        """Whether CKD-EPI 2021 is valid for the person."""
        return self.gender is not Gender.UNKNOWN and self.years >= 18

    @property
    def years(self) -> int:
        """Age in full years, approximately."""
        return int(self.age_days / 365.25)


@cache
def load_catalog() -> dict[str, CatalogTest]:
    """Return the tests of the catalog by code."""
    return {test.code: test for test in list_lab_tests()}


def _calculate_egfr(creatinine: float, person: Person) -> float:
    """Calculate the filtration rate by CKD-EPI 2021, in mL/min/1.73 m2."""
    female = person.gender is Gender.FEMALE
    k, a = (0.7, -0.241) if female else (0.9, -0.302)
    ratio = max(creatinine, 0.1) / k
    rate = 142 * min(ratio, 1) ** a * max(ratio, 1) ** -1.2 * 0.9938**person.years
    return float(min(rate * (1.012 if female else 1), 130))


Formula = Callable[[Mapping[str, float], Person], float]

FORMULAS: dict[str, tuple[tuple[str, ...], Formula]] = {
    "HCT": (("HGB", "MCHC"), lambda v, p: v["HGB"] / v["MCHC"] * 100),
    "RBC": (("HGB", "MCHC", "MCV"), lambda v, p: v["HGB"] / v["MCHC"] * 1000 / v["MCV"]),
    "MCH": (("MCHC", "MCV"), lambda v, p: v["MCHC"] * v["MCV"] / 100),
    "NEUTP": (
        ("LYMPHP", "MONOP", "EOSP", "BASOP"),
        lambda v, p: 100 - v["LYMPHP"] - v["MONOP"] - v["EOSP"] - v["BASOP"],
    ),
    "NEUTA": (("WBC", "NEUTP"), lambda v, p: v["WBC"] * v["NEUTP"] / 100),
    "LYMPHA": (("WBC", "LYMPHP"), lambda v, p: v["WBC"] * v["LYMPHP"] / 100),
    "MONOA": (("WBC", "MONOP"), lambda v, p: v["WBC"] * v["MONOP"] / 100),
    "EOSA": (("WBC", "EOSP"), lambda v, p: v["WBC"] * v["EOSP"] / 100),
    "BASOA": (("WBC", "BASOP"), lambda v, p: v["WBC"] * v["BASOP"] / 100),
    "EAG": (("A1C",), lambda v, p: 28.7 * v["A1C"] - 46.7),
    "EGFR": (("CREA",), lambda v, p: _calculate_egfr(v["CREA"], p)),
    "BUNCR": (("BUN", "CREA"), lambda v, p: v["BUN"] / max(v["CREA"], 0.1)),
    "AGAP": (("NA", "CL", "CO2"), lambda v, p: v["NA"] - v["CL"] - v["CO2"]),
    "GLOB": (("TP", "ALB"), lambda v, p: v["TP"] - v["ALB"]),
    "AG": (("TP", "ALB"), lambda v, p: v["ALB"] / max(v["TP"] - v["ALB"], 0.5)),
    "DBIL": (("TBIL",), lambda v, p: v["TBIL"] * 0.25),
    "IBIL": (("TBIL", "DBIL"), lambda v, p: v["TBIL"] - v["DBIL"]),
    "VLDL": (("TRIG",), lambda v, p: v["TRIG"] / 5),
    "LDL": (
        ("CHOL", "HDL", "TRIG"),
        lambda v, p: max(v["CHOL"] - v["HDL"] - v["TRIG"] / 5, 10),
    ),
    "NHDL": (("CHOL", "HDL"), lambda v, p: v["CHOL"] - v["HDL"]),
    "CHR": (("CHOL", "HDL"), lambda v, p: v["CHOL"] / max(v["HDL"], 10)),
    "UIBC": (("TIBC", "FE"), lambda v, p: v["TIBC"] - v["FE"]),
    "FESAT": (("TIBC", "FE"), lambda v, p: v["FE"] / v["TIBC"] * 100),
    "INR": (("PT",), lambda v, p: v["PT"] / 11.2),
    "ACR": (("MALB", "UCRE"), lambda v, p: v["MALB"] / v["UCRE"] * 100),
    "PSAF": (("PSA",), lambda v, p: v["PSA"] * 0.28),
    "PSAPC": (("PSA", "PSAF"), lambda v, p: v["PSAF"] / max(v["PSA"], 0.01) * 100),
}
"""Calculated results with their inputs and formula; missing inputs are generated."""

# Usual values of some tests as a share of their single limit.
_LEVEL = {"TRIG": (0.45, 1.0), "CHOL": (0.7, 1.02), "HDL": (1.02, 1.6), "MALB": (0.1, 0.8)}


def _hash_person_and_test(person: Person, test: CatalogTest) -> int:
    """Return a number below 2**32 that is stable for this patient and test."""
    return crc32(f"{person.key} {test.code}".encode())


def _generate_number(rng: Random, person: Person, test: CatalogTest) -> float:
    limits = find_range(test.code, person.gender, person.age_days)
    if limits is None or (limits.low is None and limits.high is None):
        mean, spread = _TYPICAL.get(test.code, _DEFAULT)
        return max(rng.gauss(mean, spread), mean / 10)
    level = _hash_person_and_test(person, test) / 2**32
    value = _generate_usual(rng, level, test.code, limits)
    chance = rng.random()
    if chance < CRITICAL_SHARE:
        return _generate_critical(rng, limits, value)
    if chance < ABNORMAL_SHARE:
        return _generate_abnormal(rng, limits, value)
    return value


def _generate_usual(rng: Random, level: float, code: str, limits: ReferenceRangeRow) -> float:
    low = float(limits.low) if limits.low is not None else None
    high = float(limits.high) if limits.high is not None else None
    place = min(max(level + rng.gauss(0, 0.06), 0), 1)
    if low is not None and high is not None:
        return low + (high - low) * (0.1 + 0.8 * place)
    if high is not None:
        share = _LEVEL.get(code, _ONE_SIDED)
        return high * (share[0] + (share[1] - share[0]) * place)
    assert low is not None
    share = _LEVEL.get(code, (1.05, 1.7))
    return low * (share[0] + (share[1] - share[0]) * place)


def _generate_abnormal(rng: Random, limits: ReferenceRangeRow, value: float) -> float:
    high, low = limits.high, limits.low
    if high is not None and (low is None or rng.random() < 0.6):
        end = float(limits.critical_high) if limits.critical_high is not None else float(high) * 1.6
        return float(high) + (end - float(high)) * float(rng.uniform(0.04, 0.5) ** 1.5)
    if low is not None:
        end = float(limits.critical_low) if limits.critical_low is not None else float(low) * 0.6
        return float(low) - (float(low) - end) * rng.uniform(0.08, 0.8)
    return value


def _generate_critical(rng: Random, limits: ReferenceRangeRow, value: float) -> float:
    if limits.critical_high is not None and (limits.critical_low is None or rng.random() < 0.6):
        return float(limits.critical_high) * rng.uniform(1.02, 1.2)
    if limits.critical_low is not None:
        return float(limits.critical_low) * rng.uniform(0.7, 0.97)
    return value


def _choose_answer(rng: Random, person: Person, test: CatalogTest) -> str:
    if not test.normal_choices:
        # Blood groups and past infections do not change from one order to the next.
        return test.choices[_hash_person_and_test(person, test) % len(test.choices)]
    if rng.random() < 0.92:
        return test.normal_choices[0] if rng.random() < 0.8 else rng.choice(test.normal_choices)
    abnormal = [choice for choice in test.choices if choice not in test.normal_choices]
    return rng.choice(abnormal)


def generate_results(rng: Random, person: Person, codes: Sequence[str]) -> dict[str, str]:
    """Generate results of the tests ``codes`` (no panels), by code."""
    numbers: dict[str, float] = {}
    catalog = load_catalog()

    def calculate(code: str) -> float:
        if code not in numbers:
            formula = FORMULAS.get(code)
            if formula is None:
                value = _generate_number(rng, person, catalog[code])
            else:
                for input_code in formula[0]:
                    calculate(input_code)
                value = formula[1](numbers, person)
            # Calculated results use the reported values.
            numbers[code] = round(max(value, 0), catalog[code].decimals or 0)
        return numbers[code]

    results: dict[str, str] = {}
    for code in codes:
        test = catalog[code]
        if test.result_type in NUMERIC_TYPES:
            results[code] = f"{calculate(code):.{test.decimals or 0}f}"
        elif test.choices:
            results[code] = _choose_answer(rng, person, test)
        elif test.result_type is ResultType.MICROBIOLOGY:
            results[code] = rng.choices(words.CULTURES, (60, 20, 10, 5, 5))[0]
        else:
            results[code] = rng.choices(words.PATHOLOGY, (70, 22, 8))[0]
    return results
