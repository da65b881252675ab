"""Acts on orders that the interface judges by the rows of its search."""

from app.basics.errors import PortalError
from app.contract.enumerations import OrderStatus, RequisitionStatus
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.requisitions.rules import RequisitionState, judge_signing

STATUSES = tuple(
    int(status) for status in OrderStatus if status not in (OrderStatus.NONE, OrderStatus.ALL)
)
_CODE = "R{number}"
"""A placeholder: the interface fills in the order's number."""


def _judge_signing(actor: Actor, status: int, has_signature: bool) -> PortalError | None:
    state = RequisitionState(
        _CODE,
        RequisitionStatus.DONE,
        is_signed=has_signature,
        order_status=OrderStatus(status),
    )
    return judge_signing(actor, state)


ACTS = (Act("signOrder", _judge_signing, {"status": STATUSES, "hasSignature": (False, True)}),)
