"""HTTP shapes of requisitions (O 3; DECISIONS, Ordering)."""

from datetime import date, datetime, time
from typing import Annotated, Any
from uuid import UUID

from pydantic import BeforeValidator, Field, PlainSerializer

from app.contract.enumerations import BillTo, Fasting, Priority
from app.server.access.schemas import Shape
from app.server.catalog.schemas import DiagnosisShape, DiagnosisWrite, TestShape
from app.server.physicians.schemas import PhysicianShape


def _clinical_time(value: Any) -> Any:
    """``yyyy-MM-ddTHH:mm:ss`` or ``MM/DD/YYYY[ HH:mm]``; no zone: the lab's wall clock."""
    if not isinstance(value, str):
        return value
    text = value.strip()
    if not text:
        return None
    if "/" in text:
        pattern = "%m/%d/%Y %H:%M" if ":" in text else "%m/%d/%Y"
        return datetime.strptime(text, pattern)  # noqa: DTZ007
    parsed = datetime.fromisoformat(text[:19])
    return datetime.combine(parsed.date(), parsed.time() if "T" in text else time())


def _word_or_number(kind: Any) -> BeforeValidator:
    """Takes an enumeration's number or its word, in any case."""

    def read(value: Any) -> Any:
        if isinstance(value, str):
            text = value.strip().upper().replace(" ", "_").replace("-", "_")
            if text.isdigit():
                return int(text)
            if text in kind.__members__:
                return kind[text].value
            raise ValueError("unknown word")
        if isinstance(value, bool):
            raise ValueError("a number is expected")
        return value

    return BeforeValidator(read)


ClinicalTime = Annotated[
    datetime,
    BeforeValidator(_clinical_time),
    PlainSerializer(lambda v: v.strftime("%Y-%m-%dT%H:%M:%S"), return_type=str),
]
OptionalClinicalTime = Annotated[
    datetime | None,
    BeforeValidator(_clinical_time),
    PlainSerializer(
        lambda v: v.strftime("%Y-%m-%dT%H:%M:%S") if v else None, return_type=str | None
    ),
]


class IdOf(Shape):
    """A record named by id."""

    id: int


class TestWrite(Shape):
    """A chosen test; members of panels come from the catalogue."""

    __test__ = False

    test: IdOf
    is_confidential: bool = False


class MedicationShape(Shape):
    """A medication as free text."""

    name: str = Field(max_length=200)


class RequisitionWrite(Shape):
    """A requisition as sent; absent = unchanged, null or [] = cleared."""

    patient_id: int | None = None
    physician_id: int | None = None
    collection_date: OptionalClinicalTime = None
    fasting: Annotated[int | None, _word_or_number(Fasting)] = None
    priority: str | None = Priority.ROUTINE
    bill_to: Annotated[int | None, _word_or_number(BillTo)] = None
    comments: str | None = Field(default=None, max_length=100_000)
    tests: list[TestWrite] | None = Field(default=None, max_length=200)
    diagnoses: list[DiagnosisWrite] | None = Field(default=None, max_length=100)
    additional_tests_dx_codes: list[DiagnosisWrite] | None = Field(default=None, max_length=100)
    medications: list[MedicationShape] | None = Field(default=None, max_length=200)


class RequisitionTestRead(Shape):
    """A test of a requisition with its members; ``child_id`` is the row's id."""

    child_id: int
    level: int
    is_confidential: bool
    test: TestShape
    children: list["RequisitionTestRead"] = []


class TreeTest(Shape):
    """The flat form of the test tree."""

    test_id: int
    parent_test_id: int | None
    level: int


class ClientOfRequisition(Shape):
    """The client a requisition was made for."""

    id: int
    code: str
    name: str
    web_access: bool
    default_bill_to: str | None


class RoomOfPatient(Shape):
    """A room by name, as it was."""

    name: str


class PatientOfRequisition(Shape):
    """The snapshot of the patient."""

    id: int
    code: str | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date
    gender: str
    client: ClientOfRequisition | None
    unit: RoomOfPatient | None
    room: RoomOfPatient | None
    bed: str | None
    primary_physician: PhysicianShape | None


class RequisitionRead(Shape):
    """A requisition as answered."""

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
    has_signature: bool
    signed_by_me: bool
    patient_id: int
    patient: PatientOfRequisition
    physician_id: int | None
    physician: PhysicianShape | None
    tests: list[RequisitionTestRead]
    tree_tests: list[TreeTest]
    additional_tests_dx_codes: list[DiagnosisShape]
    diagnoses: list[DiagnosisShape]
    medications: list[MedicationShape]
    additional_copies: list[Any] = []
    billing_information: list[Any] = []
    order_id: int | None
    order_code: str | None


class SignatureRead(Shape):
    """The signature viewer's content (O 2.5)."""

    image_signature: str
    user_name: str
    signed_date_time: ClinicalTime


class SignRequest(Shape):
    """POST sign-multiple; ``username`` is ignored, the token signs (DECISIONS)."""

    image: str | None = None
    username: str | None = None
    requisitions_ids: list[int] = Field(default=[], max_length=1_000)
    versions: dict[int, int] = {}


class CancelRequest(Shape):
    """POST cancel."""

    comment: str | None = Field(default=None, max_length=2_000)
    username: str | None = None


class ReceiveRequest(Shape):
    """POST receive: by ids or by one scanned code."""

    ids: list[int] = Field(default=[], max_length=1_000)
    code: str | None = Field(default=None, max_length=50)


class Signed(Shape):
    """A requisition with its new version."""

    id: int
    version: int


class SignedList(Shape):
    """What was signed."""

    data: list[Signed]


class Received(Shape):
    """A received requisition and the order that begins."""

    requisition_id: int
    requisition_code: str
    order_id: int
    order_code: str


class DraftWrite(Shape):
    """Unsaved work on a requisition: the form's own content, and whom and what it is about."""

    requisition_id: int | None = None
    patient_id: int | None = None
    content: dict[str, Any]


class DraftRead(DraftWrite):
    """A kept draft."""

    id: UUID
    saved_at: datetime
