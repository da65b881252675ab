"""The clinical result entry screen, and the common steps of entering and releasing results."""

from collections.abc import Sequence
from datetime import datetime

from app.basics.errors import NotFound
from app.contract import messages
from app.contract.enumerations import ReasonKind, ResultKind, ResultStatus, Withholding
from app.server.access.work import Work
from app.server.critical_results.repository import CriticalResult
from app.server.lab_settings.rules import is_verification_required
from app.server.orders.rules import TestState, compute_result_status
from app.server.results.automation.rules import format_obstacle
from app.server.results.clinical import rules
from app.server.results.clinical.formulas import find_title
from app.server.results.clinical.loading import EntryRecord, build_record, choose_query
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    ResultChanges,
    TestWithResult,
)
from app.server.results.clinical.schemas import (
    AutoverifiedResult,
    EntryRow,
    ResultEntry,
)
from app.server.results.clinical.service.comments import describe_comment, is_comment_hidden
from app.server.results.clinical.service.obstacles import explain_unreleased, is_before_specimen
from app.server.results.clinical.service.ranges import format_reference_range
from app.server.results.clinical.service.reflex import (
    describe_addition,
    is_reason_gone,
    store_reasons,
)
from app.server.results.clinical.service.units import describe_units
from app.server.results.clinical.service.versions import find_releaser, format_value
from app.server.results.entry.loading import load_for_reading
from app.server.results.entry.progress import FamilyProgress, ShownChange, update_progress
from app.server.results.entry.service import build_header, build_holds, build_withholding


async def read_entry(work: Work, order_id: int) -> ResultEntry:
    """Return the clinical result entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    record = build_record(await load_for_reading(work, order_id, choose_query(work)))
    await work.audit("read", "order-results", [order_id])
    return build_result_entry(work, record)


def choose_tests(record: EntryRecord, ids: Sequence[int] | None) -> list[TestWithResult]:
    """Return the chosen or all tests, one row of each analyte, or raise NotFound.

    Canceled ones are left out.
    """
    chosen_tests = record.tests if ids is None else find_tests(record, ids)
    return list({item.test.id: item for item in chosen_tests if not item.is_canceled}.values())


def find_tests(record: EntryRecord, ids: Sequence[int]) -> list[TestWithResult]:
    """Return these tests of the order, or raise NotFound."""
    rows = {item.row.id: item for item in record.tests}
    if not set(ids) <= rows.keys():
        raise NotFound(messages.NOT_FOUND)
    return [rows[row_id] for row_id in ids]


def update_order(
    work: Work,
    record: EntryRecord,
    changes: ResultChanges,
    *,
    change: ShownChange | None = None,
) -> None:
    """Store changed results, and update the order's status and alert and its tests' statuses.

    A ``change`` of what people outside the lab see may also remove the reason of an added test.
    """
    measured_tests = [
        item
        for item in record.tests
        if not item.row.is_panel and item.row.status != ResultStatus.CANCELED
    ]
    flags = [item.released.flag for item in measured_tests if item.released]
    progress = FamilyProgress(
        statuses={
            item.row.id: compute_result_status(_build_test_state(item)) for item in measured_tests
        },
        has_critical=any(rules.is_critical(flag) for flag in flags),
        has_abnormal=any(rules.is_abnormal(flag) for flag in flags),
        criticals=_list_criticals(measured_tests),
        shown_values={
            item.row.id: _format_shown_value(item) for item in measured_tests if item.owns_result
        },
    )
    work.build_repository(ClinicalResultRepository).store_changes(changes)
    if change is not None:
        store_reasons(work, record)
    update_progress(
        work,
        record.entry,
        ResultKind.CLINICAL,
        progress,
        change=change,
    )


def _list_criticals(measured_tests: Sequence[TestWithResult]) -> list[CriticalResult]:
    """List the critical results that clients see, each with the time of its first release."""
    criticals = []
    for item in measured_tests:
        released_result = item.released
        if (
            released_result is None
            or not item.owns_result
            or not rules.is_critical(released_result.flag)
        ):
            continue
        value, flag = format_value(released_result), released_result.flag
        released_at = _find_first_release(item, released_result)
        criticals.append(CriticalResult(item.row.id, item.row.name, value, flag, released_at))
    return criticals


def _format_shown_value(item: TestWithResult) -> str | None:
    return format_value(item.released) if item.released else None


def _find_first_release(item: TestWithResult, released_result: Result) -> datetime:
    """Return when this value was first released; versions that only add a comment do not count.

    If the value was withdrawn and reported again, this is the time of the later release.
    """
    first = released_result
    for version in reversed([v for v in item.versions if v.released_at is not None]):
        is_same = (version.value, version.unit, version.flag) == (
            first.value,
            first.unit,
            first.flag,
        )
        if not is_same or version.withheld == Withholding.WITHDRAWN:
            break
        first = version
    assert first.released_at is not None
    return first.released_at


def _build_test_state(item: TestWithResult) -> TestState:
    # An unreleased correction does not replace the released value.
    return TestState(is_entered=item.current is not None, is_released=item.released is not None)


def build_result_entry(
    work: Work, record: EntryRecord, autoverified: Sequence[AutoverifiedResult] = ()
) -> ResultEntry:
    """Build the result entry screen from a record as loaded, or as the commit will store it."""
    obstacles = explain_unreleased(work, record)
    return ResultEntry(
        **build_header(work, record.entry),
        verification_required=is_verification_required(record.entry.flags),
        autoverified=list(autoverified),
        rows=[_build_row(record, item, obstacles.get(item.row.id)) for item in record.tests],
    )


def _build_row(record: EntryRecord, item: TestWithResult, left_because: str | None) -> EntryRow:
    test, row, result = item.test, item.row, record.entry.hide_withheld(item.current)
    if item.is_row_canceled and not item.is_canceled:
        result = None  # it belongs to another row of the analyte
    names, limits = record.entry.user_names, record.ranges.get(item.test.id)
    previous, released_result = record.previous.get(test.id), item.newest_released
    shown_release = record.entry.hide_withheld(released_result)
    collection_date = record.entry.order.collection_date
    return EntryRow(
        order_test_id=row.id,
        same_as=None if item.owns_result else item.owner_row_id,
        parent_id=row.parent_id,
        level=row.level,
        code=test.code,
        name=row.name,
        unit=test.unit,
        method=test.method,
        decimals=test.decimals,
        reference_range=format_reference_range(test, limits),
        result_type=test.result_type,
        choices=test.choices,
        normal_choices=test.normal_choices,
        critical_choices=test.critical_choices,
        is_panel=row.is_panel,
        awaits_collection=row.needs_specimen,
        predates_specimen=item.owns_result and is_before_specimen(record, item),
        result=result.value if result else None,
        measured=result.measured if result else None,
        dilution=result.dilution if result else None,
        first_result=result.first_value if result else None,
        calculated=find_title(result.formula) if result else None,
        comment=result.comment if result and not is_comment_hidden(record, item) else None,
        comment_notice=describe_comment(record, item),
        result_unit=result.unit if result else None,
        unit_notice=describe_units(record, item, result),
        flag=result.flag if result else None,
        status=_compute_entry_status(item),
        is_correction=_is_correction(item),
        is_confirmed=bool(result and result.is_confirmed),
        is_delta_exceeded=bool(result and result.is_delta_exceeded),
        reason=_find_reason_words(record, result),
        reason_words=result.reason_words if result else None,
        waits_because=_format_wait(result),
        left_because=left_because,
        added_because=describe_addition(record, row.id),
        is_reason_gone=is_reason_gone(record, row.id),
        released_result=shown_release.value if shown_release else None,
        entered_by=names.get(result.entered_by) if result and result.entered_by else None,
        verified_by=names.get(result.verified_by) if result and result.verified_by else None,
        released_by=find_releaser(released_result, names),
        released_at=released_result.released_at if released_result else None,
        withheld=build_withholding(
            record.entry, item.versions, record.reasons[ReasonKind.CORRECTION]
        ),
        holds=build_holds(record.entry, test.id),
        previous_result=previous.value if previous else None,
        previous_date=previous.collection_date if previous else None,
        previous_days=(collection_date - previous.collection_date).days if previous else None,
        previous_difference=previous.find_difference(test) if previous else None,
        low=limits.low if limits else None,
        high=limits.high if limits else None,
        critical_low=limits.critical_low if limits else None,
        critical_high=limits.critical_high if limits else None,
        possible_low=test.possible_low,
        possible_high=test.possible_high,
        plausible_low=test.plausible_low,
        plausible_high=test.plausible_high,
        delta_percent_max=test.delta_percent,
        delta_days_max=test.delta_days,
    )


def _format_wait(result: Result | None) -> str | None:
    if result is None or result.waits_for is None or result.released_at is not None:
        return None
    reason = format_obstacle(result.waits_for)
    return messages.RESULT_WAITS.format(reason=reason)


def _find_reason_words(record: EntryRecord, result: Result | None) -> str | None:
    if result is None or result.reason is None:
        return None
    return record.reasons[ReasonKind.CORRECTION].get(result.reason, result.reason)


def _compute_entry_status(item: TestWithResult) -> ResultStatus:
    """Return the status on the result entry screen, where a correction shows as unreleased."""
    if item.row.is_panel:
        return ResultStatus.NONE
    if item.is_row_canceled:
        return ResultStatus.CANCELED
    current = item.current
    return compute_result_status(
        TestState(current is not None, bool(current and current.released_at))
    )


def _is_correction(item: TestWithResult) -> bool:
    """Whether the entered result will replace a released one."""
    current = item.current
    return bool(current and current.released_at is None and item.newest_released)
