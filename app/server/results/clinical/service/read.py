"""Reads the clinical results of an order (R 2.2)."""

from app.contract.enumerations import ResultStatus, ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.orders.service.read import get_order
from app.server.results.clinical import rules
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.clinical.schemas import ClinicalResultRow
from app.server.results.clinical.service.ranges import format_reference_range, load_ranges
from app.server.results.entry.families import SEPARATE_FAMILIES


async def read_clinical_results(work: Work, order_id: int) -> list[ClinicalResultRow]:
    """Return every test of the order as a tree of rows, or raise NotFound.

    Tests of families with results of their own are left out. Only the lab sees values before
    release.
    """
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    tests = await work.build_repository(ClinicalResultRepository).load_tests(order)
    ranges = await load_ranges(work, order, tests)
    is_lab = work.actor.kind is ScopeKind.STAFF
    return [
        _build_row(item, ranges.get(item.test.id), is_lab=is_lab)
        for item in tests
        if item.row.kind not in SEPARATE_FAMILIES
    ]


def _build_row(
    item: TestWithResult, reference: ReferenceRange | None, *, is_lab: bool
) -> ClinicalResultRow:
    """Build a row; a result has the range of its entry, a pending test the current range."""
    visible = item.current if is_lab else item.released
    status = ResultStatus.PENDING
    if visible:
        status = ResultStatus.FINAL if visible.released_at else ResultStatus.UNRELEASED
    return ClinicalResultRow(
        key=item.row.id,
        parent_key=item.row.parent_id,
        name=item.row.name,
        result=visible.value if visible else None,
        comment=visible.comment if visible else None,
        flag=visible.flag if visible else None,
        unit=visible.unit if visible else item.test.unit,
        reference_range=visible.reference_range
        if visible
        else format_reference_range(item.test, reference),
        clinical_range_comment=visible.range_comment if visible else None,
        is_abnormal=rules.is_abnormal(visible.flag if visible else None),
        is_critical=rules.is_critical(visible.flag if visible else None),
        is_panel=item.row.is_panel,
        is_corrected=item.is_corrected,
        status=ResultStatus.NONE if item.row.is_panel else status,
    )
