"""HTTP shapes that all families of result entry share."""

from datetime import date
from typing import Annotated

from pydantic import Field

from app.contract.enumerations import Withholding
from app.contract.limits import RESULT_COMMENT_MAX_LENGTH
from app.server.access.schemas import Permission, RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.requisitions.schemas import ClinicalTime

ResultComment = Annotated[str | None, Field(max_length=RESULT_COMMENT_MAX_LENGTH)]
"""What the lab adds to a result for its readers."""


class EntryPatient(Shape):
    """The patient on the result entry screen, as known when the requisition was saved.

    ``code`` is None if the patient is no longer in the actor's scope. With ``id``, the screen
    follows changes of the patient's other orders.
    """

    id: int
    code: str | None
    last_name: str
    first_name: str
    middle_name: str | None
    birth_date: date | None
    gender: str


class HoldRecord(Shape):
    """A hold on a test of the order, with who placed it, and who lifted it and when."""

    id: int
    test: str
    reason: str
    words: str | None
    every_order: bool
    placed_by: str | None
    placed_at: ClinicalTime
    lifted_by: str | None
    lifted_at: OptionalTime
    lifted_words: str | None


class EntryHeader(Shape):
    """The order and patient of a result entry screen.

    ``reported`` is the time of the last release, and ``report_comment`` the comment on the order.
    ``hold_records`` has open and lifted holds, oldest first; only the lab sees them.
    """

    order_id: int
    code_value: str
    version: int
    status: int
    client_name: str
    collection_date: ClinicalTime
    specimen_condition: str
    awaits_collection: bool
    report_comment: str | None
    reported: OptionalTime
    patient: EntryPatient
    hold_records: list[HoldRecord]
    can_enter_results: Permission
    can_release: Permission


class EntryHold(Shape):
    """A hold that keeps a test from being released; ``every_order`` holds it in all orders."""

    id: int
    reason: str
    words: str | None
    placed_by: str | None
    placed_at: ClinicalTime
    every_order: bool


class EntryWithholding(Shape):
    """Why and by whom a released result was put under review or withdrawn."""

    kind: Withholding
    reason: str | None
    words: str | None
    by: str | None
    at: ClinicalTime


class Reasoned(Shape):
    """A reason from the lab's list, and words about it."""

    reason: str = Field(max_length=50)
    words: str | None = Field(default=None, max_length=1_000)


class WithholdRequest(Reasoned):
    """POST withhold: put released results under review, or withdraw them."""

    order_test_ids: list[RecordId] = Field(min_length=1, max_length=1_000)
    kind: Withholding


class RestoreRequest(Shape):
    """POST restore: end the review of results, so that everybody sees them again."""

    order_test_ids: list[RecordId] = Field(min_length=1, max_length=1_000)


class HoldRequest(Reasoned):
    """POST holds: keep tests from being released, in this order or in every order."""

    order_test_ids: list[RecordId] = Field(min_length=1, max_length=1_000)
    every_order: bool | None = None


class LiftRequest(Shape):
    """POST lift: end a hold, so that the results of its test can be released again."""

    words: str | None = Field(default=None, max_length=1_000)
