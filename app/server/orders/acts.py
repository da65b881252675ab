"""Acts on orders that the interface judges by the rows of its search."""

from dataclasses import replace
from uuid import UUID

from app.basics.errors import PortalError
from app.contract.enumerations import OrderStatus, RequisitionStatus
from app.server.access.acts import Act
from app.server.actor import Actor
from app.server.orders.rules import (
    OrderState,
    judge_acknowledging,
    judge_bill_to_change,
    judge_completing,
    judge_releasing,
)
from app.server.requisitions.rules import RequisitionState, judge_signing, judge_unsigning

STATUSES = tuple(
    int(status) for status in OrderStatus if status not in (OrderStatus.NONE, OrderStatus.ALL)
)
_CODE = "R{number}"
_ORDER_CODE = "L{number}"
"""Placeholders: the interface fills in the order's number."""
_SIGNER = UUID(int=0)


def _judge_signing(actor: Actor, status: int, has_signature: bool) -> PortalError | None:
    state = RequisitionState(
        _CODE,
        RequisitionStatus.DONE,
        is_signed=has_signature,
        order_status=OrderStatus(status),
        is_shown_as_order=True,
    )
    return judge_signing(actor, state)


def _judge_unsigning(actor: Actor, status: int, has_signature: bool) -> PortalError | None:
    """Judge as if the actor were the signer, whom the rows do not name; the portal checks it."""
    state = RequisitionState(
        _CODE,
        RequisitionStatus.DONE,
        is_signed=has_signature,
        signer=_SIGNER,
        order_status=OrderStatus(status),
        is_shown_as_order=True,
    )
    return judge_unsigning(replace(actor, user_id=_SIGNER), state)


def _judge_acknowledging(
    actor: Actor, status: int, is_unread_by_physician: bool
) -> PortalError | None:
    state = OrderState(_ORDER_CODE, OrderStatus(status), is_unread_by_physician)
    return judge_acknowledging(actor, state)


def _judge_completing(actor: Actor, status: int) -> PortalError | None:
    return judge_completing(actor, OrderState(_ORDER_CODE, OrderStatus(status)))


def _judge_releasing(actor: Actor, status: int) -> PortalError | None:
    return judge_releasing(actor, OrderState(_ORDER_CODE, OrderStatus(status)))


def _judge_bill_to(actor: Actor, status: int) -> PortalError | None:
    return judge_bill_to_change(actor, OrderState(_ORDER_CODE, OrderStatus(status)))


ACTS = (
    Act("signOrder", _judge_signing, {"status": STATUSES, "hasSignature": (False, True)}),
    Act("unsignOrder", _judge_unsigning, {"status": STATUSES, "hasSignature": (False, True)}),
    Act(
        "acknowledgeOrder",
        _judge_acknowledging,
        {"status": STATUSES, "isUnreadByPhysician": (False, True)},
    ),
    Act("completeOrder", _judge_completing, {"status": STATUSES}),
    Act("releaseOrder", _judge_releasing, {"status": STATUSES}),
    Act("billOrder", _judge_bill_to, {"status": STATUSES}),
)
