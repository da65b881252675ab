"""HTTP shapes of exports."""

from datetime import datetime
from typing import Any

from app.contract.enumerations import ExportFormat, ExportState
from app.server.access.schemas import Permission, Shape


class ExportRead(Shape):
    """An export, as its owner sees it.

    Attributes:
        parameters: the filters, by the names of the request.
        rows_expected: None until the rows are counted.
        trouble: a message for people.
        expires_at: the time at which the file is deleted.
    """

    id: int
    kind: str
    name: str
    format: ExportFormat
    state: ExportState
    parameters: dict[str, Any]
    rows_expected: int | None
    rows_written: int
    size: int | None
    trouble: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    expires_at: datetime | None
    is_expired: bool
    can_download: Permission
    can_cancel: Permission
    can_remove: Permission
