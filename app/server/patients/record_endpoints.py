"""/api/v2/patients/{id}/...: the insurance rows and other lists of a patient (O 7)."""

from fastapi import Response

from app.basics.errors import StaleVersion
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, set_etag
from app.server.billing.schemas import InsuranceRow
from app.server.patients.rules import EDITORS
from app.server.patients.schemas import (
    DiagnosisList,
    InsuranceList,
    MedicationList,
    PatientRead,
    ResponsiblePartyList,
)
from app.server.patients.service import read, records

router = build_router("/api/v2/patients/{patient_id}", "patients")


@router.get("/billing-info")
@allow(ALL_ROLES)
async def read_billing_info(patient_id: int, work: InWork) -> list[InsuranceRow]:
    """The patient's insurance rows."""
    return await read.read_billing_info(work, patient_id)


@router.post("/save-billing-info")
@allow(EDITORS, errors=(StaleVersion,))
async def save_billing_info(
    patient_id: int, body: InsuranceList, work: InWork, response: Response
) -> PatientRead:
    """Replace the patient's insurance rows."""
    return set_etag(response, await records.save_list(work, patient_id, body))


@router.post("/save-responsible-parties")
@allow(EDITORS, errors=(StaleVersion,))
async def save_responsible_parties(
    patient_id: int, body: ResponsiblePartyList, work: InWork, response: Response
) -> PatientRead:
    """Replace the patient's responsible parties."""
    return set_etag(response, await records.save_list(work, patient_id, body))


@router.post("/save-diagnoses")
@allow(EDITORS, errors=(StaleVersion,))
async def save_diagnoses(
    patient_id: int, body: DiagnosisList, work: InWork, response: Response
) -> PatientRead:
    """Replace the patient's diagnoses."""
    return set_etag(response, await records.save_list(work, patient_id, body))


@router.post("/save-medications")
@allow(EDITORS, errors=(StaleVersion,))
async def save_medications(
    patient_id: int, body: MedicationList, work: InWork, response: Response
) -> PatientRead:
    """Replace the patient's medications."""
    return set_etag(response, await records.save_list(work, patient_id, body))
