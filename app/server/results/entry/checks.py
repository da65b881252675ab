"""Rules about typed numbers that families share: bounds, digits, and dilutions."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, localcontext
from enum import StrEnum

from app.contract import messages
from app.contract.limits import RESULT_DIGITS_MAX
from app.server.catalog.models import LabTest

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


def build_bounds(test: LabTest) -> Bounds:
    """Build the bounds that typed numbers are checked against."""
    return Bounds(test.possible_low, test.possible_high, test.plausible_low, test.plausible_high)


def find_excess(number: Decimal, bounds: Bounds, sign: str) -> Excess | None:
    """Return the bound that the number exceeds, an impossible value first, or None.

    '<5' exceeds a lower bound of 5, and '>5' an upper one: all that they can mean is beyond it.
    """
    for bound, low, high in (
        (Bound.IMPOSSIBLE, bounds.possible_low, bounds.possible_high),
        (Bound.ABSURD, bounds.plausible_low, bounds.plausible_high),
    ):
        if low is not None and (number < low or (sign == "<" and number == low)):
            return Excess(bound, low, is_above=False)
        if high is not None and (number > high or (sign == ">" and number == high)):
            return Excess(bound, high, is_above=True)
    return None


def find_number_fault(name: str, sign: str, number: Decimal, bounds: Bounds) -> str | None:
    """Return why a number cannot be a result of the test of this name, or None.

    It has more digits than graphs and formulas can use, or is impossible.
    """
    _, digits, exponent = number.as_tuple()
    if max(len(digits), -int(exponent)) > RESULT_DIGITS_MAX:
        return messages.RESULT_TOO_LONG.format(test=name, max=RESULT_DIGITS_MAX)
    excess = find_excess(number, bounds, sign)
    if excess is None or excess.bound is not Bound.IMPOSSIBLE:
        return None
    text = messages.RESULT_TOO_HIGH if excess.is_above else messages.RESULT_TOO_LOW
    return text.format(test=name, limit=f"{excess.limit:f}")


def ask_about_number(
    name: str, value: str, sign: str, number: Decimal, bounds: Bounds
) -> str | None:
    """Return the question about an unusual result, or None; ``value`` is the number as typed."""
    excess = find_excess(number, bounds, sign)
    if excess is None:
        return None
    text = messages.RESULT_ABSURDLY_HIGH if excess.is_above else messages.RESULT_ABSURDLY_LOW
    return text.format(test=name, value=value, limit=f"{excess.limit:f}")


def apply_dilution(sign: str, number: Decimal, factor: Decimal, decimals: int | None) -> str:
    """Multiply a measured value by its dilution: '>500' at 1:10 is '>5000'.

    The product is rounded half up to ``decimals``, as calculated results and the screen are.
    """
    with localcontext(prec=_DIGITS):
        product = number * factor
        if decimals is not None:
            product = product.quantize(Decimal(f"1e-{decimals}"), ROUND_HALF_UP)
    return f"{sign}{product:f}"
