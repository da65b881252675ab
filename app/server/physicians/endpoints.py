"""/api/v2/physicians (O 7)."""

from fastapi import Request, Response

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.lists.service import answer
from app.server.physicians import lists

router = portal_router("/api/v2/physicians", "physicians")


@router.get("/remote-operations")
@allow(ALL_ROLES, transaction=False)
async def list_physicians(request: Request) -> Response:
    """Search the directory of physicians."""
    return await answer(request, lists.physicians)
