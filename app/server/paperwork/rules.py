"""Rules about labels: who may have them."""

from app.basics.errors import PortalError
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.policy import ALL_ROLES, judge_role
from app.server.actor import Actor
from app.server.paperwork.errors import RequisitionWithoutLabels
from app.server.requisitions.rules import RequisitionState


def judge_labeling(actor: Actor, state: RequisitionState) -> PortalError | None:
    """Return why the actor may not have this requisition's labels, or None."""
    if error := judge_role(actor, ALL_ROLES):
        return error
    if state.status != RequisitionStatus.CANCELED:
        return None
    text = messages.REQUISITION_WITHOUT_LABELS.format(code=state.code, status=state.status.name)
    return RequisitionWithoutLabels(text)
