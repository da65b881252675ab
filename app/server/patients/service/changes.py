"""Which fields of a patient a change really changed, for the journal and the timeline."""

from collections.abc import Collection
from typing import Any

from app.server.access.work import Work
from app.server.billing import service as billing
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.service.read import KEPT_AS_SENT

State = dict[str, Any]
_OF_PARTIES = (
    *("id", "last_name", "first_name", "address", "country", "zip_code_id", "zip_code_plus4"),
    *("phone", "mobile", "fax"),
)


async def state(work: Work, patient: Patient, lists: Collection[str] = ()) -> State:
    """The patient's fields as they are kept, and of the lists those of these names."""
    patients = work.repository(PatientRepository)
    found: State = {name: getattr(patient, name) for name in KEPT_AS_SENT}
    found["social_security_number"] = patient.ssn_hash
    found["zip_code_name"] = patient.zip_code_id
    if "insurance_information" in lists:
        found["insurance_information"] = await billing.kept_rows(work, patient.id)
    if "responsible_parties" in lists:
        found["responsible_parties"] = [
            tuple(getattr(row, name) for name in _OF_PARTIES)
            for row, _ in await patients.parties(patient)
        ]
    if "diagnoses" in lists:
        found["diagnoses"] = [row.id for row in await patients.diagnoses(patient)]
    if "medications" in lists:
        found["medications"] = [row.name for row in await patients.medications(patient)]
    return found


async def note_changes(work: Work, patient: Patient, before: State) -> None:
    """Note a change of the patient by the fields that are not as they were ``before``."""
    after = await state(work, patient, before)
    fields = sorted(name for name, value in after.items() if value != before[name])
    await work.audit("change", "patient", [patient.id], {"fields": fields})
