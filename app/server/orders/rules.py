"""Decisions about orders and results (R 4; DECISIONS, Results)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from app.contract.enumerations import (
    CRITICAL_FLAGS,
    NOT_ABNORMAL_FLAGS,
    OrderStatus,
    ResultStatus,
)

ALERT_CRITICAL = "CRITICAL"


@dataclass(frozen=True)
class TestState:
    """How far one test of an order is."""

    __test__ = False

    entered: bool
    released: bool


def order_status(tests: Iterable[TestState]) -> OrderStatus:
    """The order's status from its tests (panels themselves have no result and do not count)."""
    states = list(tests)
    released = sum(state.released for state in states)
    if states and released == len(states):
        return OrderStatus.FINAL
    if released:
        return OrderStatus.PARTIAL
    if any(state.entered for state in states):
        return OrderStatus.UNRELEASED
    return OrderStatus.PENDING


def result_status(state: TestState) -> ResultStatus:
    """The status of one test's result."""
    if state.released:
        return ResultStatus.FINAL
    return ResultStatus.UNRELEASED if state.entered else ResultStatus.PENDING


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
    """A reference range as it is printed: '3.5 - 5.1', '< 200', '>= 60', 'NEGATIVE'."""
    if words:
        return words
    if low is not None and high is not None:
        return f"{_plain(low)} - {_plain(high)}"
    if high is not None:
        return f"<= {_plain(high)}"
    if low is not None:
        return f">= {_plain(low)}"
    return ", ".join(normal) or None


def _plain(number: Decimal) -> str:
    return format(number, "f")
