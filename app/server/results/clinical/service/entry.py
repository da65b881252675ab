"""The result entry screen of an order, and what is the same for entering and releasing."""

from app.basics.errors import Forbidden, NotFound
from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.access.work import Work
from app.server.lab_settings.service import may_enter_results
from app.server.orders.errors import OrderReadOnly
from app.server.orders.rules import TestState, order_status, result_status
from app.server.orders.service.status import move
from app.server.results.clinical import rules
from app.server.results.clinical.loading import EntryRecord, load_entry
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    ResultChanges,
    TestWithResult,
)
from app.server.results.clinical.schemas import EntryPatient, EntryRow, ResultEntry
from app.server.results.clinical.service.ranges import range_text


async def entry(work: Work, order_id: int) -> ResultEntry:
    """The result entry screen of an order.

    Raises:
        Forbidden: result entry is switched off for this role. NotFound.
    """
    record = await _get_entry(work, order_id)
    await work.audit("read", "order-results", [record.order.id])
    return shape_entry(record)


async def get_open_entry(work: Work, order_id: int) -> EntryRecord:
    """An order, locked, as one that takes results.

    Raises:
        Forbidden: result entry is switched off for the actor's role.
        NotFound, StaleVersion.
        OrderReadOnly: it is canceled.
    """
    record = await _get_entry(work, order_id, lock=True)
    order = record.order
    work.require_version(order)
    if order.status == OrderStatus.CANCELED:
        raise OrderReadOnly(
            messages.ORDER_READ_ONLY.format(code=order.code, status=OrderStatus.CANCELED.name)
        )
    return record


async def _get_entry(work: Work, order_id: int, *, lock: bool = False) -> EntryRecord:
    flags, record = await load_entry(work, order_id, lock=lock)
    if not may_enter_results(flags, work.actor.role):
        raise Forbidden(messages.RESULT_ENTRY_DISABLED)
    if record is None:
        raise NotFound(messages.NOT_FOUND)
    return record


def update_order(work: Work, record: EntryRecord, changes: ResultChanges) -> None:
    """Write changed results with the commit, and bring the order's status, alert and its tests'
    status in line with them."""
    order, tests = record.order, []
    states: list[TestState] = []
    flags: list[str | None] = []
    for target in record.tests:
        if target.row.is_panel:
            continue
        state = _state(target)
        status = result_status(state)
        if target.row.status != status:
            target.row.status = status
            tests.append(target.row)
        states.append(state)
        if target.released:
            flags.append(target.released.flag)
    move(order, order_status(states))
    order.has_critical = any(rules.is_critical(flag) for flag in flags)
    order.has_abnormal = any(rules.is_abnormal(flag) for flag in flags)
    order.version += 1
    work.repository(ClinicalResultRepository).write(order, tests, changes)


def _state(target: TestWithResult) -> TestState:
    # A correction that is not released yet leaves the released value in force.
    return TestState(entered=target.current is not None, released=target.released is not None)


def shape_entry(record: EntryRecord) -> ResultEntry:
    """The result entry screen of an order as it was loaded, or as it is going to be stored."""
    order, people = record.order, record.people
    rows = []
    for target in record.tests:
        result, limits = target.current, record.ranges.get(target.test.id)
        before = record.previous.get(target.test.id)
        rows.append(
            EntryRow(
                order_test_id=target.row.id,
                parent_id=target.row.parent_id,
                level=target.row.level,
                code=target.test.code,
                name=target.row.name,
                unit=target.test.unit,
                reference_range=range_text(target.test, limits),
                result_type=target.test.result_type,
                choices=target.test.choices,
                is_panel=target.row.is_panel,
                result=result.value if result else None,
                comment=result.comment if result else None,
                flag=result.flag if result else None,
                status=_entry_status(target),
                is_correction=_is_correction(target),
                entered_by=people.get(result.entered_by) if result and result.entered_by else None,
                previous_result=before.value if before else None,
                previous_date=before.at if before else None,
                low=limits.low if limits else None,
                high=limits.high if limits else None,
                critical_low=limits.critical_low if limits else None,
                critical_high=limits.critical_high if limits else None,
            )
        )
    return ResultEntry(
        order_id=order.id,
        code_value=order.code,
        version=order.version,
        status=order.status,
        patient=EntryPatient(
            last_name=order.patient_last_name,
            first_name=order.patient_first_name,
            birth_date=order.patient_birth_date,
            gender=order.patient_gender,
        ),
        rows=rows,
    )


def _entry_status(target: TestWithResult) -> ResultStatus:
    """On the bench's screen a correction in work shows as unreleased."""
    if target.row.is_panel:
        return ResultStatus.NONE
    entered = target.current
    return result_status(TestState(entered is not None, bool(entered and entered.released_at)))


def _is_correction(target: TestWithResult) -> bool:
    """Whether what is entered is to replace what clients see."""
    entered = target.current
    return bool(entered and entered.released_at is None and target.released)
