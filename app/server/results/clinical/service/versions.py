"""Versions of clinical results: opens, evaluates, withdraws, and withholds them."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from uuid import UUID

from app.contract import messages
from app.contract.enumerations import ResultType, Withholding
from app.server.results.clinical.checks import Delta, compute_delta
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import PreviousResult, ResultChanges, TestWithResult
from app.server.results.clinical.rules import compute_flag
from app.server.results.clinical.service.ranges import build_range, format_reference_range


def open_version(record: EntryRecord, item: TestWithResult, changes: ResultChanges) -> Result:
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
        order_test_id=item.owner_row_id,
        revision=max((version.revision for version in item.versions), default=0) + 1,
        is_current=True,
    )
    changes.added.append(result)
    return result


def evaluate_version(record: EntryRecord, item: TestWithResult, result: Result) -> None:
    """Set flag and change of a version, and store their basis: range, limits, and lab."""
    result.autoverified_version = result.waits_for = None
    test, row = item.test, record.ranges.get(item.test.id)
    limits = build_range(test, row)
    result.flag = compute_flag(
        ResultType(test.result_type),
        result.value,
        limits,
        test.normal_choices,
        test.critical_choices,
        test.choices,
    )
    result.unit, result.method = test.unit, test.method
    result.performing_lab = record.entry.lab_name
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
    if result.number is None or previous.number is None or not is_exact:
        return None
    if previous.find_difference(test) is not None:
        return None
    return compute_delta(
        result.number,
        previous.number,
        (record.entry.order.collection_date - previous.collection_date).days,
        percent_limit=test.delta_percent,
        days_limit=test.delta_days,
    )


def withdraw_entry(item: TestWithResult, changes: ResultChanges) -> None:
    """Withdraw an unreleased entry, and restore the released version before it."""
    current = item.current
    assert current is not None
    current.is_current = False
    changes.withdrawn.append(current)
    if item.newest_released:
        item.newest_released.is_current = True
        changes.restored.append(item.newest_released)


def format_value(result: Result) -> str:
    """Format a value with its unit: '95 mg/dL'."""
    return f"{result.value} {result.unit}" if result.unit else result.value


def find_releaser(version: Result | None, names: Mapping[UUID, str]) -> str | None:
    """Return who released a version; nobody did if it was released automatically."""
    if version is None:
        return None
    if version.autoverified_version is not None:
        return messages.AUTOVERIFICATION
    return names.get(version.released_by) if version.released_by else None


def add_versions(record: EntryRecord, new_versions: list[Result]) -> None:
    """Add new versions of results to the rows of their analytes."""
    versions_by_row: dict[int, list[Result]] = {}
    for result in new_versions:
        versions_by_row.setdefault(result.order_test_id, []).append(result)
    record.tests = [
        replace(item, versions=(*item.versions, *versions_by_row.get(item.owner_row_id, ())))
        for item in record.tests
    ]


def mark_withheld(
    record: EntryRecord,
    item: TestWithResult,
    kind: Withholding | None,
    at: datetime,
    changes: ResultChanges,
) -> None:
    """Mark all rows of an analyte as withheld at this time, or not."""
    for other in record.tests:
        if other.test.id == item.test.id and other.row.withheld != kind:
            other.row.withheld, other.row.withheld_at = kind, at if kind else None
            changes.marked.append(other.row)
