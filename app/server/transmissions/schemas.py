"""HTTP shapes of sending (O 7 'Send', DECISIONS 'Bases and wire format')."""

from datetime import datetime

from pydantic import Field

from app.contract.enumerations import CopyType, SendStatus
from app.server.access.schemas import RecordId, Shape, Text


class TransmissionRequest(Shape):
    """Which requisitions go where; ``type`` is 'email' or 'fax' in any case."""

    ids: list[RecordId] = Field(default_factory=list)
    type: Text = None
    value: Text = None


class RecipientRead(Shape):
    """What became of it at one address or number. ``last_error`` is a sentence for people.

    ``sent_at`` is when a server or a provider took it, ``delivered_at`` when a fax arrived;
    ``next_try_at`` when it is tried again.
    """

    id: int
    requisition_ids: list[int]
    type: CopyType
    destination: str
    status: SendStatus
    attempts: int
    last_error: str | None
    created_at: datetime
    next_try_at: datetime | None
    sent_at: datetime | None
    delivered_at: datetime | None
    sent_by: str


class TransmissionRead(Shape):
    """What was accepted to be sent; followed by ``GET .../transmissions?ids=``."""

    id: int
    status: SendStatus
    recipients: list[RecipientRead]
