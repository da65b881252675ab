"""Reflex tests: what released results add to their order, and for which reason (ADR 49)."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from app.contract.enumerations import ResultKind, ResultType, Withholding
from app.server.access.work import Work
from app.server.orders.repository import OrderRepository
from app.server.orders.rules import AdditionReason, format_addition, format_flagged_value
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import TestWithResult, build_tests
from app.server.results.clinical.rules import Range, list_flags
from app.server.results.reflex.rules import Value, is_met
from app.server.results.reflex.service import Trigger, add_tests


async def add_reflex_tests(
    work: Work,
    record: EntryRecord,
    released_results: Sequence[Result],
    *,
    added_by: UUID | None,
    added_at: datetime,
) -> bool:
    """Add the tests that results of this release lead to, and return whether there are any.

    Results that are withheld immediately, and results of canceled tests, lead to none.
    """
    active_rules = record.reflex_rules
    test_ids_with_rules = {rule.test_id for rule in active_rules}
    triggers: dict[int, Trigger] = {}
    for item in record.tests:
        result = item.released
        if result is None or not item.owns_result or item.is_canceled:
            continue
        is_released_now = any(result is released_result for released_result in released_results)
        if is_released_now and item.test.id in test_ids_with_rules:
            triggers[item.test.id] = _build_trigger(record, item, result)
    added_tests = await add_tests(
        work, record.entry, active_rules, triggers, added_by=added_by, added_at=added_at
    )
    if added_tests:
        record.tests = _rebuild_tests(record)
    return bool(added_tests)


def describe_addition(record: EntryRecord, order_test_id: int) -> str | None:
    """Return why a rule added a test or panel; None if it was ordered, or belongs to a panel.

    The lab also reads results here that are no longer visible to others.
    """
    trigger = _find_trigger(record, order_test_id)
    if trigger is None:
        return None
    item, revision = trigger
    version = next(
        (candidate for candidate in item.versions if candidate.revision == revision), None
    )
    newest, hide = item.newest_released, record.entry.hide_withheld
    earlier_result, new_result = _format_version(hide(version)), _format_version(hide(newest))
    return format_addition(
        AdditionReason(
            trigger=item.row.name,
            earlier_result=earlier_result,
            new_result=new_result if new_result != earlier_result else None,
            is_withdrawn=newest is None or newest.withheld == Withholding.WITHDRAWN,
            is_gone=is_reason_gone(record, order_test_id),
        )
    )


def store_reasons(work: Work, record: EntryRecord) -> None:
    """Store which added tests have lost their reason.

    People outside the lab cannot judge this, because they do not see withheld results.
    """
    changed_reasons: dict[int, bool] = {}
    for order_test_id, addition in record.additions.items():
        is_gone = is_reason_gone(record, order_test_id)
        if is_gone != addition.is_reason_gone:
            changed_reasons[addition.id] = is_gone
    if changed_reasons:
        work.build_repository(OrderRepository).mark_additions(changed_reasons)


def is_reason_gone(record: EntryRecord, order_test_id: int) -> bool:
    """Whether the result that led to an added test was withdrawn, or no longer meets the rule."""
    trigger = _find_trigger(record, order_test_id)
    if trigger is None:
        return False
    item, _ = trigger
    newest = item.newest_released
    if newest is None or newest.withheld == Withholding.WITHDRAWN:
        return True
    condition = record.additions[order_test_id].rule.condition
    return not is_met(condition, _build_value(item, newest))


def _format_version(version: Result | None) -> str | None:
    return format_flagged_value(version.value, version.flag) if version else None


def _find_trigger(record: EntryRecord, order_test_id: int) -> tuple[TestWithResult, int] | None:
    addition = record.additions.get(order_test_id)
    if addition is None:
        return None
    for item in record.tests:
        if item.row.id == addition.trigger_test_id:
            return item, addition.trigger_revision
    return None


def _build_trigger(record: EntryRecord, item: TestWithResult, result: Result) -> Trigger:
    is_confidential = any(
        other.row.is_confidential for other in record.tests if other.test.id == item.test.id
    )
    return Trigger(item.row.id, result.revision, _build_value(item, result), is_confidential)


def _build_value(item: TestWithResult, result: Result) -> Value:
    test = item.test
    limits = Range(
        result.low,
        result.high,
        result.critical_low,
        result.critical_high,
        test.possible_low,
        test.possible_high,
    )
    flags = list_flags(
        ResultType(test.result_type),
        result.value,
        limits,
        test.normal_choices,
        test.critical_choices,
        test.choices,
    )
    return Value(
        result.value,
        result.sign,
        result.number,
        frozenset(flags),
        test.possible_low,
        test.possible_high,
        result.unit,
    )


def _rebuild_tests(record: EntryRecord) -> list[TestWithResult]:
    """Build the tests again, so that added rows share the results of their analytes."""
    versions = {id(version): version for item in record.tests for version in item.versions}
    return build_tests(
        [
            (item.row, item.test)
            for item in record.entry.tests
            if item.row.kind == ResultKind.CLINICAL
        ],
        sorted(versions.values(), key=lambda version: version.revision),
    )
