"""The one place that moves a requisition from one status to another."""

from app.basics.errors import BadInput, FieldError, require_allowed
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.work import Work
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import CancelRequest, RequisitionRead
from app.server.requisitions.service.read import get_record, shape_record
from app.server.requisitions.states import state_of
from app.server.requisitions.storing import update_requisition


def move(requisition: Requisition, target: RequisitionStatus) -> None:
    """Change the status along the transition table.

    Raises:
        TransitionNotAllowed: the table has no such step.
    """
    require_allowed(rules.judge_step(state_of(requisition), target))
    requisition.status = target
    requisition.version += 1


async def cancel(work: Work, requisition_id: int, body: CancelRequest) -> RequisitionRead:
    """Cancel a pending requisition; the comment is required.

    Raises:
        NotFound, StaleVersion, BadInput, TransitionNotAllowed.
    """
    comment = clean(body.comment)
    if not comment:
        raise BadInput.of(FieldError("comment", messages.CANCEL_COMMENT_REQUIRED))
    record = await get_record(work, requisition_id, lock=True)
    requisition = record.requisition
    work.require_version(requisition)
    require_allowed(rules.judge_canceling(work.actor, state_of(requisition)))
    move(requisition, RequisitionStatus.CANCELED)
    requisition.cancel_comment = comment
    update_requisition(work.statements, requisition, ["status", "cancel_comment"])
    await work.audit("cancel", "requisition", [requisition.id])
    return shape_record(work, record)
