"""Reads the actor's exports, and opens their files."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from app.basics.clock import get_utc_now, to_lab_time
from app.basics.errors import NotFound, PortalError, Unavailable, require_allowed
from app.contract import messages
from app.contract.enumerations import ExportFormat, ExportState
from app.contract.limits import EXPORTS_LISTED_MAX
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.attachments.store import FileStore
from app.server.exports import rules
from app.server.exports.models import Export
from app.server.exports.repository import ExportRepository
from app.server.exports.schemas import ExportRead
from app.server.exports.source import ExportSources

KIND = "export"
"""The kind of exports in the audit log."""


@dataclass(frozen=True)
class OpenedFile:
    """A stored file that is read in pieces."""

    pieces: AsyncIterator[bytes]
    size: int
    name: str
    media_type: str


async def get_export(work: Work, export_id: int, *, lock: bool = False) -> Export:
    """Return the actor's export, or raise NotFound."""
    export = await work.build_repository(ExportRepository).find(export_id, lock=lock)
    if export is None:
        raise NotFound(messages.NOT_FOUND)
    return export


async def list_exports(work: Work) -> list[ExportRead]:
    """Return the actor's exports, newest first."""
    exports = await work.build_repository(ExportRepository).list_newest(EXPORTS_LISTED_MAX)
    return [build_read(work, export) for export in exports]


async def read_export(work: Work, export_id: int) -> ExportRead:
    """Return the actor's export, or raise NotFound."""
    return build_read(work, await get_export(work, export_id))


async def open_file(work: Work, export_id: int) -> OpenedFile:
    """Open the file of the actor's export, and audit the download.

    Raises:
        NotFound: there is no file, it has expired or was lost, or the actor's access has changed.
        Unavailable: the store failed, or its bytes have changed.
    """
    export = await get_export(work, export_id)
    require_allowed(_judge_download(work, export))
    assert export.key is not None
    assert export.size is not None
    files = work.portal.get_part(FileStore)
    size = await files.find_size(export.key)
    if size is None:
        raise NotFound(messages.EXPORT_FILE_LOST)
    if size != export.size:
        raise Unavailable(messages.DOCUMENT_UNAVAILABLE)
    await work.audit("download-export", KIND, [export.id])
    return OpenedFile(
        files.read_pieces(export.key, export.size),
        export.size,
        _build_name(work, export),
        rules.MEDIA_TYPES[ExportFormat(export.format)],
    )


def build_read(work: Work, export: Export) -> ExportRead:
    """Build the answer for an export of the actor."""
    state = ExportState(export.state)
    return ExportRead(
        id=export.id,
        kind=export.kind,
        name=_build_name(work, export),
        format=ExportFormat(export.format),
        state=state,
        parameters=export.parameters,
        rows_expected=export.rows_expected,
        rows_written=export.rows_written,
        size=export.size,
        trouble=rules.describe_trouble(export.trouble),
        created_at=export.created_at,
        started_at=export.started_at,
        finished_at=export.finished_at,
        expires_at=export.expires_at,
        is_expired=_is_expired(export),
        can_download=Permission.of(_judge_download(work, export)),
        can_cancel=Permission.of(rules.judge_canceling(state)),
        can_remove=Permission.of(rules.judge_removing(state)),
    )


def _judge_download(work: Work, export: Export) -> PortalError | None:
    source = work.portal.get_part(ExportSources).find(export.kind)
    if source is None:
        return NotFound(messages.EXPORT_NOT_READY)
    return source.judge(work.actor) or rules.judge_download(
        work.actor,
        rules.FileState(
            role=export.role,
            scope_ids=frozenset(export.scope_ids),
            has_file=export.key is not None,
            is_expired=_is_expired(export),
        ),
    )


def _is_expired(export: Export) -> bool:
    return export.expires_at is not None and export.expires_at <= get_utc_now()


def _build_name(work: Work, export: Export) -> str:
    day = to_lab_time(export.created_at, work.portal.settings.time_zone)
    return rules.build_file_name(export.name, day, export.id, ExportFormat(export.format))
