"""Errors of releasing many orders."""

from app.basics.errors import Conflict


class OrderNotReleased(Conflict):
    """409: an order cannot be released together with others; the message names it and says why."""

    code = "order_not_released"
