"""Makes a backup: the database in one snapshot, then the files of the store."""

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
from psycopg import sql

from app.basics.clock import get_utc_now
from app.basics.version import VERSION
from app.server.attachments.store import FileStore
from app.server.backup.archive import DUMP, FILES, Manifest, write_archive
from app.server.backup.keys import list_key_ids
from app.server.backup.programs import run_program

Connection = psycopg.Connection[tuple[object, ...]]
_TABLES = """
SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'jobs') ORDER BY 1, 2
"""
_RECORD = """
WITH recorded AS (
  INSERT INTO backups (version, revision, bytes, files)
  VALUES (%(version)s, %(revision)s, %(bytes)s, %(files)s)
)
INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)
VALUES ('admin', 'back-up', 'portal', '{}', '',
  jsonb_build_object('bytes', %(bytes)s::bigint, 'files', %(files)s::bigint))
"""


def make_backup(owner_url: str, files: FileStore, keys: Path, target: Path) -> Manifest:
    """Back up the database and the files, record it, and return the manifest.

    The backup may contain files without a row, which were stored meanwhile. It contains the file of
    every row, unless the file was deleted meanwhile.

    Raises:
        ProgramFailed: ``pg_dump`` failed.
        OSError: the archive cannot be written.
        Unavailable: the file store failed.
    """
    with (
        tempfile.TemporaryDirectory(dir=target.parent, prefix=".backup-") as folder,
        write_archive(target) as archive,
    ):
        dump = Path(folder) / DUMP
        manifest = _dump_database(owner_url, dump)
        manifest.keys = list_key_ids(keys)
        archive.add_file(DUMP, dump)
        dump.unlink()
        for key, content in _read_store(files):
            archive.add_bytes(f"{FILES}{key}", content)
        archive.add_manifest(manifest)
        count = len(archive.members) - 1  # without the dump
    values = {
        "version": manifest.version,
        "revision": manifest.revision,
        "bytes": target.stat().st_size,
        "files": count,
    }
    with psycopg.connect(owner_url) as connection:
        connection.execute(_RECORD, values)
    return manifest


def count_rows(connection: Connection) -> dict[str, int]:
    """Count the rows of all tables."""
    rows = {}
    for schema, table in connection.execute(_TABLES).fetchall():
        statement = sql.SQL("SELECT count(*) FROM {}").format(
            sql.Identifier(str(schema), str(table))
        )
        row = connection.execute(statement).fetchone()
        assert row is not None
        rows[f"{schema}.{table}"] = int(str(row[0]))
    return rows


def _dump_database(owner_url: str, dump: Path) -> Manifest:
    with psycopg.connect(owner_url) as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        row = connection.execute(
            "SELECT pg_export_snapshot(), (SELECT version_num FROM alembic_version)"
        ).fetchone()
        assert row is not None
        snapshot, revision = str(row[0]), str(row[1])
        run_program(
            "pg_dump",
            owner_url,
            "--format=custom",
            "--no-owner",
            "--no-comments",
            f"--snapshot={snapshot}",
            f"--file={dump}",
        )
        return Manifest(
            version=VERSION,
            revision=revision,
            postgres=connection.info.server_version // 10_000,  # 180006 is version 18.6
            made_at=get_utc_now().isoformat(),
            rows=count_rows(connection),
            keys={},
        )


def _read_store(files: FileStore) -> Iterator[tuple[str, bytes]]:
    """Yield key and content of each file, one at a time; those deleted meanwhile are left out."""
    for key in asyncio.run(files.list_keys()):
        if asyncio.run(files.find_size(key)) is not None:
            yield key, asyncio.run(files.get(key))
