"""/api/v2/orders/{orderId}: cultures, their entry and release (R 7), and the lab's lists."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion
from app.server.access.answers import answer_values
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.entry.endpoints import add_routes
from app.server.results.microbiology.schemas import (
    CultureCheck,
    CultureWrite,
    MicrobiologyEntry,
    MicrobiologyLists,
    MicrobiologyRelease,
    MicrobiologyResult,
)
from app.server.results.microbiology.service import enter, entry, read, release
from app.server.results.microbiology.service import lists as microbiology_lists
from app.server.results.microbiology.service.family import FAMILY

router = build_router("/api/v2/orders/{order_id}", "orders")
lists = build_router("/api/v2/microbiology", "orders")


@lists.get("/lists")
@allow(RESULT_ENTERERS)
async def read_microbiology_lists(work: InWork) -> MicrobiologyLists:
    """The lab's lists for the entry of cultures."""
    return await microbiology_lists.read_lists(work)


@router.get("/microbiology-results", responses={200: {"model": list[MicrobiologyResult]}})
@allow(ALL_ROLES, transaction=False)
async def read_microbiology_results(order_id: int, request: Request) -> Response:
    """The cultures with their findings, organisms, and susceptibilities."""
    results = await read.read_microbiology_results(get_reader(request), order_id)
    return answer_values(results)


@router.get("/microbiology-entry")
@allow(RESULT_ENTERERS)
async def read_microbiology_entry(
    order_id: int, work: InWork, response: Response
) -> MicrobiologyEntry:
    """The microbiology entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/microbiology-entry/{culture_test_id}")
@allow(RESULT_ENTERERS, errors=(StaleVersion,))
async def save_culture(
    order_id: int, culture_test_id: int, body: CultureWrite, work: InWork, response: Response
) -> MicrobiologyEntry:
    """Save the culture of a test."""
    return set_etag(response, await enter.save_culture(work, order_id, culture_test_id, body))


@router.post("/microbiology-entry/{culture_test_id}/check")
@allow(RESULT_ENTERERS, repeatable=True)
async def check_culture(
    order_id: int, culture_test_id: int, body: CultureWrite, work: InWork
) -> CultureCheck:
    """Interpret a culture while it is entered, without saving it."""
    return await enter.check_culture(work, order_id, culture_test_id, body)


@router.post("/microbiology-release")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def release_cultures(
    order_id: int, body: MicrobiologyRelease, work: InWork, response: Response
) -> MicrobiologyEntry:
    """Release cultures as preliminary or final results."""
    return set_etag(response, await release.release_cultures(work, order_id, body))


add_routes(router, "microbiology", FAMILY, MicrobiologyEntry)
