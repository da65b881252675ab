"""/api/v2/orders: the missing information of an order, and the bill-to of several (R 7)."""

from typing import Annotated

from fastapi import Query, Response

from app.basics.errors import NotFound, StaleVersion, TooManyTries
from app.contract.limits import BULK_IDS_MAX
from app.server.access.policy import EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, set_etag
from app.server.orders.billing_schemas import (
    OrderBillingRead,
    OrderBillingWrite,
)
from app.server.orders.schemas import OrderVersions
from app.server.orders.service import bill_to as bill_to_service
from app.server.orders.service import complete
from app.server.requisitions.schemas import BillToRequest, BillToWrite

router = build_router("/api/v2/orders/{order_id}/billing-information", "orders")
bill_to_router = build_router("/api/v2/orders", "orders")


@router.get("")
@allow(EDITORS)
async def read_billing_information(
    order_id: int, work: InWork, response: Response
) -> OrderBillingRead:
    """The missing-information form of an order."""
    return set_etag(response, await complete.read_billing_information(work, order_id))


@router.put("")
@allow(EDITORS, errors=(StaleVersion, TooManyTries))
async def save_billing_information(
    order_id: int, body: OrderBillingWrite, work: InWork, response: Response
) -> OrderBillingRead:
    """Fill in the missing data of an order and its patient."""
    return set_etag(response, await complete.save_billing_information(work, order_id, body))


@bill_to_router.put("/change-bill-to")
@allow(EDITORS, errors=(NotFound, StaleVersion))
async def change_bill_to(
    work: InWork,
    body: BillToRequest | None = None,
    bill_to: Annotated[BillToWrite, Query(alias="billTo")] = None,
    ids: Annotated[list[RecordId] | None, Query(max_length=BULK_IDS_MAX)] = None,
) -> OrderVersions:
    """Change who pays for one or more orders, all or none; the body overrides the query."""
    query = BillToRequest(bill_to=bill_to, ids=ids or [])
    fields = body.model_dump(exclude_unset=True, exclude_none=True) if body else {}
    return await bill_to_service.change_bill_to(work, query.model_copy(update=fields))
