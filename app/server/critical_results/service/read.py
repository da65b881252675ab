"""Reads a notice of critical results."""

from app.basics.clock import get_lab_now
from app.basics.errors import NotFound
from app.basics.opening_hours import is_open as is_open_at
from app.contract import messages
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.critical_results import rules
from app.server.critical_results.repository import build_read_statement
from app.server.critical_results.schemas import CriticalResultRead


async def read_notice(work: Work, notice_id: int) -> CriticalResultRead:
    """Return a notice with its results, contacts, calls, and alerts, or raise NotFound."""
    statement = build_read_statement(work.actor.kind)
    row = await work.statements.fetch(statement, {"notice": notice_id})
    assert row is not None
    parts = row[0]
    if parts is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit("read", "critical-result", [notice_id])
    now = get_lab_now(work.portal.settings.time_zone)
    for contact in parts.get("contacts", ()):
        contact["isOpen"] = is_open_at(contact["hours"], now)
    is_open = parts["closedAt"] is None
    denial = rules.judge_telling(work.actor, is_open=is_open)
    return CriticalResultRead.model_validate({**parts, "canTell": Permission.of(denial)})
