"""/api/v2/orders/{orderId}: toxicology results, their entry and release (R 7)."""

from fastapi import Response

from app.contract.enumerations import ToxicologyVerdict
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_ENTERERS, RESULT_RELEASERS
from app.server.results.toxicology.schemas import (
    OtherMedication,
    ToxicologyEntry,
    ToxicologyEntryWrite,
    ToxicologyRelease,
    ToxicologyRow,
    ToxicologySettings,
)
from app.server.results.toxicology.service import enter, entry, read, release

router = build_router("/api/v2/orders/{order_id}", "orders")
settings = build_router("/api/v2/public-settings", "settings")


@settings.get("/toxicology-results")
@allow(ALL_ROLES)
async def read_toxicology_settings(work: InWork) -> ToxicologySettings:
    """The lab's label of unexpected positives."""
    return await read.read_settings(work)


@router.get("/toxicology-alpha-results")
@allow(ALL_ROLES)
async def read_alpha_results(order_id: int, work: InWork) -> list[ToxicologyRow]:
    """The results as a tree of tests."""
    return await read.read_alpha_results(work, order_id)


@router.get("/toxicology-expected-results")
@allow(ALL_ROLES)
async def read_expected_results(order_id: int, work: InWork) -> list[ToxicologyRow]:
    """Consistent results: a reported medication was detected."""
    return await read.read_verdicts(work, order_id, ToxicologyVerdict.CONSISTENT)


@router.get("/toxicology-unexpected-negative-results")
@allow(ALL_ROLES)
async def read_unexpected_negatives(order_id: int, work: InWork) -> list[ToxicologyRow]:
    """Inconsistent results: a reported medication was not detected."""
    return await read.read_verdicts(work, order_id, ToxicologyVerdict.UNEXPECTED_NEGATIVE)


@router.get("/toxicology-unexpected-positive-results")
@allow(ALL_ROLES)
async def read_unexpected_positives(order_id: int, work: InWork) -> list[ToxicologyRow]:
    """Inconsistent results: a drug that was not reported was detected."""
    return await read.read_verdicts(work, order_id, ToxicologyVerdict.UNEXPECTED_POSITIVE)


@router.get("/toxicology-other-medications")
@allow(ALL_ROLES)
async def read_other_medications(order_id: int, work: InWork) -> list[OtherMedication]:
    """Reported medications without a verdict."""
    return await read.read_other_medications(work, order_id)


@router.get("/toxicology-entry")
@allow(RESULT_ENTERERS)
async def read_toxicology_entry(order_id: int, work: InWork, response: Response) -> ToxicologyEntry:
    """The toxicology entry screen."""
    return set_etag(response, await entry.read_entry(work, order_id))


@router.put("/toxicology-entry")
@allow(RESULT_ENTERERS)
async def save_toxicology_results(
    order_id: int, body: ToxicologyEntryWrite, work: InWork, response: Response
) -> ToxicologyEntry:
    """Save entered results."""
    return set_etag(response, await enter.save_results(work, order_id, body))


@router.post("/toxicology-release")
@allow(RESULT_RELEASERS)
async def release_toxicology_results(
    order_id: int, body: ToxicologyRelease, work: InWork, response: Response
) -> ToxicologyEntry:
    """Release entered results."""
    return set_etag(response, await release.release_results(work, order_id, body))
