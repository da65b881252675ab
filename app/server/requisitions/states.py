"""Builds the state of a requisition that the rules judge."""

from app.contract.enumerations import OrderStatus, RequisitionStatus
from app.server.requisitions.models import Requisition, RequisitionSignature
from app.server.requisitions.rules import RequisitionState


def build_state(
    requisition: Requisition,
    signature: RequisitionSignature | None = None,
    order_status: OrderStatus | None = None,
    *,
    is_shown_as_order: bool = False,
) -> RequisitionState:
    """Return the requisition's state; without ``signature``, the signer is unknown.

    Only rules about signing need the status of the requisition's order, and whether the person
    acts on it.
    """
    return RequisitionState(
        code=requisition.code,
        status=RequisitionStatus(requisition.status),
        is_signed=requisition.has_signature,
        signer=signature.user_id if signature else None,
        order_status=order_status,
        is_shown_as_order=is_shown_as_order,
    )
