"""The lab receives a requisition: it turns Done and an order begins (DECISIONS, Ordering)."""

from collections.abc import Sequence

from app.basics.clock import lab_now
from app.basics.errors import BadInput, FieldError, NotFound
from app.basics.text import capitalise
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, ResultStatus
from app.server.access.work import Work
from app.server.catalog.models import LabTest
from app.server.orders.models import Order, OrderTest
from app.server.orders.schemas import Received, ReceiveRequest
from app.server.patients.snapshot import SNAPSHOT
from app.server.requisitions import rules
from app.server.requisitions.errors import TransitionNotAllowed
from app.server.requisitions.models import Requisition, RequisitionTest
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.service.status import move

Ordered = tuple[RequisitionTest, LabTest]


async def receive(work: Work, body: ReceiveRequest) -> list[Received]:
    """Receive some requisitions, all or none, by ids, by one scanned code, or both.

    Raises:
        NotFound: one does not exist.
        BadInput: nothing was named.
        TransitionNotAllowed: one is canceled or was received already; the message says which.
    """
    repository = work.repository(RequisitionRepository)
    ids = list(body.ids)
    if body.code:
        scanned = await repository.by_code(capitalise(body.code) or "")
        if scanned is None:
            raise NotFound(messages.NOT_FOUND)
        ids.append(scanned.id)
    ids = rules.unique(ids)
    if not ids:
        raise BadInput.of(FieldError("ids", messages.VALUE_REQUIRED))
    records = await repository.many(Requisition, ids, lock=True)
    if len(records) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    for requisition_id in ids:
        _refuse_received(records[requisition_id])
        move(records[requisition_id], RequisitionStatus.DONE)
    orders = await _begin_orders(work, [records[i] for i in ids])
    parts = await repository.parts_of(ids)
    await _begin_tests(work, [(order, parts[order.requisition_id].tests) for order in orders])
    await work.audit("receive", "requisition", ids)
    await work.audit("begin", "order", [order.id for order in orders])
    return [
        Received(
            requisition_id=order.requisition_id,
            requisition_code=records[order.requisition_id].code,
            order_id=order.id,
            order_code=order.code,
            collection_to_come=(
                order.collection_date if order.collection_date > order.received_at else None
            ),
        )
        for order in orders
    ]


def _refuse_received(requisition: Requisition) -> None:
    if requisition.status == RequisitionStatus.DONE:
        raise TransitionNotAllowed(
            messages.REQUISITION_ALREADY_RECEIVED.format(
                code=requisition.code, order=rules.order_code(requisition.code)
            )
        )


async def _begin_orders(work: Work, requisitions: Sequence[Requisition]) -> list[Order]:
    received_at = lab_now(work.portal.settings.time_zone)
    orders = [
        Order(
            code=rules.order_code(requisition.code),
            requisition_id=requisition.id,
            status=OrderStatus.PENDING,
            received_at=received_at,
            received_by=work.actor.user_id,
            has_critical=False,
            has_abnormal=False,
            version=1,
            **{name: getattr(requisition, name) for name in _CARRIED},
        )
        for requisition in requisitions
    ]
    work.session.add_all(orders)
    await work.session.flush()
    return orders


async def _begin_tests(work: Work, orders: Sequence[tuple[Order, Sequence[Ordered]]]) -> None:
    """The tests of all these orders, level by level: a member names its panel's row, which then
    has its id. So a thousand orders take as many statements as one."""
    levels: dict[int, list[tuple[Order, Ordered]]] = {}
    for order, ordered in orders:
        for each in ordered:
            levels.setdefault(each[0].level, []).append((order, each))
    rows: dict[int, OrderTest] = {}
    for _, of_level in sorted(levels.items()):
        for order, (source, test) in of_level:
            rows[source.id] = OrderTest(
                order_id=order.id,
                test_id=test.id,
                parent_id=rows[source.parent_id].id if source.parent_id else None,
                level=source.level,
                position=source.position,
                name=test.name,
                kind=test.kind,
                is_panel=test.is_panel,
                is_confidential=source.is_confidential,
                status=ResultStatus.NONE if test.is_panel else ResultStatus.PENDING,
            )
        work.session.add_all(rows[source.id] for _, (source, _) in of_level)
        await work.session.flush()


_CARRIED = (
    "client_id",
    "physician_id",
    "patient_id",
    "collection_date",
    *SNAPSHOT,
)
