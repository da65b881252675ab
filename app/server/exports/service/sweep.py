"""The periodic job that deletes expired files, and the folders of killed workers."""

import asyncio
import shutil
from collections.abc import Collection
from pathlib import Path

import structlog

from app.basics.clock import get_utc_now
from app.server.access.parts import PortalParts
from app.server.attachments.store import FileStore
from app.server.exports.repository import ExportJobRepository
from app.server.exports.rules import ABANDONED_AFTER, FORGOTTEN_AFTER, RESTORABLE_FOR
from app.server.exports.service.run import EXPORT_WORKER, get_folder

_log = structlog.get_logger("portal.exports")


async def sweep_exports(portal: PortalParts) -> None:
    """Delete the files of expired and deleted exports, old exports, and abandoned folders.

    Raises:
        Unavailable: the store failed; the next run tries again.
    """
    now = get_utc_now()
    while count := await _delete_files(portal):
        _log.info("exported files deleted", count=count)
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        repository = transaction.build_repository(ExportJobRepository)
        await repository.end_abandoned(now, ABANDONED_AFTER)
        await repository.delete_forgotten(now, FORGOTTEN_AFTER, RESTORABLE_FOR)
        runs = await repository.list_runs()
    await asyncio.to_thread(_remove_folders, get_folder(portal.settings), runs)


async def _delete_files(portal: PortalParts) -> int:
    """Delete some outdated files, and return their number.

    The keys are removed in the same transaction: if it fails, the next run deletes the files again.
    """
    files = portal.get_part(FileStore)
    async with portal.database.transaction(EXPORT_WORKER) as transaction:
        repository = transaction.build_repository(ExportJobRepository)
        exports = await repository.lock_outdated_files(get_utc_now(), RESTORABLE_FOR)
        for export in exports:
            assert export.key is not None
            await files.delete(export.key)
            export.key = None
    return len(exports)


def _remove_folders(folder: Path, runs: Collection[str]) -> None:
    """Remove the folders of runs that no longer write, for example of killed workers."""
    for run in folder.glob("export-*"):
        if run.name not in runs:
            shutil.rmtree(run, ignore_errors=True)
