"""Reads orders (R 2.2)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from app.basics.errors import NotFound, PortalError
from app.contract import messages
from app.contract.enumerations import (
    OrderStatus,
    ReasonKind,
    Reopening,
    ResultKind,
    ResultStatus,
    Withholding,
)
from app.contract.limits import RESULT_COLUMNS_MAX
from app.server.access.reader import Reader
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.addresses.schemas import ZipCodeShape
from app.server.catalog.repository import CatalogRepository
from app.server.lab_settings.repository import ReasonRepository, SettingRepository
from app.server.orders import loading, rules
from app.server.orders.loading import OpenedOrder
from app.server.orders.models import Order, OrderTest
from app.server.orders.repository import Addition, OrderRepository
from app.server.orders.schemas import (
    AddedTestRead,
    CancellationReason,
    ClientOfOrder,
    OrderedTestRead,
    OrderRead,
    PatientOfOrder,
    PlaceName,
    ReopenedAcknowledgment,
    ResultColumn,
    ResultsTypes,
)
from app.server.orders.service.status import build_state
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.rules import judge_signing, judge_unsigning
from app.server.requisitions.states import build_state as build_requisition_state


async def get_order(work: Work, order_id: int, *, lock: bool = False) -> Order:
    """Return the order, or raise NotFound when it does not exist or is out of scope."""
    order = await work.build_repository(OrderRepository).find(order_id, lock=lock)
    if order is None:
        raise NotFound(messages.NOT_FOUND)
    return order


async def open_order(reader: Reader, order_id: int) -> OrderRead:
    """Return an order with the sections of its header, or raise NotFound."""
    return _build_order(reader.actor, await loading.open_order(reader, order_id))


async def read_order(work: Work, order_id: int) -> OrderRead:
    """Return an order as ``open_order`` does, within the transaction of a write."""
    return _build_order(work.actor, await loading.reopen_order(work, order_id))


def _build_order(actor: Actor, opened_order: OpenedOrder) -> OrderRead:
    order, requisition = opened_order.order, opened_order.requisition
    state = build_state(order)
    signing_errors = _judge_signature(actor, opened_order)
    flags = opened_order.settings.get("result-entry", {})
    alert = rules.AlertState(
        order.has_critical,
        order.has_unexpected_positive,
        opened_order.settings.get("toxicology", {}).get("abnormalResult"),
    )
    cancellations = _build_cancellations(
        opened_order.canceled, opened_order.reason_words, opened_order.user_names
    )
    additions = _build_additions(actor, opened_order.additions, opened_order.user_names)
    return OrderRead(
        id=order.id,
        code_value=order.code,
        version=order.version,
        status=order.status,
        has_alert=alert.has_alert,
        alert=rules.find_alert(alert),
        alert_badges=rules.list_alert_badges(alert),
        critical_kinds=rules.list_families(order.critical_kinds),
        has_signature=bool(requisition and requisition.has_signature),
        has_toxicology_unexpected_positive=order.has_unexpected_positive,
        patient=_build_patient(opened_order),
        physician=_build_physician(opened_order.physician),
        patient_client=_build_client(opened_order.client) if opened_order.client else None,
        collection_date=order.collection_date,
        received_date=order.received_at,
        reported=order.reported_at,
        specimen_condition=order.specimen_condition,
        awaits_collection=order.awaits_collection,
        collection_sites=[PlaceName(name=name) for name in order.collection_sites],
        entry_alert=order.entry_alert,
        has_missing_info=order.lacks_info and order.status != OrderStatus.CANCELED,
        cancellation_reasons=cancellations.get(order.id, []),
        added_tests=additions.get(order.id, []),
        report_comment=order.report_comment,
        requisition_id=order.requisition_id,
        requisition_code=requisition.code if requisition else None,
        online_ack_user=order.acknowledged_by_name if actor.sees_user_names else None,
        online_ack_date_time=order.acknowledged_at,
        is_unread=order.is_unread,
        is_unread_by_physician=order.is_unread_by_physician,
        reopened=_build_reopened(actor, opened_order),
        can_complete=Permission.of(rules.judge_completing(actor, state)),
        can_acknowledge=Permission.of(rules.judge_acknowledging(actor, state)),
        can_attach=Permission.of(rules.judge_attaching(actor, state)),
        can_sign=Permission.of(signing_errors[0]),
        can_unsign=Permission.of(signing_errors[1]),
        can_enter_results=Permission.of(rules.judge_entering(actor, flags, state)),
        can_release=Permission.of(rules.judge_releasing(actor, state)),
        can_cancel=Permission.of(rules.judge_canceling(actor, state)),
        can_reinstate=Permission.of(rules.judge_reinstating(actor, state)),
    )


def _build_reopened(actor: Actor, opened_order: OpenedOrder) -> ReopenedAcknowledgment | None:
    is_reopened = actor.role in rules.ACKNOWLEDGERS and opened_order.reopened is not None
    if not is_reopened or opened_order.acknowledged is None or opened_order.reopened is None:
        return None
    return ReopenedAcknowledgment(
        acknowledged=opened_order.acknowledged,
        changed=opened_order.reopened,
        kind=Reopening(opened_order.reopened_by) if opened_order.reopened_by else None,
    )


async def load_cancellations(
    work: Work, order_ids: Sequence[int]
) -> dict[int, list[CancellationReason]]:
    """Load the reasons for canceled tests of these orders, by order id, in a few statements."""
    repository = work.build_repository(OrderRepository)
    canceled_tests = await repository.list_canceled_tests(order_ids)
    if not canceled_tests:
        return {}
    kind = ReasonKind.CANCELLATION
    reason_names = (await work.build_repository(ReasonRepository).load_names(kind))[kind]
    user_names: Mapping[UUID, str] = {}
    if work.actor.sees_user_names:
        user_names = await repository.load_user_names(test.canceled_by for test in canceled_tests)
    return _build_cancellations(canceled_tests, reason_names, user_names)


def _build_cancellations(
    canceled_tests: Iterable[OrderTest],
    reason_names: Mapping[str, str],
    user_names: Mapping[UUID, str],
) -> dict[int, list[CancellationReason]]:
    """Build the reasons for canceled tests, by order id; ``reason_names`` is by code."""
    reasons: dict[int, dict[tuple[object, ...], CancellationReason]] = {}
    for test in canceled_tests:
        assert test.canceled_at is not None
        code = test.cancel_reason or ""
        key = (code, test.cancel_words, test.canceled_at, test.canceled_by)
        reason = CancellationReason(
            name=reason_names.get(code, code),
            words=test.cancel_words,
            tests=[],
            canceled_at=test.canceled_at,
            canceled_by=user_names.get(test.canceled_by) if test.canceled_by else None,
        )
        of_order = reasons.setdefault(test.order_id, {})
        of_order.setdefault(key, reason).tests.append(test.name)
    return {order_id: list(of_order.values()) for order_id, of_order in reasons.items()}


async def load_additions(work: Work, order_ids: Sequence[int]) -> Mapping[int, list[AddedTestRead]]:
    """Load the tests that rules added to these orders, with the reasons, by order id."""
    repository = work.build_repository(OrderRepository)
    additions = await repository.list_additions(order_ids)
    names: Mapping[UUID, str] = {}
    if additions and work.actor.sees_user_names:
        names = await repository.load_user_names(addition.added_by for addition in additions)
    return _build_additions(work.actor, additions, names)


def _build_additions(
    actor: Actor, additions: Iterable[Addition], names: Mapping[UUID, str]
) -> dict[int, list[AddedTestRead]]:
    reasons: dict[int, list[AddedTestRead]] = {}
    for addition in additions:
        person = names.get(addition.added_by) if addition.added_by else messages.AUTOVERIFICATION
        reason = AddedTestRead(
            name=addition.test,
            is_canceled=addition.is_canceled,
            because=rules.format_addition(_build_reason(addition)),
            is_reason_gone=addition.is_reason_gone,
            added_at=addition.added_at,
            added_by=person if actor.sees_user_names else None,
        )
        reasons.setdefault(addition.order_id, []).append(reason)
    return reasons


def _build_reason(addition: Addition) -> rules.AdditionReason:
    """Build the reason as the actor may see it; equal values are no correction."""
    was, now = (addition.value, addition.flag), (addition.new_value, addition.new_flag)
    return rules.AdditionReason(
        trigger=addition.trigger,
        was=rules.format_flagged(was[0], was[1]) if was[0] is not None else None,
        now=rules.format_flagged(now[0], now[1]) if now[0] is not None and now != was else None,
        is_withdrawn=addition.withheld == Withholding.WITHDRAWN,
        is_gone=addition.is_reason_gone,
    )


async def list_tests(work: Work, order_id: int) -> list[OrderedTestRead]:
    """Return the tests and panels of an order by position, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order", [order.id])
    return [
        OrderedTestRead(
            id=test.id,
            parent_id=test.parent_id,
            level=test.level,
            name=test.name,
            kind=test.kind,
            is_panel=test.is_panel,
            status=test.status,
            awaits_collection=test.needs_specimen,
            can_cancel=test.status != ResultStatus.CANCELED
            and rules.is_cancelable(
                ResultStatus(test.status), Withholding(test.withheld) if test.withheld else None
            ),
        )
        for test in await work.build_repository(OrderRepository).list_tests(order)
    ]


def _judge_signature(
    actor: Actor, opened_order: OpenedOrder
) -> tuple[PortalError | None, PortalError | None]:
    """Return why the actor may not sign the order, and why the actor may not unsign it."""
    if opened_order.requisition is None:
        error = NotFound(messages.NOT_FOUND)
        return error, error
    status = OrderStatus(opened_order.order.status)
    state = build_requisition_state(opened_order.requisition, opened_order.signature, status)
    return judge_signing(actor, state), judge_unsigning(actor, state)


async def read_results_types(reader: Reader, order_id: int) -> ResultsTypes:
    """Return the kinds of result that the order has, or raise NotFound."""
    kinds = await loading.fetch_result_kinds(reader, order_id)
    return ResultsTypes(
        has_clinical_result=ResultKind.CLINICAL in kinds,
        has_microbiology_result=ResultKind.MICROBIOLOGY in kinds,
        has_toxicology_result=ResultKind.TOXICOLOGY in kinds,
        has_pathology_result=ResultKind.PATHOLOGY in kinds,
    )


def _build_patient(opened_order: OpenedOrder) -> PatientOfOrder:
    order, patient = opened_order.order, opened_order.patient or {}
    return PatientOfOrder(
        id=order.patient_id,
        code=patient.get("code", opened_order.patient_code),
        first_name=order.patient_first_name,
        middle_name=order.patient_middle_name,
        last_name=order.patient_last_name,
        birth_date=order.patient_birth_date,
        gender=order.patient_gender,
        address=patient.get("address"),
        zip_code=_build_zip_code(patient.get("zip_code")),
        phone=patient.get("phone"),
        room=PlaceName(name=order.room_name) if order.room_name else None,
        unit=PlaceName(name=order.unit_name) if order.unit_name else None,
        bed=order.bed,
        primary_physician=_build_physician(patient.get("primary_physician")),
    )


def _build_client(client: Mapping[str, Any]) -> ClientOfOrder:
    return ClientOfOrder(
        code=client["code"],
        name=client["name"],
        address=client["address"],
        zip_code=_build_zip_code(client["zip_code"]),
        phone=client["phone"],
        fax=client["fax"],
    )


def _build_physician(values: Mapping[str, Any] | None) -> PhysicianShape | None:
    return PhysicianShape.model_validate(values) if values else None


def _build_zip_code(values: Mapping[str, Any] | None) -> ZipCodeShape | None:
    return ZipCodeShape.model_validate(values) if values else None


async def list_result_columns(work: Work) -> list[ResultColumn]:
    """List the tests with a column in the order search, in the lab's order."""
    group = await work.build_repository(SettingRepository).load_group(rules.RESULT_COLUMNS_SETTING)
    ids = group.get("tests", [])[:RESULT_COLUMNS_MAX]
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    return [
        ResultColumn(id=test.id, code=test.code, name=test.name, unit=test.unit)
        for test in (tests[i] for i in ids if i in tests)
    ]
