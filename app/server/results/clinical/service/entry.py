"""The result entry screen, and the common steps of entering and releasing results."""

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
from app.server.results.clinical.service.ranges import format_reference_range


async def read_entry(work: Work, order_id: int) -> ResultEntry:
    """Return the result entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    flags, record = await load_entry(work, order_id)
    require_allowed(judge_result_screen(work.actor, flags))
    record = _require_order(record)
    await work.audit("read", "order-results", [record.order.id])
    return build_result_entry(work, record)


async def get_entry_for_entering(work: Work, order_id: int) -> EntryRecord:
    """Lock and return an order for entering results.

    Raises:
        Forbidden: the lab does not allow the actor's role to enter results.
        NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
    """
    flags, record = await load_entry(work, order_id, lock=True)
    require_allowed(judge_result_entry(work.actor, flags))
    record = _require_order(record)
    work.require_version(record.order)
    require_allowed(judge_entering(work.actor, flags, build_state(record.order)))
    return record


async def get_entry_for_release(work: Work, order_id: int) -> EntryRecord:
    """Lock and return an order for releasing results.

    Raises:
        Forbidden: the actor's role may not release results.
        NotFound, StaleVersion.
        OrderReadOnly: the order is canceled.
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
    """Store changed results, and update the order's status and alert and its tests' statuses."""
    order, tests = record.order, []
    states: list[TestState] = []
    flags: list[str | None] = []
    for item in record.tests:
        if item.row.is_panel:
            continue
        state = _build_test_state(item)
        status = compute_result_status(state)
        if item.row.status != status:
            item.row.status = status
            tests.append(item.row)
        states.append(state)
        if item.released:
            flags.append(item.released.flag)
    change_status(order, compute_order_status(states))
    order.has_critical = any(rules.is_critical(flag) for flag in flags)
    order.has_abnormal = any(rules.is_abnormal(flag) for flag in flags)
    order.version += 1
    work.build_repository(ClinicalResultRepository).store_changes(order, tests, changes)


def _build_test_state(item: TestWithResult) -> TestState:
    # An unreleased correction does not replace the released value.
    return TestState(is_entered=item.current is not None, is_released=item.released is not None)


def build_result_entry(work: Work, record: EntryRecord) -> ResultEntry:
    """Build the result entry screen from a record as loaded, or as the commit will store it."""
    order, user_names = record.order, record.user_names
    state, actor = build_state(order), work.actor
    rows = []
    for item in record.tests:
        result, limits = item.current, record.ranges.get(item.test.id)
        previous = record.previous.get(item.test.id)
        rows.append(
            EntryRow(
                order_test_id=item.row.id,
                parent_id=item.row.parent_id,
                level=item.row.level,
                code=item.test.code,
                name=item.row.name,
                unit=item.test.unit,
                reference_range=format_reference_range(item.test, limits),
                result_type=item.test.result_type,
                choices=item.test.choices,
                is_panel=item.row.is_panel,
                result=result.value if result else None,
                comment=result.comment if result else None,
                flag=result.flag if result else None,
                status=_compute_entry_status(item),
                is_correction=_is_correction(item),
                entered_by=(
                    user_names.get(result.entered_by) if result and result.entered_by else None
                ),
                previous_result=previous.value if previous else None,
                previous_date=previous.collection_date if previous else None,
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
        client_name=record.client_name,
        collection_date=order.collection_date,
        patient=EntryPatient(
            code=record.patient_code,
            last_name=order.patient_last_name,
            first_name=order.patient_first_name,
            middle_name=order.patient_middle_name,
            birth_date=order.patient_birth_date,
            gender=order.patient_gender,
        ),
        can_enter_results=Permission.of(judge_entering(actor, record.flags, state)),
        can_release=Permission.of(judge_releasing(actor, state)),
        rows=rows,
    )


def _compute_entry_status(item: TestWithResult) -> ResultStatus:
    """Return the status on the result entry screen, where a correction shows as unreleased."""
    if item.row.is_panel:
        return ResultStatus.NONE
    current = item.current
    return compute_result_status(
        TestState(current is not None, bool(current and current.released_at))
    )


def _is_correction(item: TestWithResult) -> bool:
    """Whether the entered result will replace a released one."""
    current = item.current
    return bool(current and current.released_at is None and item.released)
