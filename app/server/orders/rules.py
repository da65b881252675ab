"""Decisions about orders (R 4; DECISIONS, Results)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.basics.errors import PortalError
from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.actor import Actor
from app.server.lab_settings.rules import judge_result_entry, judge_result_release
from app.server.orders.errors import OrderReadOnly

ALERT_CRITICAL = "CRITICAL"


@dataclass(frozen=True)
class OrderState:
    """What decides what may be done with an order."""

    code: str
    status: OrderStatus


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


def judge_entering(actor: Actor, flags: Mapping[str, Any], order: OrderState) -> PortalError | None:
    """Why results of the order may not be entered; None: they may."""
    return judge_result_entry(actor, flags) or _judge_state(order)


def judge_releasing(actor: Actor, order: OrderState) -> PortalError | None:
    """Why results of the order may not be released; None: they may."""
    return judge_result_release(actor) or _judge_state(order)


def _judge_state(order: OrderState) -> OrderReadOnly | None:
    if order.status != OrderStatus.CANCELED:
        return None
    text = messages.ORDER_READ_ONLY.format(code=order.code, status=order.status.name)
    return OrderReadOnly(text)
