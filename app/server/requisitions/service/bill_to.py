"""Update Bill To of one or many (O 2.5; DECISIONS 'all or nothing')."""

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
from app.server.requisitions.loading import load_many
from app.server.requisitions.schemas import BillToRequest, Signed, SignedList
from app.server.requisitions.states import state_of
from app.server.requisitions.storing import update_requisitions


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
    records = await load_many(work, ids)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    for requisition_id in ids:
        requisition, _ = records[requisition_id]
        require_allowed(rules.judge_change(work.actor, state_of(requisition)))
        if body.versions.get(requisition_id, requisition.version) != requisition.version:
            raise StaleVersion(messages.REQUISITION_CHANGED_BY_OTHER.format(code=requisition.code))
        requisition.bill_to = body.bill_to
        requisition.version += 1
    changed = [records[i][0] for i in ids]
    update_requisitions(work.statements, changed, ("bill_to", "version"))
    await work.audit("change", "requisition", ids, {"fields": ["bill_to"]})
    return SignedList(data=[Signed(id=each.id, version=each.version) for each in changed])
