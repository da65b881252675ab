"""/api/v2/orders/{id}/billing-information: the missing information of an order (R 7)."""

from fastapi import Response

from app.server.access.policy import EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.orders.billing_schemas import (
    OrderBillingRead,
    OrderBillingWrite,
)
from app.server.orders.service import complete

router = build_router("/api/v2/orders/{order_id}/billing-information", "orders")


@router.get("")
@allow(EDITORS)
async def read_billing_information(
    order_id: int, work: InWork, response: Response
) -> OrderBillingRead:
    """The missing-information form of an order."""
    return set_etag(response, await complete.read_billing_information(work, order_id))


@router.put("")
@allow(EDITORS)
async def save_billing_information(
    order_id: int, body: OrderBillingWrite, work: InWork, response: Response
) -> OrderBillingRead:
    """Fill in what an order and its patient lack."""
    return set_etag(response, await complete.save_billing_information(work, order_id, body))
