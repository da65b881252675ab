"""Lookups of patients, and calls about parts of a patient (O 7, 'Patients' and 'Lookups')."""

from fastapi import Request, Response

from app.basics.errors import NotFound, StaleVersion
from app.contract.limits import ALL_ENTRIES_MAX, BULK_IDS_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.schemas import Named
from app.server.access.work import InWork, set_etag
from app.server.catalog.schemas import DiagnosisShape
from app.server.lists.document import document_answer, document_page, document_rows
from app.server.lists.lookups import allow_parameters, parse_id_parameter, parse_ids_parameter
from app.server.lists.service import answer_page, answer_rows, answer_rows_by_id
from app.server.patients import lists, values
from app.server.patients.lookup_schemas import LookAlike, LookAlikeQuery, PlaceWrite
from app.server.patients.rules import EDITORS
from app.server.patients.schemas import PatientRead
from app.server.patients.service import look_alikes, lookups, place, read

router = build_router("/api", "patients")
_PATIENTS = "/v2/patients"
_ALL_PARAMETERS = frozenset({"clientIds", "physicianIds", "patientIds"})


@router.get(f"{_PATIENTS}/check-clients", dependencies=[allow_parameters("patientId", "clientIds")])
@allow(ALL_ROLES)
async def check_clients(request: Request, work: InWork) -> bool:
    """Whether the patient is in scope and belongs to one of these clients."""
    clients = parse_ids_parameter(request, "clientIds", BULK_IDS_MAX)
    return await lookups.is_patient_of_clients(
        work, parse_id_parameter(request, "patientId"), clients
    )


@router.get(f"{_PATIENTS}/ids", **document_rows(lists.patients, ("ids",)))
@allow(ALL_ROLES, transaction=False)
async def list_patients_by_id(request: Request) -> Response:
    """The rows of these patients, without those outside the actor's scope."""
    return await answer_rows_by_id(request, request.app.state.portal.patient_list)


@router.get(
    f"{_PATIENTS}/remote-operations-all-entries", **document_rows(lists.patients, _ALL_PARAMETERS)
)
@allow(ALL_ROLES, transaction=False)
async def list_all_patients(request: Request) -> Response:
    """The rows of all patients, or those of some clients."""
    return await answer_rows(
        request, request.app.state.portal.patient_list, _ALL_PARAMETERS, ALL_ENTRIES_MAX
    )


@router.get(f"{_PATIENTS}/sexual-orientations", **document_page(lists.sexual_orientations))
@allow(ALL_ROLES, transaction=False)
async def list_sexual_orientations(request: Request) -> Response:
    """The sexual orientations a patient may state."""
    return await answer_page(request, lists.sexual_orientations)


@router.get(f"{_PATIENTS}/gender-identities", **document_page(lists.gender_identities))
@allow(ALL_ROLES, transaction=False)
async def list_gender_identities(request: Request) -> Response:
    """The gender identities a patient may state."""
    return await answer_page(request, lists.gender_identities)


@router.get(
    f"{_PATIENTS}/advanced-search-patient-last-name",
    **document_answer(values.ValuesPage, values.PARAMETERS),
)
@allow(ALL_ROLES, transaction=False)
async def list_last_names(request: Request) -> Response:
    """The distinct last names of the patients the actor may see."""
    return await values.answer_values(request, values.last_names)


@router.get(
    f"{_PATIENTS}/advanced-search-patient-first-name",
    **document_answer(values.ValuesPage, values.PARAMETERS),
)
@allow(ALL_ROLES, transaction=False)
async def list_first_names(request: Request) -> Response:
    """The distinct first names of the patients the actor may see."""
    return await values.answer_values(request, values.first_names)


@router.get(
    f"{_PATIENTS}/advanced-search-patient-dob",
    **document_answer(values.ValuesPage, values.PARAMETERS),
)
@allow(ALL_ROLES, transaction=False)
async def list_birth_dates(request: Request) -> Response:
    """The distinct birth dates of the patients the actor may see."""
    return await values.answer_values(request, values.birth_dates)


@router.put(f"{_PATIENTS}/client-physician")
@allow(EDITORS, errors=(NotFound, StaleVersion))
async def change_client_physician(
    body: PlaceWrite, work: InWork, response: Response
) -> PatientRead:
    """Change a patient's client, unit, room, bed and primary physician."""
    return set_etag(response, await place.change_place(work, body))


@router.post(f"{_PATIENTS}/look-alikes")
@allow(EDITORS, transaction=False)
async def find_look_alikes(body: LookAlikeQuery, request: Request) -> list[LookAlike]:
    """Patients who resemble the one being entered.

    This read is a POST, because the identifying values must not be in a URL, which is logged.
    """
    ssn = request.app.state.portal.ssn
    return await look_alikes.find_look_alikes(get_reader(request), ssn, body)


@router.get("/records/patients/validate-ssn", dependencies=[allow_parameters("ssn")])
@allow(EDITORS)
async def validate_new_ssn(work: InWork, ssn: str = "") -> bool:
    """Whether a patient has this social security number."""
    return await read.is_ssn_in_use(work, ssn, None)


@router.get("/v2/diagnoses/filter-by-patient-id", dependencies=[allow_parameters("patientId")])
@allow(ALL_ROLES)
async def list_diagnoses_of_patient(request: Request, work: InWork) -> list[DiagnosisShape]:
    """The diagnoses of a patient."""
    return await lookups.list_diagnoses(work, parse_id_parameter(request, "patientId"))


@router.get("/v2/medications/filter-by-patient-id", dependencies=[allow_parameters("patientId")])
@allow(ALL_ROLES)
async def list_medications_of_patient(request: Request, work: InWork) -> list[Named]:
    """The medications of a patient."""
    return await lookups.list_medications(work, parse_id_parameter(request, "patientId"))
