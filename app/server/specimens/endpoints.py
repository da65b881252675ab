"""Receiving of requisitions by the lab, and the tubes of requisitions and orders."""

from fastapi import Response

from app.basics.errors import NotFound, StaleVersion
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.requisitions.rules import RECEIVERS
from app.server.specimens.schemas import (
    DueTube,
    Received,
    ReceiveRequest,
    SpecimensRead,
    SpecimensWrite,
)
from app.server.specimens.service import change, read, receive

router = build_router("/api/v2", "orders")


@router.post("/requisitions/receive")
@allow(RECEIVERS, errors=(NotFound,))
async def receive_requisitions(body: ReceiveRequest, work: InWork) -> list[Received]:
    """Receive requisitions; each becomes an order."""
    return await receive.receive_requisitions(work, body)


@router.get("/requisitions/{requisition_id}/tubes")
@allow(ALL_ROLES)
async def read_due_tubes(requisition_id: int, work: InWork) -> list[DueTube]:
    """The tubes that a requisition needs, as its labels name them."""
    return await read.read_due_tubes(work, requisition_id)


@router.get("/orders/{order_id}/specimens")
@allow(ALL_ROLES)
async def read_specimens(order_id: int, work: InWork, response: Response) -> SpecimensRead:
    """The tubes of an order: received, expected, and rejected."""
    return set_etag(response, await read.read_specimens(work, order_id))


@router.put("/orders/{order_id}/specimens")
@allow(RECEIVERS, errors=(StaleVersion,))
async def change_specimens(
    order_id: int, body: SpecimensWrite, work: InWork, response: Response
) -> SpecimensRead:
    """Receive, reject, and describe tubes of an order."""
    return set_etag(response, await change.change_specimens(work, order_id, body))
