"""Updates Bill To of one or more requisitions (O 2.5; DECISIONS 'all or nothing')."""

from collections.abc import Sequence

from app.basics.errors import FieldError, NotFound, require_allowed, require_no_errors
from app.contract import messages
from app.server.access.work import Work
from app.server.requisitions import rules
from app.server.requisitions.loading import lock_requisitions
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import BillToRequest, Signed, SignedList
from app.server.requisitions.service.versions import require_versions
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
        StaleVersion: the version of a requisition differs from the body's; the message names all
            such requisitions.
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
    requisitions = [records[i].requisition for i in ids]
    for requisition in requisitions:
        require_allowed(rules.judge_change(work.actor, build_state(requisition)))
    await require_versions(
        work,
        requisitions,
        body.versions,
        messages.REQUISITION_CHANGED,
        messages.REQUISITIONS_CHANGED,
    )
    for requisition in requisitions:
        requisition.bill_to = body.bill_to
        requisition.version += 1
    update_requisitions(work.statements, requisitions, ("bill_to", "version"))
    await work.audit("change", "requisition", ids, {"fields": ["bill_to"]})
    return SignedList(data=[Signed(id=row.id, version=row.version) for row in requisitions])
