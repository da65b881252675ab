"""Reads of patients within the actor's scope."""

from app.basics.errors import NotFound, StaleVersion, require_allowed
from app.basics.text import keep_digits, mask_ssn
from app.contract import messages
from app.contract.enumerations import BillTo
from app.server.access.schemas import Named, Permission
from app.server.access.work import Work
from app.server.addresses.repository import ZipCodeRepository
from app.server.addresses.schemas import ZipCodeShape
from app.server.billing import service as billing
from app.server.billing.rules import Holder
from app.server.billing.schemas import InsuranceRow
from app.server.catalog.schemas import DiagnosisShape
from app.server.clients.models import Client
from app.server.patients.models import Patient
from app.server.patients.repository import PatientRepository
from app.server.patients.rules import judge_edit, judge_full_ssn
from app.server.patients.schemas import ClientOfPatient, PatientRead, ResponsibleParty, RoomShape
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.physicians.repository import PhysicianRepository
from app.server.physicians.schemas import PhysicianShape

PLAIN_FIELDS = (
    "client_id",
    "unit_id",
    "room_id",
    "primary_physician_id",
    "birth_date",
    "gender",
    "ethnicity",
    "sexual_orientation_id",
    "gender_identity_id",
    "race",
    "same_as_client_address",
)
UPPER_CASE_FIELDS = (
    "first_name",
    "middle_name",
    "last_name",
    "bed",
    "medical_record_id",
    "address",
)
SHARED_FIELDS = (*PLAIN_FIELDS, *UPPER_CASE_FIELDS, "phone", "mobile", "email", "zip_code_plus4")
"""Fields with the same value in a request, in the table and in a response."""


async def read_patient(work: Work, patient_id: int) -> PatientRead:
    """Read a patient, with an audit row.

    Raises:
        NotFound: the patient does not exist or is out of scope.
    """
    patient = await get_patient(work, patient_id)
    await work.audit("read", "patient", [patient.id])
    return await build_patient_read(work, patient)


async def read_billing_info(work: Work, patient_id: int) -> list[InsuranceRow]:
    """Read the patient's insurance rows, with an audit row.

    Raises:
        NotFound: the patient does not exist or is out of scope.
    """
    patient = await get_patient(work, patient_id)
    await work.audit("read", "patient", [patient.id], {"fields": ["insurance_information"]})
    return await billing.list_rows(work, patient.id, build_holder(patient))


async def is_ssn_in_use(work: Work, ssn: str, patient_id: int | None) -> bool:
    """Whether a patient of any client, other than ``patient_id``, has this number.

    A patient out of scope is not excluded, because that would reveal whose number it is.
    """
    number = keep_digits(ssn)
    if not number or len(number) != 9:
        return False
    patients = work.build_repository(PatientRepository)
    if patient_id is not None and await patients.find_patient(patient_id) is None:
        patient_id = None
    numbers = work.portal.get_part(SocialSecurityNumbers)
    is_in_use = await patients.is_ssn_in_use(numbers.hash(number), patient_id)
    ids = [] if patient_id is None else [patient_id]
    await work.audit("check-ssn", "patient", ids, {"isInUse": is_in_use})
    return is_in_use


async def get_patient(work: Work, patient_id: int, *, lock: bool = False) -> Patient:
    """Return the patient, or raise NotFound."""
    patient = await work.build_repository(PatientRepository).find_patient(patient_id, lock=lock)
    if patient is None:
        raise NotFound(messages.NOT_FOUND)
    return patient


async def get_patient_for_change(work: Work, patient_id: int) -> Patient:
    """Return the patient, locked and in the expected version.

    Raises:
        Forbidden: the actor may not change patients.
        NotFound: the patient does not exist or is out of scope.
        StaleVersion: somebody saved a newer version first.
    """
    require_allowed(judge_edit(work.actor))
    patient = await get_patient(work, patient_id, lock=True)
    try:
        work.require_version(patient)
    except StaleVersion as error:
        error.updated_by = await work.build_repository(PatientRepository).find_last_editor(patient)
        raise
    return patient


def build_holder(patient: Patient) -> Holder:
    """Build the holder of the patient's insurance rows."""
    return Holder(
        last_name=patient.last_name,
        first_name=patient.first_name,
        middle_name=patient.middle_name,
        birth_date=patient.birth_date,
        gender=patient.gender,
        address=patient.address,
        zip_code_id=patient.zip_code_id,
        zip_code_plus4=patient.zip_code_plus4,
    )


def decrypt_ssn(work: Work, patient: Patient) -> str | None:
    """Decrypt the nine digits of the patient's social security number; None if there is none."""
    numbers = work.portal.get_part(SocialSecurityNumbers)
    return numbers.decrypt(patient.ssn_encrypted) if patient.ssn_encrypted else None


async def build_client_read(work: Work, client: Client) -> ClientOfPatient:
    """Build the response of a client, with its ZIP code."""
    zip_row = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(client.zip_code_id)
    return ClientOfPatient(
        id=client.id,
        code=client.code,
        name=client.name,
        web_access=client.web_access,
        address=client.address,
        zip_code=ZipCodeShape.model_validate(zip_row) if zip_row else None,
        zip_code_plus4=client.zip_code_plus4,
        default_bill_to=(
            None
            if client.default_bill_to is None
            else BillTo(client.default_bill_to).name.capitalize()
        ),
        requires_physician=client.requires_physician,
    )


async def build_patient_read(work: Work, patient: Patient) -> PatientRead:
    """Build the response of a patient; only editors get the full SSN (DECISIONS)."""
    patients = work.build_repository(PatientRepository)
    client = await patients.find_client(patient.client_id)
    unit = await patients.find_unit(patient.unit_id)
    room = await patients.find_room(patient.room_id)
    physician = await work.build_repository(PhysicianRepository).find_physician(
        patient.primary_physician_id
    )
    zip_row = await work.build_repository(ZipCodeRepository).find_zip_code_by_id(
        patient.zip_code_id
    )
    shows_full_ssn = judge_full_ssn(work.actor) is None
    full_ssn = decrypt_ssn(work, patient) if shows_full_ssn else None
    masked_ssn = f"***-**-{patient.ssn_last4}" if patient.ssn_last4 else None
    values = {name: getattr(patient, name) for name in SHARED_FIELDS}
    diagnoses = await patients.list_diagnoses(patient)
    medications = await patients.list_medications(patient)
    return PatientRead(
        **values,
        id=patient.id,
        code=patient.code,
        version=patient.version,
        can_change=Permission.of(judge_edit(work.actor)),
        client=await build_client_read(work, client) if client else None,
        unit={"id": unit.id, "name": unit.name} if unit else None,
        room=RoomShape(id=room.id, name=room.name, unit_id=room.unit_id) if room else None,
        primary_physician=PhysicianShape.model_validate(physician) if physician else None,
        social_security_number=mask_ssn(full_ssn) if shows_full_ssn else masked_ssn,
        zip_code_name=zip_row.code if zip_row else None,
        zip_code=ZipCodeShape.model_validate(zip_row) if zip_row else None,
        medications=[Named(id=row.id, name=row.name) for row in medications],
        diagnoses=[DiagnosisShape.of(row) for row in diagnoses],
        responsible_parties=await build_parties(patients, patient),
        insurance_information=await billing.list_rows(work, patient.id, build_holder(patient)),
    )


async def build_parties(patients: PatientRepository, patient: Patient) -> list[ResponsibleParty]:
    """Build the response of the patient's responsible parties, in order."""
    return [
        ResponsibleParty(
            id=row.id,
            order=order,
            first_name=row.first_name,
            last_name=row.last_name,
            address=row.address,
            country=row.country,
            state=place.state,
            city=place.city,
            zip_code=place.code,
            zip_code_extra=row.zip_code_plus4,
            phone=row.phone,
            mobile=row.mobile,
            fax=row.fax,
        )
        for order, (row, place) in enumerate(await patients.list_parties(patient), start=1)
    ]
