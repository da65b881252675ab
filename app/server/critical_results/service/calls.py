"""Records calls about critical results, and closes notices."""

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, require_allowed, require_no_errors
from app.basics.text import clean_text
from app.contract import messages
from app.server.access.work import Work
from app.server.critical_results import rules
from app.server.critical_results.models import CriticalCall, CriticalNotice
from app.server.critical_results.repository import CriticalResultRepository
from app.server.critical_results.schemas import CallWrite, CloseWrite, CriticalResultRead
from app.server.critical_results.service.read import read_notice


async def record_call(work: Work, notice_id: int, body: CallWrite) -> CriticalResultRead:
    """Record an attempt to notify somebody; a read-back ends the escalation.

    Raises:
        Forbidden, NotFound, StaleVersion, BadInput.
        CriticalResultClosed: the notice is closed.
    """
    repository = work.build_repository(CriticalResultRepository)
    notice = await _get_open_notice(work, repository, notice_id)
    call = rules.CallState(
        clean_text(body.told_name) or "", body.method, body.is_told, body.has_read_back
    )
    require_no_errors(rules.validate_call(call))
    assert call.method is not None
    assert work.actor.user_id is not None
    now = get_utc_now()
    row = CriticalCall(
        notice_id=notice.id,
        told_name=call.told_name,
        method=call.method,
        is_told=call.is_told,
        has_read_back=call.has_read_back,
        note=clean_text(body.note),
        made_by=work.actor.user_id,
        made_by_name=work.actor.name,
        made_at=now,
    )
    notice.version += 1
    if call.has_read_back:
        notice.told_at, notice.escalate_at = now, None
    await repository.insert(row)
    detail = {"told": call.is_told, "readBack": call.has_read_back}
    await work.audit("record call", "critical-result", [notice_id], detail)
    return await read_notice(work, notice_id)


async def close_notice(work: Work, notice_id: int, body: CloseWrite) -> CriticalResultRead:
    """Close a notice; while nobody has read the results back, a note must say why.

    Raises:
        Forbidden, NotFound, StaleVersion, BadInput.
        CriticalResultClosed: the notice is closed already.
    """
    repository = work.build_repository(CriticalResultRepository)
    notice = await _get_open_notice(work, repository, notice_id)
    note = clean_text(body.note)
    require_no_errors(rules.validate_closing(note, is_told=notice.told_at is not None))
    notice.closed_at, notice.escalate_at = get_utc_now(), None
    notice.closed_by, notice.closed_by_name = work.actor.user_id, work.actor.name
    notice.closing_note = note
    notice.version += 1
    await repository.flush()
    await work.audit("close", "critical-result", [notice_id])
    return await read_notice(work, notice_id)


async def _get_open_notice(
    work: Work, repository: CriticalResultRepository, notice_id: int
) -> CriticalNotice:
    notice = await repository.find_notice(notice_id, lock=True)
    if notice is None:
        raise NotFound(messages.NOT_FOUND)
    require_allowed(rules.judge_telling(work.actor, is_open=notice.closed_at is None))
    work.require_version(notice)
    return notice
