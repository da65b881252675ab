"""Calculates results from other results of the order, and withholds outdated ones."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from app.basics.clock import get_lab_now
from app.contract import messages
from app.contract.enumerations import Withholding
from app.server.access.work import Work
from app.server.results.clinical import formulas
from app.server.results.clinical.formulas import Person, Quantity
from app.server.results.clinical.loading import EntryRecord
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import ResultChanges, TestWithResult
from app.server.results.clinical.rules import compute_age_in_years
from app.server.results.clinical.service.comments import (
    corrects_comment,
    find_comment_origin,
    find_comment_to_keep,
    find_typed_comment,
    has_other_reason,
    join_comment,
)
from app.server.results.clinical.service.versions import (
    add_versions,
    evaluate_version,
    format_value,
    mark_withheld,
    open_version,
    withdraw_entry,
)
from app.server.results.entry.checks import Bound, build_bounds, find_excess

_REASON = "CALCULATION"


def calculate_results(work: Work, record: EntryRecord, changes: ResultChanges) -> None:
    """Enter the results that follow from the current values of others.

    If all inputs are there but allow no result, or if one is canceled, the result is NOT CALCULATED
    with the reason, so that nobody waits for it and the order can be final (ADR 56, 78). A typed
    value is a measured one, and stays. An unreleased result that lacks an input is withdrawn;
    ``review_stale_calculations`` handles released ones.
    """
    added_count = len(changes.added)
    typed_ids = {id(result) for result in (*changes.added, *changes.edited)}
    for item in _list_tests_with_formula(record):
        current = item.current
        if current is not None and current.formula is None:
            continue
        derived_result = _derive_result(
            record, item, lambda test: _find_usable_version(record, test)
        )
        value = derived_result.value if derived_result else None
        released_result = item.newest_released
        is_released_again = (
            derived_result is not None
            and released_result is not None
            and released_result.withheld is None
            and released_result.value == value
            and not has_other_reason(record, item, released_result, derived_result.comment)
            and not corrects_comment(record, item)
        )
        if derived_result is None or is_released_again:
            if current is not None and current.released_at is None:
                withdraw_entry(item, changes)
        elif current is None or current.value != value:
            _enter_result(work, record, item, derived_result, changes)
        elif (reason := derived_result.comment) and reason not in (current.comment or ""):
            if id(current) in typed_ids:
                # The comment on NOT CALCULATED begins with the reason; a person's words follow.
                current.comment = join_comment(reason, find_typed_comment(record, item, current))
            else:
                _enter_result(work, record, item, derived_result, changes)
    add_versions(record, changes.added[added_count:])


def review_stale_calculations(work: Work, record: EntryRecord, changes: ResultChanges) -> None:
    """Put visible calculated results under review if visible inputs do not lead to them.

    An input may have been corrected to a value that allows no calculation, or be withheld.
    """
    for item in _list_tests_with_formula(record):
        visible_result = item.released
        if visible_result is None or visible_result.formula != item.test.formula:
            continue
        derived_result = _derive_result(record, item, lambda test: test.released)
        if derived_result is not None and derived_result.value == visible_result.value:
            continue
        now = get_lab_now(work.portal.settings.time_zone)
        for version in item.versions:
            if version.released_at is not None and version.withheld is None:
                version.withheld, version.withheld_reason = Withholding.REVIEW, _REASON
                version.withheld_words = messages.RESULT_INPUT_CHANGED.format(
                    tests=_name_inputs(record, item)
                )
                version.withheld_by = work.actor.user_id
                version.withheld_at = now
                changes.withheld.append(version)
        mark_withheld(record, item, Withholding.REVIEW, now, changes)


def is_calculated(item: TestWithResult) -> bool:
    """Whether the test's result in entry is calculated."""
    return item.current is not None and item.current.formula is not None


def list_calculated_from(
    record: EntryRecord, items: Sequence[TestWithResult]
) -> list[TestWithResult]:
    """List the tests, other than ``items``, whose results are calculated from these."""
    codes = {item.test.code for item in items}
    return [
        item
        for item in _list_tests_with_formula(record)
        if is_calculated(item)
        and item.test.code not in codes
        and not codes.isdisjoint(item.test.formula_inputs)
    ]


def find_unreleased_input(
    record: EntryRecord, item: TestWithResult, released_together: Collection[int] = ()
) -> str | None:
    """Return the name of an input of a calculated result that clients do not see, or None.

    ``released_together`` are the ids of the tests that are released with it.
    """
    if not is_calculated(item) or _find_canceled_input(record, item) is not None:
        return None
    for code, input_test in zip(item.test.formula_inputs, _list_inputs(record, item), strict=True):
        if input_test is not None and input_test.owner_row_id in released_together:
            continue
        if (
            input_test is None
            or input_test.current is None
            or input_test.current is not input_test.released
        ):
            return input_test.test.name if input_test else code
    return None


def _list_tests_with_formula(record: EntryRecord) -> Iterator[TestWithResult]:
    for item in record.tests:
        if (
            item.test.formula
            and item.owns_result
            and not item.row.is_panel
            and not item.is_canceled
        ):
            yield item


def _list_inputs(record: EntryRecord, item: TestWithResult) -> list[TestWithResult | None]:
    by_code = {other.test.code: other for other in record.tests if not other.is_canceled}
    return [by_code.get(code) for code in item.test.formula_inputs]


def _find_canceled_input(record: EntryRecord, item: TestWithResult) -> str | None:
    """Return the name of a canceled input, without which there will be no result, or None."""
    names_by_code = {other.test.code: other.row.name for other in record.tests if other.is_canceled}
    return next(
        (names_by_code[code] for code in item.test.formula_inputs if code in names_by_code), None
    )


def _name_inputs(record: EntryRecord, item: TestWithResult) -> str:
    names = {other.test.code: other.test.name for other in record.tests}
    return ", ".join(names[code] for code in item.test.formula_inputs if code in names)


def _find_usable_version(record: EntryRecord, item: TestWithResult) -> Result | None:
    """Return the current version of an input, unless it is on hold or withheld."""
    version = item.current
    is_held = any(hold.test_id == item.test.id for hold in record.holds)
    return None if is_held or version is None or version.withheld else version


@dataclass(frozen=True)
class _DerivedResult:
    """The result of the formula: a number, or NOT CALCULATED with the reason as a comment."""

    value: str
    comment: str | None = None


def _derive_result(
    record: EntryRecord, item: TestWithResult, choose: Callable[[TestWithResult], Result | None]
) -> _DerivedResult | None:
    """Derive a result from the chosen versions of its inputs; None while one is missing."""
    canceled_name = _find_canceled_input(record, item)
    if canceled_name is not None:
        reason = messages.RESULT_INPUT_CANCELED.format(input=canceled_name)
        return _DerivedResult(messages.RESULT_NOT_CALCULATED, reason)
    versions = [
        (input_test.row.name, choose(input_test)) if input_test else ("", None)
        for input_test in _list_inputs(record, item)
    ]
    if not versions or any(version is None for _, version in versions):
        return None
    quantities = [(name, _build_quantity(version)) for name, version in versions]
    person = _build_person(record)
    value = _calculate_value(item, [quantity for _, quantity in quantities], person)
    if value is not None:
        return _DerivedResult(value)
    message, name = formulas.find_obstacle(item.test.formula or "", quantities, person)
    return _DerivedResult(messages.RESULT_NOT_CALCULATED, message.format(input=name))


def _build_person(record: EntryRecord) -> Person:
    order = record.entry.order
    return Person(
        order.patient_gender,
        compute_age_in_years(order.patient_birth_date, order.collection_date.date()),
    )


def _calculate_value(
    item: TestWithResult, quantities: Sequence[Quantity | None], person: Person
) -> str | None:
    """Calculate a result from its inputs; None if that is impossible."""
    test = item.test
    value = formulas.calculate_result(
        test.formula or "", quantities, test.unit, person, test.decimals
    )
    if value is None:
        return None
    excess = find_excess(Decimal(value), build_bounds(test), sign="")
    return None if excess is not None and excess.bound is Bound.IMPOSSIBLE else value


def _build_quantity(version: Result | None) -> Quantity | None:
    """Build the exact number of a version; None for text and signed values."""
    if version is None or version.number is None or version.sign:
        return None
    return Quantity(version.number, version.unit)


def _enter_result(
    work: Work,
    record: EntryRecord,
    item: TestWithResult,
    derived_result: _DerivedResult,
    changes: ResultChanges,
) -> None:
    """Enter a calculated result; a correction has the reason of the input that was corrected."""
    comment = find_comment_to_keep(record, item)
    comment_origin = find_comment_origin(record, item)
    result = open_version(record, item, changes)
    is_number = derived_result.value != messages.RESULT_NOT_CALCULATED
    result.comment = join_comment(derived_result.comment, comment)
    result.value, result.number = (
        derived_result.value,
        Decimal(derived_result.value) if is_number else None,
    )
    result.sign = result.measured = result.dilution = result.first_value = None
    result.formula, result.is_confirmed = item.test.formula, False
    if item.newest_released is not None:
        reasons = (
            input_test.current.reason
            for input_test in _list_inputs(record, item)
            if input_test and input_test.current
        )
        result.reason = next((reason for reason in reasons if reason), _REASON)
        result.reason_words = messages.RESULT_CALCULATED_FROM.format(
            tests=_name_inputs(record, item)
        )
    evaluate_version(record, item, result)
    result.comment_for = None if comment_origin == format_value(result) else comment_origin
    if not is_number:
        result.flag = None
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    result.verified_by = result.verified_at = None
