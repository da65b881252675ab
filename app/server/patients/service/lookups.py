"""Small questions about a patient. Whoever may not see the patient is told nothing."""

from app.server.access.schemas import Named
from app.server.access.work import Work
from app.server.catalog.schemas import DiagnosisShape
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository


async def is_of_clients(work: Work, patient_id: int | None, client_ids: list[int]) -> bool:
    """Whether the patient is the actor's and, where clients are named, of one of these (O 4)."""
    patient = await _seen(work, patient_id, "check-clients")
    return patient is not None and (not client_ids or patient.client_id in client_ids)


async def diagnoses_of(work: Work, patient_id: int | None) -> list[DiagnosisShape]:
    """The patient's diagnoses, in order; none of a patient who is not the actor's."""
    patient = await _seen(work, patient_id, "read-diagnoses")
    if patient is None:
        return []
    patients = work.repository(PatientRepository)
    return [DiagnosisShape.of(row) for row in await patients.diagnoses(patient)]


async def medications_of(work: Work, patient_id: int | None) -> list[Named]:
    """The patient's medications, in order; none of a patient who is not the actor's."""
    patient = await _seen(work, patient_id, "read-medications")
    if patient is None:
        return []
    patients = work.repository(PatientRepository)
    found = await patients.medications(patient)
    return [Named(id=row.id, name=row.name) for row in found]


async def _seen(work: Work, patient_id: int | None, action: str) -> Patient | None:
    if patient_id is None:
        return None
    patient = await work.repository(PatientRepository).patient(patient_id)
    if patient is not None:
        await work.audit(action, "patient", [patient.id])
    return patient
