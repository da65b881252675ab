"""The allowed status changes (O 4, R 4, DECISIONS 'A requisition becomes an order').

No other code decides whether a status may follow another.
"""

from app.contract.enumerations import OrderStatus, RequisitionStatus

REQUISITION_TRANSITIONS: dict[RequisitionStatus, frozenset[RequisitionStatus]] = {
    RequisitionStatus.NONE: frozenset({RequisitionStatus.PENDING}),
    RequisitionStatus.PENDING: frozenset({RequisitionStatus.CANCELED, RequisitionStatus.DONE}),
    RequisitionStatus.CANCELED: frozenset(),
    RequisitionStatus.DONE: frozenset(),
}

_STATUSES = frozenset(OrderStatus) - {OrderStatus.NONE, OrderStatus.ALL}
_STARTED_STATUSES = _STATUSES - {OrderStatus.PENDING}

ORDER_TRANSITIONS: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.NONE: frozenset({OrderStatus.PENDING}),
    OrderStatus.PENDING: _STARTED_STATUSES,
    OrderStatus.UNRELEASED: _STATUSES - {OrderStatus.UNRELEASED},
    OrderStatus.PARTIALLY_RELEASED: _STARTED_STATUSES - {OrderStatus.PARTIALLY_RELEASED},
    OrderStatus.PARTIAL: _STARTED_STATUSES - {OrderStatus.PARTIAL},
    OrderStatus.PRELIMINARY: _STARTED_STATUSES - {OrderStatus.PRELIMINARY},
    # A correction keeps an order final. An added test or a withdrawn result opens it again.
    OrderStatus.FINAL: _STARTED_STATUSES - {OrderStatus.FINAL, OrderStatus.CANCELED},
    # Canceled tests can be reinstated; none of them has a released result.
    OrderStatus.CANCELED: frozenset({OrderStatus.PENDING, OrderStatus.UNRELEASED}),
}
