"""Results and limits in another unit than the test has now (ADR 102)."""

from app.contract import messages
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import TestWithResult
from app.server.results.clinical.rules import has_no_range
from app.server.results.entry.rules import copy_columns, name_unit

JUDGED_COLUMNS = (
    "unit",
    "method",
    "performing_lab",
    "flag",
    "reference_range",
    "low",
    "high",
    "critical_low",
    "critical_high",
    "previous_value",
    "previous_at",
    "is_delta_exceeded",
)
"""What a value means, and what it was judged by."""


def is_in_other_unit(item: TestWithResult, result: Result | None) -> bool:
    """Whether a number was entered before the test got its current unit."""
    return result is not None and result.number is not None and result.unit != item.test.unit


def keep_judgment(result: Result, earlier_result: Result) -> None:
    """Copy the unit and judgment of an earlier version to one that repeats its value."""
    copy_columns(earlier_result, result, JUDGED_COLUMNS)
    result.autoverified_version = result.waits_for = None


def needs_unit_check(record: EntryRecord, item: TestWithResult, result: Result) -> bool:
    """Whether a person should look at the unit of a result before its release."""
    is_judged = not has_no_range(result.number, result.flag, result.reference_range)
    is_unjudged = item.test.id in record.other_ranges and not is_judged
    return is_in_other_unit(item, result) or is_unjudged


def describe_units(
    record: EntryRecord, item: TestWithResult, shown_result: Result | None
) -> str | None:
    """Return what to know about the units of a test, its result, and its limits, or None."""
    test, sentences = item.test, []
    if item.row.is_panel or not item.owns_result or item.is_canceled:
        return None
    test_unit = name_unit(test.unit)
    if shown_result is not None and is_in_other_unit(item, shown_result):
        unit = name_unit(shown_result.unit)
        sentences.append(messages.RESULT_IN_OTHER_UNIT.format(unit=unit, test_unit=test_unit))
    if (range_row := record.other_ranges.get(test.id)) is not None:
        unit = name_unit(range_row.unit)
        sentences.append(messages.RESULT_RANGE_IN_OTHER_UNIT.format(unit=unit, test_unit=test_unit))
    for rule in record.reflex_rules:
        condition = rule.condition
        if rule.test_id == test.id and condition.has_limits and condition.unit != test.unit:
            unit = name_unit(condition.unit)
            sentences.append(
                messages.RESULT_REFLEX_IN_OTHER_UNIT.format(
                    rule=rule.code, unit=unit, test_unit=test_unit
                )
            )
    return " ".join(sentences) or None
