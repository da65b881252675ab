"""What can stand in the way of an act on an order."""

from app.basics.errors import BadInput, Conflict


class OrderReadOnly(Conflict):
    """409: a canceled order takes no results."""

    code = "order_read_only"


class NothingToRelease(BadInput):
    """400: no entered result among the chosen tests."""

    code = "nothing_to_release"
