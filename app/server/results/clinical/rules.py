"""Rules about clinical results: flags and reference ranges (R 4; DECISIONS, Results)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    ResultFlag,
    ResultType,
)

# Commas only separate thousands: '4,1' must not be read as 41.
_NUMBER = re.compile(r"([<>]=?)?\s*(-?(?:[0-9]+|[0-9]{1,3}(?:,[0-9]{3})+)(?:\.[0-9]+)?)")
_POSITIVE = frozenset({"POSITIVE", "DETECTED", "REACTIVE", "PRESENT"})
_NEGATIVE = frozenset({"NEGATIVE", "NOT DETECTED", "NON-REACTIVE", "NONREACTIVE", "ABSENT"})

NUMERIC_TYPES = frozenset(
    {
        ResultType.VALUE_VALUE,
        ResultType.GREATER_EQUAL_VALUE,
        ResultType.LESS_EQUAL_VALUE,
        ResultType.GREATER_THAN_VALUE,
        ResultType.LESS_THAN_VALUE,
    }
)


@dataclass(frozen=True)
class Range:
    """The limits of a test for one patient, in the test's unit; None without a limit."""

    low: Decimal | None = None
    high: Decimal | None = None
    critical_low: Decimal | None = None
    critical_high: Decimal | None = None


def parse_number(value: str) -> tuple[str, Decimal] | None:
    """Parse the comparison sign, if any, and the number of a result such as '4.1' or '<0.5'."""
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        return None
    return match.group(1) or "", Decimal(match.group(2).replace(",", ""))


def compute_flag(
    result_type: ResultType,
    value: str,
    limits: Range,
    normal_choices: Sequence[str] = (),
) -> ResultFlag | None:
    """Compute the flag of a value; None for free text, and without a range.

    '<0.5' counts as just below 0.5, '>200' as just above 200. A choice is normal when it is among
    ``normal_choices``; otherwise its meaning decides between POS, NEG and A.
    """
    if result_type in NUMERIC_TYPES:
        parsed = parse_number(value)
        return _compute_numeric_flag(parsed[0], parsed[1], limits) if parsed else None
    if result_type in (ResultType.ALPHA_RESULTS, ResultType.SPECIFIC_CUT_OFF):
        return _compute_choice_flag(
            value.strip().upper(), [choice.upper() for choice in normal_choices]
        )
    return None


def is_abnormal(flag: str | None) -> bool:
    """Whether the flag is other than N, NEG, S and empty."""
    return bool(flag) and flag not in NOT_ABNORMAL_FLAGS


def is_critical(flag: str | None) -> bool:
    """Whether the flag is LL, HH or AA."""
    return flag in CRITICAL_FLAGS


def compute_age_in_days(birth_date: date, on: date) -> int:
    """Compute the age for reference ranges; never below zero."""
    return max(0, (on - birth_date).days)


def format_range(
    low: Decimal | None, high: Decimal | None, words: str | None, normal: Sequence[str]
) -> str | None:
    """Format a reference range: '3.5 - 5.1', '<= 199', '>= 60' or 'NEGATIVE'."""
    if words:
        return words
    if low is not None and high is not None:
        return f"{_format_decimal(low)} - {_format_decimal(high)}"
    if high is not None:
        return f"<= {_format_decimal(high)}"
    if low is not None:
        return f">= {_format_decimal(low)}"
    return ", ".join(normal) or None


def _compute_numeric_flag(sign: str, number: Decimal, limits: Range) -> ResultFlag | None:
    def is_below(limit: Decimal | None) -> bool:
        return limit is not None and (number <= limit if sign == "<" else number < limit)

    def is_above(limit: Decimal | None) -> bool:
        return limit is not None and (number >= limit if sign == ">" else number > limit)

    if is_below(limits.critical_low):
        return ResultFlag.CRITICAL_LOW
    if is_above(limits.critical_high):
        return ResultFlag.CRITICAL_HIGH
    if is_below(limits.low):
        return ResultFlag.LOW
    if is_above(limits.high):
        return ResultFlag.HIGH
    if limits.low is None and limits.high is None:
        return None
    return ResultFlag.NORMAL


def _compute_choice_flag(choice: str, normal: list[str]) -> ResultFlag | None:
    if not normal:
        return None
    if choice in normal:
        return ResultFlag.NEGATIVE if choice in _NEGATIVE else ResultFlag.NORMAL
    if choice in _POSITIVE:
        return ResultFlag.POSITIVE
    return ResultFlag.NEGATIVE if choice in _NEGATIVE else ResultFlag.ABNORMAL


def _format_decimal(number: Decimal) -> str:
    return f"{number:f}"
