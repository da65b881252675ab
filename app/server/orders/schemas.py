"""HTTP shapes of orders (R 3)."""

from datetime import date, datetime
from typing import Annotated, Any

from pydantic import Field, PlainSerializer

from app.contract.limits import BULK_IDS_MAX
from app.server.access.schemas import Permission, RecordId, Shape
from app.server.addresses.schemas import ZipCodeShape
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.schemas import ClinicalTime

OptionalTime = Annotated[
    datetime | None,
    PlainSerializer(
        lambda v: v.isoformat(timespec="seconds") if v else None, return_type=str | None
    ),
]


class PlaceName(Shape):
    """The name of a unit or room."""

    name: str


class ClientOfOrder(Shape):
    """The client of an order."""

    code: str
    name: str
    address: str | None
    zip_code: ZipCodeShape | None
    phone: str | None
    fax: str | None


class PatientOfOrder(Shape):
    """The patient of an order."""

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


class ReopenedAcknowledgment(Shape):
    """The actor's acknowledgment that a later release has ended."""

    acknowledged: ClinicalTime
    released: ClinicalTime


class OrderRead(Shape):
    """An order as answered, with the sections of its header."""

    id: int
    code_value: str
    version: int
    status: int
    has_alert: bool
    alert: str | None
    alert_badges: list[str]
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
    online_ack_user: str | None
    online_ack_date_time: OptionalTime
    is_unread: bool
    is_unread_by_physician: bool
    reopened: ReopenedAcknowledgment | None
    can_acknowledge: Permission
    can_sign: Permission
    can_unsign: Permission
    can_enter_results: Permission
    can_release: Permission


class SignOrdersRequest(Shape):
    """POST sign-multiple; the token identifies the signer, ``username`` is ignored (DECISIONS)."""

    image: str | None = None
    username: str | None = None
    orders_ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)


class SignedOrder(Shape):
    """A signed order."""

    id: int
    version: int


class SignedOrders(Shape):
    """The signed orders."""

    data: list[SignedOrder]


class AcknowledgeRequest(Shape):
    """PUT acknowledge: the versions of the orders that the user has seen, by id."""

    versions: dict[int, int] = Field(default={}, max_length=BULK_IDS_MAX)


class AcknowledgedOrder(Shape):
    """An acknowledged order, as the grid shows it."""

    id: int
    online_ack_user: str
    online_ack_date_time: ClinicalTime


class AcknowledgedOrders(Shape):
    """The acknowledged orders."""

    data: list[AcknowledgedOrder]


class ResultsTypes(Shape):
    """The kinds of result that an order has."""

    has_clinical_result: bool
    has_microbiology_result: bool
    has_toxicology_result: bool
    has_pathology_result: bool


class ReceiveRequest(Shape):
    """POST receive: requisitions by ids, by one scanned code, or both."""

    ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)
    code: str | None = Field(default=None, max_length=50)
    accepts_future: bool = True
    """If false, a collection time in the future is a 409, so that the caller can ask first."""


class Received(Shape):
    """A received requisition and its new order."""

    requisition_id: int
    requisition_code: str
    patient_last_name: str
    patient_first_name: str
    order_id: int
    order_code: str
    collection_to_come: ClinicalTime | None
    """The collection time if it is in the future, which cannot be right for a received specimen."""
