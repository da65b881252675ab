"""Receives requisitions: each becomes Done, with a new order (DECISIONS, Ordering)."""

from datetime import datetime
from typing import Any

from app.basics.clock import get_lab_now
from app.basics.errors import BadInput, FieldError, NotFound, require_allowed
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.enumerations import OrderStatus, RequisitionStatus, ResultStatus
from app.server.access.work import Work
from app.server.database.records import build_record
from app.server.orders.errors import FutureCollection
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository, ReceivableRequisition
from app.server.orders.schemas import Received, ReceiveRequest
from app.server.patients.snapshot import SNAPSHOT
from app.server.requisitions import rules
from app.server.requisitions.service.status import change_status
from app.server.requisitions.states import build_state


async def receive_requisitions(work: Work, body: ReceiveRequest) -> list[Received]:
    """Receive requisitions by ids, by one scanned code, or both; all or none.

    Raises:
        NotFound: a requisition does not exist.
        BadInput: the body has neither ids nor a code.
        TransitionNotAllowed: a requisition is canceled or already received; the message names it.
        FutureCollection: a collection time is in the future, which the body does not accept.
    """
    code = to_upper_case(body.code)
    if body.code and not code:
        raise NotFound(messages.NOT_FOUND)
    if not body.ids and not code:
        raise BadInput.of(FieldError("ids", messages.VALUE_REQUIRED))
    repository = work.build_repository(OrderRepository)
    locked = await repository.lock_requisitions(body.ids, code)
    records = {record.requisition.id: record for record in locked}
    scanned_ids = [i for i, record in records.items() if record.requisition.code == code]
    ids = rules.deduplicate_ids([*body.ids, *scanned_ids])
    if not records.keys() >= set(ids) or (code and not scanned_ids):
        raise NotFound(messages.NOT_FOUND)
    received = [records[i] for i in ids]
    for record in received:
        state = build_state(record.requisition)
        require_allowed(rules.judge_receiving(work.actor, state))
        change_status(record.requisition, RequisitionStatus.DONE)
    received_at = get_lab_now(work.portal.settings.time_zone)
    if not body.accepts_future:
        _require_collected(received, received_at)
    orders = [_build_order(work, record, received_at) for record in received]
    tests = [_build_test_row(record, test) for record in received for test in record.tests]
    repository.create_orders([record.requisition for record in received], orders, tests)
    await work.audit("receive", "requisition", ids)
    await work.audit("begin", "order", [order.id for order in orders])
    return [
        Received(
            requisition_id=order.requisition_id,
            requisition_code=record.requisition.code,
            patient_last_name=order.patient_last_name,
            patient_first_name=order.patient_first_name,
            order_id=order.id,
            order_code=order.code,
            collection_to_come=(
                order.collection_date if order.collection_date > order.received_at else None
            ),
        )
        for order, record in zip(orders, received, strict=True)
    ]


def _require_collected(received: list[ReceivableRequisition], now: datetime) -> None:
    requisitions = [record.requisition for record in received]
    codes = [each.code for each in requisitions if each.collection_date > now]
    if codes:
        raise FutureCollection(messages.COLLECTION_TO_COME.format(codes=", ".join(codes)))


def _build_order(work: Work, record: ReceivableRequisition, received_at: datetime) -> Order:
    requisition = record.requisition
    columns: dict[str, Any] = {
        "id": record.order_id,
        "code": rules.format_order_code(requisition.code),
        "requisition_id": requisition.id,
        "status": OrderStatus.PENDING,
        "received_at": received_at,
        "received_by": work.actor.user_id,
        "has_critical": False,
        "has_abnormal": False,
        "has_unexpected_positive": False,
        "critical_kinds": 0,
        "abnormal_kinds": 0,
        "version": 1,
        **{name: getattr(requisition, name) for name in _COPIED_COLUMNS},
    }
    return build_record(Order, columns)


def _build_test_row(record: ReceivableRequisition, test: dict[str, Any]) -> dict[str, Any]:
    status = ResultStatus.NONE if test["is_panel"] else ResultStatus.PENDING
    return {**test, "order_id": record.order_id, "status": status}


_COPIED_COLUMNS = (
    "client_id",
    "physician_id",
    "patient_id",
    "collection_date",
    "test_ids",
    *SNAPSHOT,
)
