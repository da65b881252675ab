"""Enters and corrects clinical results (DECISIONS, Results)."""

from dataclasses import replace

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean
from app.contract import messages
from app.contract.enumerations import ResultType
from app.server.access.work import Work
from app.server.results.clinical.loading import ENTRY_QUERY, EntryRecord, build_record
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import ResultChanges, TestWithResult
from app.server.results.clinical.rules import NUMERIC_TYPES, compute_flag, parse_number
from app.server.results.clinical.schemas import ResultEntry, ResultEntryWrite, ResultWrite
from app.server.results.clinical.service.entry import build_result_entry, update_order
from app.server.results.clinical.service.ranges import build_range, format_reference_range
from app.server.results.entry.loading import load_for_entering


async def save_results(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Save entered results; a change to a released result adds an unreleased version.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is not a number or not a choice, or a released result is empty; each
            error has the index of its result.
    """
    record = build_record(await load_for_entering(work, order_id, ENTRY_QUERY))
    tests = {t.row.id: t for t in record.tests}
    errors: list[FieldError] = []
    for i, write in enumerate(body.results):
        item = tests.get(write.order_test_id)
        if item is None or item.row.is_panel:
            raise NotFound(messages.NOT_FOUND)
        message = _validate_value(item, clean(write.result))
        if message:
            errors.append(FieldError(f"results.{i}.result", message))
    require_no_errors(errors)
    changes = ResultChanges()
    are_changed = [
        _enter_result(work, record, tests[write.order_test_id], write, changes)
        for write in body.results
    ]
    if any(are_changed):
        _add_versions(record, changes.added)
        update_order(work, record, changes)
        await work.audit("enter", "order-results", [order_id], {"tests": sum(are_changed)})
    return build_result_entry(work, record)


def _validate_value(item: TestWithResult, value: str | None) -> str | None:
    test, current = item.test, item.current
    if value is None:
        # A released result can be corrected, but not withdrawn.
        is_released = current is not None and current.released_at is not None
        return messages.VALUE_REQUIRED if is_released else None
    if test.result_type in NUMERIC_TYPES:
        if parse_number(value) is None:
            return messages.RESULT_NOT_A_NUMBER.format(test=test.name)
    elif test.choices and value.upper() not in {choice.upper() for choice in test.choices}:
        return messages.RESULT_NOT_A_CHOICE.format(test=test.name, value=value)
    return None


def _enter_result(
    work: Work,
    record: EntryRecord,
    item: TestWithResult,
    write: ResultWrite,
    changes: ResultChanges,
) -> bool:
    """Add an entered result to the changes; return whether it changes anything."""
    value, comment, current = clean(write.result), clean(write.comment), item.current
    if value is not None and item.test.choices:
        value = next(c for c in item.test.choices if c.upper() == value.upper())
    if current and (current.value, current.comment) == (value, comment):
        return False
    if value is None:
        return _withdraw_entry(item, changes)
    limits = record.ranges.get(item.test.id)
    flag = compute_flag(
        ResultType(item.test.result_type), value, build_range(limits), item.test.normal_choices
    )
    if current is None or current.released_at is not None:
        if current is not None:
            current.is_current = False
            changes.withdrawn.append(current)
        result = Result(
            order_id=record.entry.order.id,
            order_test_id=item.row.id,
            revision=max((version.revision for version in item.versions), default=0) + 1,
            is_current=True,
        )
        changes.added.append(result)
    else:
        result = current
        changes.edited.append(result)
    result.value, result.comment, result.flag = value, comment, flag
    result.unit = item.test.unit
    result.reference_range = format_reference_range(item.test, limits)
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    return True


def _withdraw_entry(item: TestWithResult, changes: ResultChanges) -> bool:
    """Withdraw an unreleased entry, and restore the released version before it."""
    current = item.current
    if current is None:
        return False
    current.is_current = False
    changes.withdrawn.append(current)
    if item.released:
        item.released.is_current = True
        changes.restored.append(item.released)
    return True


def _add_versions(record: EntryRecord, added: list[Result]) -> None:
    """Add new versions of results to the record."""
    by_test: dict[int, list[Result]] = {}
    for result in added:
        by_test.setdefault(result.order_test_id, []).append(result)
    record.tests = [
        replace(item, versions=(*item.versions, *by_test.get(item.row.id, ())))
        for item in record.tests
    ]
