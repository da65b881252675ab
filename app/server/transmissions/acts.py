"""The acts of sending, which the interface checks on rows of the searches."""

from app.basics.errors import PortalError
from app.contract.enumerations import OrderStatus
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.orders.acts import STATUSES
from app.server.orders.rules import OrderState
from app.server.requisitions.acts import ROW, build_row_rule
from app.server.transmissions import rules

_ORDER_CODE = "L{number}"
"""A placeholder: the interface fills in the order's number."""


def _judge_sending_results(actor: Actor, status: int) -> PortalError | None:
    return rules.judge_sending_results(actor, OrderState(_ORDER_CODE, OrderStatus(status)))


ACTS = (
    Act("sendRequisition", build_row_rule(rules.judge_sending), ROW),
    Act("sendOrder", _judge_sending_results, {"status": STATUSES}),
)
