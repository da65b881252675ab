"""/api/v2/favorite-panels: sets of tests that a person orders with one key."""

from typing import Annotated

from fastapi import Query, Response

from app.server.access.policy import ORDERING_STAFF, allow
from app.server.access.routing import portal_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, with_etag
from app.server.favorite_panels import service
from app.server.favorite_panels.schemas import FavoriteRead, FavoriteWrite
from app.server.lists.lookups import takes

router = portal_router("/api/v2/favorite-panels", "catalogue")


@router.get("", dependencies=[takes("clientId")])
@allow(ORDERING_STAFF)
async def list_favorites(
    work: InWork, client_id: Annotated[RecordId | None, Query(alias="clientId")] = None
) -> list[FavoriteRead]:
    """One's own by name, with what of each can be ordered for the client now."""
    return await service.favorites(work, client_id)


@router.post("", status_code=201)
@allow(ORDERING_STAFF)
async def add_favorite(body: FavoriteWrite, work: InWork, response: Response) -> FavoriteRead:
    """Keep a set of tests under a name."""
    return with_etag(response, await service.add(work, body))


@router.put("/{favorite_id}")
@allow(ORDERING_STAFF)
async def change_favorite(
    favorite_id: int, body: FavoriteWrite, work: InWork, response: Response
) -> FavoriteRead:
    """Rename it or choose its tests anew."""
    return with_etag(response, await service.change(work, favorite_id, body))


@router.delete("/{favorite_id}", status_code=204)
@allow(ORDERING_STAFF)
async def remove_favorite(favorite_id: int, work: InWork) -> None:
    """Delete it."""
    await service.remove(work, favorite_id)
