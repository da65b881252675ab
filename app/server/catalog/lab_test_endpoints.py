"""/api/v2/tests (O 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.contract.enumerations import ScopeKind
from app.contract.limits import BULK_IDS_MAX, TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork
from app.server.catalog import lists
from app.server.catalog.schemas import TestTree
from app.server.catalog.service import visible_trees
from app.server.lists.document import document_page
from app.server.lists.lookups import parse_ids_parameter
from app.server.lists.parsing import parameter_error
from app.server.lists.service import answer_page

router = portal_router("/api/v2/tests", "catalogue")
_ALL_TESTS = "allTests"
_CHOOSING = {"clientId": int, "clientIds": list[int], _ALL_TESTS: bool}


@router.get("/remote-operations", **document_page(lists.tests, _CHOOSING))
@allow(ALL_ROLES, transaction=False)
async def list_tests(request: Request) -> Response:
    """Search what can be ordered for a client: its own test list, or with ``allTests=true`` the
    whole catalogue. Clients name their own or get all of theirs; the lab need not name any."""
    wanted = request.query_params.get(_ALL_TESTS) or "false"
    if wanted not in ("true", "false"):
        raise parameter_error(_ALL_TESTS)
    clients = _clients(request)
    if clients is None:
        return await answer_page(request, lists.tests, fixed=frozenset(_CHOOSING))
    spec = lists.tests_of_clients if wanted == "true" else lists.tests_on_lists
    return await answer_page(request, spec, {"clients": clients}, fixed=frozenset(_CHOOSING))


@router.get("/advanced-search", **document_page(lists.tests_by_name))
@allow(ALL_ROLES, transaction=False)
async def list_tests_by_name(request: Request) -> Response:
    """Names and codes of all tests, for the advanced search."""
    return await answer_page(request, lists.tests_by_name)


@router.get("/with-children")
@allow(ALL_ROLES)
async def tests_with_children(
    work: InWork, test_id: Annotated[list[RecordId], Query(alias="testId", max_length=TAKE_MAX)]
) -> list[TestTree]:
    """Tests with their members; unknown ids are left out."""
    return await visible_trees(work, test_id)


@router.get("/ids-with-children")
@allow(ALL_ROLES)
async def tests_by_id_with_children(
    work: InWork, ids: Annotated[list[RecordId], Query(max_length=TAKE_MAX)]
) -> list[TestTree]:
    """The tests of these ids with their members, for what was chosen earlier."""
    return await visible_trees(work, ids)


def _clients(request: Request) -> list[int] | None:
    """The clients whose lists count; None: no client was named, and the actor has none of its
    own. A client's people can name their own only, so that others' ids name nothing."""
    named = [
        each
        for name in ("clientId", "clientIds")
        for each in parse_ids_parameter(request, name, BULK_IDS_MAX)
    ]
    actor = request.state.actor
    if actor.kind != ScopeKind.CLIENT:
        return named or None
    return [each for each in named if each in actor.ids] if named else list(actor.ids)
