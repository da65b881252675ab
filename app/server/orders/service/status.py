"""The only module that changes the status of orders."""

from collections.abc import Iterable, Sequence

from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from app.contract.transitions import ORDER_TRANSITIONS
from app.server.orders.errors import OrderReadOnly
from app.server.orders.models import Order, OrderTest
from app.server.orders.rules import OrderState, compute_order_status


def build_state(order: Order) -> OrderState:
    """Return the order's state, which the rules judge."""
    return OrderState(order.code, OrderStatus(order.status), order.is_unread_by_physician)


def change_status(order: Order, target: OrderStatus) -> None:
    """Change the status, or raise OrderReadOnly if the transition table does not allow it."""
    status = OrderStatus(order.status)
    if target == status:
        return
    if target not in ORDER_TRANSITIONS[status]:
        raise OrderReadOnly(messages.ORDER_READ_ONLY.format(code=order.code, status=status.name))
    order.status = target


def is_collection_awaited(tests: Iterable[OrderTest]) -> bool:
    """Whether a test that is not canceled waits for a new collection of its specimen."""
    return any(test.needs_specimen and not test.is_panel for test in tests)


def find_awaiting_ids(tests: Sequence[OrderTest]) -> set[int]:
    """Return the tests of an order, by position, that wait for a new collection of a specimen.

    A panel waits only while one of its members does.
    """
    ids: set[int] = set()
    panel_ids: set[int | None] = set()
    for test in reversed(tests):  # members before their panels
        if test.needs_specimen and (not test.is_panel or test.id in panel_ids):
            ids.add(test.id)
            panel_ids.add(test.parent_id)
    return ids


def update_status(order: Order, tests: Sequence[OrderTest]) -> None:
    """Update what an order says about its tests, after some were canceled or reinstated."""
    statuses = [ResultStatus(test.status) for test in tests if not test.is_panel]
    change_status(order, compute_order_status(statuses))
    order.awaits_collection = is_collection_awaited(tests)
