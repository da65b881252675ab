"""SQL of single audit rows and of access reports; the list is declared in ``lists``."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select, text

from app.server.audit.models import AuditEvent
from app.server.audit_seals.models import AuditSeal
from app.server.audit_viewer.lists import build_access_condition
from app.server.database.repository import Repository

_ACCESSES = text(
    "SELECT t.id, t.at, name_of_user(t.user_id) AS name, t.role, t.action, t.kind, t.record_ids,"
    " count(*) OVER () AS total FROM audit_events t"
    f" WHERE {build_access_condition('ARRAY[CAST(:patient AS bigint)]').replace('%%', '%')}"
    " AND t.at >= :first AND t.at < :after ORDER BY t.at DESC, t.id DESC LIMIT :limit"
)
_CODES = text(
    "SELECT 'requisition' AS kind, r.id, r.code FROM requisitions r WHERE r.patient_id = :patient"
    " UNION ALL SELECT 'order', o.id, o.code FROM orders o WHERE o.patient_id = :patient"
)


class Access(NamedTuple):
    """An audit row about a patient; ``total`` counts all rows of the period."""

    id: int
    at: datetime
    name: str | None
    role: str
    action: str
    kind: str
    record_ids: Sequence[int]
    total: int


class AuditRepository(Repository):
    """The audit log; staff can read all of its rows."""

    async def find_event(self, event_id: int) -> AuditEvent | None:
        """Find an audit row."""
        return await self.session.get(AuditEvent, event_id)

    async def find_seal(self, event_id: int) -> AuditSeal | None:
        """Find the seal that covers a row."""
        statement = select(AuditSeal).where(AuditSeal.last_id >= event_id)
        seal = await self.session.scalar(statement.order_by(AuditSeal.last_id).limit(1))
        return seal if seal is not None and seal.first_id <= event_id else None

    async def list_accesses(
        self, patient_id: int, first: datetime, after: datetime, limit: int
    ) -> list[Access]:
        """List who saw or changed a patient, newest first."""
        values: dict[str, Any] = {
            "patient": patient_id,
            "first": first,
            "after": after,
            "limit": limit,
        }
        return [Access(*row) for row in await self.session.execute(_ACCESSES, values)]

    async def load_codes(self, patient_id: int) -> dict[tuple[str, int], str]:
        """Load the codes of a patient's requisitions and orders, by kind and id."""
        rows = await self.session.execute(_CODES, {"patient": patient_id})
        return {(kind, record_id): code for kind, record_id, code in rows}
