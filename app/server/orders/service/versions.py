"""Rejects an act on orders that have changed since they were shown."""

from collections.abc import Sequence

from app.contract import messages
from app.server.access.stale import find_stale
from app.server.orders.models import Order


def reject_stale_orders(
    orders: Sequence[Order],
    message: str = messages.ORDER_CHANGED,
    message_of_many: str = messages.ORDERS_CHANGED,
) -> None:
    """Raise StaleVersion if there are any stale ``orders``; each gets ``message``."""
    if error := find_stale(orders, message, message_of_many):
        raise error
