"""Registers and changes patients, the whole record in one transaction (O 2.1, O 5)."""

from typing import Any

from app.basics.clock import get_lab_today
from app.basics.errors import BadInput, FieldError, require_allowed
from app.basics.text import clean_text, keep_digits, mask_phone, to_upper_case
from app.contract import messages
from app.server.access.quotas import SSN_SAVES, QuotaUse
from app.server.access.work import Work
from app.server.actor import GATEKEEPER_ACTOR
from app.server.addresses import rules as addresses
from app.server.addresses.models import ZipCode
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.rules import Address
from app.server.clients.models import Client
from app.server.patients import rules
from app.server.patients.errors import build_ssn_in_use_error
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.schemas import PatientRead, PatientWrite
from app.server.patients.service.changes import audit_changes, load_state
from app.server.patients.service.read import (
    PLAIN_FIELDS,
    SHARED_FIELDS,
    UPPER_CASE_FIELDS,
    build_patient_read,
    decrypt_ssn,
    get_patient_for_change,
)
from app.server.patients.service.records import (
    ValidLists,
    collect_lists,
    replace_lists,
    validate_lists,
)
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.physicians.repository import PhysicianRepository


async def register_patient(work: Work, body: PatientWrite) -> PatientRead:
    """Register a patient with insurance, responsible parties, diagnoses and medications.

    Raises:
        Forbidden: the actor may not register patients.
        BadInput: fields are missing or invalid; the error names each.
        SocialSecurityNumberInUse: 'SSN is in use'.
    """
    require_allowed(rules.judge_edit(work.actor))
    patients = work.build_repository(PatientRepository)
    values = _normalize_fields(body)
    zip_row, lists = await _validate_fields(work, body, values, body.model_fields_set, None)
    patient = Patient(
        code=rules.format_patient_code(await patients.allocate_code_number()),
        created_by=work.actor.user_id,
        zip_code_id=zip_row.id if zip_row else None,
        version=1,
    )
    _assign_fields(work, patient, values, set(values))
    await patients.insert(patient)
    await replace_lists(work, patient, lists)
    await work.audit("register", "patient", [patient.id])
    return await build_patient_read(work, patient)


async def change_patient(work: Work, patient_id: int, body: PatientWrite) -> PatientRead:
    """Change a patient; absent fields and lists stay unchanged.

    Raises:
        NotFound, StaleVersion, BadInput, SocialSecurityNumberInUse.
    """
    patient = await get_patient_for_change(work, patient_id)
    fields = set(body.model_fields_set)
    stored_body = await _build_write(work, patient)
    merged_body = body.model_copy(
        update={n: getattr(stored_body, n) for n in PatientWrite.model_fields if n not in fields}
    )
    values = _normalize_fields(merged_body)
    zip_row, lists = await _validate_fields(work, merged_body, values, fields, patient)
    before = await load_state(work, patient, fields)
    if "room_id" in fields:
        fields.add("unit_id")
    if "same_as_client_address" in fields:
        fields |= {"address", "zip_code_plus4"}
    _assign_fields(work, patient, values, fields)
    patient.zip_code_id = zip_row.id if zip_row else None
    patient.version += 1
    await work.build_repository(PatientRepository).flush()
    await replace_lists(work, patient, lists)
    await audit_changes(work, patient, before)
    return await build_patient_read(work, patient)


def _normalize_fields(body: PatientWrite) -> dict[str, Any]:
    """Normalize every field for storage."""
    values: dict[str, Any] = {name: getattr(body, name) for name in PLAIN_FIELDS}
    for name in ("gender", "race"):
        values[name] = to_upper_case(values[name])
    values |= {name: to_upper_case(getattr(body, name)) for name in UPPER_CASE_FIELDS}
    values["phone"] = mask_phone(clean_text(body.phone))
    values["mobile"] = mask_phone(clean_text(body.mobile))
    values["email"] = clean_text(body.email)
    values["social_security_number"] = clean_text(body.social_security_number)
    _set_address(
        values, addresses.normalize_address(body.address, body.zip_code_name, body.zip_code_plus4)
    )
    return values


async def _validate_fields(
    work: Work,
    body: PatientWrite,
    values: dict[str, Any],
    fields: set[str],
    patient: Patient | None,
) -> tuple[ZipCode | None, ValidLists]:
    """Apply all rules at once, so that a person sees all errors together.

    Fills in values that follow from other fields: the unit of a room, the client's address.
    """
    patients = work.build_repository(PatientRepository)
    today = get_lab_today(work.portal.settings.time_zone)
    client = await patients.find_client(body.client_id)
    if client and values["same_as_client_address"] and "same_as_client_address" in fields:
        client_address = await _load_client_address(work, client)
        _set_address(values, addresses.copy_client_address(_get_address(values), client_address))
    wire_values = {_get_wire_name(name): value for name, value in values.items()}
    errors = rules.validate_required(wire_values)
    errors += rules.validate_formats({k: v for k, v in wire_values.items() if isinstance(v, str)})
    errors += rules.validate_address(_get_address(values))
    if error := rules.validate_birth_date(body.birth_date, today):
        errors.append(error)
    if error := rules.validate_ethnicity(body.ethnicity):
        errors.append(error)
    if body.client_id is not None:
        if client is None:
            errors.append(FieldError("clientId", messages.NOT_FOUND))
        places = await patients.load_places(body.client_id, body.unit_id, body.room_id)
        unit_id = rules.infer_unit(
            body.client_id,
            body.unit_id,
            places,
            room_decides="room_id" in fields and "unit_id" not in fields,
        )
        if unit_id != body.unit_id:
            places = await patients.load_places(body.client_id, unit_id, body.room_id)
            values["unit_id"] = unit_id
        errors += rules.validate_place(body.client_id, unit_id, body.room_id, places)
    physicians, physician_id = work.build_repository(PhysicianRepository), body.primary_physician_id
    if physician_id is not None and not await physicians.find_physician(physician_id):
        errors.append(FieldError("primaryPhysicianId", messages.NOT_FOUND))
    zip_row = await work.build_repository(ZipCodeRepository).find_zip_code(values["zip_code_name"])
    if values["zip_code_name"] and zip_row is None:
        errors.append(
            addresses.build_unknown_zip_code_error("zipCodeName", values["zip_code_name"])
        )
    lists, list_errors = await validate_lists(work, collect_lists(body, fields), patient)
    errors += list_errors
    if errors:
        raise BadInput(messages.VALIDATION_ERROR, errors=tuple(errors))
    await _require_unused_number(work, values["social_security_number"], patient)
    return zip_row, lists


async def _require_unused_number(work: Work, text: str | None, patient: Patient | None) -> None:
    """Raise SocialSecurityNumberInUse if another patient, even out of scope, has the number.

    Only such an error counts against the quota. Once the quota is used up, every number is
    rejected, in use or not, so that the rejection reveals nothing.
    """
    number = keep_digits(text)
    if not number:
        return
    number_hash = work.portal.get_part(SocialSecurityNumbers).hash(number)
    if patient is not None and patient.ssn_hash == number_hash:
        return
    patients = work.build_repository(PatientRepository)
    use = QuotaUse(SSN_SAVES, work.actor.user_text, address=None)
    await use.spend(work.portal.database, work.actor)
    if await patients.is_ssn_in_use(number_hash, patient.id if patient else None):
        raise build_ssn_in_use_error()
    await use.give_back(work.portal.database, GATEKEEPER_ACTOR)


def _get_address(values: dict[str, Any]) -> Address:
    return Address(values["address"], values["zip_code_name"], values["zip_code_plus4"])


def _set_address(values: dict[str, Any], address: Address) -> None:
    values["address"] = address.line
    values["zip_code_name"] = address.zip_code
    values["zip_code_plus4"] = address.plus4


async def _load_client_address(work: Work, client: Client) -> Address:
    zip_row = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(client.zip_code_id)
    return Address(client.address, zip_row.code if zip_row else None, client.zip_code_plus4)


def _assign_fields(work: Work, patient: Patient, values: dict[str, Any], fields: set[str]) -> None:
    for name in SHARED_FIELDS:
        if name in fields:
            setattr(patient, name, values[name])
    if "social_security_number" in fields:
        number = keep_digits(values["social_security_number"])
        ssn = work.portal.get_part(SocialSecurityNumbers)
        patient.ssn_encrypted = ssn.encrypt(number) if number else None
        patient.ssn_hash = ssn.hash(number) if number else None
        patient.ssn_last4 = number[-4:] if number else None


async def _build_write(work: Work, patient: Patient) -> PatientWrite:
    """Build a request body from the stored patient, to fill in fields that an update omits."""
    zip_row = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(
        patient.zip_code_id
    )
    values = {name: getattr(patient, name) for name in SHARED_FIELDS}
    return PatientWrite(
        **values,
        zip_code_name=zip_row.code if zip_row else None,
        social_security_number=decrypt_ssn(work, patient),
    )


def _get_wire_name(name: str) -> str:
    field = PatientWrite.model_fields[name]
    return field.alias or name
