"""/api/v2/patients (O 7)."""

from fastapi import Request, Response

from app.basics.errors import StaleVersion, TooManyTries
from app.contract import messages
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.lists.document import document_page
from app.server.lists.parsing import build_parameter_error
from app.server.lists.service import answer_page
from app.server.patients import lists
from app.server.patients.rules import EDITORS
from app.server.patients.schemas import PatientRead, PatientWrite, SsnCheck
from app.server.patients.service import read, save

router = build_router("/api/v2/patients", "patients")


@router.get("/remote-operations", **document_page(lists.patients))
@allow(ALL_ROLES, transaction=False)
async def search_patients(request: Request) -> Response:
    """Search patients; with ``fromSearch=false`` both names are required."""
    query = request.query_params
    if query.get("fromSearch") == "false":
        for name, message in (
            ("lastName", messages.SEARCH_LAST_NAME_REQUIRED),
            ("firstName", messages.SEARCH_FIRST_NAME_REQUIRED),
        ):
            if not query.get(name, "").strip():
                raise build_parameter_error(name, message)
    return await answer_page(request, request.app.state.portal.patient_list)


@router.get("/validate-ssn")
@allow(EDITORS)
async def validate_ssn(work: InWork, ssn: str = "", patientId: int | None = None) -> bool:  # noqa: N803
    """Whether another patient has this social security number."""
    return await read.is_ssn_in_use(work, ssn, patientId)


@router.post("/validate-ssn")
@allow(EDITORS, repeatable=True)
async def validate_ssn_in_body(body: SsnCheck, work: InWork) -> bool:
    """True when another patient has this number, which is not in the URL.

    This read is a POST, because proxies log URLs.
    """
    return await read.is_ssn_in_use(work, body.ssn, body.patient_id)


@router.get("/{patient_id}")
@allow(ALL_ROLES)
async def read_patient(patient_id: int, work: InWork, response: Response) -> PatientRead:
    """A patient with all fields and lists."""
    return set_etag(response, await read.read_patient(work, patient_id))


@router.post("", status_code=201)
@allow(EDITORS, errors=(TooManyTries,))
async def register_patient(body: PatientWrite, work: InWork, response: Response) -> PatientRead:
    """Register a patient."""
    return set_etag(response, await save.register_patient(work, body))


@router.put("/{patient_id}")
@allow(EDITORS, errors=(StaleVersion, TooManyTries))
async def change_patient(
    patient_id: int, body: PatientWrite, work: InWork, response: Response
) -> PatientRead:
    """Change a patient."""
    return set_etag(response, await save.change_patient(work, patient_id, body))
