"""Errors of acts on orders."""

from app.basics.errors import Conflict


class OrderReadOnly(Conflict):
    """409: the order is canceled and accepts no results."""

    code = "order_read_only"
