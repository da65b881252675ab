"""The result entry screen of an order, and what is the same for entering and releasing."""

from app.basics.errors import Forbidden
from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus
from app.server.access.work import Work
from app.server.lab_settings.service import may_enter_results, setting
from app.server.orders.errors import OrderReadOnly
from app.server.orders.models import Order
from app.server.orders.rules import TestState, order_status, result_status
from app.server.orders.service.read import found
from app.server.orders.service.status import move
from app.server.results.clinical import rules
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.clinical.schemas import EntryPatient, EntryRow, ResultEntry
from app.server.results.clinical.service.ranges import range_text, ranges_of


async def entry(work: Work, order_id: int) -> ResultEntry:
    """The result entry screen of an order.

    Raises:
        Forbidden: result entry is switched off for this role. NotFound.
    """
    await require_entry_enabled(work)
    order = await found(work, order_id)
    await work.audit("read", "order-results", [order.id])
    return await shape_entry(work, order)


async def require_entry_enabled(work: Work) -> None:
    """Raises Forbidden when result entry is switched off for the actor's role."""
    flags = await setting(work.session, "result-entry")
    if not may_enter_results(flags, work.actor.role):
        raise Forbidden(messages.RESULT_ENTRY_DISABLED)


async def get_open_order(work: Work, order_id: int) -> Order:
    """The order, locked, as one that takes results.

    Raises:
        NotFound, StaleVersion.
        OrderReadOnly: it is canceled.
    """
    order = await found(work, order_id, lock=True)
    work.require_version(order)
    if order.status == OrderStatus.CANCELED:
        raise OrderReadOnly(
            messages.ORDER_READ_ONLY.format(code=order.code, status=OrderStatus.CANCELED.name)
        )
    return order


async def update_order(work: Work, order: Order) -> None:
    """Bring the order's status, alert and its tests' status in line with the results."""
    tests = await work.repository(ClinicalResultRepository).tests(order.id)
    states: list[TestState] = []
    flags: list[str | None] = []
    for target in tests:
        if target.row.is_panel:
            continue
        state = _state(target)
        target.row.status = result_status(state)
        states.append(state)
        if target.released:
            flags.append(target.released.flag)
    move(order, order_status(states))
    order.has_critical = any(rules.is_critical(flag) for flag in flags)
    order.has_abnormal = any(rules.is_abnormal(flag) for flag in flags)
    order.version += 1
    await work.session.flush()


def _state(target: TestWithResult) -> TestState:
    # A correction that is not released yet leaves the released value in force.
    return TestState(entered=target.current is not None, released=target.released is not None)


async def shape_entry(work: Work, order: Order) -> ResultEntry:
    """The result entry screen for an order that the actor may see."""
    repository = work.repository(ClinicalResultRepository)
    tests = await repository.tests(order.id)
    ranges = await ranges_of(work, order, tests)
    previous = await repository.previous(order, [t.test.id for t in tests])
    people = await repository.enterers(order.id)
    rows = []
    for target in tests:
        result, limits = target.current, ranges.get(target.test.id)
        before = previous.get(target.test.id)
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
