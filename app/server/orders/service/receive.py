"""The lab receives a requisition: it turns Done and an order begins (DECISIONS, Ordering)."""

from app.basics.clock import lab_now
from app.basics.errors import BadInput, FieldError, NotFound
from app.basics.text import capitalise
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, ResultStatus
from app.contract.limits import BULK_IDS_MAX
from app.server.access.work import Work
from app.server.orders.models import Order, OrderTest
from app.server.requisitions import rules
from app.server.requisitions.errors import TransitionNotAllowed
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import Received, ReceiveRequest
from app.server.requisitions.service.status import move


async def receive(work: Work, body: ReceiveRequest) -> list[Received]:
    """Receive some requisitions, all or none, by ids or by one scanned code.

    Raises:
        NotFound: one does not exist.
        BadInput: nothing was named.
        TransitionNotAllowed: one is canceled or was received already; the message says which.
    """
    repository = RequisitionRepository(work.session, work.actor)
    ids = rules.unique(body.ids)
    if body.code:
        scanned = await repository.by_code(capitalise(body.code) or "")
        if scanned is None:
            raise NotFound(messages.NOT_FOUND)
        ids = [scanned.id]
    if not ids:
        raise BadInput(
            messages.VALUE_REQUIRED, errors=(FieldError("ids", messages.VALUE_REQUIRED),)
        )
    if len(ids) > BULK_IDS_MAX:
        raise BadInput(messages.TOO_MANY_IDS.format(max=BULK_IDS_MAX))
    records = await repository.many(Requisition, ids, lock=True)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    received = [await _begin_order(work, repository, records[i]) for i in ids]
    await work.audit("receive", "requisition", ids)
    await work.audit("begin", "order", [entry.order_id for entry in received])
    return received


async def _begin_order(
    work: Work, repository: RequisitionRepository, requisition: Requisition
) -> Received:
    if requisition.status == RequisitionStatus.DONE:
        raise TransitionNotAllowed(
            messages.REQUISITION_ALREADY_RECEIVED.format(
                code=requisition.code, order=rules.order_code(requisition.code)
            )
        )
    move(requisition, RequisitionStatus.DONE)
    order = Order(
        code=rules.order_code(requisition.code),
        requisition_id=requisition.id,
        status=OrderStatus.PENDING,
        received_at=lab_now(work.portal.settings.time_zone),
        received_by=work.actor.user_id,
        has_critical=False,
        has_abnormal=False,
        version=1,
        **{name: getattr(requisition, name) for name in _CARRIED},
    )
    work.session.add(order)
    await work.session.flush()
    rows: dict[int, OrderTest] = {}
    for source, test in (await repository.parts(requisition.id)).tests:
        parent = rows.get(source.parent_id) if source.parent_id else None
        row = OrderTest(
            order_id=order.id,
            test_id=test.id,
            parent_id=parent.id if parent else None,
            level=source.level,
            position=source.position,
            name=test.name,
            kind=test.kind,
            is_panel=test.is_panel,
            is_confidential=source.is_confidential,
            status=ResultStatus.NONE if test.is_panel else ResultStatus.PENDING,
        )
        work.session.add(row)
        if test.is_panel:
            await work.session.flush()
        rows[source.id] = row
    await work.session.flush()
    return Received(
        requisition_id=requisition.id,
        requisition_code=requisition.code,
        order_id=order.id,
        order_code=order.code,
    )


_CARRIED = (
    "client_id",
    "physician_id",
    "patient_id",
    "patient_last_name",
    "patient_first_name",
    "patient_middle_name",
    "patient_birth_date",
    "patient_gender",
    "unit_id",
    "unit_name",
    "room_name",
    "bed",
    "collection_date",
)
