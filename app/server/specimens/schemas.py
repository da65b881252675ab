"""HTTP shapes of receiving requisitions and of the tubes of an order."""

from pydantic import Field

from app.contract import limits
from app.contract.enumerations import SpecimenState
from app.server.access.schemas import Permission, RecordId, Shape
from app.server.orders.schemas import OptionalTime
from app.server.requisitions.schemas import ClinicalTime, ClinicalTimeWrite


class TubeWrite(Shape):
    """The state of a tube: received, still expected, or rejected.

    Attributes:
        number: the number on its label.
        conditions: codes of the lab's reasons of the kind 'condition'.
        reason: a code of the lab's reasons of the kind 'rejection'.
        collected_at: the collection of a replacement.
    """

    number: RecordId = Field(ge=1, le=limits.TUBES_MAX)
    state: SpecimenState
    conditions: list[str] = Field(default=[], max_length=20)
    condition_words: str | None = Field(default=None, max_length=limits.REASON_WORDS_MAX)
    reason: str | None = Field(default=None, max_length=50)
    reason_words: str | None = Field(default=None, max_length=limits.REASON_WORDS_MAX)
    collected_at: ClinicalTimeWrite = None


class ReceptionWrite(Shape):
    """Details of a reception, besides the tubes; an absent one stays unchanged.

    Attributes:
        entry_alert: what the order lacks, in the lab's words.
        collection_site: one of the lab's list; it is added to the order's sites.
    """

    entry_alert: str | None = Field(default=None, max_length=limits.REASON_WORDS_MAX)
    collection_site: str | None = Field(default=None, max_length=200)


class ReceiveRequest(ReceptionWrite):
    """POST receive: requisitions by ids, by one scanned code, or both.

    All tubes that ``tubes`` does not name were received in good condition. Tubes can be named for
    one requisition only.
    """

    ids: list[RecordId] = Field(default=[], max_length=limits.BULK_IDS_MAX)
    code: str | None = Field(default=None, max_length=50)
    accepts_future: bool = True
    """If false, a collection time in the future is a 409, so that the caller can ask first."""
    tubes: list[TubeWrite] = Field(default=[], max_length=limits.TUBES_MAX)


class ClientToCall(Shape):
    """A client that must be notified of a rejected specimen by phone."""

    name: str
    phone: str | None


class Received(Shape):
    """A received requisition and its new order.

    Attributes:
        tubes: how many of the ``tubes_due`` were received.
        client_to_call: the client if a tube was rejected and no e-mail can say so.
    """

    requisition_id: int
    requisition_code: str
    patient_last_name: str
    patient_first_name: str
    order_id: int
    order_code: str
    collection_to_come: ClinicalTime | None
    """The collection time if it is in the future, which cannot be right for a received specimen."""
    tubes: int
    tubes_due: int
    client_to_call: ClientToCall | None


class SpecimensWrite(ReceptionWrite):
    """PUT specimens: later receptions and rejections of tubes."""

    tubes: list[TubeWrite] = Field(default=[], max_length=limits.TUBES_MAX)


class DueTube(Shape):
    """A tube that the ordered tests need, as its label names it."""

    number: int
    container: str
    specimen: str


class SpecimenRead(DueTube):
    """A tube of an order.

    Attributes:
        conditions, reason: in the lab's words.
        condition_codes: the codes of ``conditions``.
        is_needed: whether a test that is not canceled needs it.
        is_replacement: whether it was requested because an earlier tube was rejected.
        received_by, rejected_by: patients do not see them.
    """

    id: int
    state: SpecimenState
    conditions: list[str]
    condition_codes: list[str]
    condition_words: str | None
    is_needed: bool
    is_replacement: bool
    collected_at: OptionalTime
    received_at: OptionalTime
    received_by: str | None
    reason: str | None
    reason_words: str | None
    rejected_at: OptionalTime
    rejected_by: str | None


class SpecimensRead(Shape):
    """The tubes of an order by number, each rejected one before its replacement.

    ``client_to_call`` is the client if no e-mail can report a rejection; only the lab sees it.
    """

    order_id: int
    version: int
    specimen_condition: str
    awaits_collection: bool
    collection_sites: list[str]
    entry_alert: str | None
    tubes: list[SpecimenRead]
    client_to_call: ClientToCall | None
    can_change: Permission
