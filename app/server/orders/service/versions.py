"""Rejects an act on orders that have changed since they were shown."""

from collections.abc import Sequence

from app.basics.errors import FieldError, StaleVersion
from app.server.orders.models import Order


def reject_stale_orders(orders: Sequence[Order], message: str) -> None:
    """Raise StaleVersion if there are such ``orders``; each gets ``message`` with its code."""
    errors = tuple(
        FieldError(f"versions.{order.id}", message.format(code=order.code)) for order in orders
    )
    if errors:
        raise StaleVersion(errors[0].message, errors=errors)
