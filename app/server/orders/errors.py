"""What can stand in the way of an act on an order."""

from app.basics.errors import Conflict


class OrderReadOnly(Conflict):
    """409: a canceled order takes no results."""

    code = "order_read_only"
