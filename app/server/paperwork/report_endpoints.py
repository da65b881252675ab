"""/api/v2/reports: documents of one or more records (O 7, R 7).

The routes open their own transactions, so that none is open during drawing.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import Conflict, NotFound
from app.contract.limits import TAKE_MAX
from app.server.access.media import EventStream, Pdf, build_pdf
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import open_work
from app.server.paperwork.schemas import REPORT_EVENTS, ReportRequest
from app.server.paperwork.service import (
    cumulative,
    labels,
    report,
    requisition_form,
    requisition_log,
)
from app.server.requisitions.rules import deduplicate_ids

router = build_router("/api/v2/reports", "paperwork")

Ids = Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]


class ReportName(StrEnum):
    """The reports that can be streamed with their progress."""

    REQUISITION = "requisition"
    REQUISITION_LOG = "requisition-log"


_REPORTS: dict[ReportName, Callable[[report.ReportContext, list[int]], report.ReportSteps]] = {
    ReportName.REQUISITION: requisition_form.render_requisition_forms,
    ReportName.REQUISITION_LOG: requisition_log.render_requisition_log,
}


@router.get("/requisition", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_requisition_report(request: Request, ids: Ids) -> Response:
    """Requisition forms as one PDF (up to 100)."""
    return await _build_pdf_response(request, ReportName.REQUISITION, ids)


@router.post("/requisition", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_requisition_report_of_many(body: ReportRequest, request: Request) -> Response:
    """Requisition forms as one PDF (up to 1,000)."""
    return await _build_pdf_response(request, ReportName.REQUISITION, body.ids)


@router.get("/requisition/log", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_requisition_log(request: Request, ids: Ids) -> Response:
    """The requisition log as PDF (up to 100)."""
    return await _build_pdf_response(request, ReportName.REQUISITION_LOG, ids)


@router.post("/requisition/log", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_requisition_log_of_many(body: ReportRequest, request: Request) -> Response:
    """The requisition log as PDF (up to 1,000)."""
    return await _build_pdf_response(request, ReportName.REQUISITION_LOG, body.ids)


@router.post(
    "/requisition/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def stream_requisition_report(body: ReportRequest, request: Request) -> EventStream:
    """Requisition forms (up to 1,000) as a stream of progress, then the document."""
    return await _stream_report(request, ReportName.REQUISITION, body.ids)


@router.post(
    "/requisition/log/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def stream_requisition_log(body: ReportRequest, request: Request) -> EventStream:
    """The requisition log (up to 1,000) as a stream of progress, then the document."""
    return await _stream_report(request, ReportName.REQUISITION_LOG, body.ids)


async def _stream_report(request: Request, name: ReportName, ids: list[int]) -> EventStream:
    async with open_work(request) as work:
        # This comes first, so that a missing requisition is a 404. Later errors are in the stream.
        await requisition_form.get_requisitions(work, ids)
    steps = _open_report(request, name, ids)
    return report.build_stream(steps, len(deduplicate_ids(ids)), f"{name}.pdf")


def _open_report(request: Request, name: ReportName, ids: list[int]) -> report.ReportSteps:
    return _REPORTS[name](report.build_report_context(request), ids)


@router.get("/labels", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(Conflict, NotFound))
async def read_label_sheet(request: Request, ids: Ids) -> Response:
    """The labels of up to 100 requisitions as PDF, for a browser without a label printer."""
    return build_pdf(
        "labels", await labels.render_labels_pdf(report.build_report_context(request), ids)
    )


@router.get("/order/cumulative-results", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_cumulative_report(request: Request, ids: Ids) -> Response:
    """Selected results of a patient over time, by the ids of the orders' tests (up to 100)."""
    return await _build_cumulative_response(request, ids)


@router.post("/order/cumulative-results", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_cumulative_report_of_many(body: ReportRequest, request: Request) -> Response:
    """Selected results of a patient over time (up to 1,000)."""
    return await _build_cumulative_response(request, body.ids)


async def _build_cumulative_response(request: Request, ids: list[int]) -> Response:
    document = await cumulative.render_cumulative_results(report.build_report_context(request), ids)
    return build_pdf("cumulative-results", document)


async def _build_pdf_response(request: Request, name: ReportName, ids: list[int]) -> Response:
    return build_pdf(name, await report.finish_document(_open_report(request, name, ids)))
