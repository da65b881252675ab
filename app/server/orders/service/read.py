"""Reads orders (R 2.2)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from app.basics.errors import NotFound, PortalError
from app.contract import messages
from app.contract.enumerations import (
    OrderStatus,
    ReasonKind,
    ResultKind,
    ResultStatus,
    Withholding,
)
from app.contract.limits import RESULT_COLUMNS_MAX
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.schemas import ZipCodeShape
from app.server.catalog.repository import CatalogRepository
from app.server.clients.models import Client
from app.server.lab_settings.repository import ReasonRepository, SettingRepository
from app.server.orders import rules
from app.server.orders.models import Order
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
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.physicians.repository import PhysicianRepository
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.models import Requisition
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.rules import judge_signing, judge_unsigning
from app.server.requisitions.states import build_state as build_requisition_state


async def get_order(work: Work, order_id: int, *, lock: bool = False) -> Order:
    """Return the order, or raise NotFound when it does not exist or is out of scope."""
    order = await work.build_repository(OrderRepository).find(order_id, lock=lock)
    if order is None:
        raise NotFound(messages.NOT_FOUND)
    return order


async def read_order(work: Work, order_id: int) -> OrderRead:
    """Return an order with the sections of its header, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order", [order.id])
    repository = work.build_repository(OrderRepository)
    requisition = await repository.find_one(Requisition, order.requisition_id)
    physician = await work.build_repository(PhysicianRepository).find_physician(order.physician_id)
    client = await repository.find_one(Client, order.client_id)
    patient = await repository.find_one(Patient, order.patient_id)
    flags = await work.build_repository(SettingRepository).load_group("result-entry")
    state = build_state(order)
    signing_errors = await _judge_signature(work, order, requisition)
    toxicology = await work.build_repository(SettingRepository).load_group("toxicology")
    alert = rules.AlertState(
        order.has_critical, order.has_unexpected_positive, toxicology.get("abnormalResult")
    )
    reopened = await _find_reopened(work, order)
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
        patient=await _build_patient(work, order, patient),
        physician=PhysicianShape.model_validate(physician) if physician else None,
        patient_client=await _build_client(work, client) if client else None,
        collection_date=order.collection_date,
        received_date=order.received_at,
        reported=order.reported_at,
        specimen_condition=order.specimen_condition,
        awaits_collection=order.awaits_collection,
        collection_sites=[PlaceName(name=name) for name in order.collection_sites],
        entry_alert=order.entry_alert,
        has_missing_info=order.lacks_info and order.status != OrderStatus.CANCELED,
        cancellation_reasons=await list_cancellations(work, order.id),
        added_tests=(await load_additions(work, [order.id])).get(order.id, []),
        report_comment=order.report_comment,
        requisition_id=order.requisition_id,
        requisition_code=requisition.code if requisition else None,
        online_ack_user=order.acknowledged_by_name if work.actor.sees_user_names else None,
        online_ack_date_time=order.acknowledged_at,
        is_unread=order.is_unread,
        is_unread_by_physician=order.is_unread_by_physician,
        reopened=reopened,
        can_complete=Permission.of(rules.judge_completing(work.actor, state)),
        can_acknowledge=Permission.of(rules.judge_acknowledging(work.actor, state)),
        can_attach=Permission.of(rules.judge_attaching(work.actor, state)),
        can_sign=Permission.of(signing_errors[0]),
        can_unsign=Permission.of(signing_errors[1]),
        can_enter_results=Permission.of(rules.judge_entering(work.actor, flags, state)),
        can_release=Permission.of(rules.judge_releasing(work.actor, state)),
        can_cancel=Permission.of(rules.judge_canceling(work.actor, state)),
        can_reinstate=Permission.of(rules.judge_reinstating(work.actor, state)),
    )


async def _find_reopened(work: Work, order: Order) -> ReopenedAcknowledgment | None:
    if work.actor.role not in rules.ACKNOWLEDGERS:
        return None
    last = await work.build_repository(OrderRepository).find_reopened(order.id)
    if last is None or last.reopened_at is None:
        return None
    return ReopenedAcknowledgment(acknowledged=last.acknowledged_at, released=last.reopened_at)


async def list_cancellations(work: Work, order_id: int) -> list[CancellationReason]:
    """Return why tests of an order were canceled, each reason with its tests."""
    return (await load_cancellations(work, [order_id])).get(order_id, [])


async def load_cancellations(
    work: Work, order_ids: Sequence[int]
) -> dict[int, list[CancellationReason]]:
    """Load why tests of these orders were canceled, by order id; a few statements load all."""
    repository = work.build_repository(OrderRepository)
    canceled = await repository.list_canceled_tests(order_ids)
    if not canceled:
        return {}
    kind = ReasonKind.CANCELLATION
    words = (await work.build_repository(ReasonRepository).load_words(kind))[kind]
    names: Mapping[UUID, str] = {}
    if work.actor.sees_user_names:
        names = await repository.load_user_names(test.canceled_by for test in canceled)
    reasons: dict[int, dict[tuple[object, ...], CancellationReason]] = {}
    for test in canceled:
        assert test.canceled_at is not None
        code = test.cancel_reason or ""
        key = (code, test.cancel_words, test.canceled_at, test.canceled_by)
        reason = CancellationReason(
            name=words.get(code, code),
            words=test.cancel_words,
            tests=[],
            canceled_at=test.canceled_at,
            canceled_by=names.get(test.canceled_by) if test.canceled_by else None,
        )
        of_order = reasons.setdefault(test.order_id, {})
        of_order.setdefault(key, reason).tests.append(test.name)
    return {order_id: list(of_order.values()) for order_id, of_order in reasons.items()}


async def load_additions(work: Work, order_ids: Sequence[int]) -> Mapping[int, list[AddedTestRead]]:
    """Load which tests rules added to these orders and why, by order id."""
    repository = work.build_repository(OrderRepository)
    additions = await repository.list_additions(order_ids)
    names: Mapping[UUID, str] = {}
    if additions and work.actor.sees_user_names:
        names = await repository.load_user_names(each.added_by for each in additions)
    reasons: dict[int, list[AddedTestRead]] = {}
    for each in additions:
        person = names.get(each.added_by) if each.added_by else messages.AUTOVERIFICATION
        reason = AddedTestRead(
            name=each.test,
            is_canceled=each.is_canceled,
            because=rules.format_addition(_build_reason(each)),
            is_reason_gone=each.is_reason_gone,
            added_at=each.added_at,
            added_by=person if work.actor.sees_user_names else None,
        )
        reasons.setdefault(each.order_id, []).append(reason)
    return reasons


def _build_reason(addition: Addition) -> rules.AdditionReason:
    """Build the reason as the actor may see it; a version with the same value is no correction."""
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


async def _judge_signature(
    work: Work, order: Order, requisition: Requisition | None
) -> tuple[PortalError | None, PortalError | None]:
    """Return why the actor may not sign the order and why not unsign it."""
    if requisition is None:
        error = NotFound(messages.NOT_FOUND)
        return error, error
    repository = work.build_repository(RequisitionRepository)
    signatures = await repository.load_current_signatures([requisition])
    state = build_requisition_state(
        requisition, signatures.get(requisition.id), OrderStatus(order.status)
    )
    return judge_signing(work.actor, state), judge_unsigning(work.actor, state)


async def read_results_types(work: Work, order_id: int) -> ResultsTypes:
    """Return the kinds of result that the order has, or raise NotFound."""
    order = await get_order(work, order_id)
    kinds = await work.build_repository(OrderRepository).list_result_kinds(order)
    return ResultsTypes(
        has_clinical_result=ResultKind.CLINICAL in kinds,
        has_microbiology_result=ResultKind.MICROBIOLOGY in kinds,
        has_toxicology_result=ResultKind.TOXICOLOGY in kinds,
        has_pathology_result=ResultKind.PATHOLOGY in kinds,
    )


async def _build_patient(work: Work, order: Order, patient: Patient | None) -> PatientOfOrder:
    primary = (
        await work.build_repository(PhysicianRepository).find_physician(
            patient.primary_physician_id
        )
        if patient
        else None
    )
    codes = (
        {}
        if patient
        else await work.build_repository(PatientRepository).load_codes([order.patient_id])
    )
    zip_code_id = patient.zip_code_id if patient else None
    zip_code = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(zip_code_id)
    return PatientOfOrder(
        id=order.patient_id,
        code=patient.code if patient else codes.get(order.patient_id),
        first_name=order.patient_first_name,
        middle_name=order.patient_middle_name,
        last_name=order.patient_last_name,
        birth_date=order.patient_birth_date,
        gender=order.patient_gender,
        address=patient.address if patient else None,
        zip_code=ZipCodeShape.model_validate(zip_code) if zip_code else None,
        phone=patient.phone if patient else None,
        room=PlaceName(name=order.room_name) if order.room_name else None,
        unit=PlaceName(name=order.unit_name) if order.unit_name else None,
        bed=order.bed,
        primary_physician=PhysicianShape.model_validate(primary) if primary else None,
    )


async def _build_client(work: Work, client: Client) -> ClientOfOrder:
    zip_code = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(
        client.zip_code_id
    )
    return ClientOfOrder(
        code=client.code,
        name=client.name,
        address=client.address,
        zip_code=ZipCodeShape.model_validate(zip_code) if zip_code else None,
        phone=client.phone,
        fax=client.fax,
    )


async def list_result_columns(work: Work) -> list[ResultColumn]:
    """List the tests with a column in the order search, in the lab's order."""
    group = await work.build_repository(SettingRepository).load_group(rules.RESULT_COLUMNS_SETTING)
    ids = group.get("tests", [])[:RESULT_COLUMNS_MAX]
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    return [
        ResultColumn(id=test.id, code=test.code, name=test.name, unit=test.unit)
        for test in (tests[i] for i in ids if i in tests)
    ]
