"""Labels and reports (O 7, R 7)."""

from typing import Annotated

from fastapi import Query, Response

from app.contract.limits import TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.work import InWork
from app.server.paperwork.schemas import LabelRead, ReportRequest
from app.server.paperwork.service import labels, order_results, requisition_form

router = portal_router("/api/v2", "paperwork")

Ids = Annotated[list[int], Query(min_length=1, max_length=TAKE_MAX)]


@router.get("/requisitions/{requisition_id}/labels")
@allow(ALL_ROLES)
async def requisition_labels(requisition_id: int, work: InWork) -> list[LabelRead]:
    """The labels of a requisition."""
    return await labels.labels(work, requisition_id)


@router.get("/reports/requisition", response_class=Response)
@allow(ALL_ROLES)
async def requisition_report(work: InWork, ids: Ids) -> Response:
    """Requisition forms as one PDF (up to 100)."""
    return _pdf("requisition", await requisition_form.requisition_forms(work, ids))


@router.post("/reports/requisition", response_class=Response)
@allow(ALL_ROLES)
async def requisition_report_of_many(body: ReportRequest, work: InWork) -> Response:
    """Requisition forms as one PDF (up to 1,000)."""
    return _pdf("requisition", await requisition_form.requisition_forms(work, body.ids))


@router.get("/reports/order/results", response_class=Response)
@allow(ALL_ROLES)
async def results_report(work: InWork, ids: Ids) -> Response:
    """Result reports as one PDF (up to 100)."""
    return _pdf("results", await order_results.order_results(work, ids))


@router.post("/reports/order/results", response_class=Response)
@allow(ALL_ROLES)
async def results_report_of_many(body: ReportRequest, work: InWork) -> Response:
    """Result reports as one PDF (up to 1,000)."""
    return _pdf("results", await order_results.order_results(work, body.ids))


def _pdf(name: str, content: bytes) -> Response:
    # The file name carries no patient data (DECISIONS, Sending).
    return Response(
        content,
        media_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )
