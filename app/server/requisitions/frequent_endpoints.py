"""/api/v2/tests/frequent: what is ordered most, for the test picker."""

from fastapi import Request, Response

from app.server.access.policy import allow
from app.server.access.reading import reading_of
from app.server.access.routing import portal_router
from app.server.lists.document import answers
from app.server.lists.lookups import id_in, names_known
from app.server.lists.parsing import refuse
from app.server.requisitions.frequent import frequent_tests
from app.server.requisitions.rules import ORDERERS
from app.server.requisitions.schemas import FrequentTest

router = portal_router("/api/v2/tests", "catalogue")
_TAKES = {"clientId": int, "physicianId": int, "allTests": bool}


@router.get("/frequent", **answers(list[FrequentTest], _TAKES))
@allow(ORDERERS, transaction=False)
async def list_frequent_tests(request: Request) -> Response:
    """The tests this physician orders most often at this client, then those that the client
    does; none for a client that is not there or not one's own."""
    query = request.query_params
    names_known(query, _TAKES)
    wanted = query.get("allTests") or "false"
    if wanted not in ("true", "false"):
        raise refuse("allTests")
    client_id = id_in(request, "clientId")
    if client_id is None:
        raise refuse("clientId")
    body = await frequent_tests(
        reading_of(request),
        client_id,
        id_in(request, "physicianId"),
        all_tests=wanted == "true",
    )
    return Response(body, media_type="application/json")
