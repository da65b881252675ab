"""Begins orders: a received requisition becomes Done and gets an order (DECISIONS)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from app.basics.clock import get_lab_now
from app.basics.errors import BadInput, FieldError, NotFound, require_allowed
from app.basics.text import to_upper_case
from app.contract import messages
from app.contract.enumerations import BillTo, OrderStatus, RequisitionStatus, ResultStatus
from app.server.access.work import Work
from app.server.database.records import build_record
from app.server.orders.completeness import BillingState, find_missing_parts
from app.server.orders.errors import FutureCollection
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository, ReceivableRequisition
from app.server.orders.rules import ACCEPTABLE
from app.server.patients.snapshot import SNAPSHOT
from app.server.requisitions import rules
from app.server.requisitions.service.status import change_status
from app.server.requisitions.states import build_state


@dataclass(frozen=True)
class BegunOrder:
    """A new order, which the commit stores, and what it was made of."""

    order: Order
    record: ReceivableRequisition


async def begin_orders(
    work: Work, ids: Sequence[int], code: str | None, *, accepts_future: bool
) -> list[BegunOrder]:
    """Begin an order for each of these requisitions, all or none; the caller stores them.

    The requisitions are named by ids, by one scanned code, or both.

    Raises:
        NotFound: a requisition does not exist.
        BadInput: there are neither ids nor a code.
        TransitionNotAllowed: a requisition is canceled or already received; the message names it.
        FutureCollection: a collection time is in the future, and ``accepts_future`` is false.
    """
    scanned_code = to_upper_case(code)
    if code and not scanned_code:
        raise NotFound(messages.NOT_FOUND)
    if not ids and not scanned_code:
        raise BadInput.of(FieldError("ids", messages.VALUE_REQUIRED))
    repository = work.build_repository(OrderRepository)
    locked_requisitions = await repository.lock_requisitions(ids, scanned_code)
    records = {record.requisition.id: record for record in locked_requisitions}
    scanned_ids = [i for i, record in records.items() if record.requisition.code == scanned_code]
    all_ids = rules.deduplicate_ids([*ids, *scanned_ids])
    if not records.keys() >= set(all_ids) or (scanned_code and not scanned_ids):
        raise NotFound(messages.NOT_FOUND)
    requisitions = [records[i] for i in all_ids]
    for record in requisitions:
        state = build_state(record.requisition)
        require_allowed(rules.judge_receiving(work.actor, state))
        change_status(record.requisition, RequisitionStatus.DONE)
    received_at = get_lab_now(work.portal.settings.time_zone)
    if not accepts_future:
        _require_past_collections(requisitions, received_at)
    return [BegunOrder(_build_order(work, record, received_at), record) for record in requisitions]


async def store_orders(work: Work, new_orders: Sequence[BegunOrder]) -> None:
    """Store new orders with their tests, and their requisitions, at the commit."""
    requisitions = [begun_order.record.requisition for begun_order in new_orders]
    orders = [begun_order.order for begun_order in new_orders]
    tests = [
        _build_test_row(begun_order.record, test)
        for begun_order in new_orders
        for test in begun_order.record.tests
    ]
    work.build_repository(OrderRepository).create_orders(requisitions, orders, tests)
    await work.audit("receive", "requisition", [requisition.id for requisition in requisitions])
    await work.audit("begin", "order", [order.id for order in orders])


def _require_past_collections(
    received_requisitions: list[ReceivableRequisition], now: datetime
) -> None:
    requisitions = [record.requisition for record in received_requisitions]
    codes = [requisition.code for requisition in requisitions if requisition.collection_date > now]
    if codes:
        raise FutureCollection(messages.COLLECTION_IN_FUTURE.format(codes=", ".join(codes)))


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
        "specimen_condition": ACCEPTABLE,
        "awaits_collection": False,
        "collection_sites": [],
        "entry_alert": None,
        "lacks_info": bool(find_missing_parts(_build_billing_state(record))),
        "version": 1,
        **{name: getattr(requisition, name) for name in _COPIED_COLUMNS},
    }
    return build_record(Order, columns)


def _build_billing_state(record: ReceivableRequisition) -> BillingState:
    return BillingState(
        has_physician=record.requisition.physician_id is not None,
        has_diagnosis=record.has_diagnosis,
        bill_to=BillTo(record.requisition.bill_to),
        insurance=record.insurance,
    )


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
