"""The one place that moves an order from one status to another."""

from app.contract import messages
from app.contract.enumerations import OrderStatus
from app.contract.transitions import ORDER_TRANSITIONS
from app.server.orders.errors import OrderReadOnly
from app.server.orders.models import Order
from app.server.orders.rules import OrderState


def state_of(order: Order) -> OrderState:
    """What the rules judge of an order."""
    return OrderState(order.code, OrderStatus(order.status))


def move(order: Order, target: OrderStatus) -> None:
    """Change an order's status along the transition table; the same status is no step."""
    status = OrderStatus(order.status)
    if target == status:
        return
    if target not in ORDER_TRANSITIONS[status]:
        raise OrderReadOnly(messages.ORDER_READ_ONLY.format(code=order.code, status=status.name))
    order.status = target
