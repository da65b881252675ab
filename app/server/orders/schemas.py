"""HTTP shapes of orders (R 3)."""

from datetime import date, datetime
from typing import Annotated

from pydantic import Field, PlainSerializer

from app.basics.long_text import LongString
from app.contract.enumerations import Reopening, ResultFlag, ResultKind
from app.contract.limits import BULK_IDS_MAX, ORDER_COMMENT_MAX_LENGTH, REASON_WORDS_MAX
from app.server.access.schemas import Permission, RecordId, Shape
from app.server.addresses.schemas import ZipCodeShape
from app.server.attachments.schemas import FileRead
from app.server.physicians.schemas import PhysicianShape
from app.server.requisitions.schemas import ClinicalTime, format_time


def format_optional_time(time: datetime | None) -> str | None:
    """Format a time as in ``ClinicalTime``; None without a time."""
    return format_time(time) if time else None


OptionalTime = Annotated[
    datetime | None, PlainSerializer(format_optional_time, return_type=str | None)
]


class PlaceName(Shape):
    """The name of a unit, a room, or a collection site."""

    name: str


class ClientOfOrder(Shape):
    """The client of an order."""

    code: str
    name: str
    address: str | None
    zip_code: ZipCodeShape | None
    phone: str | None
    fax: str | None


class ClientOfPatient(Shape):
    """The client of an order, with its patient."""

    name: str
    phone: str | None
    fax: str | None


class PatientOfOrder(Shape):
    """The patient of an order.

    ``client`` is that of the order, even after the patient has moved to another one; it is null for
    a client outside the actor's scope.
    """

    id: int
    code: str | None
    first_name: str
    middle_name: str | None
    last_name: str
    birth_date: date | None
    gender: str
    address: str | None
    zip_code: ZipCodeShape | None
    phone: str | None
    room: PlaceName | None
    unit: PlaceName | None
    bed: str | None
    client: ClientOfPatient | None
    primary_physician: PhysicianShape | None


class ReopenedAcknowledgment(Shape):
    """An acknowledgment of the actor that is no longer valid, because the results have changed.

    ``kind`` is null if the results changed while they were acknowledged.
    """

    acknowledged: ClinicalTime
    changed: ClinicalTime
    kind: Reopening | None


class CancellationReason(Shape):
    """Why tests of an order were canceled: the lab's reason by name, and words about it.

    Patients do not see who canceled them.
    """

    name: str
    words: str | None
    tests: list[str]
    canceled_at: ClinicalTime
    canceled_by: str | None


class AddedTestRead(Shape):
    """A test that a rule of the lab added, and why; patients do not see ``added_by``.

    Attributes:
        because: also says what the result was corrected to, and whether the reason no longer holds.
        is_reason_gone: whether the reason no longer holds.
    """

    name: str
    is_canceled: bool
    because: str
    is_reason_gone: bool
    added_at: ClinicalTime
    added_by: str | None


class OrderedTestRead(Shape):
    """A test or panel of an order.

    ``can_cancel`` is false for canceled tests and for those with released results.
    """

    id: int
    parent_id: int | None
    level: int
    name: str
    kind: str
    is_panel: bool
    status: int
    awaits_collection: bool
    can_cancel: bool


class CancelTestsRequest(Shape):
    """POST cancel: these tests, or all when null, with a reason from the lab's list."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)
    reason: str = Field(max_length=50)
    words: str | None = Field(default=None, max_length=REASON_WORDS_MAX)


class ReinstateTestsRequest(Shape):
    """POST reinstate: these canceled tests, or all of them when null."""

    order_test_ids: list[RecordId] | None = Field(default=None, max_length=1_000)


class CommentChange(Shape):
    """When the comment on an order was last changed after a release, and by whom.

    Patients do not see the name.
    """

    changed_at: ClinicalTime
    changed_by: str | None


class CommentVersion(Shape):
    """A comment that the order has or had; ``comment`` is None where it was removed."""

    comment: str | None
    written_at: ClinicalTime
    written_by: str


class CommentWrite(Shape):
    """PUT report-comment: the comment on the order; an empty one removes it."""

    comment: str | None = Field(max_length=ORDER_COMMENT_MAX_LENGTH)


class OrderRead(Shape):
    """An order with the sections of its header."""

    id: int
    code_value: str
    version: int
    status: int
    has_alert: bool
    alert: str | None
    alert_badges: list[str]
    critical_kinds: list[ResultKind]
    has_signature: bool
    has_toxicology_unexpected_positive: bool
    patient: PatientOfOrder
    physician: PhysicianShape | None
    patient_client: ClientOfOrder | None
    collection_date: ClinicalTime
    received_date: ClinicalTime
    reported: OptionalTime
    specimen_condition: str
    awaits_collection: bool
    collection_sites: list[PlaceName]
    entry_alert: str | None
    has_missing_info: bool
    cancellation_reasons: list[CancellationReason]
    added_tests: list[AddedTestRead]
    report_comment: str | None
    comment_change: CommentChange | None
    requisition_id: int
    requisition_code: str | None
    online_ack_user: str | None
    online_ack_date_time: OptionalTime
    is_unread: bool
    is_unread_by_physician: bool
    reopened: ReopenedAcknowledgment | None
    can_acknowledge: Permission
    can_complete: Permission
    can_attach: Permission
    can_sign: Permission
    can_unsign: Permission
    can_enter_results: Permission
    can_release: Permission
    can_cancel: Permission
    can_reinstate: Permission


class SignOrdersRequest(Shape):
    """POST sign-multiple. The token identifies the signer; ``username`` is ignored (DECISIONS).

    Attributes:
        versions: those of the orders that the user has seen, by id.
    """

    image: LongString | None = None
    username: str | None = None
    orders_ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)
    versions: dict[RecordId, RecordId] = Field(default={}, max_length=BULK_IDS_MAX)


class UnsignOrdersRequest(Shape):
    """POST unsign-multiple: remove the actor's own signatures of these orders.

    Attributes:
        versions: those of the orders that the user has seen, by id.
    """

    orders_ids: list[RecordId] = Field(default=[], max_length=BULK_IDS_MAX)
    versions: dict[RecordId, RecordId] = Field(default={}, max_length=BULK_IDS_MAX)


class SignedOrder(Shape):
    """An order that was signed or unsigned."""

    id: int
    version: int


class SignedOrders(Shape):
    """The signed orders."""

    data: list[SignedOrder]


class OrderVersion(Shape):
    """The id and the new version of an order."""

    id: int
    version: int


class OrderVersions(Shape):
    """The changed orders."""

    data: list[OrderVersion]


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


class OrderDocumentRead(FileRead):
    """A document of an order, and whether the actor may remove it."""

    can_remove: Permission


class OrderResult(Shape):
    """The released result of a configured test, in the order search.

    Attributes:
        results: the value as reported ('<5', 'POSITIVE').
        report_as: the value with its unit.
        has_no_range: whether it is a number that was not judged.
    """

    test_id: int
    results: str
    report_as: str
    flag: ResultFlag | None
    is_abnormal: bool
    is_critical: bool
    has_no_range: bool


class EntryProgress(Shape):
    """The numbers of an order's unreleased tests by progress; only the lab sees them.

    ``held`` of them cannot be released until somebody lifts a hold. ``separate`` of the entered
    ones are cultures and pathology reports, which no release of many orders includes (ADR 48).
    """

    open: int
    entered: int
    held: int
    separate: int


class ResultColumn(Shape):
    """A test that has a column in the order search."""

    id: int
    code: str
    name: str
    unit: str | None


class WebResultSettings(Shape):
    """The tests that have a column in the order search, in the lab's order."""

    tests: list[ResultColumn]


class MissingInfoSettings(Shape):
    """Whether the lab offers to fill in missing information."""

    enabled: bool


class ResultSettings(WebResultSettings, MissingInfoSettings):
    """The settings about results: columns, missing information, and the label of toxicology."""

    abnormal_result: str


class ResultsTypes(Shape):
    """The kinds of result that an order has."""

    has_clinical_result: bool
    has_microbiology_result: bool
    has_toxicology_result: bool
    has_pathology_result: bool
