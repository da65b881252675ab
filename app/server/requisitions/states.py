"""Builds the state of a requisition that the rules judge."""

from app.contract.enumerations import RequisitionStatus
from app.server.requisitions.models import Requisition, RequisitionSignature
from app.server.requisitions.rules import RequisitionState


def build_state(
    requisition: Requisition, signature: RequisitionSignature | None = None
) -> RequisitionState:
    """Return the requisition's state; without ``signature``, the signer is unknown."""
    return RequisitionState(
        code=requisition.code,
        status=RequisitionStatus(requisition.status),
        is_signed=requisition.has_signature,
        signer=signature.user_id if signature else None,
    )
