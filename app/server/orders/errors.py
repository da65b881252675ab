"""Errors of acts on orders."""

from app.basics.errors import Conflict


class FutureCollection(Conflict):
    """409: a specimen to receive has a collection time in the future; the message names it."""

    code = "collection_to_come"


class OrderReadOnly(Conflict):
    """409: the order is canceled and accepts no results."""

    code = "order_read_only"


class NothingToAcknowledge(Conflict):
    """409: the order has no released results."""

    code = "nothing_to_acknowledge"
