"""Rules about orders (R 4; DECISIONS, Results)."""

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
    """The facts about an order that permissions depend on."""

    code: str
    status: OrderStatus


@dataclass(frozen=True)
class TestState:
    """The progress of one test of an order."""

    __test__ = False

    is_entered: bool
    is_released: bool


def compute_order_status(tests: Iterable[TestState]) -> OrderStatus:
    """Return the status of an order with these tests; panels have no result and do not count."""
    states = list(tests)
    released = sum(state.is_released for state in states)
    if states and released == len(states):
        return OrderStatus.FINAL
    if released:
        return OrderStatus.PARTIAL
    if any(state.is_entered for state in states):
        return OrderStatus.UNRELEASED
    return OrderStatus.PENDING


def compute_result_status(state: TestState) -> ResultStatus:
    """Return the status of one test's result."""
    if state.is_released:
        return ResultStatus.FINAL
    return ResultStatus.UNRELEASED if state.is_entered else ResultStatus.PENDING


def judge_entering(actor: Actor, flags: Mapping[str, Any], order: OrderState) -> PortalError | None:
    """Return why the actor may not enter results of the order, or None."""
    return judge_result_entry(actor, flags) or _judge_state(order)


def judge_releasing(actor: Actor, order: OrderState) -> PortalError | None:
    """Return why the actor may not release results of the order, or None."""
    return judge_result_release(actor) or _judge_state(order)


def _judge_state(order: OrderState) -> OrderReadOnly | None:
    if order.status != OrderStatus.CANCELED:
        return None
    text = messages.ORDER_READ_ONLY.format(code=order.code, status=order.status.name)
    return OrderReadOnly(text)
