"""/api/v2/waiting: counts of the work that waits for the signed-in person."""

from fastapi import Request

from app.basics.clock import get_lab_today
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.lists.lookups import allow_parameters
from app.server.waiting.schemas import WaitingCount
from app.server.waiting.service import count_waiting

router = build_router("/api/v2", "waiting")


@router.get("/waiting", dependencies=[allow_parameters()])
@allow(ALL_ROLES, transaction=False)
async def list_waiting(request: Request) -> list[WaitingCount]:
    """How many records wait for this person, with the searches that find them."""
    today = get_lab_today(request.app.state.portal.settings.time_zone)
    return await count_waiting(get_reader(request), today)
