"""/api/v2/reports/order: result reports and the log of orders (R 7).

The routes open their own transactions, so that none is open during drawing.
"""

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import NotFound
from app.contract.limits import TAKE_MAX
from app.server.access.media import EventStream, Pdf, build_pdf
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import open_work
from app.server.paperwork.rules import PREVIEWERS
from app.server.paperwork.schemas import REPORT_EVENTS, ReportRequest
from app.server.paperwork.service import order_log, order_results, report
from app.server.requisitions.rules import deduplicate_ids

router = build_router("/api/v2/reports/order", "paperwork")

Ids = Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]


class OrderReport(StrEnum):
    """The reports of orders, by the names of their files."""

    RESULTS = "results"
    LOG = "order-log"
    PREVIEW = "results-preview"


Render = Callable[[report.ReportContext, list[int]], report.ReportSteps]
_REPORTS: dict[OrderReport, Render] = {
    OrderReport.RESULTS: order_results.render_order_results,
    OrderReport.LOG: order_log.render_order_log,
    OrderReport.PREVIEW: partial(order_results.render_order_results, is_preview=True),
}


@router.get("/results", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_results_report(request: Request, ids: Ids) -> Response:
    """Result reports as one PDF (up to 100)."""
    return await _answer_report(request, OrderReport.RESULTS, ids)


@router.post("/results", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_results_report_of_many(body: ReportRequest, request: Request) -> Response:
    """Result reports as one PDF (up to 1,000)."""
    return await _answer_report(request, OrderReport.RESULTS, body.ids)


@router.post(
    "/results/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def stream_results_report(body: ReportRequest, request: Request) -> EventStream:
    """Result reports (up to 1,000) as a stream of progress, then the document."""
    return await _stream_report(request, OrderReport.RESULTS, body.ids)


@router.post("/results-preview", response_class=Pdf)
@allow(PREVIEWERS, transaction=False, errors=(NotFound,))
async def preview_results(body: ReportRequest, request: Request) -> Response:
    """Result reports before the release, each page marked as a preview (up to 1,000)."""
    return await _answer_report(request, OrderReport.PREVIEW, body.ids)


@router.get("/log", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_order_log(request: Request, ids: Ids) -> Response:
    """The log of orders as PDF (up to 100)."""
    return await _answer_report(request, OrderReport.LOG, ids)


@router.post("/log", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_order_log_of_many(body: ReportRequest, request: Request) -> Response:
    """The log of orders as PDF (up to 1,000)."""
    return await _answer_report(request, OrderReport.LOG, body.ids)


@router.post("/log/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}})
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def stream_order_log(body: ReportRequest, request: Request) -> EventStream:
    """The log of orders (up to 1,000) as a stream of progress, then the document."""
    return await _stream_report(request, OrderReport.LOG, body.ids)


async def _answer_report(request: Request, name: OrderReport, ids: list[int]) -> Response:
    steps = _REPORTS[name](report.build_report_context(request), ids)
    return build_pdf(name, await report.finish_document(steps))


async def _stream_report(request: Request, name: OrderReport, ids: list[int]) -> EventStream:
    async with open_work(request) as work:
        # This comes first, so that a missing order is a 404. Later errors are in the stream.
        await order_results.get_orders(work, ids)
    steps = _REPORTS[name](report.build_report_context(request), ids)
    return report.build_stream(steps, len(deduplicate_ids(ids)), f"{name}.pdf")
