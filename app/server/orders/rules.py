"""Decisions about orders (R 4; DECISIONS, Results)."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.contract.enumerations import OrderStatus, ResultStatus

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
