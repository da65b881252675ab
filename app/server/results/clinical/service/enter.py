"""Enters and corrects clinical results (DECISIONS, Results)."""

from dataclasses import replace

from app.basics.clock import get_lab_now
from app.basics.text import clean
from app.contract.enumerations import ResultType
from app.server.access.work import Work
from app.server.results.clinical.checks import Delta, compute_delta
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import PreviousResult, ResultChanges, TestWithResult
from app.server.results.clinical.rules import compute_flag
from app.server.results.clinical.schemas import ResultEntry, ResultEntryWrite
from app.server.results.clinical.service.entry import build_result_entry, update_order
from app.server.results.clinical.service.ranges import build_range, format_reference_range
from app.server.results.clinical.service.validate import TypedResult, parse_writes
from app.server.results.entry.loading import load_for_entering


async def save_results(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Save entered results; a change to a released result adds an unreleased version.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value does not fit its test, or a released result is empty; each error has the
            index of its result.
        CorrectionRequired: a released result is changed without a reason.
        AbsurdResult: an implausible value is not confirmed.
    """
    record = build_record(await load_for_entering(work, order_id, choose_query(work)))
    changes = ResultChanges()
    typed = parse_writes(record, body.results)
    for result in typed:
        _enter_result(work, record, result, changes)
    if typed:
        add_versions(record, changes.added)
        update_order(work, record, changes)
        await work.audit("enter", "order-results", [order_id], {"tests": len(typed)})
    return build_result_entry(work, record)


def _enter_result(
    work: Work, record: EntryRecord, typed: TypedResult, changes: ResultChanges
) -> None:
    if typed.value is None:
        _withdraw_entry(typed.item, changes)
        return
    result = _open_version(record, typed.item, changes)
    write, correction = typed.write, typed.correction
    if write.is_repeat:
        result.first_value = result.first_value or result.value
    result.value, result.comment = typed.value, typed.comment
    result.sign, result.number = typed.sign, typed.number
    result.measured = typed.measured
    result.dilution = write.dilution
    result.is_confirmed = bool(write.is_confirmed)
    result.reason = correction.reason if correction else None
    result.reason_words = clean(correction.words) if correction else None
    _judge_version(record, typed.item, result)
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    result.verified_by = result.verified_at = None


def _open_version(record: EntryRecord, item: TestWithResult, changes: ResultChanges) -> Result:
    """Return the unreleased version of a result, or a new one after a released one."""
    current = item.current
    if current is not None and current.released_at is None:
        changes.edited.append(current)
        return current
    if current is not None:
        current.is_current = False
        changes.withdrawn.append(current)
    result = Result(
        order_id=record.entry.order.id,
        order_test_id=item.home_id,
        revision=max((version.revision for version in item.versions), default=0) + 1,
        is_current=True,
    )
    changes.added.append(result)
    return result


def _judge_version(record: EntryRecord, item: TestWithResult, result: Result) -> None:
    """Set flag and change of a version, with the range, limits, and lab that they follow from."""
    test, row = item.test, record.ranges.get(item.test.id)
    limits = build_range(test, row)
    result.flag = compute_flag(
        ResultType(test.result_type),
        result.value,
        limits,
        test.normal_choices,
        test.critical_choices,
    )
    result.unit, result.method = test.unit, test.method
    result.performing_lab = record.performing_lab
    result.reference_range = format_reference_range(test, row)
    result.low, result.high = limits.low, limits.high
    result.critical_low, result.critical_high = limits.critical_low, limits.critical_high
    previous = record.previous.get(test.id)
    result.previous_value = previous.value if previous else None
    result.previous_at = previous.collection_date if previous else None
    delta = _measure_delta(record, item, result, previous) if previous else None
    result.is_delta_exceeded = delta is not None and delta.is_exceeded


def _measure_delta(
    record: EntryRecord, item: TestWithResult, result: Result, previous: PreviousResult
) -> Delta | None:
    """Compute the change since the last value; None unless both are exact and comparable."""
    test = item.test
    is_exact = not result.sign and not previous.sign
    is_comparable = previous.unit == test.unit and previous.method in (None, test.method)
    if result.number is None or previous.number is None or not is_exact or not is_comparable:
        return None
    return compute_delta(
        result.number,
        previous.number,
        (record.entry.order.collection_date - previous.collection_date).days,
        percent_limit=test.delta_percent,
        days_limit=test.delta_days,
    )


def _withdraw_entry(item: TestWithResult, changes: ResultChanges) -> None:
    """Withdraw an unreleased entry, and restore the released version before it."""
    current = item.current
    assert current is not None
    current.is_current = False
    changes.withdrawn.append(current)
    if item.newest_released:
        item.newest_released.is_current = True
        changes.restored.append(item.newest_released)


def add_versions(record: EntryRecord, added: list[Result]) -> None:
    """Add new versions of results to the rows of their analytes."""
    by_home: dict[int, list[Result]] = {}
    for result in added:
        by_home.setdefault(result.order_test_id, []).append(result)
    record.tests = [
        replace(item, versions=(*item.versions, *by_home.get(item.home_id, ())))
        for item in record.tests
    ]
