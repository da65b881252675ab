"""Rules about clinical results: flags and reference ranges (R 4; DECISIONS, Results)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import pairwise
from uuid import UUID

from app.contract import messages
from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ResultFlag,
    ResultType,
)

# Commas only separate thousands: '4,1' must not be read as 41.
_NUMBER = re.compile(r"([<>]=?)?\s*(-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?)")
_TITER = re.compile(r"([<>]=?)?\s*1\s*:\s*([1-9][0-9]{0,8})")
_WITH_UNIT = re.compile(
    rf"(?P<number>{_NUMBER.pattern})(?:\s+(?P<apart>10\*\S+|[^0-9\s.,].*)|(?P<unit>[A-Za-z%/]+))"
)
_POSITIVE = frozenset({"POSITIVE", "DETECTED", "REACTIVE", "PRESENT"})
_NEGATIVE = frozenset({"NEGATIVE", "NOT DETECTED", "NON-REACTIVE", "NONREACTIVE", "ABSENT"})
_WITHOUT_HIGH_LIMIT = frozenset({ResultType.GREATER_EQUAL_VALUE, ResultType.GREATER_THAN_VALUE})
_WITHOUT_LOW_LIMIT = frozenset({ResultType.LESS_EQUAL_VALUE, ResultType.LESS_THAN_VALUE})
_MILDEST_FIRST = (
    (ResultFlag.LOW, ResultFlag.CRITICAL_LOW),
    (ResultFlag.HIGH, ResultFlag.CRITICAL_HIGH),
    (ResultFlag.ABNORMAL, ResultFlag.POSITIVE, ResultFlag.CRITICAL_ABNORMAL),
)

NUMERIC_TYPES = frozenset({ResultType.VALUE_VALUE}) | _WITHOUT_HIGH_LIMIT | _WITHOUT_LOW_LIMIT
"""The types whose value must be a number, which may have a comparison sign."""
CHOICE_TYPES = frozenset({ResultType.ALPHA_RESULTS, ResultType.SPECIFIC_CUT_OFF})


@dataclass(frozen=True)
class Range:
    """The limits of a test for one patient, in the test's unit; None without a limit.

    The limits of a titer are its dilutions: 40 for '1:40'.

    Attributes:
        least, greatest: the bounds of possible values; a signed value ('<5') means nothing beyond
            them.
    """

    low: Decimal | None = None
    high: Decimal | None = None
    critical_low: Decimal | None = None
    critical_high: Decimal | None = None
    least: Decimal | None = None
    greatest: Decimal | None = None


def parse_number(value: str) -> tuple[str, Decimal] | None:
    """Parse the comparison sign, if any, and the number of a result such as '4.1' or '<0.5'."""
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        return None
    return match.group(1) or "", Decimal(match.group(2).replace(",", ""))


def parse_titer(value: str) -> tuple[str, Decimal] | None:
    """Parse the comparison sign, if any, and the dilution of a titer: 80 for '1:80'."""
    match = _TITER.fullmatch(value.strip())
    return (match.group(1) or "", Decimal(match.group(2))) if match else None


def parse_value(result_type: ResultType, value: str) -> tuple[str, Decimal] | None:
    """Parse the sign and number of a value by the type of its test; None for text."""
    if result_type is ResultType.TITER:
        return parse_titer(value)
    is_measured = result_type in NUMERIC_TYPES or result_type in (
        ResultType.SPECIFIC_CUT_OFF,
        ResultType.OPEN_RESULT_WITH_UNIT,
    )
    return parse_number(value) if is_measured else None


def split_unit(value: str) -> tuple[str, str | None]:
    """Split a value into its number and unit: '4.1 mg/dL' into '4.1' and 'mg/dL'."""
    match = _WITH_UNIT.fullmatch(value.strip())
    if match is None:
        return value, None
    return match["number"], match["apart"] or match["unit"]


def compute_flag(
    result_type: ResultType,
    value: str,
    limits: Range,
    normal_choices: Sequence[str] = (),
    critical_choices: Sequence[str] = (),
    choices: Sequence[str] = (),
) -> ResultFlag | None:
    """Compute the flag of a value; None for free text, and without a range.

    A signed value ('<3.5') has the mildest flag that is true of everything it can mean, and none
    where it may be normal or abnormal. A choice is normal when it is among ``normal_choices`` and
    critical when among ``critical_choices``; otherwise its meaning decides between POS, NEG and A.
    """
    return _choose_mildest(
        list_flags(result_type, value, limits, normal_choices, critical_choices, choices)
    )


def list_flags(
    result_type: ResultType,
    value: str,
    limits: Range,
    normal_choices: Sequence[str] = (),
    critical_choices: Sequence[str] = (),
    choices: Sequence[str] = (),
) -> set[ResultFlag | None]:
    """List the flags of everything that a value can mean: one, unless the value is signed.

    A titer or an open result may also be one of the test's ``choices``.
    """
    parsed_value = parse_value(result_type, value)
    if parsed_value is not None:
        meanings = _list_meanings(*parsed_value, limits)
        return {_flag_number(result_type, meaning, limits) for meaning in meanings}
    text = value.strip().upper()
    if result_type in CHOICE_TYPES or text in {choice.upper() for choice in choices}:
        return {
            _compute_choice_flag(
                text,
                [choice.upper() for choice in normal_choices],
                [choice.upper() for choice in critical_choices],
            )
        }
    return {None}


def is_abnormal(flag: str | None) -> bool:
    """Whether the flag is other than N, NEG, S and empty."""
    return bool(flag) and flag not in NOT_ABNORMAL_FLAGS


def is_critical(flag: str | None) -> bool:
    """Whether the flag is LL, HH or AA."""
    return flag in CRITICAL_FLAGS


def has_no_range(number: Decimal | None, flag: str | None, reference_range: str | None) -> bool:
    """Whether a number was not judged because it has no range; it is not necessarily normal."""
    return number is not None and not flag and reference_range is None


@dataclass(frozen=True)
class VersionState:
    """What decides whether an entered result may be released; ``hold`` is why it is on hold."""

    test: str
    hold: str | None
    verified_by: UUID | None


def find_release_obstacle(
    version: VersionState, user_id: UUID | None, *, needs_verification: bool
) -> str | None:
    """Return why this person may not release the result now, or None.

    Where the lab requires verification, one person verifies and another releases.
    """
    if version.hold is not None:
        return messages.RESULT_ON_HOLD.format(test=version.test, reason=version.hold)
    if not needs_verification:
        return None
    if version.verified_by is None:
        return messages.RESULT_NOT_VERIFIED.format(test=version.test)
    if version.verified_by == user_id:
        return messages.RESULT_VERIFIED_BY_YOU.format(test=version.test)
    return None


def compute_age_in_years(birth_date: date | None, day: date) -> int | None:
    """Compute the age in full years; None if the birth date is unknown."""
    if birth_date is None:
        return None
    return day.year - birth_date.year - ((day.month, day.day) < (birth_date.month, birth_date.day))


def compute_age_in_days(birth_date: date | None, day: date) -> int | None:
    """Compute the age for reference ranges, at least 0; None if the birth date is unknown."""
    if birth_date is None:
        return None
    return max(0, (day - birth_date).days)


def format_range(
    low: Decimal | None,
    high: Decimal | None,
    words: str | None,
    normal_choices: Sequence[str],
    result_type: ResultType = ResultType.VALUE_VALUE,
) -> str | None:
    """Format a reference range: '3.5 - 5.1', '<= 199', '> 60', '<= 1:40' or 'NEGATIVE'."""
    if words:
        return words
    low = None if result_type in _WITHOUT_LOW_LIMIT else low
    high = None if result_type in _WITHOUT_HIGH_LIMIT else high
    if result_type is ResultType.SPECIFIC_CUT_OFF and high is not None:
        return f"< {high if low is None else low:f}"
    if low is not None and high is not None:
        return f"{_format_limit(low, result_type)} - {_format_limit(high, result_type)}"
    if high is not None:
        sign = "<" if result_type is ResultType.LESS_THAN_VALUE else "<="
        return f"{sign} {_format_limit(high, result_type)}"
    if low is not None:
        sign = ">" if result_type is ResultType.GREATER_THAN_VALUE else ">="
        return f"{sign} {_format_limit(low, result_type)}"
    return ", ".join(normal_choices) or None


def _list_meanings(sign: str, number: Decimal, limits: Range) -> list[Decimal]:
    """List what a signed number can mean: one value from each interval between the limits."""
    if not sign:
        return [number]
    is_below = sign.startswith("<")
    first = limits.least if is_below else number
    last = number if is_below else limits.greatest
    ends = (limits.low, limits.high, limits.critical_low, limits.critical_high)
    inner = sorted(
        {
            end
            for end in ends
            if end is not None and (first is None or first < end) and (last is None or end < last)
        }
    )
    if first is not None and last is not None and first >= last:
        return [number] if first == last and sign.endswith("=") else []
    points = [point for point in (first, *inner, last) if point is not None]
    meanings = [*inner, *((lower + upper) / 2 for lower, upper in pairwise(points))]
    if sign.endswith("="):
        meanings.append(number)
    # The value next to the outermost limit represents all values beyond it.
    if first is None:
        meanings.append(points[0].next_minus())
    if last is None:
        meanings.append(points[-1].next_plus())
    return meanings


def _flag_number(result_type: ResultType, number: Decimal, limits: Range) -> ResultFlag | None:
    if result_type is ResultType.SPECIFIC_CUT_OFF:
        return _flag_by_cut_off(number, limits)
    return _flag_by_range(result_type, number, limits)


def _flag_by_range(result_type: ResultType, number: Decimal, limits: Range) -> ResultFlag | None:
    """Flag an exact number; the limits themselves belong to the milder flag."""
    if limits.critical_low is not None and number < limits.critical_low:
        return ResultFlag.CRITICAL_LOW
    if limits.critical_high is not None and number > limits.critical_high:
        return ResultFlag.CRITICAL_HIGH
    low = None if result_type in _WITHOUT_LOW_LIMIT else limits.low
    high = None if result_type in _WITHOUT_HIGH_LIMIT else limits.high
    if low is None and high is None:
        return None
    is_low_abnormal = result_type is ResultType.GREATER_THAN_VALUE
    is_high_abnormal = result_type is ResultType.LESS_THAN_VALUE
    if low is not None and (number < low or (is_low_abnormal and number == low)):
        return ResultFlag.LOW
    if high is not None and (number > high or (is_high_abnormal and number == high)):
        return ResultFlag.HIGH
    return ResultFlag.NORMAL


def _flag_by_cut_off(number: Decimal, limits: Range) -> ResultFlag | None:
    """Flag an index: positive from the cut-off ``high`` on, equivocal (A) from ``low`` on."""
    if limits.high is None:
        return None
    if limits.critical_high is not None and number > limits.critical_high:
        return ResultFlag.CRITICAL_ABNORMAL
    if number >= limits.high:
        return ResultFlag.POSITIVE
    if limits.low is not None and number >= limits.low:
        return ResultFlag.ABNORMAL
    return ResultFlag.NEGATIVE


def _choose_mildest(flags: set[ResultFlag | None]) -> ResultFlag | None:
    """Return the mildest of the flags, or None if they differ in more than severity."""
    if len(flags) == 1:
        return next(iter(flags))
    for group in _MILDEST_FIRST:
        if flags and flags <= set(group):
            return next(flag for flag in group if flag in flags)
    return None


def _compute_choice_flag(
    choice: str, normal_choices: list[str], critical_choices: list[str]
) -> ResultFlag | None:
    if choice in critical_choices:
        return ResultFlag.CRITICAL_ABNORMAL
    if not normal_choices:
        return None
    if choice in normal_choices:
        return ResultFlag.NEGATIVE if choice in _NEGATIVE else ResultFlag.NORMAL
    if choice in _POSITIVE:
        return ResultFlag.POSITIVE
    return ResultFlag.NEGATIVE if choice in _NEGATIVE else ResultFlag.ABNORMAL


def _format_limit(number: Decimal, result_type: ResultType) -> str:
    return f"1:{number:f}" if result_type is ResultType.TITER else f"{number:f}"
