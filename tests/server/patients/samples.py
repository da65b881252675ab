"""Samples of patients' requests, for the tests of all routes."""

from tests.server.samples import Realm, Sample
from tests.server.world import World

_PATIENTS = "/api/v2/patients"
SAMPLES = {
    f"POST {_PATIENTS}": Sample(lambda _, ids: {"clientId": ids["client_id"]}),
    f"PUT {_PATIENTS}/{{patient_id}}": Sample({"bed": "2"}),
    f"PUT {_PATIENTS}/client-physician": Sample(
        lambda _, ids: {"id": ids["patient_id"], "bed": "2"}
    ),
    f"GET {_PATIENTS}/validate-ssn": Sample(query="?ssn=666001234"),
    "GET /api/records/patients/validate-ssn": Sample(query="?ssn=666001234"),
    f"POST {_PATIENTS}/validate-ssn": Sample(
        lambda _, ids: {"ssn": "666001234", "patientId": ids["patient_id"]}, omits_foreign=True
    ),
    f"POST {_PATIENTS}/look-alikes": Sample(
        lambda _, ids: {
            "lastName": "PATIENT",
            "firstName": "PAT",
            "birthDate": "1970-01-02",
            "patientId": ids["patient_id"],
        },
        omits_foreign=True,
    ),
    f"POST {_PATIENTS}/{{patient_id}}/save-billing-info": Sample([]),
    f"POST {_PATIENTS}/{{patient_id}}/save-responsible-parties": Sample([]),
    f"POST {_PATIENTS}/{{patient_id}}/save-diagnoses": Sample([]),
    f"POST {_PATIENTS}/{{patient_id}}/save-medications": Sample([]),
    f"GET {_PATIENTS}/check-clients": Sample(
        query="?patientId={patient_id}&clientIds={client_id}", omits_foreign=True
    ),
    f"GET {_PATIENTS}/ids": Sample(query="?ids={patient_id}", omits_foreign=True),
    f"GET {_PATIENTS}/remote-operations-all-entries": Sample(
        query="?clientIds={client_id}", omits_foreign=True
    ),
    "GET /api/v2/diagnoses/filter-by-patient-id": Sample(
        query="?patientId={patient_id}", omits_foreign=True
    ),
    "GET /api/v2/medications/filter-by-patient-id": Sample(
        query="?patientId={patient_id}", omits_foreign=True
    ),
}
TABLES = (
    ("patients", "id", "patient_id"),
    ("patient_insurance", "patient_id", "patient_id"),
    ("patient_responsible_parties", "patient_id", "patient_id"),
    ("patient_diagnoses", "patient_id", "patient_id"),
    ("patient_medications", "patient_id", "patient_id"),
)


async def add_records(world: World, home: Realm) -> None:
    """Add the lists of the patient."""
    world.add_patient_lists(home.ids["patient_id"])
