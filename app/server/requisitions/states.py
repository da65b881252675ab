"""What the rules judge of a requisition, from its rows."""

from app.contract.enumerations import RequisitionStatus
from app.server.requisitions.models import Requisition, RequisitionSignature
from app.server.requisitions.rules import RequisitionState


def state_of(
    requisition: Requisition, signature: RequisitionSignature | None = None
) -> RequisitionState:
    """Its state; the signer is known where the signature in force is given."""
    return RequisitionState(
        code=requisition.code,
        status=RequisitionStatus(requisition.status),
        is_signed=requisition.has_signature,
        signer=signature.user_id if signature else None,
    )
