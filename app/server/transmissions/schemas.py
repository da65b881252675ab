"""HTTP shapes of sending (O 7 'Send', DECISIONS 'Bases and wire format')."""

from datetime import datetime

from pydantic import Field

from app.contract.enumerations import CopyType, SendStatus
from app.server.access.schemas import RecordId, Shape, Text


class TransmissionRequest(Shape):
    """The requisitions to send and the recipient; ``type`` is 'email' or 'fax', ignoring case."""

    ids: list[RecordId] = Field(default_factory=list)
    type: Text = None
    value: Text = None


class ResultsTransmissionRequest(TransmissionRequest):
    """The orders whose results to send; ``is_correction`` says whether they are corrected."""

    is_correction: bool = False


class RecipientRead(Shape):
    """A transmission to one address or number.

    Attributes:
        subject: what was sent: 'forms', 'results', 'correctedResults', or a notice of a
            'rejectedSpecimen'.
        order_ids: empty unless results were sent.
        last_error: a message for people.
        next_try_at: the time of the next attempt.
        sent_at: the time when a server or provider accepted it.
        delivered_at: the time when a fax arrived.
    """

    id: int
    subject: str
    requisition_ids: list[int]
    order_ids: list[int]
    type: CopyType
    destination: str
    status: SendStatus
    attempts: int
    last_error: str | None
    created_at: datetime
    next_try_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    sent_by: str = Field(description="Empty for patients, unless they sent it themselves.")


class TransmissionRead(Shape):
    """An accepted transmission; ``GET .../transmissions?ids=`` shows its progress."""

    id: int
    status: SendStatus
    recipients: list[RecipientRead]
