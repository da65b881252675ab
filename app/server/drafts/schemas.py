"""HTTP shapes of drafts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from app.server.access.schemas import RecordId, Shape


class DraftWrite(Shape):
    """A draft as sent: the content of the form, with its patient and requisition."""

    requisition_id: RecordId | None = None
    patient_id: RecordId | None = None
    content: dict[str, Any]


class DraftRead(DraftWrite):
    """A stored draft."""

    id: UUID
    saved_at: datetime
