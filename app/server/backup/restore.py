"""Restores a backup into a new database, which then replaces the old one."""

import asyncio
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from app.server.attachments.store import FileStore
from app.server.audit_seals.anchor import Anchor, AnchorEntry, collect_digests
from app.server.backup.archive import DUMP, Manifest, extract_member, read_files
from app.server.backup.make import count_rows
from app.server.backup.programs import run_program
from app.server.schema.frozen import find_revision_files
from app.server.schema.migrate import create_logins, migrate_database

_VERSION_MIN = 17
"""pg_restore sets a parameter that older servers do not know."""


class CannotRestore(Exception):
    """The backup cannot be restored here; the text says why. Nothing was changed."""


def require_known_revision(manifest: Manifest) -> None:
    """Raise CannotRestore for a backup of a newer schema than this portal's."""
    revisions = list(find_revision_files())
    if manifest.revision not in revisions:
        raise CannotRestore(
            f"The backup was made by portal {manifest.version} with schema {manifest.revision}; "
            f"this portal knows schemas up to {revisions[-1]}. Restore it with that portal."
        )


def restore_database(
    archive: Path, manifest: Manifest, owner_url: str, app_password: str, *, replace: bool
) -> str | None:
    """Restore the database, and return the name under which the old one was set aside.

    Raises:
        CannotRestore: the database is not empty and may not be replaced, is in use, or has another
            version; or the restored rows differ from the manifest.
        ProgramFailed: ``pg_restore`` failed.
    """
    has_tables = _check_target(owner_url, manifest)
    if has_tables and not replace:
        raise CannotRestore(
            "The database is not empty. Add --replace: the old database is set aside, not deleted."
        )
    with create_restored_database(owner_url) as (name, url):
        with psycopg.connect(url, autocommit=True) as connection:
            create_logins(connection, app_password)
        with tempfile.TemporaryDirectory(dir=archive.parent, prefix=".restore-") as folder:
            dump = Path(folder) / DUMP
            extract_member(archive, DUMP, dump)
            run_program(
                "pg_restore", url, "--exit-on-error", "--no-owner", f"--dbname={name}", str(dump)
            )
        with psycopg.connect(url) as connection:
            if (rows := count_rows(connection)) != manifest.rows:
                tables = sorted(
                    t for t in rows | manifest.rows if rows.get(t) != manifest.rows.get(t)
                )
                raise CannotRestore(
                    f"The restored rows differ from the backed-up rows: {', '.join(tables)}."
                )
        migrate_database(url, app_password)
        with psycopg.connect(url) as connection:
            connection.execute(
                "INSERT INTO audit_events (role, action, kind, record_ids, request_id, detail)"
                " VALUES ('admin', 'restore-backup', 'portal', '{}', '',"
                " jsonb_build_object('madeAt', %s::text))",
                (manifest.made_at,),
            )
        return _swap_databases(owner_url, name, keeps_old=has_tables)


def restore_files(archive: Path, files: FileStore) -> int:
    """Store the files that the store lacks, and return their number."""

    async def restore() -> int:
        count = 0
        for key, content in read_files(archive):
            if await files.find_size(key) is None:
                await files.put(key, content)
                count += 1
        return count

    return asyncio.run(restore())


def restart_anchor(owner_url: str, anchor: Anchor) -> None:
    """Note in the anchor that seals after those of the restored database are no longer valid.

    An anchor that was lost with the machine gets the restored seals again.
    """
    digests = collect_digests(anchor.read())
    with psycopg.connect(owner_url) as connection:
        rows = connection.execute(
            "SELECT id, encode(digest, 'hex') FROM audit_seals ORDER BY id"
        ).fetchall()
    seals = [AnchorEntry(int(number), str(digest)) for number, digest in rows]
    last = seals[-1] if seals else AnchorEntry(0, "")
    restart = AnchorEntry(last.seal, last.digest, is_restored=True)
    anchor.append([restart, *(entry for entry in seals if entry.seal not in digests)])


def _check_target(owner_url: str, manifest: Manifest) -> bool:
    """Return whether the target database has tables, or raise CannotRestore."""
    with psycopg.connect(owner_url) as connection:
        version = connection.info.server_version // 10_000  # 180006 is version 18.6
        if version < max(_VERSION_MIN, manifest.postgres):
            raise CannotRestore(
                f"The server is PostgreSQL {version}. It must be "
                f"{max(_VERSION_MIN, manifest.postgres)} or newer."
            )
        row = connection.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'public')"
        ).fetchone()
    return bool(row and row[0])


@contextmanager
def create_restored_database(owner_url: str) -> Iterator[tuple[str, str]]:
    """Create a database beside the target, yield its name and URL, and drop it on failure."""
    address = make_url(owner_url)
    name = f"{address.database}_restore_{secrets.token_hex(4)}"
    with _connect_to_maintenance(owner_url) as maintenance:
        maintenance.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name))
        )
    try:
        yield name, address.set(database=name).render_as_string(hide_password=False)
    except BaseException:
        with _connect_to_maintenance(owner_url) as maintenance:
            maintenance.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )
        raise


def _swap_databases(owner_url: str, restored_name: str, *, keeps_old: bool) -> str | None:
    """Give the restored database the name of the old one, in one transaction."""
    current = str(make_url(owner_url).database)
    old = f"{current}_before_{secrets.token_hex(4)}"
    with _connect_to_maintenance(owner_url) as maintenance:
        try:
            with maintenance.transaction():
                _rename_database(maintenance, current, old)
                _rename_database(maintenance, restored_name, current)
        except psycopg.errors.ObjectInUse as error:
            raise CannotRestore("The database is in use. Stop all portals and workers.") from error
        if not keeps_old:
            maintenance.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(old)))
            return None
    return old


def _rename_database(connection: psycopg.Connection, old: str, new: str) -> None:
    connection.execute(
        sql.SQL("ALTER DATABASE {} RENAME TO {}").format(sql.Identifier(old), sql.Identifier(new))
    )


def _connect_to_maintenance(owner_url: str) -> psycopg.Connection:
    url = make_url(owner_url).set(database="postgres").render_as_string(hide_password=False)
    return psycopg.connect(url, autocommit=True)
