"""/api/v2/orders/{orderId}: pathology results, their entry and release (R 7)."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion, TooManyTries
from app.server.access.answers import answer_shape
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.entry.endpoints import add_routes
from app.server.results.pathology.schemas import (
    PathologyEntry,
    PathologyRelease,
    PathologyReportWrite,
    PathologyResult,
)
from app.server.results.pathology.service import enter, entry, read, release
from app.server.results.pathology.service.family import FAMILY

router = build_router("/api/v2/orders/{order_id}", "orders")


@router.get("/pathology-results", responses={200: {"model": list[PathologyResult]}})
@allow(ALL_ROLES, transaction=False)
async def read_pathology_results(order_id: int, request: Request) -> Response:
    """The pathology tests with their reports, addenda, and revisions."""
    results = await read.read_pathology_results(get_reader(request), order_id)
    return answer_shape(list[PathologyResult], results)


@router.get("/pathology-entry")
@allow(RESULT_ENTERERS)
async def read_pathology_entry(order_id: int, work: InWork, response: Response) -> PathologyEntry:
    """The pathology entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/pathology-entry/{order_test_id}")
@allow(RESULT_ENTERERS, errors=(StaleVersion, TooManyTries))
async def save_pathology_report(
    order_id: int,
    order_test_id: int,
    body: PathologyReportWrite,
    work: InWork,
    response: Response,
) -> PathologyEntry:
    """Save the report, addendum, or revision of a test."""
    return set_etag(response, await enter.save_report(work, order_id, order_test_id, body))


@router.post("/pathology-release")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def release_pathology_reports(
    order_id: int, body: PathologyRelease, work: InWork, response: Response
) -> PathologyEntry:
    """Release entered reports."""
    return set_etag(response, await release.release_reports(work, order_id, body))


add_routes(router, "pathology", FAMILY, PathologyEntry)
