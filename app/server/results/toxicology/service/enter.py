"""Enters and corrects toxicology results (DECISIONS, Results)."""

from collections.abc import Collection, Mapping
from decimal import Decimal

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, NotFound, require_no_errors
from app.basics.text import clean_text, to_upper_case
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultStatus, ToxicologyMethod, Withholding
from app.server.access.work import Work
from app.server.lab_settings.rules import explains_why
from app.server.results.entry.loading import OrderEntry, load_for_entering
from app.server.results.entry.progress import update_progress
from app.server.results.entry.rules import find_unit_fault, name_unit
from app.server.results.toxicology import rules
from app.server.results.toxicology.loading import QUERY, collect_tests, format_cut_off
from app.server.results.toxicology.models import ToxicologyResult
from app.server.results.toxicology.repository import (
    MeasuredTest,
    ResultChanges,
    ToxicologyRepository,
    is_in_other_unit,
)
from app.server.results.toxicology.rules import Reading
from app.server.results.toxicology.schemas import (
    ToxicologyEntry,
    ToxicologyEntryWrite,
    ToxicologyResultWrite,
)
from app.server.results.toxicology.service.assess import KIND, build_entered_progress
from app.server.results.toxicology.service.entry import build_entry

_JUDGED_COLUMNS = ("is_detected", "method", "unit", "cut_off", "low", "high", "detection_window")


async def save_results(work: Work, order_id: int, body: ToxicologyEntryWrite) -> ToxicologyEntry:
    """Save entered results; a change to a released result adds an unreleased version.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value is neither a number nor one of the words, may be on either side of the
            cut-off, or corrects a released one without a reason of the list; each error has the
            index of its result.
    """
    entry = await load_for_entering(work, order_id, QUERY)
    tests = collect_tests(entry)
    by_id = {item.row.id: item for item in tests if not item.row.is_panel}
    reasons: Mapping[str, str] = entry.parts["reasons"]
    ended_codes = entry.get_ended_reasons(ReasonKind.CORRECTION)
    errors: list[FieldError] = []
    for index, write in enumerate(body.results):
        item = by_id.get(write.order_test_id)
        if item is None:
            raise NotFound(messages.NOT_FOUND)
        errors += [
            FieldError(f"results.{index}.{name}", message)
            for name, message in _validate_write(item, write, reasons, ended_codes)
        ]
    errors += _find_contradictions(by_id, body)
    require_no_errors(errors)
    changes = ResultChanges()
    # A test in several panels has one result.
    writes = {id(by_id[write.order_test_id].versions): write for write in body.results}
    are_changed = [
        _enter_result(work, entry, by_id[write.order_test_id], write, changes)
        for write in writes.values()
    ]
    if any(are_changed):
        work.build_repository(ToxicologyRepository).store_changes(changes)
        update_progress(work, entry, KIND, build_entered_progress(entry, tests))
        await work.audit("enter", "order-results", [order_id], {"tests": sum(are_changed)})
    return build_entry(work, entry, tests)


def _find_contradictions(
    by_id: Mapping[int, MeasuredTest], body: ToxicologyEntryWrite
) -> list[FieldError]:
    """Find tests of several panels for which two different results are entered."""
    errors = []
    first_results: dict[int, tuple[str | None, str | None]] = {}
    for index, write in enumerate(body.results):
        item = by_id[write.order_test_id]
        result = _normalize_value(item, write), clean_text(write.comment)
        if first_results.setdefault(id(item.versions), result) != result:
            message = messages.RESULT_TYPED_TWICE.format(test=item.row.name)
            errors.append(FieldError(f"results.{index}.result", message))
    return errors


def _validate_write(
    item: MeasuredTest,
    write: ToxicologyResultWrite,
    reasons: Mapping[str, str],
    ended_codes: Collection[str],
) -> list[tuple[str, str]]:
    """Return pairs of a field and its message."""
    name, value = item.row.name, _normalize_value(item, write)
    if item.row.status == ResultStatus.CANCELED:
        return [("result", messages.RESULT_TEST_CANCELED.format(test=name))]
    if value is None:
        return _validate_emptying(item, write)
    pairs = []
    if not _keeps_unit(item, value) and (
        message := _find_unit_fault(item, write, value) or _validate_value(item, value)
    ):
        pairs.append(("result", message))
    is_unchanged = _is_unchanged(item, write, value)
    if write.reason_code and write.reason_code not in reasons:
        pairs.append(("reasonCode", messages.VALUE_INVALID))
    elif write.reason_code in ended_codes and not _has_reason(item, write, is_unchanged):
        pairs.append(("reasonCode", messages.REASON_ENDED))
    if item.newest_released is not None and not is_unchanged:
        if not write.reason_code:
            pairs.append(("reasonCode", messages.TOXICOLOGY_REASON_REQUIRED.format(test=name)))
        elif not explains_why(write.reason_code, write.explanation):
            pairs.append(("explanation", messages.REASON_NEEDS_WORDS))
    return pairs


def _validate_emptying(item: MeasuredTest, write: ToxicologyResultWrite) -> list[tuple[str, str]]:
    """Validate a write without a value, which withdraws an unreleased entry and its comment."""
    current, comment = item.current, clean_text(write.comment)
    if current is not None and current.released_at is not None:
        # A released result can be corrected or withheld, but not emptied.
        return [("result", messages.VALUE_REQUIRED)]
    if comment is not None and comment != (current.comment if current else None):
        return [("result", messages.RESULT_COMMENT_ALONE.format(test=item.row.name))]
    return []


def _has_reason(item: MeasuredTest, write: ToxicologyResultWrite, is_unchanged: bool) -> bool:
    """Whether the version that this saves, or leaves as it is, has the sent reason already."""
    current = item.current
    if current is None or current.reason_code != write.reason_code:
        return False
    return current.released_at is None or is_unchanged


def _normalize_value(item: MeasuredTest, write: ToxicologyResultWrite) -> str | None:
    """Return the typed value in upper case, without the test's own unit after a number."""
    value = to_upper_case(write.result)
    number, unit = rules.split_unit(value or "")
    return number if unit and unit == to_upper_case(item.test.unit) else value


def _find_unit_fault(item: MeasuredTest, write: ToxicologyResultWrite, value: str) -> str | None:
    """Return the fault of a typed unit that is not the test's."""
    if item.choices or rules.split_unit(value)[1] is None:
        return None
    # The message has the unit as typed; the value is in upper case.
    typed_unit = rules.split_unit(write.result or "")[1]
    return find_unit_fault(item.row.name, item.test.unit, typed_unit)


def _keeps_unit(item: MeasuredTest, value: str) -> bool:
    """Whether the value is that of a result from before the test got another unit.

    With a new comment, or reported again, it means what it meant.
    """
    current = item.current
    return current is not None and is_in_other_unit(item, current) and value == current.value


def _validate_value(item: MeasuredTest, value: str) -> str | None:
    name, reference = item.row.name, item.reference
    if reference and not item.fitting_reference and rules.parse_number(value) is not None:
        return messages.TOXICOLOGY_LIMITS_IN_OTHER_UNIT.format(
            test=name,
            unit=name_unit(reference.unit),
            test_unit=name_unit(item.test.unit),
        )
    if item.choices and value not in item.choices:
        return messages.RESULT_NOT_A_CHOICE.format(test=name, value=value)
    if item.reference is None:
        return None if item.choices else messages.TOXICOLOGY_TEST_UNKNOWN.format(test=name)
    if item.method is ToxicologyMethod.VALIDITY:
        is_valid = bool(item.choices) or rules.parse_number(value) is not None
        return None if is_valid else messages.RESULT_NOT_A_NUMBER.format(test=name)
    # The lab's own choices too must say whether something was detected.
    return _validate_reading(item, value, item.reference.cut_off)


def _validate_reading(item: MeasuredTest, value: str, cut_off: Decimal | None) -> str | None:
    name, reading = item.row.name, rules.parse_reading(value, cut_off)
    if reading is Reading.INVALID:
        return messages.TOXICOLOGY_NOT_A_RESULT.format(test=name)
    if reading is Reading.UNCLEAR:
        text = format_cut_off(cut_off, item.test.unit) or ""
        return messages.TOXICOLOGY_UNCLEAR.format(test=name, value=value, cut_off=text)
    return None


def _is_unchanged(item: MeasuredTest, write: ToxicologyResultWrite, value: str) -> bool:
    """Whether the current version says the same; a reason reports a withdrawn one again."""
    current = item.current
    if current and current.withheld == Withholding.WITHDRAWN and write.reason_code:
        return False
    return current is not None and (current.value, current.comment) == (
        value,
        clean_text(write.comment),
    )


def _enter_result(
    work: Work,
    entry: OrderEntry,
    item: MeasuredTest,
    write: ToxicologyResultWrite,
    changes: ResultChanges,
) -> bool:
    """Add an entered result to the changes; return whether it changes anything."""
    value, current = _normalize_value(item, write), item.current
    if value is None:
        return _withdraw_entry(item, changes)
    if _is_unchanged(item, write, value) and _is_reason_unchanged(item, write):
        return False
    keeps_unit = _keeps_unit(item, value)
    if current is None or current.released_at is not None:
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
    else:
        result = current
        changes.edited.append(result)
    result.value, result.comment = value, clean_text(write.comment)
    if keeps_unit and current is not None:
        for name in _JUDGED_COLUMNS:
            setattr(result, name, getattr(current, name))
    else:
        _judge_result(item, result)
    result.reason_code, result.explanation = _get_reason(item, write)
    result.reason = entry.parts["reasons"].get(result.reason_code)
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    return True


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


def _is_reason_unchanged(item: MeasuredTest, write: ToxicologyResultWrite) -> bool:
    """Whether an unreleased entry has the sent reason; that of a released one is not compared."""
    current = item.current
    if current is None or current.released_at is not None:
        return True
    return (current.reason_code, current.explanation) == _get_reason(item, write)


def _get_reason(item: MeasuredTest, write: ToxicologyResultWrite) -> tuple[str | None, str | None]:
    """Return the reason to store; to readers, a result with a reason is a correction."""
    if item.newest_released is None:
        return None, None
    return write.reason_code or None, clean_text(write.explanation)


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
