"""/api/v2/orders: results by e-mail and fax, and their status (R 7)."""

from typing import Annotated

from fastapi import Query

from app.basics.errors import NotConfigured, NotFound
from app.contract.limits import TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork
from app.server.transmissions.rules import SENDERS
from app.server.transmissions.schemas import (
    RecipientRead,
    ResultsTransmissionRequest,
    TransmissionRead,
)
from app.server.transmissions.service import read, request

router = build_router("/api/v2/orders", "transmissions")


@router.post("/transmission", status_code=202)
@allow(SENDERS, errors=(NotConfigured, NotFound))
async def send_results(body: ResultsTransmissionRequest, work: InWork) -> TransmissionRead:
    """Accept the results of orders for sending by e-mail or fax."""
    return await request.request_results(work, body)


@router.get("/transmissions")
@allow(ALL_ROLES, errors=(NotFound,))
async def list_sent_results(
    work: InWork, ids: Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]
) -> list[RecipientRead]:
    """The transmissions of these orders' results: recipient, time and status."""
    return await read.list_recipients_of_results(work, ids)
