"""/api/v2/tests/frequent: the tests ordered most often, for the test picker."""

from fastapi import Request, Response

from app.server.access.parameters import require_known_parameters
from app.server.access.policy import allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.lists.document import document_answer
from app.server.lists.lookups import parse_id_parameter
from app.server.lists.parsing import build_parameter_error
from app.server.requisitions.frequent import load_frequent_tests
from app.server.requisitions.rules import ORDERERS
from app.server.requisitions.schemas import FrequentTest

router = build_router("/api/v2/tests", "catalogue")
_PARAMETERS = {"clientId": int, "physicianId": int, "allTests": bool}


@router.get("/frequent", **document_answer(list[FrequentTest], _PARAMETERS))
@allow(ORDERERS, transaction=False)
async def list_frequent_tests(request: Request) -> Response:
    """The tests that this physician orders most often at this client, then the client's own.

    Empty for a client that does not exist or is outside the actor's scope.
    """
    query = request.query_params
    require_known_parameters(query, _PARAMETERS)
    all_tests = query.get("allTests") or "false"
    if all_tests not in ("true", "false"):
        raise build_parameter_error("allTests")
    client_id = parse_id_parameter(request, "clientId")
    if client_id is None:
        raise build_parameter_error("clientId")
    body = await load_frequent_tests(
        get_reader(request),
        client_id,
        parse_id_parameter(request, "physicianId"),
        all_tests=all_tests == "true",
    )
    return Response(body, media_type="application/json")
