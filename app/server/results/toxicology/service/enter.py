"""Enters and corrects toxicology results (DECISIONS, Results)."""

from app.basics.clock import get_lab_now
from app.contract.enumerations import ToxicologyMethod
from app.server.access.work import Work
from app.server.results.entry.loading import OrderEntry, load_for_entering
from app.server.results.entry.progress import update_progress
from app.server.results.entry.rules import copy_columns
from app.server.results.toxicology import rules
from app.server.results.toxicology.loading import QUERY, collect_tests
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.repository import (
    MeasuredTest,
    ResultChanges,
    ToxicologyRepository,
)
from app.server.results.toxicology.schemas import ToxicologyEntry, ToxicologyEntryWrite
from app.server.results.toxicology.service.assess import KIND, build_entered_progress
from app.server.results.toxicology.service.entry import build_entry
from app.server.results.toxicology.service.validate import TypedResult, parse_writes

_JUDGED_COLUMNS = (
    "is_detected",
    "method",
    "unit",
    "cut_off",
    "low",
    "high",
    "detection_window",
    "performing_lab",
)


async def save_results(work: Work, order_id: int, body: ToxicologyEntryWrite) -> ToxicologyEntry:
    """Save entered results; a change to a released result adds an unreleased version.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is neither a number nor one of the words, may be on either side of the
            cut-off, is impossible, or corrects a released one without a reason of the list; each
            error has the index of its result.
        AbsurdResult: an unusual value is not confirmed.
    """
    entry = await load_for_entering(work, order_id, QUERY)
    tests = collect_tests(entry)
    changes = ResultChanges()
    are_changed = [
        _enter_result(work, entry, typed_result, changes)
        for typed_result in parse_writes(entry, tests, body.results)
    ]
    if any(are_changed):
        work.build_repository(ToxicologyRepository).store_changes(changes)
        update_progress(work, entry, KIND, build_entered_progress(entry, tests))
        await work.audit("enter", "order-results", [order_id], {"tests": sum(are_changed)})
    return build_entry(work, entry, tests)


def _enter_result(
    work: Work, entry: OrderEntry, typed_result: TypedResult, changes: ResultChanges
) -> bool:
    """Add an entered result to the changes; return whether it changes anything."""
    item, write, current = typed_result.item, typed_result.write, typed_result.item.current
    if typed_result.value is None:
        return _withdraw_entry(item, changes)
    if typed_result.is_unchanged and typed_result.is_reason_unchanged:
        return False
    keeps_unit = typed_result.keeps_unit
    reason_code, explanation = typed_result.reason
    # A new reason alone does not undo the confirmation of an unusual value.
    is_confirmed = bool(write.is_confirmed) or bool(
        current and current.is_confirmed and typed_result.is_unchanged
    )
    result = _open_version(entry, item, changes)
    if write.is_repeat:
        result.first_value = result.first_value or result.value
    result.value, result.comment = typed_result.value, typed_result.comment
    result.measured, result.dilution = typed_result.measured, write.dilution
    result.is_confirmed = is_confirmed
    if keeps_unit and current is not None:
        copy_columns(current, result, _JUDGED_COLUMNS)
    else:
        _judge_result(item, result)
        result.performing_lab = entry.lab_name
    result.reason_code, result.explanation = reason_code, explanation
    result.reason = entry.parts["reasons"].get(result.reason_code)
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    return True


def _open_version(
    entry: OrderEntry, item: MeasuredTest, changes: ResultChanges
) -> ToxicologyResult:
    """Return the unreleased version of a result, or a new one after a released one."""
    current = item.current
    if current is not None and current.released_at is None:
        changes.edited.append(current)
        return current
    if current is not None:
        current.is_current = False
        changes.withdrawn.append(current)
    result = ToxicologyResult(
        order_id=entry.order.id,
        order_test_id=item.owner_row_id,
        revision=max((version.revision for version in item.versions), default=0) + 1,
        is_current=True,
    )
    changes.added.append(result)
    item.versions.append(result)
    return result


def _judge_result(item: MeasuredTest, result: ToxicologyResult) -> None:
    """Set whether a value was detected, and store what it was judged by."""
    reference, limits = item.reference, item.fitting_reference
    reading = rules.parse_reading(result.value, reference.cut_off if reference else None)
    result.is_detected = None
    if item.method is not ToxicologyMethod.VALIDITY:
        result.is_detected = rules.find_detection(reading)
    result.method, result.unit = item.method, item.test.unit
    result.low = limits.low if limits else None
    result.high = limits.high if limits else None
    result.cut_off = reference.cut_off if reference else None
    result.detection_window = reference.detection_window if reference else None


def _withdraw_entry(item: MeasuredTest, changes: ResultChanges) -> bool:
    """Withdraw an unreleased entry, and restore the released version before it."""
    current = item.current
    if current is None:
        return False
    current.is_current = False
    changes.withdrawn.append(current)
    if item.newest_released:
        item.newest_released.is_current = True
        changes.restored.append(item.newest_released)
    return True
