"""Reads the detail of an audit row."""

from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.server.access.work import Work
from app.server.audit_viewer import rules
from app.server.audit_viewer.repository import AuditRepository
from app.server.audit_viewer.schemas import AuditDetail, AuditEventRead


async def read_event(work: Work, event_id: int) -> AuditEventRead:
    """Return the detail of an audit row; reading it is audited, too.

    Raises:
        Forbidden, NotFound.
    """
    require_allowed(rules.judge_reading_audit(work.actor))
    repository = work.build_repository(AuditRepository)
    event = await repository.find_event(event_id)
    if event is None:
        raise NotFound(messages.NOT_FOUND)
    seal = await repository.find_seal(event_id)
    await work.audit("read", "audit-event", [], {"event": event_id})
    return AuditEventRead(
        id=event.id,
        request_id=event.request_id,
        detail=[AuditDetail(**line._asdict()) for line in rules.list_detail(event.detail)],
        seal=seal.id if seal else None,
        sealed_at=seal.sealed_at if seal else None,
    )
