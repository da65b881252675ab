"""/api/v2/favorite-panels: named sets of tests that a user orders at once."""

from typing import Annotated

from fastapi import Query, Response

from app.basics.errors import StaleVersion
from app.server.access.policy import ORDERING_STAFF, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, set_etag
from app.server.favorite_panels import service
from app.server.favorite_panels.schemas import FavoriteRead, FavoriteWrite
from app.server.lists.lookups import allow_parameters

router = build_router("/api/v2/favorite-panels", "catalogue")


@router.get("", dependencies=[allow_parameters("clientId")])
@allow(ORDERING_STAFF)
async def list_favorites(
    work: InWork, client_id: Annotated[RecordId | None, Query(alias="clientId")] = None
) -> list[FavoriteRead]:
    """The user's favorite panels by name, with the tests that the client can order now."""
    return await service.list_favorites(work, client_id)


@router.post("", status_code=201)
@allow(ORDERING_STAFF)
async def add_favorite(body: FavoriteWrite, work: InWork, response: Response) -> FavoriteRead:
    """Create a favorite panel."""
    return set_etag(response, await service.create_favorite(work, body))


@router.put("/{favorite_id}")
@allow(ORDERING_STAFF, errors=(StaleVersion,))
async def change_favorite(
    favorite_id: int, body: FavoriteWrite, work: InWork, response: Response
) -> FavoriteRead:
    """Rename a favorite panel, or replace its tests."""
    return set_etag(response, await service.update_favorite(work, favorite_id, body))


@router.delete("/{favorite_id}", status_code=204)
@allow(ORDERING_STAFF, errors=(StaleVersion,))
async def remove_favorite(favorite_id: int, work: InWork) -> None:
    """Delete a favorite panel."""
    await service.delete_favorite(work, favorite_id)
