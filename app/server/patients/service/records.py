"""The lists of a patient: insurance, responsible parties, diagnoses and medications.

A list is validated and replaced as a whole (O 2.1, O 7 'Save ...').
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from app.basics.clock import get_lab_today
from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.server.access.work import Work
from app.server.addresses.models import ZipCode
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import Address, build_unknown_zip_code_error
from app.server.billing import service as billing
from app.server.billing.rules import Coverage, sort_by_order
from app.server.catalog.schemas import DiagnosisWrite
from app.server.catalog.service import validate_diagnoses
from app.server.patients import rules
from app.server.patients.models import Patient, ResponsibleParty
from app.server.patients.repository import PatientRepository
from app.server.patients.rules import Party
from app.server.patients.schemas import (
    MedicationWrite,
    PatientRead,
    PatientWrite,
    RecordList,
    ResponsiblePartyWrite,
)
from app.server.patients.service.changes import audit_changes, load_state
from app.server.patients.service.read import build_patient_read, get_patient_for_change

LISTS = ("insurance_information", "responsible_parties", "diagnoses", "medications")


@dataclass
class ValidLists:
    """Validated lists; None for a list that was not sent and stays."""

    insurance: list[Coverage] | None = None
    parties: list[tuple[Party, int]] | None = None
    diagnoses: list[int] | None = None
    medications: list[str] | None = None


async def save_list(work: Work, patient_id: int, body: RecordList) -> PatientRead:
    """Replace one list of a patient; the other fields are neither changed nor validated.

    Raises:
        NotFound, StaleVersion, BadInput.
    """
    patient = await get_patient_for_change(work, patient_id)
    raw_lists = collect_lists(body, set(type(body).model_fields))
    sent_lists, errors = await validate_lists(work, raw_lists, patient)
    if errors:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    before = await load_state(work, patient, raw_lists)
    await replace_lists(work, patient, sent_lists)
    patient.version += 1
    await work.build_repository(PatientRepository).flush()
    await audit_changes(work, patient, before)
    return await build_patient_read(work, patient)


def collect_lists(body: PatientWrite | RecordList, fields: set[str]) -> dict[str, list[Any]]:
    """Collect the lists of a body among these fields; null becomes an empty list."""
    return {name: getattr(body, name) or [] for name in LISTS if name in fields}


async def validate_lists(
    work: Work, sent_lists: Mapping[str, list[Any]], patient: Patient | None
) -> tuple[ValidLists, list[FieldError]]:
    """Validate and normalize the sent lists; ``patient`` is None at registration."""
    lists, errors = ValidLists(), []
    if "insurance_information" in sent_lists:
        today = get_lab_today(work.portal.settings.time_zone)
        lists.insurance, list_errors = await billing.validate_rows(
            work,
            patient.id if patient else None,
            sent_lists["insurance_information"],
            today,
        )
        errors += list_errors
    if "responsible_parties" in sent_lists:
        parties = sent_lists["responsible_parties"]
        lists.parties, list_errors = await _validate_parties(work, patient, parties)
        errors += list_errors
    if "diagnoses" in sent_lists:
        lists.diagnoses, list_errors = await _validate_diagnoses(
            work, patient, sent_lists["diagnoses"]
        )
        errors += list_errors
    if "medications" in sent_lists:
        medications = sent_lists["medications"]
        lists.medications, list_errors = await _validate_medications(work, patient, medications)
        errors += list_errors
    return lists, errors


async def replace_lists(work: Work, patient: Patient, lists: ValidLists) -> None:
    """Replace the patient's lists with validated ones."""
    patients = work.build_repository(PatientRepository)
    if lists.insurance is not None:
        await billing.replace_rows(work, patient.id, lists.insurance)
    if lists.parties is not None:
        await patients.replace_parties(patient, lists.parties)
    if lists.diagnoses is not None:
        await patients.replace_diagnoses(patient, lists.diagnoses)
    if lists.medications is not None:
        await patients.replace_medications(patient, lists.medications)


async def complete_patient(
    work: Work, patient: Patient, lists: ValidLists, birth_date: date | None
) -> None:
    """Store what the patient lacked; ``birth_date`` is None if it stays.

    Validated insurance rows and parties come first, and rows that were not sent stay after them.
    """
    patients = work.build_repository(PatientRepository)
    changed_lists = [name for name, rows in _name_shared_lists(lists) if rows is not None]
    before = await load_state(work, patient, changed_lists)
    if birth_date is not None:
        patient.birth_date = birth_date
    merged_lists = ValidLists()
    if lists.insurance is not None:
        sent_ids = {row.id for row in lists.insurance}
        stored_coverages = await billing.list_coverages(work, patient.id)
        merged_lists.insurance = [
            *lists.insurance,
            *(row for row in stored_coverages if row.id not in sent_ids),
        ]
    if lists.parties is not None:
        sent_ids = {party.id for party, _ in lists.parties}
        unsent_parties = [
            (_build_stored_party(row, place), place.id)
            for row, place in await patients.list_parties(patient)
            if row.id not in sent_ids
        ]
        merged_lists.parties = [*lists.parties, *unsent_parties]
    await replace_lists(work, patient, merged_lists)
    patient.version += 1
    await patients.flush()
    await audit_changes(work, patient, before)


def _name_shared_lists(lists: ValidLists) -> tuple[tuple[str, list[Any] | None], ...]:
    return (
        ("insurance_information", lists.insurance),
        ("responsible_parties", lists.parties),
    )


def _build_stored_party(row: ResponsibleParty, place: ZipCode) -> Party:
    return Party(
        address=Address(row.address, place.code, row.zip_code_plus4),
        id=row.id,
        last_name=row.last_name,
        first_name=row.first_name,
        country=row.country,
        phone=row.phone,
        mobile=row.mobile,
        fax=row.fax,
    )


async def _validate_parties(
    work: Work, patient: Patient | None, sent_parties: Sequence[ResponsiblePartyWrite]
) -> tuple[list[tuple[Party, int]], list[FieldError]]:
    field = "responsibleParties"
    patients = work.build_repository(PatientRepository)
    # The id of another patient's party is rejected exactly like one that does not exist.
    unused_ids = {row.id for row, _ in await patients.list_parties(patient)} if patient else set()
    parties = [rules.normalize_party(_build_party(row)) for row in sent_parties]
    codes = {party.address.zip_code for party in parties if party.address.zip_code}
    zip_code_ids = {
        row.code: row.id
        for row in await work.build_repository(ZipCodeRepository).find_zip_codes(codes=codes)
    }
    parties_with_zip_codes: list[tuple[Party, int]] = []
    errors: list[FieldError] = []
    for i, party in enumerate(parties):
        party_errors = rules.validate_party(party)
        code = party.address.zip_code
        if code and code not in zip_code_ids:
            party_errors.append(build_unknown_zip_code_error("zipCode", code))
        if party.id is not None and party.id not in unused_ids:
            party_errors.append(FieldError("id", messages.NOT_FOUND))
        errors += [FieldError(f"{field}.{i}.{e.field}", e.message) for e in party_errors]
        unused_ids.discard(party.id or 0)
        parties_with_zip_codes.append((party, zip_code_ids.get(code or "", 0)))
    orders = [row.order for row in sent_parties]
    return sort_by_order(parties_with_zip_codes, orders), errors


def _build_party(row: ResponsiblePartyWrite) -> Party:
    return Party(
        address=Address(row.address, row.zip_code, row.zip_code_extra),
        id=row.id,
        last_name=row.last_name,
        first_name=row.first_name,
        country=row.country,
        phone=row.phone,
        mobile=row.mobile,
        fax=row.fax,
    )


async def _validate_diagnoses(
    work: Work, patient: Patient | None, sent_diagnoses: Sequence[DiagnosisWrite]
) -> tuple[list[int], list[FieldError]]:
    patients = work.build_repository(PatientRepository)
    # A code that has expired since it was recorded must not keep the patient from being saved.
    current_ids = {row.id for row in await patients.list_diagnoses(patient)} if patient else set()
    return await validate_diagnoses(
        work,
        sent_diagnoses,
        field="diagnoses",
        day=get_lab_today(work.portal.settings.time_zone),
        expired_message=messages.DIAGNOSIS_ENDED,
        current_ids=current_ids,
    )


async def _validate_medications(
    work: Work, patient: Patient | None, sent_medications: Sequence[MedicationWrite]
) -> tuple[list[str], list[FieldError]]:
    patients = work.build_repository(PatientRepository)
    current_medications = await patients.list_medications(patient) if patient else []
    return rules.normalize_medications(
        [(row.id, row.name) for row in sent_medications],
        {row.id: row.name for row in current_medications},
    )
