"""Rejects an act on orders that have changed since they were shown."""

from collections.abc import Sequence

from app.basics.errors import FieldError, StaleVersion
from app.contract import messages
from app.server.orders.models import Order

_NAMED_MAX = 5
"""The number of orders that a sentence names; the field errors name all of them."""


def reject_stale_orders(
    orders: Sequence[Order],
    message: str = messages.ORDER_CHANGED,
    message_of_many: str = messages.ORDERS_CHANGED,
) -> None:
    """Raise StaleVersion if there are such ``orders``; each gets ``message`` with its code.

    The problem names all of them. If it named one, a second try would sign or acknowledge the
    others in versions that nobody has seen.
    """
    errors = tuple(
        FieldError(f"versions.{order.id}", message.format(code=order.code)) for order in orders
    )
    if len(errors) == 1:
        raise StaleVersion(errors[0].message, errors=errors)
    if errors:
        text = message_of_many.format(codes=_list_codes([order.code for order in orders]))
        raise StaleVersion(text, errors=errors)


def _list_codes(codes: Sequence[str]) -> str:
    names = ", ".join(codes[:_NAMED_MAX])
    if len(codes) <= _NAMED_MAX:
        return names
    return messages.AND_MORE.format(names=names, count=len(codes) - _NAMED_MAX)
