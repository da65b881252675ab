"""HTTP shapes of the audit viewer."""

from datetime import date, datetime
from uuid import UUID

from app.contract.enumerations import AuditGroup, AuditOutcome, ExportFormat
from app.server.access.schemas import RecordId, Shape, Text


class AuditRecord(Shape):
    """A record that an audit row is about; a user has only a name."""

    kind: str
    id: int | None
    code: str | None
    name: str


class AuditDetail(Shape):
    """A line of the detail; a change has the old value, too."""

    name: str
    value: str | None
    old: str | None
    is_change: bool


class AuditEventRead(Shape):
    """The detail of an audit row, and the seal that covers it."""

    id: int
    request_id: str
    detail: list[AuditDetail]
    seal: int | None
    sealed_at: datetime | None


class AuditExportRequest(Shape):
    """A search of the audit log, all of whose rows are exported."""

    format: ExportFormat
    start_date: date | None = None
    end_date: date | None = None
    user: UUID | None = None
    group: AuditGroup | None = None
    outcome: AuditOutcome | None = None
    without_upkeep: bool | None = None
    patient: RecordId | None = None
    code: Text = None
