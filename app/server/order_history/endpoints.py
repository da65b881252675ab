"""/api/v2/orders/{id}/earlier-recipients and /api/v2/reports/order/details (R 7)."""

from datetime import datetime
from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import NotFound
from app.contract.limits import TAKE_MAX
from app.server.access.media import EventStream, Pdf, build_pdf
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, open_work
from app.server.order_history.rules import RECIPIENT_READERS
from app.server.order_history.schemas import EarlierRecipients
from app.server.order_history.service import details, recipients
from app.server.paperwork.schemas import REPORT_EVENTS, ReportRequest
from app.server.paperwork.service import report
from app.server.paperwork.service.order_results import get_orders
from app.server.requisitions.rules import deduplicate_ids

router = build_router("/api/v2/orders", "order_history")
reports = build_router("/api/v2/reports/order", "order_history")

Ids = Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]


@router.get("/{order_id}/earlier-recipients")
@allow(RECIPIENT_READERS)
async def read_earlier_recipients(
    order_id: int, work: InWork, since: datetime | None = None
) -> EarlierRecipients:
    """Who received the results from the release at ``since`` until their last correction."""
    return await recipients.read_earlier_recipients(work, order_id, since)


@reports.get("/details", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_details_report(request: Request, ids: Ids) -> Response:
    """Orders with their history as one PDF (up to 100)."""
    return await _answer_report(request, ids)


@reports.post("/details", response_class=Pdf)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def read_details_report_of_many(body: ReportRequest, request: Request) -> Response:
    """Orders with their history as one PDF (up to 1,000)."""
    return await _answer_report(request, body.ids)


@reports.post(
    "/details/stream", response_class=EventStream, responses={200: {"model": REPORT_EVENTS}}
)
@allow(ALL_ROLES, transaction=False, errors=(NotFound,))
async def stream_details_report(body: ReportRequest, request: Request) -> EventStream:
    """Orders with their history (up to 1,000) as a stream of progress, then the document."""
    async with open_work(request) as work:
        # This comes first, so that a missing order is a 404. Later errors are in the stream.
        await get_orders(work, body.ids)
    steps = details.render_order_details(report.build_report_context(request), body.ids)
    return report.build_stream(steps, len(deduplicate_ids(body.ids)), "order-details.pdf")


async def _answer_report(request: Request, ids: list[int]) -> Response:
    steps = details.render_order_details(report.build_report_context(request), ids)
    return build_pdf("order-details", await report.finish_document(steps))
