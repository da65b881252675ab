"""/api/v2/physicians (O 7)."""

from fastapi import Request, Response

from app.basics.text import keep_digits, to_upper_case
from app.contract.limits import ALL_ENTRIES_MAX, TAKE_MAX
from app.server.access.parameters import require_known_parameters
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.lists.document import document_page, document_rows
from app.server.lists.lookups import allow_parameters
from app.server.lists.service import answer_page, answer_rows, answer_rows_by_id
from app.server.physicians import lists
from app.server.physicians.repository import PhysicianRepository
from app.server.physicians.schemas import PhysicianShape

router = build_router("/api/v2/physicians", "physicians")
_ALL_PARAMETERS = frozenset({"patientClientId", "clientIds", "search"})
_NAME_PARAMETERS = frozenset({"firstname", "lastname"})


@router.get("/remote-operations", **document_page(lists.physicians))
@allow(ALL_ROLES, transaction=False)
async def list_physicians(request: Request) -> Response:
    """Search the directory of physicians."""
    return await answer_page(request, lists.physicians)


@router.get("/remote-operations-all-entries", **document_rows(lists.physicians, _ALL_PARAMETERS))
@allow(ALL_ROLES, transaction=False)
async def list_all_physicians(request: Request) -> Response:
    """All physicians, or those who work with some clients."""
    return await answer_rows(request, lists.physicians, _ALL_PARAMETERS, ALL_ENTRIES_MAX)


@router.get("/ids", **document_rows(lists.physicians, ("ids",)))
@allow(ALL_ROLES, transaction=False)
async def list_physicians_by_id(request: Request) -> Response:
    """The rows of these physicians, without ids that do not exist."""
    return await answer_rows_by_id(request, lists.physicians)


@router.get("/by-name", **document_rows(lists.physicians_by_name, _NAME_PARAMETERS))
@allow(ALL_ROLES, transaction=False)
async def list_physicians_by_name(request: Request) -> Response:
    """The physicians with exactly this name, ignoring case; none without a name."""
    query = request.query_params
    if not any(to_upper_case(query.get(name)) for name in _NAME_PARAMETERS):
        require_known_parameters(query, _NAME_PARAMETERS)
        return Response(b"[]", media_type="application/json")
    return await answer_rows(request, lists.physicians_by_name, _NAME_PARAMETERS, TAKE_MAX)


@router.get("/by-npi", dependencies=[allow_parameters("npi")])
@allow(ALL_ROLES)
async def find_physician_by_npi(work: InWork, npi: str = "") -> PhysicianShape | None:
    """The physician with this NPI; null if there is none."""
    physician = await work.build_repository(PhysicianRepository).find_by_npi(keep_digits(npi))
    return PhysicianShape.model_validate(physician) if physician else None
