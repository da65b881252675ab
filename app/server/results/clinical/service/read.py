"""Reading the clinical results of an order (R 2.2)."""

from app.contract.enumerations import ResultStatus, ScopeKind
from app.server.access.work import Work
from app.server.catalog.models import ReferenceRange
from app.server.orders.service.read import get_order
from app.server.results.clinical import rules
from app.server.results.clinical.repository import ClinicalResultRepository, TestWithResult
from app.server.results.clinical.schemas import ClinicalResultRow
from app.server.results.clinical.service.ranges import range_text, ranges_of


async def clinical_results(work: Work, order_id: int) -> list[ClinicalResultRow]:
    """Every test of the order as a tree of rows; raises NotFound.

    Microbiology, toxicology and pathology are among them: a test that is ordered is pending for
    whoever looks, whatever its kind. Before release only the lab sees values.
    """
    order = await get_order(work, order_id)
    await work.audit("read", "order-results", [order.id])
    tests = await work.repository(ClinicalResultRepository).tests(order)
    ranges = await ranges_of(work, order, tests)
    lab = work.actor.kind is ScopeKind.STAFF
    return [_row(entry, ranges.get(entry.test.id), lab=lab) for entry in tests]


def _row(entry: TestWithResult, known: ReferenceRange | None, *, lab: bool) -> ClinicalResultRow:
    """A result says what it was judged by, a test without one what it will be judged by."""
    visible = entry.current if lab else entry.released
    status = ResultStatus.PENDING
    if visible:
        status = ResultStatus.FINAL if visible.released_at else ResultStatus.UNRELEASED
    return ClinicalResultRow(
        key=entry.row.id,
        parent_key=entry.row.parent_id,
        name=entry.row.name,
        result=visible.value if visible else None,
        comment=visible.comment if visible else None,
        flag=visible.flag if visible else None,
        unit=visible.unit if visible else entry.test.unit,
        reference_range=visible.reference_range if visible else range_text(entry.test, known),
        clinical_range_comment=visible.range_comment if visible else None,
        is_abnormal=rules.is_abnormal(visible.flag if visible else None),
        is_critical=rules.is_critical(visible.flag if visible else None),
        is_panel=entry.row.is_panel,
        is_corrected=entry.is_corrected,
        status=ResultStatus.NONE if entry.row.is_panel else status,
    )
