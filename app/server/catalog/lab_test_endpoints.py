"""/api/v2/tests (O 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.contract.enumerations import ScopeKind
from app.contract.limits import BULK_IDS_MAX, TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork
from app.server.catalog import lists
from app.server.catalog.schemas import TestTree
from app.server.catalog.service import list_visible_trees
from app.server.lists.document import document_page
from app.server.lists.lookups import parse_ids_parameter
from app.server.lists.parsing import build_parameter_error
from app.server.lists.service import answer_page

router = build_router("/api/v2/tests", "catalogue")
_ALL_TESTS = "allTests"
_CLIENT_PARAMETERS = {"clientId": int, "clientIds": list[int], _ALL_TESTS: bool}


@router.get("/remote-operations", **document_page(lists.tests, _CLIENT_PARAMETERS))
@allow(ALL_ROLES, transaction=False)
async def list_tests(request: Request) -> Response:
    """Search tests that can be ordered for a client, from its own test list.

    ``allTests=true`` searches the whole catalog. Client users who name no client get the lists of
    all their clients.
    """
    all_tests = request.query_params.get(_ALL_TESTS) or "false"
    if all_tests not in ("true", "false"):
        raise build_parameter_error(_ALL_TESTS)
    clients = _choose_clients(request)
    if clients is None:
        return await answer_page(
            request, lists.tests, endpoint_parameters=frozenset(_CLIENT_PARAMETERS)
        )
    spec = lists.tests_of_clients if all_tests == "true" else lists.tests_on_lists
    endpoint_parameters = frozenset(_CLIENT_PARAMETERS)
    return await answer_page(
        request, spec, {"clients": clients}, endpoint_parameters=endpoint_parameters
    )


@router.get("/advanced-search", **document_page(lists.tests_by_name))
@allow(ALL_ROLES, transaction=False)
async def list_tests_by_name(request: Request) -> Response:
    """Names and codes of all tests, for the advanced search."""
    return await answer_page(request, lists.tests_by_name)


@router.get("/with-children")
@allow(ALL_ROLES)
async def list_tests_with_children(
    work: InWork, test_id: Annotated[list[RecordId], Query(alias="testId", max_length=TAKE_MAX)]
) -> list[TestTree]:
    """Tests with their members; unknown ids are left out."""
    return await list_visible_trees(work, test_id)


@router.get("/ids-with-children")
@allow(ALL_ROLES)
async def list_tests_by_id_with_children(
    work: InWork, ids: Annotated[list[RecordId], Query(max_length=TAKE_MAX)]
) -> list[TestTree]:
    """The tests with these ids and their members."""
    return await list_visible_trees(work, ids)


def _choose_clients(request: Request) -> list[int] | None:
    """Return the clients whose test lists apply; None when staff name no client.

    Client users can only name their own clients, and get all of them when they name none.
    """
    client_ids = [
        client_id
        for name in ("clientId", "clientIds")
        for client_id in parse_ids_parameter(request, name, BULK_IDS_MAX)
    ]
    actor = request.state.actor
    if actor.kind != ScopeKind.CLIENT:
        return client_ids or None
    if not client_ids:
        return list(actor.ids)
    return [client_id for client_id in client_ids if client_id in actor.ids]
