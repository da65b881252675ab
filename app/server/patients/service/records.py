"""What is known of a patient besides the form: insurance, responsible parties, diagnoses and
medications. Checked and replaced a whole list at a time (O 2.1, O 7 'Save ...')."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from app.basics.clock import lab_today
from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.server.access.work import Work
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import Address, unknown_zip_code
from app.server.billing import service as billing
from app.server.billing.rules import Coverage, by_order
from app.server.catalog.schemas import DiagnosisWrite
from app.server.catalog.service import chosen_diagnoses
from app.server.patients import rules
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.rules import Party
from app.server.patients.schemas import (
    MedicationWrite,
    PatientRead,
    PatientWrite,
    RecordList,
    ResponsiblePartyWrite,
)
from app.server.patients.service.changes import note_changes, state
from app.server.patients.service.read import found_to_change, shape

LISTS = ("insurance_information", "responsible_parties", "diagnoses", "medications")


@dataclass
class CheckedLists:
    """Lists that may be kept; None: that list was not sent and stays."""

    insurance: list[Coverage] | None = None
    parties: list[tuple[Party, int]] | None = None
    diagnoses: list[int] | None = None
    medications: list[str] | None = None


async def save_list(work: Work, patient_id: int, body: RecordList) -> PatientRead:
    """Replace one list of a patient; the other fields are neither changed nor judged.

    Raises:
        NotFound, StaleVersion, BadInput.
    """
    patient = await found_to_change(work, patient_id)
    sent = sent_lists(body, set(type(body).model_fields))
    lists, errors = await checked(work, sent, patient)
    if errors:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    before = await state(work, patient, sent)
    await keep(work, patient, lists)
    patient.version += 1
    await work.repository(PatientRepository).flush()
    await note_changes(work, patient, before)
    return await shape(work, patient)


def sent_lists(body: PatientWrite | RecordList, given: set[str]) -> dict[str, list[Any]]:
    """The lists that a body holds, by field; null is a list without rows."""
    return {name: getattr(body, name) or [] for name in LISTS if name in given}


async def checked(
    work: Work, sent: Mapping[str, list[Any]], patient: Patient | None
) -> tuple[CheckedLists, list[FieldError]]:
    """The lists as they may be kept, and everything that is wrong with them.

    ``patient`` None: one who is being registered.
    """
    lists, errors = CheckedLists(), []
    if "insurance_information" in sent:
        today = lab_today(work.portal.settings.time_zone)
        lists.insurance, found = await billing.checked(
            work,
            patient.id if patient else None,
            sent["insurance_information"],
            today,
        )
        errors += found
    if "responsible_parties" in sent:
        lists.parties, found = await _parties(work, patient, sent["responsible_parties"])
        errors += found
    if "diagnoses" in sent:
        lists.diagnoses, found = await _diagnoses(work, patient, sent["diagnoses"])
        errors += found
    if "medications" in sent:
        lists.medications, found = await _medications(work, patient, sent["medications"])
        errors += found
    return lists, errors


async def keep(work: Work, patient: Patient, lists: CheckedLists) -> None:
    """Put checked lists in place of the patient's present ones."""
    patients = work.repository(PatientRepository)
    if lists.insurance is not None:
        await billing.replace_rows(work, patient.id, lists.insurance)
    if lists.parties is not None:
        await patients.replace_parties(patient, lists.parties)
    if lists.diagnoses is not None:
        await patients.replace_diagnoses(patient, lists.diagnoses)
    if lists.medications is not None:
        await patients.replace_medications(patient, lists.medications)


async def _parties(
    work: Work, patient: Patient | None, sent: Sequence[ResponsiblePartyWrite]
) -> tuple[list[tuple[Party, int]], list[FieldError]]:
    field = "responsibleParties"
    patients = work.repository(PatientRepository)
    # An id of another patient's party is refused exactly like one that does not exist.
    free = {row.id for row, _ in await patients.parties(patient)} if patient else set()
    parties = [rules.normalised_party(_party(row)) for row in sent]
    codes = {party.address.zip_code for party in parties if party.address.zip_code}
    places = {
        row.code: row.id for row in await work.repository(ZipCodeRepository).zip_codes(codes=codes)
    }
    chosen: list[tuple[Party, int]] = []
    errors: list[FieldError] = []
    for i, party in enumerate(parties):
        wrong = rules.party_errors(party)
        code = party.address.zip_code
        if code and code not in places:
            wrong.append(unknown_zip_code("zipCode", code))
        if party.id is not None and party.id not in free:
            wrong.append(FieldError("id", messages.NOT_FOUND))
        errors += [FieldError(f"{field}.{i}.{e.field}", e.message) for e in wrong]
        free.discard(party.id or 0)
        chosen.append((party, places.get(code or "", 0)))
    return by_order(chosen, [row.order for row in sent]), errors


def _party(row: ResponsiblePartyWrite) -> Party:
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


async def _diagnoses(
    work: Work, patient: Patient | None, sent: Sequence[DiagnosisWrite]
) -> tuple[list[int], list[FieldError]]:
    patients = work.repository(PatientRepository)
    # A code that has ended since it was recorded must not keep the patient from being saved.
    kept = {row.id for row in await patients.diagnoses(patient)} if patient else set()
    return await chosen_diagnoses(
        work,
        sent,
        field="diagnoses",
        day=lab_today(work.portal.settings.time_zone),
        ended=messages.DIAGNOSIS_ENDED,
        kept=kept,
    )


async def _medications(
    work: Work, patient: Patient | None, sent: Sequence[MedicationWrite]
) -> tuple[list[str], list[FieldError]]:
    patients = work.repository(PatientRepository)
    present = await patients.medications(patient) if patient else []
    return rules.medication_names(
        [(row.id, row.name) for row in sent], {row.id: row.name for row in present}
    )
