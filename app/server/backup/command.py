"""The commands ``backup`` and ``restore`` (ADR 68)."""

import argparse
from pathlib import Path

import psycopg

from app.basics.clock import get_utc_now
from app.basics.errors import Unavailable
from app.basics.terminal import say
from app.server.attachments.store import FileStore
from app.server.audit_seals.anchor import open_anchor
from app.server.backup.archive import BrokenArchive, read_manifest
from app.server.backup.keys import OtherKeys, back_up_keys, find_missing_keys, restore_keys
from app.server.backup.make import make_backup
from app.server.backup.programs import ProgramFailed
from app.server.backup.restore import (
    CannotRestore,
    require_known_revision,
    restart_anchor,
    restore_database,
    restore_files,
)
from app.server.database.embedded import EmbeddedPostgresError, find_running_port
from app.server.keys import KeyFolder
from app.server.open_database import DatabaseUrlError, open_any_database, open_owner_database
from app.server.schema.names import BusyTableError, UnsupportedDatabaseError
from app.server.settings import Settings

_ERRORS = (
    BrokenArchive,
    BusyTableError,
    CannotRestore,
    DatabaseUrlError,
    EmbeddedPostgresError,
    OSError,
    OtherKeys,
    ProgramFailed,
    Unavailable,
    UnsupportedDatabaseError,
    psycopg.Error,
)


def run_backup(arguments: list[str]) -> int:
    """Back up the portal, whether it is running or not; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app backup")
    parser.add_argument("target", type=Path, help="a new file, or a folder for one")
    parser.add_argument("--keys", type=Path, help="a new file for the keys; keep it elsewhere")
    options = parser.parse_args(arguments)
    settings = Settings()
    target: Path = options.target
    if target.is_dir():
        target = target / f"portal-{get_utc_now():%Y%m%d-%H%M%S}.tar"
    if existing_file := next((p for p in (target, options.keys) if p and p.exists()), None):
        say(f"{existing_file} exists already.")
        return 1
    keys = settings.data_dir / "keys"
    try:
        with open_any_database(settings, lambda text: say(f"  {text} ...")) as owner_url:
            manifest = make_backup(owner_url, _open_files(settings), keys, target)
        say(
            f"Backed up {sum(manifest.rows.values()):,} rows and {len(manifest.members) - 1:,} "
            f"files to {target} ({target.stat().st_size:,} bytes)."
        )
        if options.keys:
            say(f"Backed up {back_up_keys(keys, options.keys)} keys to {options.keys}.")
        else:
            say("The keys are not in the archive, and parts of it need them: --keys FILE")
    except _ERRORS as error:
        say(str(error))
        return 1
    return 0


def run_restore(arguments: list[str]) -> int:
    """Restore a backup while no portal runs; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m app restore")
    parser.add_argument("archive", type=Path)
    parser.add_argument("--keys", type=Path, help="the archive of the keys")
    parser.add_argument("--replace", action="store_true", help="set the old database aside")
    parser.add_argument(
        "--without-keys",
        action="store_true",
        help="restore the data although keys that encrypt it are missing",
    )
    options = parser.parse_args(arguments)
    settings = Settings()
    try:
        if not settings.database_url and find_running_port(settings.data_dir) is not None:
            raise CannotRestore(f"A portal runs on {settings.data_dir}. Stop it first.")
        old_name = restore_backup(
            settings,
            options.archive,
            options.keys,
            replace=options.replace,
            needs_keys=not options.without_keys,
        )
    except _ERRORS as error:
        say(str(error))
        return 1
    if old_name is not None:
        say(f"The old database is now named {old_name}. Drop it when you no longer need it.")
    say("Restored. Start the portal with `serve`.")
    return 0


def restore_backup(
    settings: Settings, archive: Path, keys: Path | None, *, replace: bool, needs_keys: bool
) -> str | None:
    """Restore keys, database, files, and anchor; return the name of the old database.

    Raises:
        BrokenArchive, CannotRestore, OtherKeys, ProgramFailed: nothing has changed, except for
        added keys.
    """
    manifest = read_manifest(archive)
    require_known_revision(manifest)
    folder = settings.data_dir / "keys"
    if keys is not None:
        settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
        restore_keys(keys, folder)
    missing_keys = find_missing_keys(manifest.keys, folder)
    if missing_keys and needs_keys:
        raise CannotRestore(
            f"Keys that encrypt the data are not in {folder}: {', '.join(missing_keys)}. "
            "Name their archive (--keys), or restore without them (--without-keys): what they "
            "encrypt is then unreadable."
        )
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    with open_owner_database(settings, lambda text: say(f"  {text} ...")) as owner_url:
        password = KeyFolder(folder).load_password("database-app")
        # Files first: a row must not point to a file that is still missing.
        restore_files(archive, _open_files(settings))
        old_name = restore_database(archive, manifest, owner_url, password, replace=replace)
        restart_anchor(owner_url, open_anchor(settings))
    return old_name


def _open_files(settings: Settings) -> FileStore:
    return FileStore.open(settings.files_url, settings.data_dir / "files")
