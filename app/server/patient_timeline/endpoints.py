"""/api/v2/patients/{id}/timeline."""

from fastapi import Request, Response

from app.contract.limits import PAGE_SIZE_DEFAULT, TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.lists.document import document_answer
from app.server.lists.lookups import allow_parameters
from app.server.lists.parsing import SKIP_MAX, parse_whole_number
from app.server.patient_timeline.schemas import TimelinePage
from app.server.patient_timeline.service import load_timeline

router = build_router("/api/v2/patients", "patients")
_PARAMETERS = {"skip": int, "take": int}


@router.get(
    "/{patient_id}/timeline",
    dependencies=[allow_parameters(*_PARAMETERS)],
    **document_answer(TimelinePage, _PARAMETERS),
)
@allow(ALL_ROLES, transaction=False)
async def read_timeline(patient_id: int, request: Request) -> Response:
    """The events of a patient, newest first: registration, changes, requisitions, results."""
    query = request.query_params
    body = await load_timeline(
        get_reader(request),
        patient_id,
        skip=parse_whole_number("skip", query.get("skip", "0"), 0, SKIP_MAX),
        take=parse_whole_number("take", query.get("take", str(PAGE_SIZE_DEFAULT)), 1, TAKE_MAX),
        time_zone=request.app.state.portal.settings.time_zone,
    )
    return Response(body, media_type="application/json")
