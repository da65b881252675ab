"""HTTP shapes of a patient (O 3)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from app.contract.enumerations import Ethnicity
from app.contract.limits import (
    INSURANCE_ROWS_MAX,
    PATIENT_DIAGNOSES_MAX,
    PATIENT_MEDICATIONS_MAX,
    RESPONSIBLE_PARTIES_MAX,
)
from app.server.access.schemas import (
    Named,
    Permission,
    RecordId,
    Shape,
    Text,
    WireDate,
    accept_bare_list,
    accept_word_or_number,
)
from app.server.addresses.schemas import ZipCodeShape
from app.server.billing.schemas import InsuranceRow, InsuranceWrite
from app.server.catalog.schemas import DiagnosisShape, DiagnosisWrite
from app.server.physicians.schemas import PhysicianShape


class ResponsiblePartyWrite(Shape):
    """A responsible party as sent; ``order`` is its position.

    City and state follow from the ZIP code.
    """

    id: RecordId | None = None
    order: RecordId | None = None
    first_name: Text = None
    last_name: Text = None
    address: Text = None
    country: Text = None
    zip_code: Text = None
    zip_code_extra: Text = None
    phone: Text = None
    mobile: Text = None
    fax: Text = None


class MedicationWrite(Shape):
    """A medication by its name, as free text, or by the ``id`` of one that the patient has."""

    id: RecordId | None = None
    name: Text = None


InsuranceRows = Annotated[list[InsuranceWrite], Field(max_length=INSURANCE_ROWS_MAX)]
Parties = Annotated[list[ResponsiblePartyWrite], Field(max_length=RESPONSIBLE_PARTIES_MAX)]
Diagnoses = Annotated[list[DiagnosisWrite], Field(max_length=PATIENT_DIAGNOSES_MAX)]
Medications = Annotated[list[MedicationWrite], Field(max_length=PATIENT_MEDICATIONS_MAX)]


class SsnCheck(Shape):
    """A number to look for; the patient ``patient_id`` may have it."""

    ssn: str = Field(max_length=20)
    patient_id: RecordId | None = None


class PatientWrite(Shape):
    """A patient as sent; fields and lists that an update omits stay unchanged.

    A list of null or [] is cleared (DECISIONS, wire format).
    """

    client_id: RecordId | None = None
    first_name: Text = None
    middle_name: Text = None
    last_name: Text = None
    birth_date: WireDate = None
    gender: Text = None
    medical_record_id: Text = None
    bed: Text = None
    room_id: RecordId | None = None
    unit_id: RecordId | None = None
    social_security_number: Text = None
    phone: Text = None
    mobile: Text = None
    email: Text = None
    address: Text = None
    zip_code_name: Text = None
    zip_code_plus4: Text = Field(default=None, alias="zipCodePlus4")
    same_as_client_address: bool = False
    primary_physician_id: RecordId | None = None
    ethnicity: Annotated[int | None, accept_word_or_number(Ethnicity)] = None
    sexual_orientation_id: Text = None
    gender_identity_id: Text = None
    race: Text = None
    insurance_information: InsuranceRows | None = None
    responsible_parties: Parties | None = None
    diagnoses: Diagnoses | None = None
    medications: Medications | None = None


class InsuranceList(Shape):
    """The patient's insurance rows, bare or under ``insuranceInformation``."""

    insurance_information: InsuranceRows | None
    _unwrap = accept_bare_list("insuranceInformation")


class ResponsiblePartyList(Shape):
    """The patient's responsible parties, bare or under ``responsibleParties``."""

    responsible_parties: Parties | None
    _unwrap = accept_bare_list("responsibleParties")


class DiagnosisList(Shape):
    """The patient's diagnoses, bare or under ``diagnoses``."""

    diagnoses: Diagnoses | None
    _unwrap = accept_bare_list("diagnoses")


class MedicationList(Shape):
    """The patient's medications, bare or under ``medications``."""

    medications: Medications | None
    _unwrap = accept_bare_list("medications")


RecordList = InsuranceList | ResponsiblePartyList | DiagnosisList | MedicationList


class ClientOfPatient(Shape):
    """The client of a patient."""

    id: int
    code: str
    name: str
    web_access: bool
    address: str | None
    zip_code: ZipCodeShape | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    default_bill_to: str | None
    requires_physician: bool


class RoomShape(Named):
    """A room with its unit."""

    unit_id: int | None


class ResponsibleParty(Shape):
    """A responsible party as answered; ``order`` counts from 1."""

    id: int
    order: int
    first_name: str
    last_name: str
    address: str
    country: str | None
    state: str
    city: str
    zip_code: str
    zip_code_extra: str
    phone: str
    mobile: str | None
    fax: str | None


class PatientRead(Shape):
    """A patient as answered."""

    id: int
    code: str
    version: int
    can_change: Permission
    client_id: int
    client: ClientOfPatient | None
    unit_id: int | None
    unit: Named | None
    room_id: int | None
    room: RoomShape | None
    bed: str | None
    medical_record_id: str | None
    primary_physician_id: int | None
    primary_physician: PhysicianShape | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date | None
    gender: str
    social_security_number: str | None
    phone: str | None
    mobile: str | None
    email: str | None
    address: str | None
    zip_code_name: str | None
    zip_code: ZipCodeShape | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    same_as_client_address: bool
    ethnicity: int | None
    sexual_orientation_id: str | None
    gender_identity_id: str | None
    race: str | None
    medications: list[Named]
    diagnoses: list[DiagnosisShape]
    responsible_parties: list[ResponsibleParty]
    insurance_information: list[InsuranceRow]
