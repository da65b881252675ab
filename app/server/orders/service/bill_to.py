"""Updates Bill To of one or more orders (R 7; DECISIONS, 'Who')."""

from collections.abc import Sequence

from app.basics.errors import (
    FieldError,
    NotFound,
    require_allowed,
    require_no_errors,
)
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.access.work import Work
from app.server.orders import rules
from app.server.orders.completeness import BILL_TO, BillingState
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import OrderVersion, OrderVersions
from app.server.orders.service.completions import build_completion
from app.server.orders.service.status import build_state
from app.server.orders.service.versions import reject_stale_orders
from app.server.requisitions.loading import lock_requisitions
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import MAIN, RequisitionRepository
from app.server.requisitions.rules import deduplicate_ids, validate_bill_to
from app.server.requisitions.schemas import BillToRequest
from app.server.requisitions.storing import update_requisitions


async def change_bill_to(work: Work, body: BillToRequest) -> OrderVersions:
    """Change who is billed for these orders, all or none.

    The requisitions store it, and each order whose bill-to differed notes who changed it.

    Raises:
        BadInput: the body has no ids, or no bill-to.
        NotFound: an order does not exist or is out of scope.
        OrderReadOnly: an order is canceled; the message names it.
        StaleVersion: orders have changed since they were shown; each such order has a field error.
    """
    ids = deduplicate_ids(body.ids)
    errors = []
    if error := validate_bill_to(body.bill_to):
        errors.append(error)
    if body.bill_to is None:
        errors.append(FieldError("billTo", messages.VALUE_REQUIRED))
    if not ids:
        errors.append(FieldError("ids", messages.VALUE_REQUIRED))
    require_no_errors(errors)
    assert body.bill_to is not None
    orders, requisitions = await _lock_orders(work, ids)
    for order in orders:
        require_allowed(rules.judge_bill_to_change(work.actor, build_state(order)))
    reject_stale_orders(
        [order for order in orders if body.versions.get(order.id, order.version) != order.version]
    )
    changed_pairs = [
        (order, requisition)
        for order, requisition in zip(orders, requisitions, strict=True)
        if requisition.bill_to != body.bill_to
    ]
    for requisition in requisitions:
        requisition.bill_to = body.bill_to
        requisition.version += 1
    update_requisitions(work.statements, requisitions, ("bill_to", "version"))
    if changed_pairs:
        await _note_changes(work, changed_pairs)
    await work.audit("change", "order", ids, {"fields": ["bill_to"]})
    # A trigger makes the new version of each order with a note.
    noted_ids = {order.id for order, _ in changed_pairs}
    return OrderVersions(
        data=[
            OrderVersion(id=o.id, version=o.version + 1 if o.id in noted_ids else o.version)
            for o in orders
        ]
    )


async def _lock_orders(work: Work, ids: Sequence[int]) -> tuple[list[Order], list[Requisition]]:
    """Return these orders and their requisitions, locked, or raise NotFound.

    People outside the lab cannot lock orders, so only the requisitions are locked.
    """
    repository = work.build_repository(OrderRepository)
    unlocked_orders = await repository.load_orders(ids)
    if len(unlocked_orders) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    requisition_ids = [unlocked_orders[i].requisition_id for i in ids]
    locked_requisitions = await lock_requisitions(work, requisition_ids)
    if len(locked_requisitions) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    # The orders may have changed while this request waited for the locks.
    work.session.expire_all()
    orders = await repository.load_orders(ids)
    if len(orders) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    return [orders[i] for i in ids], [locked_requisitions[i].requisition for i in requisition_ids]


async def _note_changes(work: Work, changed_pairs: Sequence[tuple[Order, Requisition]]) -> None:
    requisitions = [requisition for _, requisition in changed_pairs]
    repository = work.build_repository(RequisitionRepository)
    parts = await repository.load_parts(requisitions)
    insurance = await repository.load_insurance(requisitions)
    rows = []
    for order, requisition in changed_pairs:
        state = BillingState(
            has_physician=order.physician_id is not None,
            has_diagnosis=any(row.purpose == MAIN for row, _ in parts[requisition.id].diagnoses),
            bill_to=BillTo(requisition.bill_to),
            insurance=[row.snapshot for row in insurance[requisition.id]],
        )
        rows.append(
            build_completion(
                work,
                order.id,
                [BILL_TO],
                state,
                physician_id=order.physician_id,
                comment=order.billing_comment,
                was_signed=requisition.has_signature,
            )
        )
    work.build_repository(OrderRepository).create_completions(rows)
