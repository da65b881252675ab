"""/api/v2/orders/{orderId}: clinical results, their entry and release (R 7)."""

from fastapi import Response

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.clinical.schemas import (
    ClinicalResultRow,
    ReleaseRequest,
    ResultEntry,
    ResultEntryWrite,
)
from app.server.results.clinical.service import enter, entry, read, release

router = build_router("/api/v2/orders/{order_id}", "orders")


@router.get("/clinical-results")
@allow(ALL_ROLES)
async def read_clinical_results(order_id: int, work: InWork) -> list[ClinicalResultRow]:
    """The clinical results as a tree of rows."""
    return await read.read_clinical_results(work, order_id)


@router.get("/result-entry")
@allow(RESULT_ENTERERS)
async def read_result_entry(order_id: int, work: InWork, response: Response) -> ResultEntry:
    """The result entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/result-entry")
@allow(RESULT_ENTERERS)
async def save_results(
    order_id: int, body: ResultEntryWrite, work: InWork, response: Response
) -> ResultEntry:
    """Save entered results."""
    return set_etag(response, await enter.save_results(work, order_id, body))


@router.post("/release")
@allow(RESULT_RELEASERS)
async def release_results(
    order_id: int, body: ReleaseRequest, work: InWork, response: Response
) -> ResultEntry:
    """Release entered results."""
    return set_etag(response, await release.release_results(work, order_id, body))
