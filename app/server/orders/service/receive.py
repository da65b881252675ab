"""The lab receives a requisition: it turns Done and an order begins (DECISIONS, Ordering)."""

from datetime import datetime
from typing import Any

from app.basics.clock import lab_now
from app.basics.errors import BadInput, FieldError, NotFound, require_allowed
from app.basics.text import capitalise
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, ResultStatus
from app.server.access.work import Work
from app.server.database.records import record_of
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository, ToReceive
from app.server.orders.schemas import Received, ReceiveRequest
from app.server.patients.snapshot import SNAPSHOT
from app.server.requisitions import rules
from app.server.requisitions.service.status import change_status
from app.server.requisitions.states import build_state


async def receive(work: Work, body: ReceiveRequest) -> list[Received]:
    """Receive some requisitions, all or none, by ids, by one scanned code, or both.

    Raises:
        NotFound: one does not exist.
        BadInput: nothing was named.
        TransitionNotAllowed: one is canceled or was received already; the message says which.
    """
    code = capitalise(body.code)
    if body.code and not code:
        raise NotFound(messages.NOT_FOUND)
    if not body.ids and not code:
        raise BadInput.of(FieldError("ids", messages.VALUE_REQUIRED))
    repository = work.repository(OrderRepository)
    named = await repository.requisitions_to_receive(body.ids, code)
    records = {each.requisition.id: each for each in named}
    scanned = [i for i, each in records.items() if each.requisition.code == code]
    ids = rules.deduplicate_ids([*body.ids, *scanned])
    if not records.keys() >= set(ids) or (code and not scanned):
        raise NotFound(messages.NOT_FOUND)
    received = [records[i] for i in ids]
    for each in received:
        judged = rules.judge_receiving(work.actor, build_state(each.requisition))
        require_allowed(judged)
        change_status(each.requisition, RequisitionStatus.DONE)
    received_at = lab_now(work.portal.settings.time_zone)
    orders = [_order_of(work, each, received_at) for each in received]
    tests = [_test_of(each, test) for each in received for test in each.tests]
    repository.begin_orders([each.requisition for each in received], orders, tests)
    await work.audit("receive", "requisition", ids)
    await work.audit("begin", "order", [order.id for order in orders])
    return [
        Received(
            requisition_id=order.requisition_id,
            requisition_code=each.requisition.code,
            order_id=order.id,
            order_code=order.code,
            collection_to_come=(
                order.collection_date if order.collection_date > order.received_at else None
            ),
        )
        for order, each in zip(orders, received, strict=True)
    ]


def _order_of(work: Work, received: ToReceive, received_at: datetime) -> Order:
    requisition = received.requisition
    columns: dict[str, Any] = {
        "id": received.order_id,
        "code": rules.format_order_code(requisition.code),
        "requisition_id": requisition.id,
        "status": OrderStatus.PENDING,
        "received_at": received_at,
        "received_by": work.actor.user_id,
        "has_critical": False,
        "has_abnormal": False,
        "version": 1,
        **{name: getattr(requisition, name) for name in _CARRIED},
    }
    return record_of(Order, columns)


def _test_of(received: ToReceive, test: dict[str, Any]) -> dict[str, Any]:
    status = ResultStatus.NONE if test["is_panel"] else ResultStatus.PENDING
    return {**test, "order_id": received.order_id, "status": status}


_CARRIED = (
    "client_id",
    "physician_id",
    "patient_id",
    "collection_date",
    *SNAPSHOT,
)
