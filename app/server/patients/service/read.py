"""Reads a patient, within the actor's scope."""

from app.basics.errors import NotFound, require_allowed
from app.basics.text import digits, mask_ssn
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
from app.server.patients.rules import judge_edit, judge_number
from app.server.patients.schemas import ClientOfPatient, PatientRead, ResponsibleParty, RoomShape
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.physicians.repository import PhysicianRepository
from app.server.physicians.schemas import PhysicianShape

PLAIN = (
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
UPPER = ("first_name", "middle_name", "last_name", "bed", "medical_record_id", "address")
KEPT_AS_SENT = (*PLAIN, *UPPER, "phone", "mobile", "email", "zip_code_plus4")
"""Fields that are the same in a write, in the table and in an answer."""


async def read(work: Work, patient_id: int) -> PatientRead:
    """A patient.

    Raises:
        NotFound: it does not exist or is not the actor's.
    """
    patient = await found(work, patient_id)
    await work.audit("read", "patient", [patient.id])
    return await shape(work, patient)


async def billing_info(work: Work, patient_id: int) -> list[InsuranceRow]:
    """The patient's insurance rows.

    Raises:
        NotFound: the patient does not exist or is not the actor's.
    """
    patient = await found(work, patient_id)
    await work.audit("read", "patient", [patient.id], {"fields": ["insurance_information"]})
    return await billing.rows_of(work, patient.id, holder_of(patient))


async def ssn_is_in_use(work: Work, ssn: str, patient_id: int | None) -> bool:
    """Whether another patient than this one of the actor's, of any client, has this number.

    An id that is not the actor's excludes nobody: the answer would say whose number it is.
    """
    number = digits(ssn)
    if not number or len(number) != 9:
        return False
    patients = work.repository(PatientRepository)
    if patient_id is not None and await patients.patient(patient_id) is None:
        patient_id = None
    numbers = work.portal.part(SocialSecurityNumbers)
    return await patients.ssn_in_use(numbers.lookup(number), patient_id)


async def found(work: Work, patient_id: int, *, lock: bool = False) -> Patient:
    """The patient, or NotFound when it does not exist or is not the actor's."""
    patient = await work.repository(PatientRepository).patient(patient_id, lock=lock)
    if patient is None:
        raise NotFound(messages.NOT_FOUND)
    return patient


async def found_to_change(work: Work, patient_id: int) -> Patient:
    """The patient, locked, in the version that the request was made for.

    Raises:
        Forbidden: the actor's role does not change patients.
        NotFound: it does not exist or is not the actor's.
        StaleVersion: somebody saved a newer version first.
    """
    require_allowed(judge_edit(work.actor))
    patient = await found(work, patient_id, lock=True)
    work.require_version(patient)
    return patient


def holder_of(patient: Patient) -> Holder:
    """The patient, as far as insurance rows take anything from one."""
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


def ssn_of(work: Work, patient: Patient) -> str | None:
    """The nine digits of the social security number."""
    numbers = work.portal.part(SocialSecurityNumbers)
    return numbers.decrypt(patient.ssn_encrypted) if patient.ssn_encrypted else None


async def client_shape(work: Work, client: Client) -> ClientOfPatient:
    """A client with its place."""
    zip_row = await work.repository(ZipCodeRepository).zip_code_by_id(client.zip_code_id)
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
    )


async def shape(work: Work, patient: Patient) -> PatientRead:
    """The whole record; the social security number in full for roles that edit (DECISIONS)."""
    patients = work.repository(PatientRepository)
    client = await patients.client(patient.client_id)
    unit = await patients.unit(patient.unit_id)
    room = await patients.room(patient.room_id)
    doctor = await work.repository(PhysicianRepository).physician(patient.primary_physician_id)
    zip_row = await work.repository(ZipCodeRepository).zip_code_by_id(patient.zip_code_id)
    full = judge_number(work.actor) is None
    number = ssn_of(work, patient) if full else None
    masked = f"***-**-{patient.ssn_last4}" if patient.ssn_last4 else None
    values = {name: getattr(patient, name) for name in KEPT_AS_SENT}
    diagnoses = await patients.diagnoses(patient)
    medications = await patients.medications(patient)
    return PatientRead(
        **values,
        id=patient.id,
        code=patient.code,
        version=patient.version,
        can_change=Permission.of(judge_edit(work.actor)),
        client=await client_shape(work, client) if client else None,
        unit={"id": unit.id, "name": unit.name} if unit else None,
        room=RoomShape(id=room.id, name=room.name, unit_id=room.unit_id) if room else None,
        primary_physician=PhysicianShape.model_validate(doctor) if doctor else None,
        social_security_number=mask_ssn(number) if full else masked,
        zip_code_name=zip_row.code if zip_row else None,
        zip_code=ZipCodeShape.model_validate(zip_row) if zip_row else None,
        medications=[Named(id=row.id, name=row.name) for row in medications],
        diagnoses=[DiagnosisShape.of(row) for row in diagnoses],
        responsible_parties=await _parties(patients, patient),
        insurance_information=await billing.rows_of(work, patient.id, holder_of(patient)),
    )


async def _parties(patients: PatientRepository, patient: Patient) -> list[ResponsibleParty]:
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
        for order, (row, place) in enumerate(await patients.parties(patient), start=1)
    ]
