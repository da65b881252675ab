"""/api/v2/orders/{orderId}: toxicology results, their entry and release (R 7)."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion
from app.contract.enumerations import ToxicologyVerdict
from app.server.access.answers import answer_shape
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.entry.endpoints import add_routes
from app.server.results.toxicology.schemas import (
    OtherMedication,
    ToxicologyEntry,
    ToxicologyEntryWrite,
    ToxicologyRelease,
    ToxicologyRow,
    ToxicologySettings,
)
from app.server.results.toxicology.service import enter, entry, read, release
from app.server.results.toxicology.service.family import FAMILY

router = build_router("/api/v2/orders/{order_id}", "orders")
settings_router = build_router("/api/v2/public-settings", "settings")


@settings_router.get("/toxicology-results")
@allow(ALL_ROLES)
async def read_toxicology_settings(work: InWork) -> ToxicologySettings:
    """The lab's label for unexpected positives."""
    return await read.read_settings(work)


@router.get("/toxicology-alpha-results", responses={200: {"model": list[ToxicologyRow]}})
@allow(ALL_ROLES, transaction=False)
async def read_alpha_results(order_id: int, request: Request) -> Response:
    """The results as a tree of tests."""
    rows = await read.read_alpha_results(get_reader(request), order_id)
    return answer_shape(list[ToxicologyRow], rows)


@router.get("/toxicology-expected-results", responses={200: {"model": list[ToxicologyRow]}})
@allow(ALL_ROLES, transaction=False)
async def read_expected_results(order_id: int, request: Request) -> Response:
    """Consistent results: a reported medication was detected."""
    return await _answer_verdicts(request, order_id, ToxicologyVerdict.CONSISTENT)


@router.get(
    "/toxicology-unexpected-negative-results", responses={200: {"model": list[ToxicologyRow]}}
)
@allow(ALL_ROLES, transaction=False)
async def read_unexpected_negatives(order_id: int, request: Request) -> Response:
    """Inconsistent results: a reported medication was not detected."""
    return await _answer_verdicts(request, order_id, ToxicologyVerdict.UNEXPECTED_NEGATIVE)


@router.get(
    "/toxicology-unexpected-positive-results", responses={200: {"model": list[ToxicologyRow]}}
)
@allow(ALL_ROLES, transaction=False)
async def read_unexpected_positives(order_id: int, request: Request) -> Response:
    """Inconsistent results: a drug that was not reported was detected."""
    return await _answer_verdicts(request, order_id, ToxicologyVerdict.UNEXPECTED_POSITIVE)


@router.get("/toxicology-other-medications", responses={200: {"model": list[OtherMedication]}})
@allow(ALL_ROLES, transaction=False)
async def read_other_medications(order_id: int, request: Request) -> Response:
    """Reported medications without a verdict."""
    medications = await read.read_other_medications(get_reader(request), order_id)
    return answer_shape(list[OtherMedication], medications)


@router.get("/toxicology-entry")
@allow(RESULT_ENTERERS)
async def read_toxicology_entry(order_id: int, work: InWork, response: Response) -> ToxicologyEntry:
    """The toxicology entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/toxicology-entry")
@allow(RESULT_ENTERERS, errors=(StaleVersion,))
async def save_toxicology_results(
    order_id: int, body: ToxicologyEntryWrite, work: InWork, response: Response
) -> ToxicologyEntry:
    """Save entered results."""
    return set_etag(response, await enter.save_results(work, order_id, body))


@router.post("/toxicology-release")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def release_toxicology_results(
    order_id: int, body: ToxicologyRelease, work: InWork, response: Response
) -> ToxicologyEntry:
    """Release entered results."""
    return set_etag(response, await release.release_results(work, order_id, body))


add_routes(router, "toxicology", FAMILY, ToxicologyEntry)


async def _answer_verdicts(request: Request, order_id: int, verdict: ToxicologyVerdict) -> Response:
    rows = await read.read_verdicts(get_reader(request), order_id, verdict)
    return answer_shape(list[ToxicologyRow], rows)
