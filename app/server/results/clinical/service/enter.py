"""Entering and correcting clinical results (DECISIONS, Results)."""

from app.basics.clock import lab_now
from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import ResultType
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.orders.models import Order
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.clinical.rules import NUMERIC_TYPES, flag_for, number_in
from app.server.results.clinical.schemas import ResultEntry, ResultEntryWrite, ResultWrite
from app.server.results.clinical.service.entry import (
    get_open_order,
    require_entry_enabled,
    shape_entry,
    update_order,
)
from app.server.results.clinical.service.ranges import limits_of, range_text, ranges_of


async def save(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Keep entered results. A change to a released result adds a version, unreleased at first.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is no number or none of the choices, or a released result is emptied;
            each is named with its place.
    """
    await require_entry_enabled(work)
    order = await get_open_order(work, order_id)
    repository = work.repository(ClinicalResultRepository)
    tests = {t.row.id: t for t in await repository.tests(order.id)}
    errors: list[FieldError] = []
    for i, write in enumerate(body.results):
        target = tests.get(write.order_test_id)
        if target is None or target.row.is_panel:
            raise NotFound(messages.NOT_FOUND)
        message = _refusal(target, clean(write.result))
        if message:
            errors.append(FieldError(f"results.{i}.result", message))
    require_no_errors(errors)
    ranges = await ranges_of(work, order, list(tests.values()))
    changed = [
        write.order_test_id
        for write in body.results
        if await _keep(work, order, tests[write.order_test_id], write, ranges)
    ]
    if changed:
        await update_order(work, order)
        await work.audit("enter", "order-results", [order.id], {"tests": len(changed)})
    return await shape_entry(work, order)


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
