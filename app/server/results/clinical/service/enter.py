"""Entering and correcting clinical results (DECISIONS, Results)."""

from dataclasses import replace

from app.basics.clock import lab_now
from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import ResultType
from app.server.access.work import Work
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import ResultChanges, TestWithResult
from app.server.results.clinical.rules import NUMERIC_TYPES, flag_for, number_in
from app.server.results.clinical.schemas import ResultEntry, ResultEntryWrite, ResultWrite
from app.server.results.clinical.service.entry import get_entry_to_fill, shape_entry, update_order
from app.server.results.clinical.service.ranges import limits_of, range_text


async def save(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Keep entered results. A change to a released result adds a version, unreleased at first.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is no number or none of the choices, or a released result is emptied;
            each is named with its place.
    """
    record = await get_entry_to_fill(work, order_id)
    order, tests = record.order, {t.row.id: t for t in record.tests}
    errors: list[FieldError] = []
    for i, write in enumerate(body.results):
        target = tests.get(write.order_test_id)
        if target is None or target.row.is_panel:
            raise NotFound(messages.NOT_FOUND)
        message = _refusal(target, clean(write.result))
        if message:
            errors.append(FieldError(f"results.{i}.result", message))
    require_no_errors(errors)
    changes = ResultChanges()
    changed = [
        _enter(work, record, tests[write.order_test_id], write, changes) for write in body.results
    ]
    if any(changed):
        _take_in(record, changes.added)
        update_order(work, record, changes)
        await work.audit("enter", "order-results", [order.id], {"tests": sum(changed)})
    return shape_entry(work, record)


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


def _enter(
    work: Work,
    record: EntryRecord,
    target: TestWithResult,
    write: ResultWrite,
    changes: ResultChanges,
) -> bool:
    """Put one entry among the changes; answers whether anything changed."""
    value, comment, present = clean(write.result), clean(write.comment), target.current
    if value is not None and target.test.choices:
        value = next(c for c in target.test.choices if c.upper() == value.upper())
    if present and (present.value, present.comment) == (value, comment):
        return False
    if value is None:
        return _withdraw(target, changes)
    limits = record.ranges.get(target.test.id)
    flag = flag_for(
        ResultType(target.test.result_type), value, limits_of(limits), target.test.normal_choices
    )
    if present is None or present.released_at is not None:
        if present is not None:
            present.is_current = False
            changes.withdrawn.append(present)
        result = Result(
            order_id=record.order.id,
            order_test_id=target.row.id,
            revision=max((version.revision for version in target.versions), default=0) + 1,
            is_current=True,
        )
        changes.added.append(result)
    else:
        result = present
        changes.edited.append(result)
    result.value, result.comment, result.flag = value, comment, flag
    result.unit = target.test.unit
    result.reference_range = range_text(target.test, limits)
    result.entered_by = work.actor.user_id
    result.entered_at = lab_now(work.portal.settings.time_zone)
    return True


def _withdraw(target: TestWithResult, changes: ResultChanges) -> bool:
    """Withdraw an unreleased entry; what was released before it counts again."""
    present = target.current
    if present is None:
        return False
    present.is_current = False
    changes.withdrawn.append(present)
    if target.released:
        target.released.is_current = True
        changes.restored.append(target.released)
    return True


def _take_in(record: EntryRecord, added: list[Result]) -> None:
    """Put new versions of results into the record."""
    of_test: dict[int, list[Result]] = {}
    for result in added:
        of_test.setdefault(result.order_test_id, []).append(result)
    record.tests = [
        replace(target, versions=(*target.versions, *of_test.get(target.row.id, ())))
        for target in record.tests
    ]
