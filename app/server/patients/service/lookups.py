"""Lookups about a patient; a patient out of scope is treated as nonexistent."""

from app.server.access.schemas import Named
from app.server.access.work import Work
from app.server.catalog.schemas import DiagnosisShape
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository


async def is_patient_of_clients(work: Work, patient_id: int | None, client_ids: list[int]) -> bool:
    """Whether the patient is in scope and, if clients are named, belongs to one (O 4)."""
    patient = await _find_and_audit(work, patient_id, "check-clients")
    return patient is not None and (not client_ids or patient.client_id in client_ids)


async def list_diagnoses(work: Work, patient_id: int | None) -> list[DiagnosisShape]:
    """Return the patient's diagnoses, in order; none for a patient out of scope."""
    patient = await _find_and_audit(work, patient_id, "read-diagnoses")
    if patient is None:
        return []
    patients = work.build_repository(PatientRepository)
    return [DiagnosisShape.of(row) for row in await patients.list_diagnoses(patient)]


async def list_medications(work: Work, patient_id: int | None) -> list[Named]:
    """Return the patient's medications, in order; none for a patient out of scope."""
    patient = await _find_and_audit(work, patient_id, "read-medications")
    if patient is None:
        return []
    patients = work.build_repository(PatientRepository)
    medications = await patients.list_medications(patient)
    return [Named(id=row.id, name=row.name) for row in medications]


async def _find_and_audit(work: Work, patient_id: int | None, action: str) -> Patient | None:
    if patient_id is None:
        return None
    patient = await work.build_repository(PatientRepository).find_patient(patient_id)
    if patient is not None:
        await work.audit(action, "patient", [patient.id])
    return patient
