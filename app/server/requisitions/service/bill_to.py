"""Update Bill To of one or many (O 2.5; DECISIONS 'all or nothing')."""

from app.basics.errors import FieldError, NotFound, StaleVersion, require_no_errors
from app.contract import messages
from app.server.access.work import Work
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import BillToRequest, Signed, SignedList
from app.server.requisitions.service.save import refuse_read_only


async def change_bill_to(work: Work, body: BillToRequest) -> SignedList:
    """Bill these requisitions to somebody else, all or none; the message names the one that
    stopped it.

    Raises:
        BadInput: no ids, or no choice.
        NotFound: one is not the actor's, and nothing is changed.
        RequisitionReadOnly: one is done or canceled.
        StaleVersion: a version given is not the present one.
    """
    ids = rules.unique(body.ids)
    errors = [e for e in (rules.bill_to_error(body.bill_to),) if e]
    if body.bill_to is None:
        errors.append(FieldError("billTo", messages.VALUE_REQUIRED))
    if not ids:
        errors.append(FieldError("ids", messages.VALUE_REQUIRED))
    require_no_errors(errors)
    assert body.bill_to is not None
    repository = work.repository(RequisitionRepository)
    records = await repository.many(Requisition, ids, lock=True)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    for requisition_id in ids:
        requisition = records[requisition_id]
        refuse_read_only(requisition)
        if body.versions.get(requisition_id, requisition.version) != requisition.version:
            raise StaleVersion(messages.REQUISITION_CHANGED_BY_OTHER.format(code=requisition.code))
        requisition.bill_to = body.bill_to
        requisition.version += 1
    await work.session.flush()
    await work.audit("change", "requisition", ids, {"fields": ["bill_to"]})
    return SignedList(data=[Signed(id=i, version=records[i].version) for i in ids])
