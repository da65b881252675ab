"""/api/v2/orders/{id}/billing-information: the missing information of an order (R 7)."""

from fastapi import Response

from app.server.access.policy import ALL_ROLES, EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.repository import SettingRepository
from app.server.orders.billing_schemas import (
    MissingInfoSettings,
    OrderBillingRead,
    OrderBillingWrite,
)
from app.server.orders.service import complete

router = build_router("/api/v2/orders/{order_id}/billing-information", "orders")
settings = build_router("/api/v2/public-settings", "settings")


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


@settings.get("/missing-info")
@allow(ALL_ROLES)
async def read_missing_info_settings(work: InWork) -> MissingInfoSettings:
    """Whether the lab offers to fill in missing information; it does unless it says otherwise."""
    group = await work.build_repository(SettingRepository).load_group("missing-info")
    return MissingInfoSettings(enabled=group.get("enabled", True))
