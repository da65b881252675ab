"""The result entry screen of an order, and what is the same for entering and releasing."""

from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.contract.enumerations import ResultStatus
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.lab_settings.rules import (
    judge_result_entry,
    judge_result_release,
    judge_result_screen,
)
from app.server.orders.rules import (
    TestState,
    compute_order_status,
    compute_result_status,
    judge_entering,
    judge_releasing,
)
from app.server.orders.service.status import build_state, change_status
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
        Forbidden: the actor's role neither enters nor releases results. NotFound.
    """
    flags, record = await load_entry(work, order_id)
    require_allowed(judge_result_screen(work.actor, flags))
    record = _require_order(record)
    await work.audit("read", "order-results", [record.order.id])
    return shape_entry(work, record)


async def get_entry_to_fill(work: Work, order_id: int) -> EntryRecord:
    """An order, locked, as one into which the actor enters results.

    Raises:
        Forbidden: the lab does not let the actor's role enter results.
        NotFound, StaleVersion.
        OrderReadOnly: it is canceled.
    """
    flags, record = await load_entry(work, order_id, lock=True)
    require_allowed(judge_result_entry(work.actor, flags))
    record = _require_order(record)
    work.require_version(record.order)
    require_allowed(judge_entering(work.actor, flags, build_state(record.order)))
    return record


async def get_entry_to_release(work: Work, order_id: int) -> EntryRecord:
    """An order, locked, as one of which the actor releases results.

    Raises:
        Forbidden: the actor's role does not release results.
        NotFound, StaleVersion.
        OrderReadOnly: it is canceled.
    """
    require_allowed(judge_result_release(work.actor))
    _, record = await load_entry(work, order_id, lock=True)
    record = _require_order(record)
    work.require_version(record.order)
    require_allowed(judge_releasing(work.actor, build_state(record.order)))
    return record


def _require_order(record: EntryRecord | None) -> EntryRecord:
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
        status = compute_result_status(state)
        if target.row.status != status:
            target.row.status = status
            tests.append(target.row)
        states.append(state)
        if target.released:
            flags.append(target.released.flag)
    change_status(order, compute_order_status(states))
    order.has_critical = any(rules.is_critical(flag) for flag in flags)
    order.has_abnormal = any(rules.is_abnormal(flag) for flag in flags)
    order.version += 1
    work.repository(ClinicalResultRepository).write(order, tests, changes)


def _state(target: TestWithResult) -> TestState:
    # A correction that is not released yet leaves the released value in force.
    return TestState(is_entered=target.current is not None, is_released=target.released is not None)


def shape_entry(work: Work, record: EntryRecord) -> ResultEntry:
    """The result entry screen of an order as it was loaded, or as it is going to be stored."""
    order, people = record.order, record.people
    state, actor = build_state(order), work.actor
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
        can_enter_results=Permission.of(judge_entering(actor, record.flags, state)),
        can_release=Permission.of(judge_releasing(actor, state)),
        rows=rows,
    )


def _entry_status(target: TestWithResult) -> ResultStatus:
    """On the bench's screen a correction in work shows as unreleased."""
    if target.row.is_panel:
        return ResultStatus.NONE
    entered = target.current
    return compute_result_status(
        TestState(entered is not None, bool(entered and entered.released_at))
    )


def _is_correction(target: TestWithResult) -> bool:
    """Whether what is entered is to replace what clients see."""
    entered = target.current
    return bool(entered and entered.released_at is None and target.released)
