"""/api/v2/reports: documents of one or many records (O 7, R 7)."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Annotated

from fastapi import Query, Request, Response

from app.contract.limits import TAKE_MAX
from app.server.access.media import EventStream, Pdf
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, Work
from app.server.paperwork.schemas import REPORT_EVENTS, ReportRequest
from app.server.paperwork.service import (
    labels,
    order_results,
    report,
    requisition_form,
    requisition_log,
)

router = portal_router("/api/v2/reports", "paperwork")

Ids = Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]


class ReportName(StrEnum):
    """The reports that tell how far they are."""

    REQUISITION = "requisition"
    REQUISITION_LOG = "requisition-log"


_MAKERS: dict[ReportName, Callable[[Work, list[int]], report.Making]] = {
    ReportName.REQUISITION: requisition_form.requisition_forms,
    ReportName.REQUISITION_LOG: requisition_log.requisition_log,
}


@router.get("/requisition", response_class=Pdf)
@allow(ALL_ROLES)
async def requisition_report(work: InWork, ids: Ids) -> Response:
    """Requisition forms as one PDF (up to 100)."""
    return await _pdf(work, ReportName.REQUISITION, ids)


@router.post("/requisition", response_class=Pdf)
@allow(ALL_ROLES, repeatable=True)
async def requisition_report_of_many(body: ReportRequest, work: InWork) -> Response:
    """Requisition forms as one PDF (up to 1,000)."""
    return await _pdf(work, ReportName.REQUISITION, body.ids)


@router.get("/requisition/log", response_class=Pdf)
@allow(ALL_ROLES)
async def requisition_log_report(work: InWork, ids: Ids) -> Response:
    """The requisition log as PDF (up to 100)."""
    return await _pdf(work, ReportName.REQUISITION_LOG, ids)


@router.post("/requisition/log", response_class=Pdf)
@allow(ALL_ROLES, repeatable=True)
async def requisition_log_report_of_many(body: ReportRequest, work: InWork) -> Response:
    """The requisition log as PDF (up to 1,000)."""
    return await _pdf(work, ReportName.REQUISITION_LOG, body.ids)


@router.post(
    "/requisition/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False)
async def requisition_report_with_progress(body: ReportRequest, request: Request) -> EventStream:
    """Requisition forms (up to 1,000), told while they are made: see ``report.as_events``."""
    return await _told(request, ReportName.REQUISITION, body.ids)


@router.post(
    "/requisition/log/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False)
async def requisition_log_report_with_progress(
    body: ReportRequest, request: Request
) -> EventStream:
    """The requisition log (up to 1,000), told while it is made: see ``report.as_events``."""
    return await _told(request, ReportName.REQUISITION_LOG, body.ids)


async def _told(request: Request, name: ReportName, ids: list[int]) -> EventStream:
    portal, actor = request.app.state.portal, request.state.actor
    async with portal.database.transaction(actor) as session:
        # Said now, as a 404: what fails later can only be told in the stream.
        await requisition_form.all_there(Work(actor, session, portal), ids)
    making = _within_transaction(request, name, ids)
    return EventStream(
        report.as_events(making, len(set(ids)), f"{name}.pdf"),
        headers={"X-Accel-Buffering": "no"},
    )


@asynccontextmanager
async def _within_transaction(
    request: Request, name: ReportName, ids: list[int]
) -> AsyncIterator[report.Making]:
    """The making of the report, which is after the headers, in a transaction of its own."""
    portal, actor = request.app.state.portal, request.state.actor
    async with portal.database.transaction(actor) as session:
        work = Work(actor, session, portal, request.state.request_id)
        yield _MAKERS[name](work, ids)


@router.get("/labels", response_class=Pdf)
@allow(ALL_ROLES)
async def labels_report(work: InWork, ids: Ids) -> Response:
    """The labels of up to 100 requisitions as PDF, for a browser without a label printer."""
    return _file("labels", await labels.labels_document(work, ids))


@router.get("/order/results", response_class=Pdf)
@allow(ALL_ROLES)
async def results_report(work: InWork, ids: Ids) -> Response:
    """Result reports as one PDF (up to 100)."""
    return _file("results", await order_results.order_results(work, ids))


@router.post("/order/results", response_class=Pdf)
@allow(ALL_ROLES, repeatable=True)
async def results_report_of_many(body: ReportRequest, work: InWork) -> Response:
    """Result reports as one PDF (up to 1,000)."""
    return _file("results", await order_results.order_results(work, body.ids))


async def _pdf(work: Work, name: ReportName, ids: list[int]) -> Response:
    return _file(name, await report.whole(_MAKERS[name](work, ids)))


def _file(name: str, content: bytes) -> Response:
    # The file name carries no patient data (DECISIONS, Sending).
    return Pdf(
        content,
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )
