"""/api/v2/orders/{orderId}: cancellation of tests, and dependent results (R 2.2)."""

from fastapi import Response

from app.basics.errors import StaleVersion
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.orders.rules import CANCELERS
from app.server.orders.schemas import CancelTestsRequest, OrderRead, ReinstateTestsRequest
from app.server.results.cancellations import service

router = build_router("/api/v2/orders/{order_id}", "orders")


@router.post("/cancel")
@allow(CANCELERS, errors=(StaleVersion,))
async def cancel_tests(
    order_id: int, body: CancelTestsRequest, work: InWork, response: Response
) -> OrderRead:
    """Cancel tests of an order, or all."""
    return set_etag(response, await service.cancel_tests(work, order_id, body))


@router.post("/reinstate")
@allow(CANCELERS, errors=(StaleVersion,))
async def reinstate_tests(
    order_id: int, body: ReinstateTestsRequest, work: InWork, response: Response
) -> OrderRead:
    """Undo the cancellation of tests."""
    return set_etag(response, await service.reinstate_tests(work, order_id, body))
