"""Entering and releasing results (DECISIONS, Results)."""

from app.basics.clock import lab_now
from app.basics.errors import BadInput, FieldError, Forbidden, NotFound, StaleVersion
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import OrderStatus, ResultStatus, ResultType
from app.contract.flags import NUMERIC_TYPES, flag_for, number_in
from app.contract.transitions import ORDER_TRANSITIONS
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.lab_settings.service import may_enter_results, setting
from app.server.orders import rules
from app.server.orders.errors import NothingToRelease, OrderReadOnly
from app.server.orders.models import Order, Result
from app.server.orders.repository import OrderRepository, TestWithResult
from app.server.orders.schemas import (
    EntryPatient,
    EntryRow,
    ReleaseRequest,
    ResultEntry,
    ResultEntryWrite,
    ResultWrite,
)
from app.server.orders.service.ranges import limits_of, range_text, ranges_of
from app.server.orders.service.read import found


async def entry(work: Work, order_id: int) -> ResultEntry:
    """The result entry screen of an order.

    Raises:
        Forbidden: result entry is switched off for this role. NotFound.
    """
    await _refuse_unless_enabled(work)
    order = await found(work, order_id)
    await work.audit("read", "order-results", [order.id])
    return await _screen(work, order)


async def save(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Keep entered results. A change to a released result adds a version, unreleased at first.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is no number or none of the choices, or a released result is emptied;
            each is named with its place.
    """
    await _refuse_unless_enabled(work)
    order = await _open_order(work, order_id)
    repository = OrderRepository(work.session, work.actor)
    tests = {t.row.id: t for t in await repository.tests(order.id)}
    errors: list[FieldError] = []
    for i, write in enumerate(body.results):
        target = tests.get(write.order_test_id)
        if target is None or target.row.is_panel:
            raise NotFound(messages.NOT_FOUND)
        message = _refusal(target, clean(write.result))
        if message:
            errors.append(FieldError(f"results.{i}.result", message))
    if errors:
        raise BadInput(errors[0].message, errors=tuple(errors))
    ranges = await ranges_of(work, order, list(tests.values()))
    changed = [
        write.order_test_id
        for write in body.results
        if await _keep(work, order, tests[write.order_test_id], write, ranges)
    ]
    if changed:
        await _settle(work, order)
        await work.audit("enter", "order-results", [order.id], {"tests": len(changed)})
    return await _screen(work, order)


async def release(work: Work, order_id: int, body: ReleaseRequest) -> ResultEntry:
    """Release entered results; clients see them from this commit on.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        NothingToRelease: no entered, unreleased result among the chosen tests.
    """
    await _refuse_unless_enabled(work)
    order = await _open_order(work, order_id)
    repository = OrderRepository(work.session, work.actor)
    tests = await repository.tests(order.id)
    if body.order_test_ids is not None and not set(body.order_test_ids) <= {
        t.row.id for t in tests
    }:
        raise NotFound(messages.NOT_FOUND)
    now = lab_now(work.portal.settings.time_zone)
    released = 0
    for target in tests:
        chosen = body.order_test_ids is None or target.row.id in body.order_test_ids
        entered = target.current
        if chosen and entered and entered.released_at is None:
            entered.released_at = now
            entered.released_by = work.actor.user_id
            released += 1
    if not released:
        raise NothingToRelease(messages.RESULT_NOTHING_TO_RELEASE)
    order.reported_at = now
    await _settle(work, order)
    await work.audit("release", "order-results", [order.id], {"tests": released})
    return await _screen(work, order)


async def _refuse_unless_enabled(work: Work) -> None:
    flags = await setting(work.session, "result-entry")
    if not may_enter_results(flags, work.actor.role):
        raise Forbidden(messages.RESULT_ENTRY_DISABLED)


async def _open_order(work: Work, order_id: int) -> Order:
    order = await found(work, order_id, lock=True)
    if work.expected_version not in (None, order.version):
        raise StaleVersion(messages.VERSION_STALE)
    if order.status == OrderStatus.CANCELED:
        raise OrderReadOnly(
            messages.ORDER_READ_ONLY.format(code=order.code, status=OrderStatus.CANCELED.name)
        )
    return order


def _refusal(target: TestWithResult, value: str | None) -> str | None:
    test, present = target.test, target.current
    if value is None:
        # What was released can be corrected and not taken back.
        is_released = present is not None and present.released_at is not None
        return messages.VALUE_REQUIRED if is_released else None
    if test.result_type in NUMERIC_TYPES:
        if number_in(value) is None:
            return messages.RESULT_NOT_A_NUMBER.format(test=test.name)
    elif test.choices and value.upper() not in {choice.upper() for choice in test.choices}:
        return messages.RESULT_NOT_A_CHOICE.format(test=test.name, value=value)
    return None


async def _keep(
    work: Work,
    order: Order,
    target: TestWithResult,
    write: ResultWrite,
    ranges: dict[int, ReferenceRange],
) -> bool:
    """Keep one entry; answers whether anything changed."""
    value, comment, present = clean(write.result), clean(write.comment), target.current
    if value is not None and target.test.choices:
        value = next(c for c in target.test.choices if c.upper() == value.upper())
    if present and (present.value, present.comment) == (value, comment):
        return False
    if value is None:
        return await _take_back(work, target)
    limits = ranges.get(target.test.id)
    flag = flag_for(
        ResultType(target.test.result_type), value, limits_of(limits), target.test.normal_choices
    )
    fresh = present is None or present.released_at is not None
    if present and present.released_at is not None:
        present.is_current = False
        await work.session.flush()
    result = (
        Result(
            order_id=order.id,
            order_test_id=target.row.id,
            revision=max((version.revision for version in target.versions), default=0) + 1,
            is_current=True,
        )
        if fresh or present is None
        else present
    )
    result.value, result.comment, result.flag = value, comment, flag
    result.unit = target.test.unit
    result.reference_range = range_text(target.test, limits)
    result.entered_by = work.actor.user_id
    result.entered_at = lab_now(work.portal.settings.time_zone)
    work.session.add(result)
    await work.session.flush()
    return True


async def _take_back(work: Work, target: TestWithResult) -> bool:
    """Withdraw an unreleased entry; what was released before it counts again."""
    present = target.current
    if present is None:
        return False
    present.is_current = False
    await work.session.flush()
    if target.released:
        target.released.is_current = True
        await work.session.flush()
    return True


async def _settle(work: Work, order: Order) -> None:
    """Bring the order's status, alert and its tests' status in line with the results."""
    tests = await OrderRepository(work.session, work.actor).tests(order.id)
    states: list[rules.TestState] = []
    flags: list[str | None] = []
    for target in tests:
        if target.row.is_panel:
            continue
        state = _state(target)
        target.row.status = rules.result_status(state)
        states.append(state)
        if target.released:
            flags.append(target.released.flag)
    move(order, rules.order_status(states))
    order.has_critical = any(rules.is_critical(flag) for flag in flags)
    order.has_abnormal = any(rules.is_abnormal(flag) for flag in flags)
    order.version += 1
    await work.session.flush()


def _state(target: TestWithResult) -> rules.TestState:
    # A correction that is not released yet leaves the released value in force.
    return rules.TestState(entered=target.current is not None, released=target.released is not None)


def _entry_status(target: TestWithResult) -> ResultStatus:
    """On the bench's screen a correction in work shows as unreleased."""
    if target.row.is_panel:
        return ResultStatus.NONE
    entered = target.current
    return rules.result_status(
        rules.TestState(entered is not None, bool(entered and entered.released_at))
    )


def _is_correction(target: TestWithResult) -> bool:
    """Whether what is entered is to replace what clients see."""
    entered = target.current
    return bool(entered and entered.released_at is None and target.released)


def move(order: Order, target: OrderStatus) -> None:
    """Change an order's status along the transition table; the same status is no step."""
    status = OrderStatus(order.status)
    if target == status:
        return
    if target not in ORDER_TRANSITIONS[status]:
        raise OrderReadOnly(messages.ORDER_READ_ONLY.format(code=order.code, status=status.name))
    order.status = target


async def _screen(work: Work, order: Order) -> ResultEntry:
    repository = OrderRepository(work.session, work.actor)
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
