"""/api/v2/requisitions: Email Forms, Fax Forms, and their status (O 7 'Send')."""

from typing import Annotated

from fastapi import Query

from app.basics.errors import NotConfigured, NotFound
from app.contract.limits import TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork
from app.server.transmissions.rules import SENDERS
from app.server.transmissions.schemas import RecipientRead, TransmissionRead, TransmissionRequest
from app.server.transmissions.service import read, request

router = build_router("/api/v2/requisitions", "transmissions")


@router.post("/transmission", status_code=202)
@allow(SENDERS, errors=(NotConfigured, NotFound))
async def send(body: TransmissionRequest, work: InWork) -> TransmissionRead:
    """Accept requisitions for sending by e-mail or fax."""
    return await request.request_transmission(work, body)


@router.get("/transmissions")
@allow(ALL_ROLES, errors=(NotFound,))
async def list_sent(
    work: InWork, ids: Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]
) -> list[RecipientRead]:
    """The transmissions of these requisitions: recipient, time and status."""
    return await read.list_recipients(work, ids)
