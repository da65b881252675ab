"""/api/v2/tests/frequent: the tests ordered most often, for the test picker."""

from fastapi import Request, Response

from app.server.access.policy import allow
from app.server.access.reader import get_reader
from app.server.access.routing import portal_router
from app.server.lists.document import answers
from app.server.lists.lookups import id_in, names_known
from app.server.lists.parsing import refuse
from app.server.requisitions.frequent import load_frequent_tests
from app.server.requisitions.rules import ORDERERS
from app.server.requisitions.schemas import FrequentTest

router = portal_router("/api/v2/tests", "catalogue")
_PARAMETERS = {"clientId": int, "physicianId": int, "allTests": bool}


@router.get("/frequent", **answers(list[FrequentTest], _PARAMETERS))
@allow(ORDERERS, transaction=False)
async def list_frequent_tests(request: Request) -> Response:
    """The tests that this physician orders most often at this client, then the client's own.

    Empty for a client that does not exist or is outside the actor's scope.
    """
    query = request.query_params
    names_known(query, _PARAMETERS)
    all_tests = query.get("allTests") or "false"
    if all_tests not in ("true", "false"):
        raise refuse("allTests")
    client_id = id_in(request, "clientId")
    if client_id is None:
        raise refuse("clientId")
    body = await load_frequent_tests(
        reading_of(request),
        client_id,
        id_in(request, "physicianId"),
        all_tests=all_tests == "true",
    )
    return Response(body, media_type="application/json")
