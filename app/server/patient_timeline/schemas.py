"""HTTP shapes of a patient's timeline."""

from datetime import datetime

from app.server.access.schemas import Shape
from app.server.lists.document import build_page_model


class TimelineEvent(Shape):
    """A timeline event; ``record_id`` and ``code`` identify the record that a click opens."""

    id: str
    kind: str
    at: datetime
    by: str | None
    title: str
    detail: str | None
    record_id: int | None
    code: str | None


TimelinePage = build_page_model("TimelinePage", TimelineEvent)
