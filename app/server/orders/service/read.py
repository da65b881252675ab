"""Reads orders (R 2.2)."""

from collections.abc import Iterable, Mapping, Sequence
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
from app.server.access.answers import Values
from app.server.access.reader import Reader
from app.server.access.schemas import Shape, build_permission
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.rules import has_single_value
from app.server.lab_settings.repository import ReasonRepository, SettingRepository
from app.server.orders import loading, rules
from app.server.orders.loading import OpenedOrder
from app.server.orders.models import Order
from app.server.orders.repository import Addition, CanceledTest, OrderRepository
from app.server.orders.schemas import (
    AddedTestRead,
    CancellationReason,
    OrderedTestRead,
    OrderRead,
    ResultColumn,
    ResultsTypes,
    format_optional_time,
)
from app.server.orders.service.status import build_state, find_awaiting_ids
from app.server.requisitions.rules import judge_signing, judge_unsigning
from app.server.requisitions.schemas import format_time
from app.server.requisitions.states import build_state as build_requisition_state


async def get_order(work: Work, order_id: int, *, lock: bool = False) -> Order:
    """Return the order, or raise NotFound when it does not exist or is out of scope."""
    order = await work.build_repository(OrderRepository).find(order_id, lock=lock)
    if order is None:
        raise NotFound(messages.NOT_FOUND)
    return order


async def open_order(reader: Reader, order_id: int) -> Values:
    """Return an order with the sections of its header, or raise NotFound.

    These are the values of ``OrderRead``.
    """
    return _build_order(reader.actor, await loading.open_order(reader, order_id))


async def read_order(work: Work, order_id: int) -> OrderRead:
    """Return an order as ``open_order`` does, within the transaction of a write."""
    opened_order = await loading.reopen_order(work, order_id)
    return OrderRead.model_validate(_build_order(work.actor, opened_order))


def _build_order(actor: Actor, opened_order: OpenedOrder) -> Values:
    order, requisition = opened_order.order, opened_order.requisition
    alert = rules.AlertState(
        order.has_critical,
        order.has_unexpected_positive,
        opened_order.settings.get("toxicology", {}).get("abnormalResult"),
    )
    cancellations = _build_cancellations(
        opened_order.canceled_tests, opened_order.reason_words, opened_order.user_names
    )
    additions = _build_additions(actor, opened_order.additions, opened_order.user_names)
    return {
        "id": order.id,
        "codeValue": order.code,
        "version": order.version,
        "status": order.status,
        "hasAlert": alert.has_alert,
        "alert": rules.find_alert(alert),
        "alertBadges": rules.list_alert_badges(alert),
        "criticalKinds": rules.list_families(order.critical_kinds),
        "hasSignature": bool(requisition and requisition.has_signature),
        "hasToxicologyUnexpectedPositive": order.has_unexpected_positive,
        "patient": _build_patient(opened_order),
        "physician": opened_order.physician,
        "patientClient": opened_order.client,
        "collectionDate": format_time(order.collection_date),
        "receivedDate": format_time(order.received_at),
        "reported": format_optional_time(order.reported_at),
        "specimenCondition": order.specimen_condition,
        "awaitsCollection": order.awaits_collection,
        "collectionSites": [{"name": name} for name in order.collection_sites],
        "entryAlert": order.entry_alert,
        "hasMissingInfo": order.lacks_info and order.status != OrderStatus.CANCELED,
        "cancellationReasons": _dump_shapes(cancellations.get(order.id, ())),
        "addedTests": _dump_shapes(additions.get(order.id, ())),
        "reportComment": order.report_comment,
        "commentChange": _build_comment_change(actor, order),
        "requisitionId": order.requisition_id,
        "requisitionCode": requisition.code if requisition else None,
        "onlineAckUser": order.acknowledged_by_name if actor.sees_user_names else None,
        "onlineAckDateTime": format_optional_time(order.acknowledged_at),
        "isUnread": order.is_unread,
        "isUnreadByPhysician": order.is_unread_by_physician,
        "reopened": _build_reopened_acknowledgment(actor, opened_order),
        **_build_permissions(actor, opened_order),
    }


def _dump_shapes(shapes: Iterable[Shape]) -> list[Values]:
    return [shape.model_dump(mode="json", by_alias=True) for shape in shapes]


def _build_permissions(actor: Actor, opened_order: OpenedOrder) -> Values:
    state = build_state(opened_order.order)
    flags = opened_order.settings.get("result-entry", {})
    signing_error, unsigning_error = _judge_signature(actor, opened_order)
    denials = {
        "canAcknowledge": rules.judge_acknowledging(actor, state),
        "canComplete": rules.judge_completing(actor, state),
        "canAttach": rules.judge_attaching(actor, state),
        "canSign": signing_error,
        "canUnsign": unsigning_error,
        "canEnterResults": rules.judge_entering(actor, flags, state),
        "canRelease": rules.judge_releasing(actor, state),
        "canCancel": rules.judge_canceling(actor, state),
        "canReinstate": rules.judge_reinstating(actor, state),
    }
    return {name: build_permission(denial) for name, denial in denials.items()}


def _build_reopened_acknowledgment(actor: Actor, opened_order: OpenedOrder) -> Values | None:
    acknowledged_at, reopened_at = opened_order.acknowledged_at, opened_order.reopened_at
    if actor.role not in rules.ACKNOWLEDGERS or acknowledged_at is None or reopened_at is None:
        return None
    return {
        "acknowledged": format_time(acknowledged_at),
        "changed": format_time(reopened_at),
        "kind": opened_order.reopened_by,
    }


def _build_comment_change(actor: Actor, order: Order) -> Values | None:
    if order.comment_changed_at is None:
        return None
    return {
        "changedAt": format_time(order.comment_changed_at),
        "changedBy": order.comment_changed_by if actor.sees_user_names else None,
    }


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
        user_names = await repository.load_user_names(
            canceled.test.canceled_by for canceled in canceled_tests
        )
    return _build_cancellations(canceled_tests, reason_names, user_names)


def _build_cancellations(
    canceled_tests: Iterable[CanceledTest],
    reason_names: Mapping[str, str],
    user_names: Mapping[UUID, str],
) -> dict[int, list[CancellationReason]]:
    """Build the reasons for canceled tests, by order id; ``reason_names`` is by code."""
    reasons: dict[int, dict[tuple[object, ...], CancellationReason]] = {}
    for canceled in canceled_tests:
        test = canceled.test
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
        reasons_of_order = reasons.setdefault(test.order_id, {})
        reasons_of_order.setdefault(key, reason).tests.append(canceled.name)
    return {order_id: list(by_key.values()) for order_id, by_key in reasons.items()}


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
    added_tests: dict[int, list[AddedTestRead]] = {}
    for addition in additions:
        person = names.get(addition.added_by) if addition.added_by else messages.AUTOVERIFICATION
        added_test = AddedTestRead(
            name=addition.test,
            is_canceled=addition.is_canceled,
            because=rules.format_addition(_build_reason(addition)),
            is_reason_gone=addition.is_reason_gone,
            added_at=addition.added_at,
            added_by=person if actor.sees_user_names else None,
        )
        added_tests.setdefault(addition.order_id, []).append(added_test)
    return added_tests


def _build_reason(addition: Addition) -> rules.AdditionReason:
    """Build the reason for an addition; a new version is a correction only if it differs."""
    is_changed = (addition.new_value, addition.new_flag) != (addition.value, addition.flag)
    return rules.AdditionReason(
        trigger=addition.trigger,
        earlier_result=_format_result(addition.value, addition.flag),
        new_result=_format_result(addition.new_value, addition.new_flag) if is_changed else None,
        is_withdrawn=addition.withheld == Withholding.WITHDRAWN,
        is_gone=addition.is_reason_gone,
    )


def _format_result(value: str | None, flag: str | None) -> str | None:
    return None if value is None else rules.format_flagged_value(value, flag)


async def list_tests(work: Work, order_id: int) -> list[OrderedTestRead]:
    """Return the tests and panels of an order by position, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order", [order.id])
    tests = await work.build_repository(OrderRepository).list_tests(order)
    awaiting_ids = find_awaiting_ids(tests)
    return [
        OrderedTestRead(
            id=test.id,
            parent_id=test.parent_id,
            level=test.level,
            name=test.name,
            kind=test.kind,
            is_panel=test.is_panel,
            status=test.status,
            awaits_collection=test.id in awaiting_ids,
            can_cancel=test.status != ResultStatus.CANCELED
            and rules.is_cancelable(
                ResultStatus(test.status), Withholding(test.withheld) if test.withheld else None
            ),
        )
        for test in tests
    ]


def _judge_signature(
    actor: Actor, opened_order: OpenedOrder
) -> tuple[PortalError | None, PortalError | None]:
    """Return why the actor may not sign the order, and why the actor may not unsign it."""
    if opened_order.requisition is None:
        error = NotFound(messages.NOT_FOUND)
        return error, error
    status = OrderStatus(opened_order.order.status)
    state = build_requisition_state(
        opened_order.requisition, opened_order.signature, status, is_shown_as_order=True
    )
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


def _build_patient(opened_order: OpenedOrder) -> Values:
    order, patient = opened_order.order, opened_order.patient or {}
    client = opened_order.client
    return {
        "id": order.patient_id,
        "code": patient.get("code", opened_order.patient_code),
        "firstName": order.patient_first_name,
        "middleName": order.patient_middle_name,
        "lastName": order.patient_last_name,
        "birthDate": order.patient_birth_date,
        "gender": order.patient_gender,
        "address": patient.get("address"),
        "zipCode": patient.get("zipCode"),
        "phone": patient.get("phone"),
        "room": {"name": order.room_name} if order.room_name else None,
        "unit": {"name": order.unit_name} if order.unit_name else None,
        "bed": order.bed,
        "client": client and {name: client[name] for name in ("name", "phone", "fax")},
        "primaryPhysician": patient.get("primaryPhysician"),
    }


async def list_result_columns(work: Work) -> list[ResultColumn]:
    """List the tests with a column in the order search, in the lab's order.

    A culture or a panel that was chosen before the settings rejected it has none.
    """
    group = await work.build_repository(SettingRepository).load_group(rules.RESULT_COLUMNS_SETTING)
    ids = group.get("tests", [])[:RESULT_COLUMNS_MAX]
    tests = await work.build_repository(CatalogRepository).load_tests(ids)
    return [
        ResultColumn(id=test.id, code=test.code, name=test.name, unit=test.unit)
        for test in (tests[i] for i in ids if i in tests)
        if has_single_value(test.kind, is_panel=test.is_panel)
    ]
