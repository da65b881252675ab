"""Enters and corrects clinical results (DECISIONS, Results)."""

from collections.abc import Sequence

from app.basics.clock import get_lab_now
from app.basics.errors import FieldError, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.contract.enumerations import Reopening
from app.server.access.work import Work
from app.server.results.automation.rules import format_obstacle
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.repository import ResultChanges
from app.server.results.clinical.schemas import (
    AutoverifiedResult,
    ResultEntry,
    ResultEntryWrite,
    ResultWrite,
)
from app.server.results.clinical.service.autoverify import autoverify_results
from app.server.results.clinical.service.calculate import (
    calculate_results,
    review_stale_calculations,
)
from app.server.results.clinical.service.comments import (
    drop_calculation_reason,
    replace_typed_comment,
)
from app.server.results.clinical.service.entry import (
    build_result_entry,
    read_entry,
    update_order,
)
from app.server.results.clinical.service.reflex import add_reflex_tests
from app.server.results.clinical.service.units import keep_judgment
from app.server.results.clinical.service.validate import TypedResult, parse_writes
from app.server.results.clinical.service.versions import (
    add_versions,
    evaluate_version,
    format_value,
    open_version,
    withdraw_entry,
)
from app.server.results.entry.loading import load_for_entering
from app.server.results.entry.progress import ShownChange


async def save_results(work: Work, order_id: int, body: ResultEntryWrite) -> ResultEntry:
    """Save entered results; a change to a released result adds an unreleased version.

    The lab's rules may release results automatically.

    Raises:
        Forbidden, NotFound, StaleVersion, OrderReadOnly.
        BadInput: a value does not fit its test, or a released result is empty; each error has the
            index of its result.
        CorrectionRequired: a released result is changed without a reason.
        AbsurdResult: an implausible value is not confirmed.
    """
    record = build_record(await load_for_entering(work, order_id, choose_query(work)))
    changes = ResultChanges()
    typed_results = parse_writes(record, body.results)
    for result in typed_results:
        _enter_result(work, record, result, changes)
    if typed_results:
        add_versions(record, changes.added)
        calculate_results(work, record, changes)
        _comment_calculated(record, typed_results, body.results, changes)
        await work.audit("enter", "order-results", [order_id], {"tests": len(typed_results)})
        if await _store_results(work, record, changes):
            # Read again, because the answer also has the ranges of the added tests.
            entry = await read_entry(work, order_id)
            return entry.model_copy(
                update={"autoverified": _list_autoverified_results(record, changes)}
            )
    return build_result_entry(work, record, _list_autoverified_results(record, changes))


async def _store_results(work: Work, record: EntryRecord, changes: ResultChanges) -> bool:
    """Store entered results and release some automatically; return whether this added tests."""
    now = get_lab_now(work.portal.settings.time_zone)
    released_results = autoverify_results(record, changes, now)
    if not released_results:
        update_order(work, record, changes)
        return False
    results = [item.current for item in released_results if item.current is not None]
    review_stale_calculations(work, record, changes)
    has_added = await add_reflex_tests(work, record, results, added_by=None, added_at=now)
    update_order(work, record, changes, change=ShownChange(Reopening.RELEASE, now))
    detail = {
        "releasedBy": messages.AUTOVERIFICATION,
        "ruleVersions": {
            item.test.code: item.current.autoverified_version
            for item in released_results
            if item.current is not None
        },
    }
    await work.audit("autoverify", "order-results", [record.entry.order.id], detail)
    return has_added


def _list_autoverified_results(
    record: EntryRecord, changes: ResultChanges
) -> list[AutoverifiedResult]:
    """List the results of this save whose tests have a rule, in the order of the tests."""
    result_ids = {id(result) for result in (*changes.added, *changes.edited)}
    autoverified_results = []
    for item in record.tests:
        current = item.current
        if not item.owns_result or current is None or id(current) not in result_ids:
            continue
        if current.waits_for or current.autoverified_version is not None:
            reason = format_obstacle(current.waits_for) if current.waits_for else None
            autoverified_results.append(
                AutoverifiedResult(name=item.row.name, result=format_value(current), reason=reason)
            )
    return autoverified_results


def _comment_calculated(
    record: EntryRecord,
    typed_results: Sequence[TypedResult],
    writes: Sequence[ResultWrite],
    changes: ResultChanges,
) -> None:
    """Add comments that were typed without a result to the results that this save calculated.

    Raises:
        BadInput: a new comment has no result, because an input is missing.
    """
    errors = []
    for typed_result in typed_results:
        test = typed_result.item.test
        if typed_result.value is not None or typed_result.comment is None or not test.formula:
            continue
        item = next(item for item in record.tests if item.test.id == test.id)
        result = item.current
        if result is not None and any(result is added for added in changes.added):
            replace_typed_comment(record, item, result, typed_result.comment)
        elif typed_result.is_comment_new:
            text = messages.RESULT_COMMENT_ALONE.format(test=test.name)
            errors.append(FieldError(f"results.{writes.index(typed_result.write)}.result", text))
    require_no_errors(errors)


def _enter_result(
    work: Work, record: EntryRecord, typed_result: TypedResult, changes: ResultChanges
) -> None:
    if typed_result.value is None:
        if typed_result.item.current is not None:
            withdraw_entry(typed_result.item, changes)
        return
    # A comment on a calculated result does not turn it into a measured one.
    formula = typed_result.item.test.formula if typed_result.keeps_formula else None
    comment = typed_result.comment
    if formula is None:
        comment = drop_calculation_reason(record, typed_result.item, comment)
    current = typed_result.item.current if typed_result.keeps_unit else None
    result = open_version(record, typed_result.item, changes)
    write, correction = typed_result.write, typed_result.correction
    if write.is_repeat:
        result.first_value = result.first_value or result.value
    result.value, result.comment, result.comment_for = typed_result.value, comment, None
    result.sign, result.number = typed_result.sign, typed_result.number
    result.measured = typed_result.measured
    result.formula = formula
    result.dilution = write.dilution
    result.is_confirmed = bool(write.is_confirmed)
    # Only a correction has a reason: readers take every version with a reason for one.
    if typed_result.item.newest_released is None:
        correction = None
    result.reason = correction.reason if correction else None
    result.reason_words = clean_text(correction.words) if correction else None
    if current is not None:
        keep_judgment(result, current)
    else:
        evaluate_version(record, typed_result.item, result)
    result.entered_by = work.actor.user_id
    result.entered_at = get_lab_now(work.portal.settings.time_zone)
    result.verified_by = result.verified_at = None
