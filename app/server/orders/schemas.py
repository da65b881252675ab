"""HTTP shapes of orders and results (R 3)."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field, PlainSerializer

from app.server.access.schemas import RecordId, Shape
from app.server.addresses.service import ZipCodeShape
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.schemas import ClinicalTime

OptionalTime = Annotated[
    datetime | None,
    PlainSerializer(
        lambda v: v.isoformat(timespec="seconds") if v else None, return_type=str | None
    ),
]


class PlaceName(Shape):
    """A unit or room by name."""

    name: str


class ClientOfOrder(Shape):
    """The client as the order screen shows it."""

    code: str
    name: str
    address: str | None
    zip_code: ZipCodeShape | None
    phone: str | None
    fax: str | None


class PatientOfOrder(Shape):
    """The patient as shown with an order."""

    id: int
    code: str | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date
    gender: str
    address: str | None
    zip_code: ZipCodeShape | None
    phone: str | None
    room: PlaceName | None
    unit: PlaceName | None
    bed: str | None
    primary_physician: PhysicianShape | None


class OrderRead(Shape):
    """An order with its header sections."""

    id: int
    code_value: str
    version: int
    status: int
    has_alert: bool
    alert: str | None
    has_signature: bool
    has_toxicology_unexpected_positive: bool
    patient: PatientOfOrder
    physician: PhysicianShape | None
    patient_client: ClientOfOrder | None
    collection_date: ClinicalTime
    received_date: ClinicalTime
    reported: OptionalTime
    specimen_condition: str
    collection_sites: list[Any] = []
    cancellation_reasons: list[Any] = []
    report_comment: str | None
    requisition_id: int
    requisition_code: str | None


class ResultsTypes(Shape):
    """Which kinds of result an order has."""

    has_clinical_result: bool
    has_microbiology_result: bool
    has_toxicology_result: bool
    has_pathology_result: bool


class ClinicalResultRow(Shape):
    """A row of the tree of results; unreleased tests show no value to anyone but the lab."""

    key: int
    parent_key: int | None
    name: str
    result: str | None
    comment: str | None
    flag: str | None
    unit: str | None
    reference_range: str | None
    clinical_range_comment: str | None
    result_report_comments: list[str] = []
    is_abnormal: bool
    is_critical: bool
    is_panel: bool
    is_corrected: bool
    status: int


class EntryPatient(Shape):
    """Whose results are entered."""

    last_name: str
    first_name: str
    birth_date: date
    gender: str


class EntryRow(Shape):
    """A test on the result entry screen."""

    order_test_id: int
    parent_id: int | None
    level: int
    code: str
    name: str
    unit: str | None
    reference_range: str | None
    result_type: int
    choices: list[str]
    is_panel: bool
    result: str | None
    comment: str | None
    flag: str | None
    status: int
    is_correction: bool
    entered_by: str | None
    previous_result: str | None
    previous_date: OptionalTime
    low: float | None
    high: float | None
    critical_low: float | None
    critical_high: float | None


class ResultEntry(Shape):
    """The result entry screen of one order."""

    order_id: int
    code_value: str
    version: int
    status: int
    patient: EntryPatient
    rows: list[EntryRow]


class ResultWrite(Shape):
    """One entered result; an empty result takes an unreleased entry back."""

    order_test_id: RecordId
    result: str | None = Field(default=None, max_length=500)
    comment: str | None = Field(default=None, max_length=5_000)


class ResultEntryWrite(Shape):
    """PUT result-entry."""

    results: list[ResultWrite] = Field(default=[], max_length=1_000)


class ReleaseRequest(Shape):
    """POST release: these tests, or everything entered (null)."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)
