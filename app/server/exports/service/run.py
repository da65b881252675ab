"""The job that writes an export to a file.

Each step is short for the database: a batch is one statement of the read pool, and no transaction
is open while rows are written or bytes are stored. A worker that dies leaves an export in the state
'running'. The next worker takes it over as the next attempt, and starts from the first row. If the
first worker was only slow, it can no longer change anything. The export gets its file in the last
transaction, so nobody is ever offered half a file.
"""

import asyncio
import shutil
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import structlog

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, Unavailable
from app.contract.enumerations import ExportFormat, ExportState
from app.contract.limits import EXPORT_ROWS_MAX
from app.server.access.parts import PortalParts
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.actor import Actor, build_worker_actor
from app.server.attachments.service import begin_upload, end_upload
from app.server.attachments.store import FileStore
from app.server.exports.models import Export
from app.server.exports.repository import (
    ExportJobRepository,
    ExportRepository,
    RunId,
    report_progress,
)
from app.server.exports.rules import (
    ATTEMPTS_MAX,
    FILE_LIFE,
    UNFINISHED_STATES,
    Trouble,
    covers_access,
    may_start,
)
from app.server.exports.service import names
from app.server.exports.service.read import KIND
from app.server.exports.source import (
    Batch,
    ExportSource,
    ExportSources,
    ExportTooSlow,
    Parameters,
)
from app.server.exports.writers.choose import ExportFile, open_export_file
from app.server.jobs.queue import defer_task
from app.server.logs import describe_error
from app.server.settings import Settings

EXPORT_WORKER = build_worker_actor("export")
"""The actor of the job's own steps; rows are read as the export's owner."""
BUSY_WAIT = timedelta(seconds=3)
"""Time until an export that has to wait for others tries again."""
_log = structlog.get_logger("portal.exports")


class _ExportStopped(Exception):
    """The export was canceled, or another worker has taken it over."""


class _ExportFailed(Exception):
    """The export cannot succeed."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


@dataclass(frozen=True)
class _Run:
    """An attempt to write an export, as its owner."""

    id: RunId
    actor: Actor
    source: ExportSource
    extension: ExportFormat
    parameters: Parameters
    folder: Path

    @property
    def file(self) -> Path:
        """The file that is written before it is stored."""
        return self.folder / f"rows.{self.extension}"


def get_folder(settings: Settings) -> Path:
    """Return the folder of the files that are being written."""
    return settings.data_dir / "exports"


async def run_export(portal: PortalParts, export_id: int) -> None:
    """Write an export to a file, unless it was canceled; waits its turn behind others."""
    export = await _begin_run(portal, export_id)
    if export is None:
        return
    run_id = RunId(export.id, export.attempt)
    folder = get_folder(portal.settings) / str(run_id)
    try:
        run = await _prepare_run(portal, export, run_id, folder)
        await _write_rows(portal, run)
        await _store_file(portal, run)
    except ExportTooSlow:
        await _fail_export(portal, run_id, Trouble.TOO_SLOW)
    except BadInput:
        await _fail_export(portal, run_id, Trouble.OUTDATED)
    except _ExportStopped:
        _log.info("export stopped", export=export_id, attempt=run_id.attempt)
    except _ExportFailed as error:
        await _fail_export(portal, run_id, error.trouble)
    except Exception as error:
        if not await _postpone_export(portal, run_id, error):
            return
        raise  # The queue runs the job again, later each time.
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _begin_run(portal: PortalParts, export_id: int) -> Export | None:
    """Take an export over, and return it; None if it has ended or must wait."""
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        repository = transaction.build_repository(ExportJobRepository)
        await repository.lock_runs()
        export = await repository.lock(export_id)
        if export is None or export.state not in UNFINISHED_STATES:
            return None
        # A worker that died has left this export running; the export need not wait again.
        is_queued = export.state == ExportState.QUEUED
        if is_queued and not may_start(*await repository.count_running(export.user_id)):
            retry_at = get_utc_now() + BUSY_WAIT
            await defer_task(transaction, names.RUN, {"export_id": export_id}, due_at=retry_at)
            return None
        if export.attempt >= ATTEMPTS_MAX:
            export.state = ExportState.FAILED
            export.trouble = Trouble.INTERRUPTED
            export.finished_at = get_utc_now()
            await Work(transaction, portal).audit("fail-export", KIND, [export_id])
            return None
        export.attempt += 1
        export.state = ExportState.RUNNING
        export.started_at = get_utc_now()
        export.rows_written, export.rows_expected = 0, None
    return export


async def _prepare_run(portal: PortalParts, export: Export, run_id: RunId, folder: Path) -> _Run:
    """Find the owner with the current rights, and store the access that the file is made with."""
    source = portal.get_part(ExportSources).find(export.kind)
    actor = await portal.authentication.find_actor_of_user(export.user_id)
    if actor is None or source is None or source.judge(actor) is not None:
        raise _ExportFailed(Trouble.ACCESS_WITHDRAWN if source else Trouble.TROUBLE)
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        locked_export = await transaction.build_repository(ExportJobRepository).lock(export.id)
        if locked_export is None or locked_export.attempt != run_id.attempt:
            raise _ExportStopped
        locked_export.role, locked_export.scope_ids = actor.role, list(actor.ids)
    await asyncio.to_thread(_make_folder, folder, export.id)
    extension = ExportFormat(export.format)
    return _Run(run_id, actor, source, extension, export.parameters, folder)


def _make_folder(folder: Path, export_id: int) -> None:
    """Make the run's folder, and remove those of its earlier runs."""
    for earlier_folder in folder.parent.glob(f"export-{export_id}-*"):
        shutil.rmtree(earlier_folder, ignore_errors=True)
    folder.mkdir(parents=True, mode=0o700)


async def _write_rows(portal: PortalParts, run: _Run) -> None:
    """Write all rows, batch by batch."""
    # The audit rows of the batches and of the finished file have the same id, the export's.
    reader = Reader(portal.database, run.actor, str(run.id))
    expected_rows = await _count_rows(reader, run)
    source = run.source
    columns = source.build_columns(run.actor, run.parameters)
    file = await asyncio.to_thread(
        open_export_file, run.extension, run.file, columns, source.title, run.folder
    )
    is_complete = False
    try:
        written_rows, after = 0, None
        while True:
            batch: Batch = await source.read_batch(reader, run.parameters, after)
            written_rows += len(batch.rows)
            _require_row_limit(written_rows)
            await asyncio.to_thread(file.write_rows, batch.rows)
            await _report_progress(reader, run, written_rows, max(expected_rows, written_rows))
            after = batch.after
            if after is None:
                break
        is_complete = True
    finally:
        await _finish_file(file, is_complete=is_complete)


async def _finish_file(file: ExportFile, *, is_complete: bool) -> None:
    await asyncio.to_thread(file.close if is_complete else file.discard)


async def _count_rows(reader: Reader, run: _Run) -> int:
    """Count the rows, to show the progress, and to reject too many rows at once."""
    expected_rows = 0
    async for count in run.source.count_rows(reader, run.parameters):
        _require_row_limit(count)
        await _report_progress(reader, run, 0, None)
        expected_rows = count
    return expected_rows


def _require_row_limit(rows: int) -> None:
    if rows > EXPORT_ROWS_MAX:
        raise _ExportFailed(Trouble.TOO_MANY_ROWS)


async def _report_progress(
    reader: Reader, run: _Run, written_rows: int, expected_rows: int | None
) -> None:
    if not await report_progress(reader, run.id, written_rows, expected_rows):
        raise _ExportStopped


async def _store_file(portal: PortalParts, run: _Run) -> None:
    """Store the file, and complete the export in the transaction that gives it the file."""
    assert run.actor.user_id is not None
    actor = await portal.authentication.find_actor_of_user(run.actor.user_id)
    if actor is None or not covers_access(actor, run.actor.role, run.actor.ids):
        raise _ExportFailed(Trouble.ACCESS_WITHDRAWN)
    files = portal.get_part(FileStore)
    key = await begin_upload(portal, run.actor)
    await files.put_file(key, run.file)
    size = run.file.stat().st_size
    now = get_utc_now()
    async with portal.database.transaction(run.actor) as transaction:
        work = Work(transaction, portal, str(run.id))
        repository = work.build_repository(ExportRepository)
        is_stored = await repository.store_file(run.id, key, size, now, now + FILE_LIFE)
        await end_upload(work, key)
        if is_stored:
            detail = {"bytes": size, "format": str(run.extension)}
            await work.audit("finish-export", KIND, [run.id.export_id], detail)
        else:
            await files.delete(key)
    if not is_stored:
        raise _ExportStopped
    _log.info("export finished", export=run.id.export_id, bytes=size)


async def _fail_export(portal: PortalParts, run_id: RunId, trouble: Trouble) -> None:
    """Fail the export, unless another run has taken it over."""
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        repository = transaction.build_repository(ExportJobRepository)
        if await repository.end_run(run_id, trouble, get_utc_now()):
            work = Work(transaction, portal, str(run_id))
            detail = {"trouble": str(trouble)}
            await work.audit("fail-export", KIND, [run_id.export_id], detail)
    _log.info("export failed", export=run_id.export_id, trouble=str(trouble))


async def _postpone_export(portal: PortalParts, run_id: RunId, error: Exception) -> bool:
    """Queue the export again, or fail it after the last attempt; return whether it is queued."""
    _log.warning("export interrupted", export=run_id.export_id, **describe_error(error))
    if run_id.attempt >= ATTEMPTS_MAX:
        has_store_failed = isinstance(error, OSError | Unavailable)
        trouble = Trouble.STORE_FAILED if has_store_failed else Trouble.TROUBLE
        await _fail_export(portal, run_id, trouble)
        return False
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        return await transaction.build_repository(ExportJobRepository).postpone_run(run_id)
