"""Changes the status of requisitions; no other module does."""

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, FieldError, require_allowed
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from app.server.access.work import Work
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.schemas import CancelRequest, RequisitionRead
from app.server.requisitions.service.read import build_requisition_read, get_record
from app.server.requisitions.service.versions import require_version
from app.server.requisitions.states import build_state
from app.server.requisitions.storing import CANCELLATION, update_requisition


def change_status(requisition: Requisition, target: RequisitionStatus) -> None:
    """Change the status, if the transition table allows it.

    Raises:
        TransitionNotAllowed: the table does not allow it.
    """
    require_allowed(rules.judge_transition(build_state(requisition), target))
    requisition.status = target
    requisition.version += 1


async def cancel_requisition(
    work: Work, requisition_id: int, body: CancelRequest
) -> RequisitionRead:
    """Cancel a pending requisition; the comment is required.

    Raises:
        NotFound, StaleVersion, BadInput, TransitionNotAllowed.
    """
    comment = clean_text(body.comment)
    if not comment:
        raise BadInput.of(FieldError("comment", messages.CANCEL_COMMENT_REQUIRED))
    record = await get_record(work, requisition_id, lock=True)
    requisition = record.requisition
    await require_version(work, requisition)
    require_allowed(rules.judge_canceling(work.actor, build_state(requisition)))
    change_status(requisition, RequisitionStatus.CANCELED)
    requisition.cancel_comment = comment
    requisition.canceled_at = get_utc_now()
    requisition.canceled_by_name = work.actor.name
    update_requisition(work.statements, requisition, ["status", *CANCELLATION])
    await work.audit("cancel", "requisition", [requisition.id])
    return build_requisition_read(work, record)
