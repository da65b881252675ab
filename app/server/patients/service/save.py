"""Registers and changes a patient: the whole record in one transaction (O 2.1, O 5)."""

from typing import Any

from app.basics.clock import lab_today
from app.basics.errors import BadInput, FieldError, require_allowed
from app.basics.text import capitalise, clean, digits, mask_phone
from app.contract import messages
from app.server.access.work import Work
from app.server.addresses import rules as addresses
from app.server.addresses.models import ZipCode
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import Address
from app.server.clients.models import Client
from app.server.patients import rules
from app.server.patients.errors import ssn_in_use
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.schemas import PatientRead, PatientWrite
from app.server.patients.service.changes import note_changes, state
from app.server.patients.service.read import (
    KEPT_AS_SENT,
    PLAIN,
    UPPER,
    found_to_change,
    shape,
    ssn_of,
)
from app.server.patients.service.records import CheckedLists, checked, keep, sent_lists
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.physicians.repository import PhysicianRepository


async def register(work: Work, body: PatientWrite) -> PatientRead:
    """Register a patient with insurance, responsible parties, diagnoses and medications.

    Raises:
        Forbidden: the actor's role does not register patients.
        BadInput: fields are missing or invalid, each named.
        SocialSecurityNumberInUse: 'SSN is in use'.
    """
    require_allowed(rules.judge_edit(work.actor))
    patients = work.repository(PatientRepository)
    values = _normalised(body)
    zip_row, lists = await _check(work, body, values, body.model_fields_set, None)
    patient = Patient(
        code=rules.patient_code(await patients.next_code_number()),
        created_by=work.actor.user_id,
        zip_code_id=zip_row.id if zip_row else None,
        version=1,
    )
    _assign(work, patient, values, set(values))
    await patients.insert(patient)
    await keep(work, patient, lists)
    await work.audit("register", "patient", [patient.id])
    return await shape(work, patient)


async def change(work: Work, patient_id: int, body: PatientWrite) -> PatientRead:
    """Change a patient; absent fields and lists stay.

    Raises:
        NotFound, StaleVersion, BadInput, SocialSecurityNumberInUse.
    """
    patient = await found_to_change(work, patient_id)
    given = set(body.model_fields_set)
    before = await _as_write(work, patient)
    merged = body.model_copy(
        update={n: getattr(before, n) for n in PatientWrite.model_fields if n not in given}
    )
    values = _normalised(merged)
    zip_row, lists = await _check(work, merged, values, given, patient)
    was = await state(work, patient, given)
    if "room_id" in given:
        given.add("unit_id")
    if "same_as_client_address" in given:
        given |= {"address", "zip_code_plus4"}
    _assign(work, patient, values, given)
    patient.zip_code_id = zip_row.id if zip_row else None
    patient.version += 1
    await work.repository(PatientRepository).flush()
    await keep(work, patient, lists)
    await note_changes(work, patient, was)
    return await shape(work, patient)


def _normalised(body: PatientWrite) -> dict[str, Any]:
    """Every field in the form in which it is kept."""
    values: dict[str, Any] = {name: getattr(body, name) for name in PLAIN}
    for name in ("gender", "race"):
        values[name] = capitalise(values[name])
    values |= {name: capitalise(getattr(body, name)) for name in UPPER}
    values["phone"] = mask_phone(clean(body.phone))
    values["mobile"] = mask_phone(clean(body.mobile))
    values["email"] = clean(body.email)
    values["social_security_number"] = clean(body.social_security_number)
    _put_address(
        values, addresses.normalised(body.address, body.zip_code_name, body.zip_code_plus4)
    )
    return values


async def _check(
    work: Work,
    body: PatientWrite,
    values: dict[str, Any],
    given: set[str],
    patient: Patient | None,
) -> tuple[ZipCode | None, CheckedLists]:
    """All rules at once, so that a person sees everything that is wrong in one go.

    Fills in what follows from other fields: the unit of a room, the address of the client.
    """
    patients = work.repository(PatientRepository)
    today = lab_today(work.portal.settings.time_zone)
    client = await patients.client(body.client_id)
    if client and values["same_as_client_address"] and "same_as_client_address" in given:
        other = await _address_of(work, client)
        _put_address(values, addresses.same_as(_address(values), other))
    wire = {_wire(name): value for name, value in values.items()}
    errors = rules.required_errors(wire)
    errors += rules.format_errors({k: v for k, v in wire.items() if isinstance(v, str)})
    errors += rules.address_errors(_address(values))
    errors += [e for e in (rules.birth_date_error(body.birth_date, today),) if e]
    errors += [e for e in (rules.ethnicity_error(body.ethnicity),) if e]
    if body.client_id is not None:
        if client is None:
            errors.append(FieldError("clientId", messages.NOT_FOUND))
        places = await patients.places(body.client_id, body.unit_id, body.room_id)
        unit_id = rules.unit_of_room(
            body.client_id,
            body.unit_id,
            places,
            room_decides="room_id" in given and "unit_id" not in given,
        )
        if unit_id != body.unit_id:
            places = await patients.places(body.client_id, unit_id, body.room_id)
            values["unit_id"] = unit_id
        errors += rules.place_errors(body.client_id, unit_id, body.room_id, places)
    doctors, doctor_id = work.repository(PhysicianRepository), body.primary_physician_id
    if doctor_id is not None and not await doctors.physician(doctor_id):
        errors.append(FieldError("primaryPhysicianId", messages.NOT_FOUND))
    zip_row = await work.repository(ZipCodeRepository).zip_code(values["zip_code_name"])
    if values["zip_code_name"] and zip_row is None:
        errors.append(addresses.unknown_zip_code("zipCodeName", values["zip_code_name"]))
    lists, found = await checked(work, sent_lists(body, given), patient)
    errors += found
    if errors:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    number = digits(values["social_security_number"])
    ssn = work.portal.part(SocialSecurityNumbers)
    if number and await patients.ssn_in_use(ssn.lookup(number), patient.id if patient else None):
        raise ssn_in_use()
    return zip_row, lists


def _address(values: dict[str, Any]) -> Address:
    return Address(values["address"], values["zip_code_name"], values["zip_code_plus4"])


def _put_address(values: dict[str, Any], address: Address) -> None:
    values["address"] = address.line
    values["zip_code_name"] = address.zip_code
    values["zip_code_plus4"] = address.plus4


async def _address_of(work: Work, client: Client) -> Address:
    zip_row = await work.repository(ZipCodeRepository).zip_code_by_id(client.zip_code_id)
    return Address(client.address, zip_row.code if zip_row else None, client.zip_code_plus4)


def _assign(work: Work, patient: Patient, values: dict[str, Any], given: set[str]) -> None:
    for name in KEPT_AS_SENT:
        if name in given:
            setattr(patient, name, values[name])
    if "social_security_number" in given:
        number = digits(values["social_security_number"])
        ssn = work.portal.part(SocialSecurityNumbers)
        patient.ssn_encrypted = ssn.encrypt(number) if number else None
        patient.ssn_hash = ssn.lookup(number) if number else None
        patient.ssn_last4 = number[-4:] if number else None


async def _as_write(work: Work, patient: Patient) -> PatientWrite:
    """The stored patient in the shape of a write, to fill what an update leaves out."""
    zip_row = await work.repository(ZipCodeRepository).zip_code_by_id(patient.zip_code_id)
    values = {name: getattr(patient, name) for name in KEPT_AS_SENT}
    return PatientWrite(
        **values,
        zip_code_name=zip_row.code if zip_row else None,
        social_security_number=ssn_of(work, patient),
    )


def _wire(name: str) -> str:
    field = PatientWrite.model_fields[name]
    return field.alias or name
