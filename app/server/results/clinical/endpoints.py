"""/api/v2/orders/{orderId}: clinical results, their entry and release (R 7)."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion
from app.server.access.answers import answer_values
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.clinical.schemas import (
    ClinicalResultRow,
    LastValues,
    ReleaseRequest,
    ResultEntry,
    ResultEntryWrite,
    VerifyRequest,
)
from app.server.results.clinical.service import enter, entry, hold, read, release, withhold
from app.server.results.entry.schemas import (
    HoldRequest,
    LiftRequest,
    RestoreRequest,
    WithholdRequest,
)

router = build_router("/api/v2/orders/{order_id}", "orders")


@router.get("/clinical-results", responses={200: {"model": list[ClinicalResultRow]}})
@allow(ALL_ROLES, transaction=False)
async def read_clinical_results(order_id: int, request: Request) -> Response:
    """The clinical results as a tree of rows."""
    rows = await read.read_clinical_results(get_reader(request), order_id)
    return answer_values(rows)


@router.get("/last-values")
@allow(ALL_ROLES)
async def read_last_values(order_id: int, work: InWork) -> list[LastValues]:
    """The patient's earlier values of the order's tests."""
    return await read.read_last_values(work, order_id)


@router.get("/result-entry")
@allow(RESULT_ENTERERS)
async def read_result_entry(order_id: int, work: InWork, response: Response) -> ResultEntry:
    """The result entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/result-entry")
@allow(RESULT_ENTERERS, errors=(StaleVersion,))
async def save_results(
    order_id: int, body: ResultEntryWrite, work: InWork, response: Response
) -> ResultEntry:
    """Save entered results."""
    return set_etag(response, await enter.save_results(work, order_id, body))


@router.post("/release")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def release_results(
    order_id: int, body: ReleaseRequest, work: InWork, response: Response
) -> ResultEntry:
    """Release entered results."""
    return set_etag(response, await release.release_results(work, order_id, body))


@router.post("/verify")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def verify_results(
    order_id: int, body: VerifyRequest, work: InWork, response: Response
) -> ResultEntry:
    """Verify entered results."""
    return set_etag(response, await release.verify_results(work, order_id, body))


@router.post("/withhold")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def withhold_results(
    order_id: int, body: WithholdRequest, work: InWork, response: Response
) -> ResultEntry:
    """Put released results under review, or withdraw them."""
    return set_etag(response, await withhold.withhold_results(work, order_id, body))


@router.post("/restore")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def restore_results(
    order_id: int, body: RestoreRequest, work: InWork, response: Response
) -> ResultEntry:
    """End the review of results."""
    return set_etag(response, await withhold.restore_results(work, order_id, body))


@router.post("/holds")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def place_holds(
    order_id: int, body: HoldRequest, work: InWork, response: Response
) -> ResultEntry:
    """Hold tests, so that their results cannot be released."""
    return set_etag(response, await hold.place_holds(work, order_id, body))


@router.post("/holds/{hold_id}/lift")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def lift_hold(
    order_id: int, hold_id: int, body: LiftRequest, work: InWork, response: Response
) -> ResultEntry:
    """Lift a hold."""
    return set_etag(response, await hold.lift_hold(work, order_id, hold_id, body))
