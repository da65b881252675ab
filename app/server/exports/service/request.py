"""Requests, cancels, deletes, and restores exports."""

from collections.abc import Mapping
from typing import Any

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.contract.enumerations import ExportFormat, ExportState
from app.server.access.work import Work
from app.server.exports import rules
from app.server.exports.models import Export
from app.server.exports.repository import ExportRepository
from app.server.exports.schemas import ExportRead
from app.server.exports.service import names
from app.server.exports.service.read import KIND, build_read, get_export
from app.server.exports.source import ExportSource, Parameters
from app.server.jobs.queue import defer_task


async def request_export(
    work: Work,
    source: ExportSource,
    extension: ExportFormat,
    parameters: Parameters,
    audit_detail: Mapping[str, Any],
) -> ExportRead:
    """Request an export; its job is deferred in the same transaction.

    ``audit_detail`` is what the audit log says about the parameters: field names, ids, and counts,
    never patient data.

    Raises:
        Forbidden: the actor may not export these rows.
        TooManyExports: the actor has too many unfinished ones.
    """
    require_allowed(source.judge(work.actor))
    assert work.actor.user_id is not None
    repository = work.build_repository(ExportRepository)
    await repository.lock_requests()
    require_allowed(rules.judge_quota(await repository.count_unfinished()))
    export = Export(
        user_id=work.actor.user_id,
        kind=source.name,
        name=source.title,
        format=extension,
        parameters=dict(parameters),
        state=ExportState.QUEUED,
    )
    await repository.insert(export)
    await defer_task(work, names.RUN, {"export_id": export.id})
    detail = {"source": source.name, "format": str(extension), "filters": dict(audit_detail)}
    await work.audit("request-export", KIND, [export.id], detail)
    return build_read(work, export)


async def cancel_export(work: Work, export_id: int) -> ExportRead:
    """Cancel an unfinished export; its job stops before the next batch.

    Raises:
        NotFound.
        ExportEnded: it is done, has failed, or was canceled.
    """
    export = await get_export(work, export_id, lock=True)
    require_allowed(rules.judge_canceling(ExportState(export.state)))
    export.state = ExportState.CANCELED
    export.finished_at = get_utc_now()
    await work.audit("cancel-export", KIND, [export.id])
    return build_read(work, export)


async def remove_export(work: Work, export_id: int) -> None:
    """Delete an export; a job deletes its file a little later, so that it can be restored.

    Raises:
        NotFound.
        ExportEnded: it is not finished.
    """
    export = await get_export(work, export_id, lock=True)
    require_allowed(rules.judge_removing(ExportState(export.state)))
    export.removed_at = get_utc_now()
    await work.audit("remove-export", KIND, [export.id])


async def restore_export(work: Work, export_id: int) -> ExportRead:
    """Undo the deletion of an export, or raise NotFound when its file is deleted already."""
    export = await work.build_repository(ExportRepository).find_removed_export(export_id)
    if export is None:
        raise NotFound(messages.NOT_FOUND)
    export.removed_at = None
    await work.audit("restore-export", KIND, [export.id])
    return build_read(work, export)
