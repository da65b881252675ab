"""/api/v2/clients (O 7)."""

from fastapi import Request, Response

from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.clients import lists
from app.server.lists.document import document_page, document_rows
from app.server.lists.service import answer_page, answer_rows_by_id

router = build_router("/api/v2/clients", "clients")


@router.get("/remote-operations", **document_page(lists.clients))
@allow(ALL_ROLES, transaction=False)
async def list_clients(request: Request) -> Response:
    """The clients the actor may see."""
    return await answer_page(request, lists.clients)


@router.get("/advanced-search-clients", **document_page(lists.clients_by_name))
@allow(ALL_ROLES, transaction=False)
async def list_clients_by_name(request: Request) -> Response:
    """Names of the clients the actor may see, for the advanced search."""
    return await answer_page(request, lists.clients_by_name)


@router.get("/by-ids", **document_rows(lists.clients, ("ids",)))
@allow(ALL_ROLES, transaction=False)
async def list_clients_by_id(request: Request) -> Response:
    """The rows of these clients, without those outside the actor's scope."""
    return await answer_rows_by_id(request, lists.clients)


@router.get("/{client_id}/units/remote-operations", **document_page(lists.units))
@allow(ALL_ROLES, transaction=False)
async def list_units(client_id: int, request: Request) -> Response:
    """The units of a client."""
    return await answer_page(request, lists.units, {"client": client_id})


@router.get("/{client_id}/rooms/remote-operations", **document_page(lists.rooms_of_client))
@allow(ALL_ROLES, transaction=False)
async def list_rooms(client_id: int, request: Request) -> Response:
    """The rooms of a client."""
    return await answer_page(request, lists.rooms_of_client, {"client": client_id})


@router.get("/units/{unit_id}/rooms/remote-operations", **document_page(lists.rooms_of_unit))
@allow(ALL_ROLES, transaction=False)
async def list_rooms_of_unit(unit_id: int, request: Request) -> Response:
    """The rooms of a unit."""
    return await answer_page(request, lists.rooms_of_unit, {"unit": unit_id})
