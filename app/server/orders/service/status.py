"""The only module that changes the status of orders."""

from app.contract import messages
from app.contract.enumerations import OrderStatus
from app.contract.transitions import ORDER_TRANSITIONS
from app.server.orders.errors import OrderReadOnly
from app.server.orders.models import Order
from app.server.orders.rules import OrderState


def build_state(order: Order) -> OrderState:
    """Return the order's state, which the rules judge."""
    return OrderState(order.code, OrderStatus(order.status))


def change_status(order: Order, target: OrderStatus) -> None:
    """Change the status; raises OrderReadOnly if the transition table does not allow it."""
    status = OrderStatus(order.status)
    if target == status:
        return
    if target not in ORDER_TRANSITIONS[status]:
        raise OrderReadOnly(messages.ORDER_READ_ONLY.format(code=order.code, status=status.name))
    order.status = target
