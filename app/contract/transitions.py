"""The one table of status changes (O 4, R 4, DECISIONS 'A requisition becomes an order').

Nothing else in the house decides whether a status may follow another.
"""

from app.contract.enumerations import OrderStatus, RequisitionStatus

REQUISITION_TRANSITIONS: dict[RequisitionStatus, frozenset[RequisitionStatus]] = {
    RequisitionStatus.NONE: frozenset({RequisitionStatus.PENDING}),
    RequisitionStatus.PENDING: frozenset({RequisitionStatus.CANCELED, RequisitionStatus.DONE}),
    RequisitionStatus.CANCELED: frozenset(),
    RequisitionStatus.DONE: frozenset(),
}

_STATES = frozenset(OrderStatus) - {OrderStatus.NONE, OrderStatus.ALL}
_BEGUN = _STATES - {OrderStatus.PENDING}

ORDER_TRANSITIONS: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.NONE: frozenset({OrderStatus.PENDING}),
    OrderStatus.PENDING: _BEGUN,
    OrderStatus.UNRELEASED: _STATES - {OrderStatus.UNRELEASED},
    OrderStatus.PARTIALLY_RELEASED: _BEGUN - {OrderStatus.PARTIALLY_RELEASED},
    OrderStatus.PARTIAL: _BEGUN - {OrderStatus.PARTIAL},
    OrderStatus.PRELIMINARY: _BEGUN - {OrderStatus.PRELIMINARY},
    # A correction adds a version of a result to a final order and stays final.
    OrderStatus.FINAL: frozenset(),
    OrderStatus.CANCELED: frozenset(),
}
