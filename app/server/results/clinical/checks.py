"""Rules about typed values: bounds, changes since the last value, and dilutions."""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from enum import StrEnum

from app.contract import messages

_DIGITS = 600  # more than any typed value has


class Bound(StrEnum):
    """How a number compares with the bounds of its test."""

    IMPOSSIBLE = "impossible"
    ABSURD = "absurd"


@dataclass(frozen=True)
class Bounds:
    """The possible and the usual values of a quantity; None without a bound."""

    possible_low: Decimal | None = None
    possible_high: Decimal | None = None
    plausible_low: Decimal | None = None
    plausible_high: Decimal | None = None


@dataclass(frozen=True)
class Excess:
    """A number beyond a bound, and that bound; the bounds themselves are allowed."""

    bound: Bound
    limit: Decimal
    is_above: bool


def find_excess(number: Decimal, bounds: Bounds) -> Excess | None:
    """Return the bound that the number exceeds, an impossible value first, or None."""
    for bound, low, high in (
        (Bound.IMPOSSIBLE, bounds.possible_low, bounds.possible_high),
        (Bound.ABSURD, bounds.plausible_low, bounds.plausible_high),
    ):
        if low is not None and number < low:
            return Excess(bound, low, is_above=False)
        if high is not None and number > high:
            return Excess(bound, high, is_above=True)
    return None


@dataclass(frozen=True)
class Delta:
    """The change since the patient's last value: percent of it, and the days between."""

    percent: int
    days: int
    is_exceeded: bool


def compute_delta(
    number: Decimal,
    previous_number: Decimal,
    days: int,
    *,
    percent_limit: Decimal | None,
    days_limit: int | None,
) -> Delta | None:
    """Compute the change since the last value; None if that was zero.

    The change exceeds the limits of the test if it is larger than ``percent_limit`` within
    ``days_limit``. Without a limit in days, the percentage always counts.
    """
    if previous_number == 0:
        return None
    percent = 100 * (number - previous_number) / abs(previous_number)
    is_recent = days_limit is None or days <= days_limit
    is_large = percent_limit is not None and abs(percent) > percent_limit
    return Delta(round(percent), days, is_recent and is_large)


def find_difference(
    unit: str | None, method: str | None, last_unit: str | None, last_method: str | None
) -> str | None:
    """Return why a result cannot be compared with the last one, or None.

    A last result without a method, from before the lab named one, can be compared.
    """
    if last_unit != unit:
        return messages.RESULT_LAST_UNIT.format(unit=last_unit or messages.RESULT_LAST_NO_UNIT)
    if last_method not in (None, method):
        return messages.RESULT_LAST_METHOD.format(method=last_method)
    return None


def apply_dilution(sign: str, number: Decimal, factor: Decimal, decimals: int | None) -> str:
    """Multiply a measured value by its dilution: '>500' at 1:10 is '>5000'."""
    with localcontext(prec=_DIGITS):
        product = number * factor
        if decimals is not None:
            product = round(product, decimals)
    return f"{sign}{product:f}"
