"""HTTP shapes of requisitions (O 3; DECISIONS, Ordering)."""

import re
from datetime import date, datetime
from typing import Annotated, Any

from pydantic import AliasChoices, BeforeValidator, Field, PlainSerializer

from app.basics.long_text import LongString
from app.contract.enumerations import BillTo, Fasting, Priority
from app.contract.limits import (
    ADDITIONAL_COPIES_MAX,
    BULK_IDS_MAX,
    COMMENTS_MAX_LENGTH,
    REQUISITION_INSURANCE_MAX,
)
from app.server.access.schemas import (
    Permission,
    RecordId,
    Shape,
    accept_bare_list,
    accept_word_or_number,
)
from app.server.billing.schemas import InsuranceRow
from app.server.catalog.schemas import DiagnosisShape, DiagnosisWrite, TestShape, TestTree
from app.server.physicians.schemas import PhysicianShape

_ISO_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)
_AMERICAN_TIMES = ("%m/%d/%Y", "%m/%d/%Y %H:%M", "%m/%d/%Y %H:%M:%S")
_YEARS = range(1900, 2200)


def _parse_clinical_time(value: Any) -> datetime | None:
    """Parse a date with an optional time: ``yyyy-MM-dd[THH:mm[:ss][offset]]`` or American.

    A space may replace the T. The American form is ``MM/DD/YYYY[ HH:mm[:ss]]``. Without an offset,
    the time is on the lab's wall clock.
    """
    if value is None or isinstance(value, datetime):
        return value
    if not isinstance(value, str):
        raise ValueError("expected a string")
    text = value.strip().upper()
    if not text:
        return None
    time = _parse_american_time(text) if "/" in text else _parse_iso_time(text)
    if time.year not in _YEARS:
        raise ValueError("the year is out of range")
    return time.replace(microsecond=0)


def _parse_iso_time(text: str) -> datetime:
    if not _ISO_TIME.fullmatch(text):
        raise ValueError("no time")
    return datetime.fromisoformat(text)


def _parse_american_time(text: str) -> datetime:
    colons = text.count(":")
    if colons >= len(_AMERICAN_TIMES):
        raise ValueError("no time")
    return datetime.strptime(text, _AMERICAN_TIMES[colons])  # noqa: DTZ007


def _normalize_priority(value: Any) -> Any:
    """Normalize a priority: upper case, hyphens instead of underscores, None when empty."""
    if not isinstance(value, str):
        return value
    return value.strip().upper().replace("_", "-") or None


BillToWrite = Annotated[int | None, accept_word_or_number(BillTo)]


def format_time(time: datetime) -> str:
    """Format a time in ISO 8601, to the second."""
    return time.isoformat(timespec="seconds")


ClinicalTime = Annotated[datetime, PlainSerializer(format_time, return_type=str)]
ClinicalTimeWrite = Annotated[datetime | None, BeforeValidator(_parse_clinical_time)]
"""A collection time as sent; the service converts an offset to the lab's wall clock."""


class IdOf(Shape):
    """A reference to a record by id."""

    id: RecordId


class TestWrite(Shape):
    """A chosen test; the members of a panel come from the catalog."""

    __test__ = False

    test: IdOf
    is_confidential: bool = False


class RequisitionMedicationWrite(Shape):
    """A medication as free text; its length is validated after normalization."""

    name: Annotated[str, Field(max_length=20_000)]


class MedicationShape(Shape):
    """A medication as answered."""

    name: str


class DiagnosisOfTestWrite(DiagnosisWrite):
    """A diagnosis by id or by code; ``test_id`` is the ordered test that it supports, if any."""

    test_id: RecordId | None = None


class BillingInfoWrite(Shape):
    """An insurance row of the patient to bill; ``position`` starts at 1.

    A row without a position takes that of its place in the list.
    """

    patient_billing_information_id: RecordId | None = None
    position: RecordId | None = None


class CopyWrite(Shape):
    """An additional recipient of results: an address by EMAIL, or a number by FAX."""

    destination: str | None = Field(default=None, max_length=1_000)
    type: str | None = Field(default=None, max_length=20)


class CopyShape(Shape):
    """An additional recipient of results, as answered."""

    destination: str
    type: str


Diagnoses = Annotated[list[DiagnosisOfTestWrite], Field(max_length=100)]
Medications = Annotated[list[RequisitionMedicationWrite], Field(max_length=200)]
BillingInfo = Annotated[list[BillingInfoWrite], Field(max_length=REQUISITION_INSURANCE_MAX)]


class RequisitionWrite(Shape):
    """A requisition as sent; an absent field stays unchanged, null or [] clears it.

    ``refresh_patient`` replaces the snapshot of the same patient with the current one. Without it,
    a later change to the patient does not affect the requisition.
    """

    patient_id: RecordId | None = None
    refresh_patient: bool = False
    physician_id: RecordId | None = None
    collection_date: ClinicalTimeWrite = None
    fasting: Annotated[int | None, accept_word_or_number(Fasting)] = None
    priority: Annotated[str | None, BeforeValidator(_normalize_priority)] = Priority.ROUTINE
    bill_to: BillToWrite = None
    comments: str | None = Field(default=None, max_length=COMMENTS_MAX_LENGTH)
    tests: list[TestWrite] | None = Field(default=None, max_length=200)
    diagnoses: Diagnoses | None = None
    additional_tests_dx_codes: list[DiagnosisWrite] | None = Field(default=None, max_length=100)
    medications: Medications | None = None
    # The field may also be sent under the name that it has in answers (O 3).
    billing_info: BillingInfo | None = Field(
        default=None,
        validation_alias=AliasChoices("billingInfo", "billing_info", "billingInformation"),
    )
    additional_copies: list[CopyWrite] | None = Field(
        default=None, max_length=ADDITIONAL_COPIES_MAX
    )


class DiagnosisList(Shape):
    """POST save-diagnoses: bare or under ``diagnoses``."""

    diagnoses: Diagnoses | None
    _unwrap = accept_bare_list("diagnoses")


class MedicationList(Shape):
    """POST save-medications: bare or under ``medications``."""

    medications: Medications | None
    _unwrap = accept_bare_list("medications")


class BillingInfoList(Shape):
    """POST save-billing-info: bare or under ``billingInfo``."""

    billing_info: BillingInfo | None
    _unwrap = accept_bare_list("billingInfo")


PartList = DiagnosisList | MedicationList | BillingInfoList


class RequisitionTestRead(Shape):
    """A test of a requisition with its members.

    Attributes:
        child_id: the id of its row.
        parent_test_id: for a member, its panel.
    """

    child_id: int
    parent_test_id: int | None
    level: int
    is_confidential: bool
    test: TestShape
    children: list["RequisitionTestRead"] = []


class TreeTest(Shape):
    """A node of the test tree in its flat form."""

    test_id: int
    parent_test_id: int | None
    level: int


class ClientOfRequisition(Shape):
    """The client of a requisition."""

    id: int
    code: str
    name: str
    web_access: bool
    default_bill_to: str | None
    requires_physician: bool


class RoomOfPatient(Shape):
    """The name of a unit or room from the patient's snapshot."""

    name: str


class PatientOfRequisition(Shape):
    """The snapshot of the patient in a requisition."""

    id: int
    code: str | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date | None
    gender: str
    client: ClientOfRequisition | None
    unit: RoomOfPatient | None
    room: RoomOfPatient | None
    bed: str | None
    primary_physician: PhysicianShape | None


class DiagnosisOfTest(DiagnosisShape):
    """A diagnosis with the test that it supports; None when it supports all tests."""

    test_id: int | None


class BillingInformation(InsuranceRow):
    """An insurance row to which a requisition is billed, as it was when it was chosen."""

    patient_billing_information_id: int
    position: int


class SignatureRead(Shape):
    """The signature viewer's content (O 2.5)."""

    image_signature: str
    user_name: str
    signed_date_time: ClinicalTime


class RequisitionRead(Shape):
    """A requisition as answered, with its current ``signature``.

    The ``can_...`` fields are the caller's permissions. The content is what a signature covers; its
    clinical part is diagnoses and medications. The extras are comments, copies, and documents.
    """

    id: int
    code: str
    version: int
    status: int
    collection_date: ClinicalTime
    fasting: int
    priority: str
    bill_to: str
    comments: str | None
    cancel_comment: str | None
    canceled_at: datetime | None
    canceled_by_name: str | None
    has_signature: bool
    signature: SignatureRead | None
    signed_by_me: bool
    patient_id: int
    patient: PatientOfRequisition
    physician_id: int | None
    physician: PhysicianShape | None
    tests: list[RequisitionTestRead]
    tree_tests: list[TreeTest]
    additional_tests_dx_codes: list[DiagnosisShape]
    diagnoses: list[DiagnosisOfTest]
    medications: list[MedicationShape]
    additional_copies: list[CopyShape]
    billing_information: list[BillingInformation]
    order_id: int | None
    order_code: str | None
    can_change: Permission
    can_change_content: Permission
    can_change_clinical: Permission
    can_change_extras: Permission
    can_sign: Permission
    can_unsign: Permission
    can_cancel: Permission
    can_receive: Permission


class CopiedTest(Shape):
    """A test of a copy with its current members."""

    __test__ = False

    is_confidential: bool
    test: TestTree


class CopyRead(Shape):
    """What a new requisition copies from this one; ``left`` names the parts left out."""

    id: int
    code: str
    patient_id: int
    physician: PhysicianShape | None
    bill_to: str
    comments: str | None
    tests: list[CopiedTest]
    diagnoses: list[DiagnosisOfTest]
    additional_tests_dx_codes: list[DiagnosisShape]
    medications: list[MedicationShape]
    billing_info: list[int]
    left: list[str]


class SignatureHistoryRead(SignatureRead):
    """A current or earlier signature; ``removed_at`` is None for the current signature."""

    id: int
    removed_at: datetime | None


class SignRequest(Shape):
    """POST sign-multiple. The token identifies the signer; ``username`` is ignored (DECISIONS)."""

    image: LongString | None = None
    username: str | None = None
    requisitions_ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)
    versions: dict[RecordId, RecordId] = {}


class BillToRequest(Shape):
    """PUT change-bill-to."""

    bill_to: BillToWrite = None
    ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)
    versions: dict[RecordId, RecordId] = {}


class CancelRequest(Shape):
    """POST cancel."""

    comment: str | None = Field(default=None, max_length=2_000)
    username: str | None = None


class Signed(Shape):
    """The id and the new version of a requisition."""

    id: int
    version: int


class SignedList(Shape):
    """The changed requisitions."""

    data: list[Signed]


class FrequentTest(Shape):
    """A frequently ordered test, as in the list of tests."""

    id: int
    code: str
    name: str
    alternate_names: str
    type: str
    specimen: str | None
    container: str | None


class RecordOfCode(Shape):
    """The requisition with a code, and the order that it became, if any."""

    requisition_id: int
    requisition_code: str
    order_id: int | None
    order_code: str | None
