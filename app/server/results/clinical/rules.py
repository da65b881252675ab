"""How a clinical result stands against its reference range (R 4; DECISIONS, Results)."""

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

# Commas only as thousands: '4,1' must never be read as 41.
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
    """Limits of a test for one person, in the test's unit; None where there is no limit."""

    low: Decimal | None = None
    high: Decimal | None = None
    critical_low: Decimal | None = None
    critical_high: Decimal | None = None


def number_in(value: str) -> tuple[str, Decimal] | None:
    """The comparison sign ('' for none) and number of a result such as '4.1' or '<0.5'."""
    match = _NUMBER.fullmatch(value.strip())
    if match is None:
        return None
    return match.group(1) or "", Decimal(match.group(2).replace(",", ""))


def flag_for(
    result_type: ResultType,
    value: str,
    limits: Range,
    normal_choices: Sequence[str] = (),
) -> ResultFlag | None:
    """The flag of a value; None where nothing can be said (no range, free text).

    '<0.5' is judged as just below 0.5, '>200' as just above 200. A chosen word is normal when it
    is among ``normal_choices``; otherwise POS, NEG or A by what the word says.
    """
    if result_type in NUMERIC_TYPES:
        read = number_in(value)
        return _numeric(read[0], read[1], limits) if read else None
    if result_type in (ResultType.ALPHA_RESULTS, ResultType.SPECIFIC_CUT_OFF):
        return _word(value.strip().upper(), [choice.upper() for choice in normal_choices])
    return None


def is_abnormal(flag: str | None) -> bool:
    """Anything but N, NEG, S and empty."""
    return bool(flag) and flag not in NOT_ABNORMAL_FLAGS


def is_critical(flag: str | None) -> bool:
    """LL, HH, AA."""
    return flag in CRITICAL_FLAGS


def age_in_days(birth_date: date, on: date) -> int:
    """Age for reference ranges; never below zero."""
    return max(0, (on - birth_date).days)


def range_text(
    low: Decimal | None, high: Decimal | None, words: str | None, normal: Sequence[str]
) -> str | None:
    """A reference range as it is printed: '3.5 - 5.1', '<= 199', '>= 60', 'NEGATIVE'."""
    if words:
        return words
    if low is not None and high is not None:
        return f"{_plain(low)} - {_plain(high)}"
    if high is not None:
        return f"<= {_plain(high)}"
    if low is not None:
        return f">= {_plain(low)}"
    return ", ".join(normal) or None


def _numeric(sign: str, number: Decimal, limits: Range) -> ResultFlag | None:
    def under(limit: Decimal | None) -> bool:
        return limit is not None and (number <= limit if sign == "<" else number < limit)

    def over(limit: Decimal | None) -> bool:
        return limit is not None and (number >= limit if sign == ">" else number > limit)

    if under(limits.critical_low):
        return ResultFlag.CRITICAL_LOW
    if over(limits.critical_high):
        return ResultFlag.CRITICAL_HIGH
    if under(limits.low):
        return ResultFlag.LOW
    if over(limits.high):
        return ResultFlag.HIGH
    if limits.low is None and limits.high is None:
        return None
    return ResultFlag.NORMAL


def _word(word: str, normal: list[str]) -> ResultFlag | None:
    if not normal:
        return None
    if word in normal:
        return ResultFlag.NEGATIVE if word in _NEGATIVE else ResultFlag.NORMAL
    if word in _POSITIVE:
        return ResultFlag.POSITIVE
    return ResultFlag.NEGATIVE if word in _NEGATIVE else ResultFlag.ABNORMAL


def _plain(number: Decimal) -> str:
    return f"{number:f}"
