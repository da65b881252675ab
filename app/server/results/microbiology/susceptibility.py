"""Pure rules of susceptibility: interpretation, cascades, and intrinsic resistance."""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from app.contract.enumerations import ResultFlag, SusceptibilityMethod

INTERPRETATIONS = (
    ResultFlag.SUSCEPTIBLE,
    ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT,
    ResultFlag.INTERMEDIATE,
    ResultFlag.RESISTANT,
    ResultFlag.NOT_SUSCEPTIBLE,
)
_ACTIVE = frozenset({ResultFlag.SUSCEPTIBLE, ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT})

_DILUTIONS = tuple(Decimal(2) ** power for power in range(-9, 13))
"""The doubling dilutions in which an MIC is measured, in ug/mL."""
_ROUNDED_DILUTIONS = (
    "0.001",
    "0.002",
    "0.004",
    "0.008",
    "0.015",
    "0.016",
    "0.03",
    "0.06",
    "0.12",
    "0.032",
)
_WRITTEN_DILUTIONS = frozenset({*_DILUTIONS, *map(Decimal, _ROUNDED_DILUTIONS)})
"""The dilutions as they are written: labs write 0.125 as 0.12, for example."""
_ROUNDING = Decimal("1.03")
"""How much a written dilution below 1 may exceed the exact one."""
_ZONES = range(5, 61)
_STEP_ENDS = (-1, len(_DILUTIONS))
"""Indexes below and above all dilutions."""
_ZONE_ENDS = (0, 100)
"""Diameters below and above all zones, in mm."""

# The second number of a combination ('2/38') follows from the first.
_NUMBER = r"[0-9]{1,4}(?:\.[0-9]{1,4})?"
_MEASUREMENT = re.compile(rf"(<=|>=|[<>=≤≥])?\s*({_NUMBER})(/{_NUMBER})?")
_SIGNS = {"≤": "<=", "≥": ">=", "=": ""}


@dataclass(frozen=True)
class Measurement:
    """An MIC in ug/mL or a zone diameter in mm, with its comparison sign ('', '<', '<=' ...)."""

    sign: str
    number: Decimal


@dataclass(frozen=True)
class Limits:
    """The limits of a breakpoint. Without ``resistant``, what is not susceptible is NS."""

    susceptible: Decimal
    dose_dependent: Decimal | None = None
    resistant: Decimal | None = None


@dataclass(frozen=True)
class Subject:
    """An organism and the group that it belongs to; a row of the lab's tables may name either."""

    code: str
    group: str

    def is_covered_by(self, applies_to: str | None) -> bool:
        """Whether a row of a table applies to the organism; None applies to all."""
        return applies_to in (None, self.code, self.group)


@dataclass(frozen=True)
class BreakpointRow:
    """A row of the lab's own breakpoint table; ``source`` limits it to specimens of one source."""

    applies_to: str
    antibiotic: str
    method: SusceptibilityMethod
    source: str | None
    limits: Limits


@dataclass(frozen=True)
class CascadeRow:
    """An antibiotic that stays inside the lab unless another one has certain interpretations.

    With ``unless_source``, it is reported for specimens of that source instead.
    """

    applies_to: str | None
    antibiotic: str
    unless_antibiotic: str | None
    unless_interpretations: frozenset[str]
    unless_source: str | None


def parse_measurement(method: SusceptibilityMethod, text: str) -> Measurement | None:
    """Parse an MIC ('<=0.5', '2/38') or a zone diameter; None for other texts."""
    match = _MEASUREMENT.fullmatch(text.strip())
    if match is None:
        return None
    sign, number = match.group(1) or "", Decimal(match.group(2))
    if method is SusceptibilityMethod.ZONE:
        is_possible = match.group(3) is None and number in _ZONES
    else:
        is_possible = 0 < number <= _DILUTIONS[-1]
    return Measurement(_SIGNS.get(sign, sign), number) if is_possible else None


def interpret_measurement(
    method: SusceptibilityMethod, measurement: Measurement, limits: Limits
) -> ResultFlag | None:
    """Return the interpretation that is true of all values that the measurement can mean.

    An MIC counts as the doubling dilution at or above it, because nothing is measured between two
    dilutions: '>16' means 32 or more. None if a signed value spans two interpretations.
    """
    lowest, highest = _compute_span(method, measurement)
    flags = {_categorize_step(method, step, limits) for step in (lowest, highest)}
    return flags.pop() if len(flags) == 1 else None


def choose_limits(
    rows: Iterable[BreakpointRow],
    subject: Subject,
    antibiotic: str,
    method: SusceptibilityMethod,
    source: str | None,
) -> Limits | None:
    """Choose the limits of the most specific row: for the source, then for the organism.

    An E-test measures an MIC.
    """
    is_zone = method is SusceptibilityMethod.ZONE
    row_method = SusceptibilityMethod.ZONE if is_zone else SusceptibilityMethod.MIC
    matching_rows = [
        row
        for row in rows
        if row.antibiotic == antibiotic
        and row.method == row_method
        and subject.is_covered_by(row.applies_to)
        and row.source in (None, source)
    ]
    if not matching_rows:
        return None
    return max(
        matching_rows, key=lambda row: (row.source is not None, row.applies_to == subject.code)
    ).limits


def find_suppressed_antibiotics(
    rows: Iterable[CascadeRow],
    subject: Subject,
    source: str | None,
    interpretations: Mapping[str, str | None],
) -> frozenset[str]:
    """Return the antibiotics of an organism that the lab's cascade keeps from clients.

    ``interpretations`` are the organism's, by antibiotic. An antibiotic with several rows is
    reported when one of them allows it.
    """
    matching_rows = [
        row
        for row in rows
        if row.antibiotic in interpretations and subject.is_covered_by(row.applies_to)
    ]
    allowed_antibiotics = {
        row.antibiotic for row in matching_rows if _allows_reporting(row, source, interpretations)
    }
    return frozenset(row.antibiotic for row in matching_rows) - allowed_antibiotics


def find_impossible_antibiotics(
    resistances: Collection[tuple[str, str]],
    subject: Subject,
    interpretations: Mapping[str, str | None],
    mark: str | None = None,
) -> list[str]:
    """Return antibiotics reported S or SDD to which the organism is resistant.

    ``resistances`` are pairs of an organism, a group, or a mark of resistance with an antibiotic:
    all Enterobacterales are resistant to vancomycin, and what is marked MRSA to oxacillin.
    """
    names = (subject.code, subject.group, mark)
    return [
        antibiotic
        for antibiotic, interpretation in interpretations.items()
        if interpretation in _ACTIVE and any((name, antibiotic) in resistances for name in names)
    ]


def format_limits(method: SusceptibilityMethod, limits: Limits) -> str:
    """Format limits as the lab's table shows them: 'S <= 8, R >= 32', or 'S >= 20, R <= 16'."""
    susceptible_sign, resistant_sign = "<=", ">="
    if method is SusceptibilityMethod.ZONE:
        susceptible_sign, resistant_sign = ">=", "<="
    parts = [f"S {susceptible_sign} {limits.susceptible}"]
    if limits.dose_dependent is not None:
        parts.append(f"SDD {susceptible_sign} {limits.dose_dependent}")
    if limits.resistant is not None:
        parts.append(f"R {resistant_sign} {limits.resistant}")
    return ", ".join(parts)


def _allows_reporting(
    row: CascadeRow, source: str | None, interpretations: Mapping[str, str | None]
) -> bool:
    if row.unless_source is not None and row.unless_source == source:
        return True
    if row.unless_antibiotic is None:
        return False
    return interpretations.get(row.unless_antibiotic) in row.unless_interpretations


def _find_step(number: Decimal) -> int:
    """Return the index of the doubling dilution at or above an MIC, however it is rounded."""
    is_rounded = number < 1  # pragma: no mutate - rounded or not, 1 is the dilution 1
    return bisect_left(_DILUTIONS, number / _ROUNDING if is_rounded else number)


def _compute_span(method: SusceptibilityMethod, measurement: Measurement) -> tuple[int, int]:
    """Return the lowest and highest dilution, or diameter, that a measurement can mean."""
    sign, number = measurement.sign, measurement.number
    if method is SusceptibilityMethod.ZONE:
        step, is_exact = int(number), True
        first, last = _ZONE_ENDS
    else:
        step, is_exact = _find_step(number), number in _WRITTEN_DILUTIONS
        first, last = _STEP_ENDS
    if sign == "<":
        return first, step - 1 if is_exact else step
    if sign == ">":
        return step + 1 if is_exact else step, last
    if sign == "<=":
        return first, step
    if sign == ">=":
        return step, last
    return step, step


def _categorize_step(method: SusceptibilityMethod, step: int, limits: Limits) -> ResultFlag:
    # A larger zone means what a smaller MIC means.
    is_zone = method is SusceptibilityMethod.ZONE

    def rank_limit(limit: Decimal) -> int:
        return -int(limit) if is_zone else _find_step(limit)

    rank = -step if is_zone else step
    if rank <= rank_limit(limits.susceptible):
        return ResultFlag.SUSCEPTIBLE
    if limits.dose_dependent is not None and rank <= rank_limit(limits.dose_dependent):
        return ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT
    if limits.resistant is None:
        return ResultFlag.NOT_SUSCEPTIBLE
    if rank >= rank_limit(limits.resistant):
        return ResultFlag.RESISTANT
    return ResultFlag.INTERMEDIATE
