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

_OPEN = frozenset(
    {
        OrderStatus.PENDING,
        OrderStatus.UNRELEASED,
        OrderStatus.PARTIALLY_RELEASED,
        OrderStatus.PARTIAL,
        OrderStatus.PRELIMINARY,
        OrderStatus.FINAL,
        OrderStatus.CANCELED,
    }
)

ORDER_TRANSITIONS: dict[OrderStatus, frozenset[OrderStatus]] = {
    OrderStatus.NONE: frozenset({OrderStatus.PENDING}),
    OrderStatus.PENDING: _OPEN - {OrderStatus.PENDING},
    OrderStatus.UNRELEASED: _OPEN - {OrderStatus.UNRELEASED},
    OrderStatus.PARTIALLY_RELEASED: _OPEN - {OrderStatus.PARTIALLY_RELEASED, OrderStatus.PENDING},
    OrderStatus.PARTIAL: _OPEN - {OrderStatus.PARTIAL, OrderStatus.PENDING},
    OrderStatus.PRELIMINARY: _OPEN - {OrderStatus.PRELIMINARY, OrderStatus.PENDING},
    # A correction adds a version of a result to a final order and stays final.
    OrderStatus.FINAL: frozenset(),
    OrderStatus.CANCELED: frozenset(),
}
