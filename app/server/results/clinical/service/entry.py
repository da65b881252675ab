"""The clinical result entry screen, and the common steps of entering and releasing results."""

from datetime import datetime

from app.contract.enumerations import ResultKind, ResultStatus
from app.server.access.work import Work
from app.server.orders.rules import TestState, compute_result_status
from app.server.results.clinical import rules
from app.server.results.clinical.loading import ENTRY_QUERY, EntryRecord, build_record
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    ResultChanges,
    TestWithResult,
)
from app.server.results.clinical.schemas import EntryRow, ResultEntry
from app.server.results.clinical.service.ranges import format_reference_range
from app.server.results.entry.loading import load_for_reading
from app.server.results.entry.progress import FamilyProgress, update_progress
from app.server.results.entry.service import build_header


async def read_entry(work: Work, order_id: int) -> ResultEntry:
    """Return the clinical result entry screen of an order.

    Raises:
        Forbidden: the actor may neither enter nor release results.
        NotFound.
    """
    record = build_record(await load_for_reading(work, order_id, ENTRY_QUERY))
    await work.audit("read", "order-results", [order_id])
    return build_result_entry(work, record)


def update_order(
    work: Work,
    record: EntryRecord,
    changes: ResultChanges,
    *,
    released_at: datetime | None = None,
) -> None:
    """Store changed results, and update the order's status and alert and its tests' statuses."""
    measured = [item for item in record.tests if not item.row.is_panel]
    flags = [item.released.flag for item in measured if item.released]
    progress = FamilyProgress(
        statuses={item.row.id: compute_result_status(_build_test_state(item)) for item in measured},
        has_critical=any(rules.is_critical(flag) for flag in flags),
        has_abnormal=any(rules.is_abnormal(flag) for flag in flags),
    )
    work.build_repository(ClinicalResultRepository).store_changes(changes)
    update_progress(
        work,
        record.entry.order,
        [item.row for item in record.entry.tests],
        ResultKind.CLINICAL,
        progress,
        released_at=released_at,
    )


def _build_test_state(item: TestWithResult) -> TestState:
    # An unreleased correction does not replace the released value.
    return TestState(is_entered=item.current is not None, is_released=item.released is not None)


def build_result_entry(work: Work, record: EntryRecord) -> ResultEntry:
    """Build the result entry screen from a record as loaded, or as the commit will store it."""
    user_names = record.entry.user_names
    rows = []
    for item in record.tests:
        result, limits = item.current, record.ranges.get(item.test.id)
        previous = record.previous.get(item.test.id)
        rows.append(
            EntryRow(
                order_test_id=item.row.id,
                parent_id=item.row.parent_id,
                level=item.row.level,
                code=item.test.code,
                name=item.row.name,
                unit=item.test.unit,
                reference_range=format_reference_range(item.test, limits),
                result_type=item.test.result_type,
                choices=item.test.choices,
                is_panel=item.row.is_panel,
                result=result.value if result else None,
                comment=result.comment if result else None,
                flag=result.flag if result else None,
                status=_compute_entry_status(item),
                is_correction=_is_correction(item),
                entered_by=(
                    user_names.get(result.entered_by) if result and result.entered_by else None
                ),
                previous_result=previous.value if previous else None,
                previous_date=previous.collection_date if previous else None,
                low=limits.low if limits else None,
                high=limits.high if limits else None,
                critical_low=limits.critical_low if limits else None,
                critical_high=limits.critical_high if limits else None,
            )
        )
    return ResultEntry(**build_header(work, record.entry), rows=rows)


def _compute_entry_status(item: TestWithResult) -> ResultStatus:
    """Return the status on the result entry screen, where a correction shows as unreleased."""
    if item.row.is_panel:
        return ResultStatus.NONE
    current = item.current
    return compute_result_status(
        TestState(current is not None, bool(current and current.released_at))
    )


def _is_correction(item: TestWithResult) -> bool:
    """Whether the entered result will replace a released one."""
    current = item.current
    return bool(current and current.released_at is None and item.released)
