"""Reads the pathology results of an order (R 2.2)."""

from collections.abc import Iterable, Sequence

from app.contract.enumerations import OrderStatus, ReportKind, ResultStatus, ScopeKind
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.orders.models import Order
from app.server.results.pathology import rules
from app.server.results.pathology.opening import open_reports
from app.server.results.pathology.repository import PathologyRepository, ReportedTest
from app.server.results.pathology.schemas import PathologyReportRead, PathologyResult
from app.server.results.pathology.service.entry import build_reports, format_draft_title
from app.server.results.performing import list_performers, load_lab_name


async def read_pathology_results(reader: Reader, order_id: int) -> list[PathologyResult]:
    """Return the order's pathology tests with their reports, or raise NotFound.

    Only the lab sees a report before its release. Patients read who signed it out, and not who
    released it.
    """
    order, tests, lab_name = await open_reports(reader, order_id)
    is_lab = reader.actor.kind is ScopeKind.STAFF
    results = _build_results(order, tests, lab_name, is_lab=is_lab)
    if not reader.actor.sees_user_names:
        for result in results:
            for report in result.results:
                report.released_by = None
    return results


async def load_results(
    work: Work, orders: Sequence[Order], *, is_lab: bool
) -> dict[int, list[PathologyResult]]:
    """Load the pathology tests of these orders by order id; ``is_lab`` adds entered reports.

    The number of statements does not depend on the number of orders.
    """
    repository = work.build_repository(PathologyRepository)
    tests = await repository.load_tests_of_many([order.id for order in orders])
    lab_name = await load_lab_name(work)
    return {
        order.id: _build_results(order, tests.get(order.id, ()), lab_name, is_lab=is_lab)
        for order in orders
    }


def _build_results(
    order: Order, tests: Iterable[ReportedTest], lab_name: str | None, *, is_lab: bool
) -> list[PathologyResult]:
    is_canceled = order.status == OrderStatus.CANCELED
    return [_build_result(item, lab_name, is_lab=is_lab, is_canceled=is_canceled) for item in tests]


def _build_result(
    item: ReportedTest, lab_name: str | None, *, is_lab: bool, is_canceled: bool
) -> PathologyResult:
    status = ResultStatus.CANCELED if is_canceled else ResultStatus(item.row.status)
    # A withheld report stays inside the lab, even after its revision.
    reports = build_reports(item.released_reports if is_lab else item.visible_reports, lab_name)
    draft = _build_draft(item, lab_name) if is_lab else None
    return PathologyResult(
        key=item.row.id,
        name=item.row.name,
        status=status,
        withheld=item.row.withheld,
        withheld_at=item.row.withheld_at,
        awaits_collection=item.row.needs_specimen,
        label=rules.format_status(status),
        results=[*reports, draft] if draft else reports,
    )


def _build_draft(item: ReportedTest, lab_name: str | None) -> PathologyReportRead | None:
    draft = item.draft
    if draft is None:
        return None
    kind = ReportKind(draft.kind)
    return PathologyReportRead(
        id=draft.id,
        title=format_draft_title(item, kind),
        status=rules.compute_report_kind(kind, is_released=False),
        comment=draft.content,
        flag=draft.flag,
        signed_out_by=draft.signed_out_by,
        released_by=None,
        released_at=None,
        reason=draft.reason,
        explanation=draft.explanation,
        replaced_by=None,
        withheld=None,
        result_report_comments=list(list_performers(draft.performing_lab, lab_name)),
    )
