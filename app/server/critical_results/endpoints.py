"""/api/v2/critical-results: notifying clients of released critical results."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.critical_results import lists
from app.server.critical_results.rules import NOTIFIERS, READERS
from app.server.critical_results.schemas import CallWrite, CloseWrite, CriticalResultRead
from app.server.critical_results.service import calls, read
from app.server.lists.document import document_page
from app.server.lists.service import answer_page

router = build_router("/api/v2/critical-results", "critical results")


@router.get("/remote-operations", **document_page(lists.critical_results))
@allow(READERS, transaction=False)
async def list_critical_results(request: Request) -> Response:
    """Orders with critical results, and the people that the lab has notified."""
    return await answer_page(request, lists.critical_results)


@router.get("/{notice_id}")
@allow(READERS)
async def read_critical_result(
    notice_id: int, work: InWork, response: Response
) -> CriticalResultRead:
    """The critical results of an order with contacts and calls."""
    return set_etag(response, await read.read_notice(work, notice_id))


@router.post("/{notice_id}/calls")
@allow(NOTIFIERS, errors=(StaleVersion,))
async def record_call(
    notice_id: int, body: CallWrite, work: InWork, response: Response
) -> CriticalResultRead:
    """Record an attempt to notify somebody."""
    return set_etag(response, await calls.record_call(work, notice_id, body))


@router.post("/{notice_id}/close")
@allow(NOTIFIERS, errors=(StaleVersion,))
async def close_critical_result(
    notice_id: int, body: CloseWrite, work: InWork, response: Response
) -> CriticalResultRead:
    """Close the task, with a note."""
    return set_etag(response, await calls.close_notice(work, notice_id, body))
