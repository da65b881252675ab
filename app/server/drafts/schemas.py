"""HTTP shapes of drafts."""

from datetime import datetime
from typing import Any
from uuid import UUID

from app.server.access.schemas import RecordId, Shape


class DraftWrite(Shape):
    """Unsaved work on a requisition: the form's own content, and whom and what it is about."""

    requisition_id: RecordId | None = None
    patient_id: RecordId | None = None
    content: dict[str, Any]


class DraftRead(DraftWrite):
    """A kept draft."""

    id: UUID
    saved_at: datetime
