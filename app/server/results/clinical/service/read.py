"""Reads the clinical results of an order, and the patient's earlier values (R 2.2)."""

from collections.abc import Mapping
from uuid import UUID

from app.contract.enumerations import ReasonKind, ResultKind, ResultStatus, ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.orders.service.read import get_order
from app.server.results.clinical import rules
from app.server.results.clinical.formulas import find_title
from app.server.results.clinical.models import Result
from app.server.results.clinical.repository import (
    ClinicalResultRepository,
    TestWithResult,
    find_withholding,
)
from app.server.results.clinical.schemas import (
    ClinicalResultRow,
    CorrectedResult,
    LastValue,
    LastValues,
)
from app.server.results.clinical.service.ranges import format_reference_range, load_ranges
from app.server.results.clinical.service.versions import find_releaser


async def read_clinical_results(work: Work, order_id: int) -> list[ClinicalResultRow]:
    """Return every test of the order as a tree of rows, or raise NotFound.

    Tests of families with results of their own are left out. Only the lab sees values before
    release.
    """
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    repository = work.build_repository(ClinicalResultRepository)
    tests = await repository.load_tests(order)
    ranges = await load_ranges(work, order, tests)
    pairs = [pair for item in tests for pair in item.corrected]
    reasons: Mapping[str, str] = {}
    if pairs:
        reasons = await repository.load_reason_words(ReasonKind.CORRECTION)
    is_lab = work.actor.kind is ScopeKind.STAFF
    people: set[UUID | None] = set()
    if work.actor.kind is not ScopeKind.PATIENT:
        people |= {new.entered_by for _, new in pairs}
    if is_lab:
        people |= {item.current.released_by for item in tests if item.current}
    names = await repository.load_user_names(people)
    return [
        _build_row(
            item,
            ranges.get(item.test.id),
            [_build_correction(*pair, names, reasons) for pair in item.corrected],
            names,
            is_lab=is_lab,
        )
        for item in tests
        if item.row.kind == ResultKind.CLINICAL
    ]


async def read_last_values(work: Work, order_id: int) -> list[LastValues]:
    """Return the patient's earlier released values of each test of the order, or raise NotFound."""
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    repository = work.build_repository(ClinicalResultRepository)
    tests = [item for item in await repository.load_tests(order) if not item.row.is_panel]
    values = await repository.load_last_values(order, [item.test.id for item in tests])
    return [
        LastValues(
            key=item.row.id,
            values=[
                LastValue(
                    collection_date=each.collection_date,
                    result=each.value,
                    number=each.number,
                    flag=each.flag,
                )
                for each in values[item.test.id]
            ],
        )
        for item in tests
        if item.test.id in values
    ]


def _build_correction(
    old: Result, new: Result, names: Mapping[UUID, str], reasons: Mapping[str, str]
) -> CorrectedResult:
    assert new.released_at is not None
    return CorrectedResult(
        result=old.value,
        flag=old.flag,
        unit=old.unit,
        reference_range=old.reference_range,
        corrected_at=new.released_at,
        corrected_by=names.get(new.entered_by) if new.entered_by else None,
        reason=reasons.get(new.reason, new.reason) if new.reason else None,
        words=new.reason_words,
    )


def _build_row(
    item: TestWithResult,
    reference: ReferenceRange | None,
    corrections: list[CorrectedResult],
    names: Mapping[UUID, str],
    *,
    is_lab: bool,
) -> ClinicalResultRow:
    """Build a row; a result has the range of its entry, a pending test the current range."""
    visible = item.current if is_lab else item.released
    status = ResultStatus.PENDING
    if visible:
        status = ResultStatus.FINAL if visible.released_at else ResultStatus.UNRELEASED
    if item.row.status == ResultStatus.CANCELED:
        status = ResultStatus.CANCELED
    return ClinicalResultRow(
        key=item.row.id,
        parent_key=item.row.parent_id,
        name=item.row.name,
        result=visible.value if visible else None,
        comment=visible.comment if visible else None,
        calculated=find_title(visible.formula) if visible else None,
        flag=visible.flag if visible else None,
        unit=visible.unit if visible else item.test.unit,
        reference_range=visible.reference_range
        if visible
        else format_reference_range(item.test, reference),
        clinical_range_comment=visible.range_comment if visible else None,
        is_abnormal=rules.is_abnormal(visible.flag if visible else None),
        is_critical=rules.is_critical(visible.flag if visible else None),
        has_no_range=visible is not None
        and rules.has_no_range(visible.number, visible.flag, visible.reference_range),
        is_panel=item.row.is_panel,
        is_corrected=bool(corrections),
        corrections=corrections,
        withheld=find_withholding(item),
        awaits_collection=item.row.needs_specimen,
        status=ResultStatus.NONE if item.row.is_panel else status,
        released_by=find_releaser(visible, names) if is_lab else None,
    )
