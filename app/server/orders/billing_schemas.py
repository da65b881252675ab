"""HTTP shapes of the missing information of an order (R 2.4, R 3)."""

from datetime import date
from typing import Annotated

from pydantic import Field

from app.contract.limits import COMMENTS_MAX_LENGTH, REQUISITION_INSURANCE_MAX
from app.server.access.schemas import Permission, RecordId, Shape, Text, WireDate
from app.server.billing.schemas import InsuranceRow, InsuranceWrite
from app.server.patients.schemas import Parties, ResponsibleParty
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.schemas import (
    ClinicalTime,
    Diagnoses,
    DiagnosisOfTest,
    RequisitionTestRead,
)


class CompletionRead(Shape):
    """The missing data that somebody filled in, and whether the order was signed then."""

    parts: list[str]
    was_signed: bool
    user_name: str
    completed_at: ClinicalTime


class OrderBillingRead(Shape):
    """The missing-information form of an order.

    Attributes:
        missing: the names of the form's parts that lack something.
        patient_version: None for a patient outside the actor's scope.
        ordering_physician: the same as ``physician``, under the name that R 3 gives it.
        insurance_information: the rows that the order bills, or all of the patient's where it bills
            none.
    """

    order_id: int
    order_code: str
    version: int
    bill_to: str
    missing: list[str]
    patient_id: int
    patient_version: int | None
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date | None
    gender: str
    address: str | None
    phone: str | None
    zip_code_name: str | None
    zip_code_plus4: str | None = Field(alias="zipCodePlus4")
    physician: PhysicianShape | None
    ordering_physician: PhysicianShape | None
    tests: list[RequisitionTestRead]
    collection_date: ClinicalTime
    diagnoses: list[DiagnosisOfTest]
    insurance_information: list[InsuranceRow]
    responsible_parties: list[ResponsibleParty]
    comment: str | None
    completions: list[CompletionRead]
    can_change: Permission
    can_change_physician: Permission
    can_change_diagnoses: Permission
    can_change_billing: Permission
    can_change_birth_date: Permission
    can_change_comment: Permission


class OrderBillingWrite(Shape):
    """PUT billing-information; absent fields and the patient's other rows stay unchanged.

    The If-Match header has the version of the order.

    Attributes:
        username: ignored, because the token identifies the user.
        patient_version: the version of the patient.
    """

    order_id: RecordId | None = None
    patient_id: RecordId | None = None
    patient_version: int | None = None
    birth_date: WireDate = None
    gender: Text = None
    physician_id: RecordId | None = None
    diagnoses: Diagnoses | None = None
    insurance_information: (
        Annotated[list[InsuranceWrite], Field(max_length=REQUISITION_INSURANCE_MAX)] | None
    ) = None
    responsible_parties: Parties | None = None
    username: str | None = None
    comments: str | None = Field(default=None, max_length=COMMENTS_MAX_LENGTH)
