"""/api/v2/orders/release-results: releases the results of many orders (ADR 48)."""

from app.basics.errors import NotFound, StaleVersion
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.lab_settings.rules import RESULT_RELEASERS
from app.server.results.worklist.schemas import ReleasedOrders, ReleaseManyRequest
from app.server.results.worklist.service import release_orders

router = build_router("/api/v2/orders", "results")


@router.post("/release-results")
@allow(RESULT_RELEASERS, errors=(NotFound, StaleVersion))
async def release_results(body: ReleaseManyRequest, work: InWork) -> ReleasedOrders:
    """Release the entered clinical and toxicology results of these orders, all or none."""
    return await release_orders(work, body)
