"""Audits which fields of a patient a request has changed; the timeline shows them too."""

from collections.abc import Collection
from typing import Any

from app.server.access.work import Work
from app.server.billing import service as billing
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.service.read import SHARED_FIELDS

State = dict[str, Any]
_PARTY_FIELDS = (
    "id",
    "last_name",
    "first_name",
    "address",
    "country",
    "zip_code_id",
    "zip_code_plus4",
    "phone",
    "mobile",
    "fax",
)


async def load_state(work: Work, patient: Patient, lists: Collection[str] = ()) -> State:
    """Load the patient's stored fields, and the lists of these names."""
    patients = work.build_repository(PatientRepository)
    state: State = {name: getattr(patient, name) for name in SHARED_FIELDS}
    state["social_security_number"] = patient.ssn_hash
    state["zip_code_name"] = patient.zip_code_id
    if "insurance_information" in lists:
        state["insurance_information"] = await billing.list_coverages(work, patient.id)
    if "responsible_parties" in lists:
        state["responsible_parties"] = [
            tuple(getattr(row, name) for name in _PARTY_FIELDS)
            for row, _ in await patients.list_parties(patient)
        ]
    if "diagnoses" in lists:
        state["diagnoses"] = [row.id for row in await patients.list_diagnoses(patient)]
    if "medications" in lists:
        state["medications"] = [row.name for row in await patients.list_medications(patient)]
    return state


async def audit_changes(work: Work, patient: Patient, before: State) -> None:
    """Record a change to the patient with the names of the fields that differ from ``before``."""
    after = await load_state(work, patient, before)
    fields = sorted(name for name, value in after.items() if value != before[name])
    await work.audit("change", "patient", [patient.id], {"fields": fields})
