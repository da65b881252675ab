"""Updates Bill To of one or more requisitions (O 2.5; DECISIONS 'all or nothing')."""

from collections.abc import Sequence

from app.basics.errors import (
    FieldError,
    NotFound,
    StaleVersion,
    require_allowed,
    require_no_errors,
)
from app.contract import messages
from app.server.access.work import Work
from app.server.requisitions import rules
from app.server.requisitions.loading import lock_requisitions
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import BillToRequest, Signed, SignedList
from app.server.requisitions.service.versions import find_last_editor
from app.server.requisitions.states import build_state
from app.server.requisitions.storing import update_requisitions


async def list_without_insurance(work: Work, ids: Sequence[int]) -> list[int]:
    """Return the ids of these requisitions that list no insurance, in ascending order.

    Requisitions out of scope are left out.
    """
    repository = work.build_repository(RequisitionRepository)
    ids_without_insurance = await repository.list_without_insurance(rules.deduplicate_ids(ids))
    await work.audit("read", "requisition", ids_without_insurance)
    return ids_without_insurance


async def change_bill_to(work: Work, body: BillToRequest) -> SignedList:
    """Change who is billed for these requisitions, all or none.

    Raises:
        BadInput: the body has no ids, or no bill-to.
        NotFound: a requisition does not exist or is out of scope.
        RequisitionReadOnly: a requisition is done or canceled; the message names it.
        StaleVersion: the version of a requisition differs from the body's; the message names it.
    """
    ids = rules.deduplicate_ids(body.ids)
    errors = []
    if error := rules.validate_bill_to(body.bill_to):
        errors.append(error)
    if body.bill_to is None:
        errors.append(FieldError("billTo", messages.VALUE_REQUIRED))
    if not ids:
        errors.append(FieldError("ids", messages.VALUE_REQUIRED))
    require_no_errors(errors)
    assert body.bill_to is not None
    records = await lock_requisitions(work, ids)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    for requisition_id in ids:
        requisition = records[requisition_id].requisition
        require_allowed(rules.judge_change(work.actor, build_state(requisition)))
        if body.versions.get(requisition_id, requisition.version) != requisition.version:
            raise await _describe_stale_version(work, requisition)
        requisition.bill_to = body.bill_to
        requisition.version += 1
    changed_requisitions = [records[i].requisition for i in ids]
    update_requisitions(work.statements, changed_requisitions, ("bill_to", "version"))
    await work.audit("change", "requisition", ids, {"fields": ["bill_to"]})
    return SignedList(data=[Signed(id=row.id, version=row.version) for row in changed_requisitions])


async def _describe_stale_version(work: Work, requisition: Requisition) -> StaleVersion:
    name = await find_last_editor(work, requisition) or messages.SOMEBODY_ELSE
    return StaleVersion(messages.REQUISITION_CHANGED_BY.format(code=requisition.code, name=name))
