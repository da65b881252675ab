"""Backups: restored and compared, and what is rejected without any change (ADR 68)."""

import asyncio
import re
import secrets
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest
from psycopg import sql
from sqlalchemy.engine import make_url

from app.server.attachments.store import FileStore
from app.server.audit_seals.anchor import FileAnchor
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.service.seal import seal_rows
from app.server.audit_seals.service.verify import verify_log
from app.server.backup import command
from app.server.backup.archive import BrokenArchive, Manifest, read_manifest
from app.server.backup.keys import OtherKeys, back_up_keys, find_missing_keys, restore_keys
from app.server.backup.make import count_rows, make_backup
from app.server.backup.restore import (
    CannotRestore,
    create_restored_database,
    require_known_revision,
    restore_database,
)
from app.server.settings import Settings
from tests.server.schema.rows import PASSWORD, fill_tables, migrate_to
from tests.standins.databases import create_database

_FILE = b"%PDF-1.7 a document"
_DIGEST = "SELECT md5(coalesce(string_agg(t::text, '|' ORDER BY t::text), '')) FROM {} t"
_CHECKS = (
    "SELECT conrelid::regclass::text, conname FROM pg_constraint"
    " WHERE contype = 'c' AND connamespace = 'public'::regnamespace"
)
_CHANGED_BY_RESTORING = frozenset({"public.audit_events"})


@dataclass(frozen=True)
class SampleBackup:
    """A backup, with the digests of all tables when it was made."""

    archive: Path
    key_archive: Path
    key_folder: Path
    manifest: Manifest
    digests: dict[str, str]
    anchor: Path


def digest_tables(url: str) -> dict[str, str]:
    """Return a digest of the rows of each table."""
    digests = {}
    with psycopg.connect(url) as connection:
        for name in count_rows(connection):
            table = sql.Identifier(*name.split("."))
            row = connection.execute(sql.SQL(_DIGEST).format(table)).fetchone()
            assert row is not None
            digests[name] = str(row[0])
    return digests


@pytest.fixture(scope="module")
def source_url(cluster_url: str) -> Iterator[str]:
    """A database without the reference data of other tests, whose backup would take long."""
    name = f"source_{secrets.token_hex(4)}"
    with create_database(cluster_url, name) as url:
        migrate_to(url, "head")
        yield url


@pytest.fixture(scope="module")
def backup(source_url: str, tmp_path_factory: pytest.TempPathFactory) -> SampleBackup:
    """A backup of a database and of a store with two files."""
    folder = tmp_path_factory.mktemp("made")
    keys = folder / "data" / "keys"
    keys.mkdir(parents=True)
    (keys / "database-app").write_text(PASSWORD)
    (keys / "ssn.key").write_bytes(b"k" * 32)
    anchor = folder / "anchor.jsonl"
    files = FileStore.open(None, folder / "files")
    asyncio.run(files.put("a/1", _FILE))
    asyncio.run(files.put("b/2", b""))
    with psycopg.connect(source_url, autocommit=True) as connection:
        # All tables get the same made-up values, which these constraints would reject.
        for table, constraint in connection.execute(_CHECKS).fetchall():
            connection.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}".encode())
        fill_tables(connection)
        connection.execute("DELETE FROM audit_seals")
        connection.execute("SELECT setval('audit_events_id_seq', 100)")
        seal_rows(connection, SealKeys(keys), FileAnchor(anchor))
    digests = digest_tables(source_url)
    archive = folder / "portal.tar"
    manifest = make_backup(source_url, files, keys, archive)
    back_up_keys(keys, folder / "keys.tar")
    return SampleBackup(archive, folder / "keys.tar", keys, manifest, digests, anchor)


@pytest.fixture
def target(cluster_url: str) -> Iterator[str]:
    """An empty database, whose copies are dropped afterwards."""
    name = f"restored_{secrets.token_hex(4)}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
        yield f"{cluster_url}/{name}"
        for copy in list_databases(cluster_url, name):
            connection.execute(f"DROP DATABASE {copy} WITH (FORCE)".encode())


def list_databases(cluster_url: str, prefix: str) -> list[str]:
    """List the databases whose names begin with this prefix."""
    with psycopg.connect(f"{cluster_url}/postgres") as connection:
        rows = connection.execute(
            "SELECT datname FROM pg_database WHERE starts_with(datname, %s)", (prefix,)
        ).fetchall()
    return [str(row[0]) for row in rows]


@pytest.fixture
def settings(target: str, tmp_path: Path) -> Settings:
    """The settings of a portal on another machine."""
    return Settings(data_dir=tmp_path / "data").model_copy(update={"database_url": target})


def test_the_login_of_the_deployment_guide_can_restore(cluster_url: str) -> None:
    guide = (Path(__file__).parents[3] / "docs" / "deployment.md").read_text()
    [rights] = re.findall(r"CREATE ROLE portal ([A-Z ]+) PASSWORD", guide)
    name = f"guide_{secrets.token_hex(4)}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {name} {rights} PASSWORD 'secret'".encode())
        url = make_url(f"{cluster_url}/{name}").set(username=name, password="secret")
        owner_url = url.render_as_string(hide_password=False)
        with pytest.raises(ZeroDivisionError), create_restored_database(owner_url) as (copy, _):
            assert copy in list_databases(cluster_url, name)
            raise ZeroDivisionError  # Any error drops the copy.
        assert list_databases(cluster_url, name) == []
        connection.execute(f"DROP ROLE {name}".encode())


class TestRestoring:
    """A backup that is restored elsewhere."""

    def test_restores_every_row_every_file_and_the_keys(
        self, backup: SampleBackup, settings: Settings, target: str
    ) -> None:
        anchor = settings.data_dir / "audit-anchor.jsonl"
        anchor.parent.mkdir()
        # The lost portal wrote to its anchor after the backup.
        anchor.write_text(backup.anchor.read_text() + '{"seal": 99, "digest": "aa"}\n')
        old_database = command.restore_backup(
            settings, backup.archive, backup.key_archive, replace=False, needs_keys=True
        )
        assert old_database is None
        restored_digests = digest_tables(target)
        assert restored_digests.keys() == backup.digests.keys()
        different_tables = {t for t in restored_digests if restored_digests[t] != backup.digests[t]}
        assert different_tables == _CHANGED_BY_RESTORING
        files = FileStore.open(None, settings.data_dir / "files")
        assert asyncio.run(files.list_keys()) == ["a/1", "b/2"]
        assert asyncio.run(files.get("a/1")) == _FILE
        assert (settings.data_dir / "keys" / "ssn.key").read_bytes() == b"k" * 32
        with psycopg.connect(target) as connection:
            result = verify_log(
                connection, SealKeys(settings.data_dir / "keys"), FileAnchor(anchor)
            )
        assert (result.trouble, result.unsealed_rows) == (None, 1)

    def test_a_database_with_data_is_replaced_only_on_request(
        self, backup: SampleBackup, settings: Settings, target: str, cluster_url: str
    ) -> None:
        with psycopg.connect(target) as connection:
            connection.execute("CREATE TABLE precious (id int)")
        with pytest.raises(CannotRestore, match="not empty"):
            command.restore_backup(
                settings, backup.archive, backup.key_archive, replace=False, needs_keys=True
            )
        old_database = command.restore_backup(
            settings, backup.archive, backup.key_archive, replace=True, needs_keys=True
        )
        with psycopg.connect(f"{cluster_url}/{old_database}") as connection:
            assert connection.execute("SELECT count(*) FROM precious").fetchone() == (0,)
        # The anchor was lost with the machine.
        with psycopg.connect(target) as connection:
            anchor = FileAnchor(settings.data_dir / "audit-anchor.jsonl")
            result = verify_log(connection, SealKeys(settings.data_dir / "keys"), anchor)
        assert (result.trouble, result.seals) == (None, 1)

    def test_a_restore_with_other_row_counts_changes_nothing(
        self, backup: SampleBackup, target: str, cluster_url: str
    ) -> None:
        rows = {**backup.manifest.rows, "public.patients": -1}
        with pytest.raises(CannotRestore, match=r"public\.patients"):
            restore_database(
                backup.archive, replace(backup.manifest, rows=rows), target, PASSWORD, replace=False
            )
        name = str(make_url(target).database)
        assert list_databases(cluster_url, name) == [name]
        with psycopg.connect(target) as connection:
            tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
            assert connection.execute(tables).fetchone() == (0,)

    def test_records_and_audits_the_backup(self, backup: SampleBackup, source_url: str) -> None:
        with psycopg.connect(source_url) as connection:
            row = connection.execute(
                "SELECT bytes, files, revision FROM backups ORDER BY at DESC LIMIT 1"
            ).fetchone()
            audit_count = connection.execute(
                "SELECT count(*) FROM audit_events WHERE action = 'back-up'"
            ).fetchone()
        assert row == (backup.archive.stat().st_size, 2, backup.manifest.revision)
        assert audit_count == (1,)


class TestArchive:
    """Archives that are rejected before anything is changed."""

    @pytest.mark.parametrize("share", [0.0, 0.4, 0.999])
    def test_a_truncated_file_is_rejected(
        self, backup: SampleBackup, tmp_path: Path, share: float
    ) -> None:
        truncated_file = tmp_path / "truncated.tar"
        # The zeros at the end of a tar file contain nothing.
        content = backup.archive.read_bytes().rstrip(b"\0")
        truncated_file.write_bytes(content[: int(len(content) * share)])
        with pytest.raises(BrokenArchive):
            read_manifest(truncated_file)

    def test_a_changed_byte_is_rejected(self, backup: SampleBackup, tmp_path: Path) -> None:
        changed_archive = tmp_path / "changed.tar"
        content = bytearray(backup.archive.read_bytes())
        content[content.index(_FILE)] ^= 1
        changed_archive.write_bytes(content)
        with pytest.raises(BrokenArchive, match=r"files/a/1 is not what was backed up"):
            read_manifest(changed_archive)

    def test_says_that_a_file_does_not_exist(self, backup: SampleBackup, tmp_path: Path) -> None:
        """A wrong name is not a damaged backup."""
        missing_archive = tmp_path / "missing.tar"
        with pytest.raises(BrokenArchive, match="There is no file"):
            read_manifest(missing_archive)
        with pytest.raises(BrokenArchive, match="There is no file"):
            restore_keys(missing_archive, backup.key_folder)

    def test_rejects_the_archive_of_the_keys(self, backup: SampleBackup) -> None:
        with pytest.raises(BrokenArchive):
            read_manifest(backup.key_archive)
        with pytest.raises(BrokenArchive):
            restore_keys(backup.archive, backup.key_folder)

    def test_a_newer_schema_is_rejected(self, backup: SampleBackup) -> None:
        with pytest.raises(CannotRestore, match="schema 9999"):
            require_known_revision(replace(backup.manifest, revision="9999"))

    def test_contains_no_key(self, backup: SampleBackup) -> None:
        with tarfile.open(backup.archive) as tar:
            names = tar.getnames()
        assert names == ["database.dump", "files/a/1", "files/b/2", "manifest.json"]
        assert b"k" * 32 not in backup.archive.read_bytes()


def write_hostile_archive(path: Path, member: tarfile.TarInfo) -> Path:
    """Write an archive with a member that the portal does not make."""
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        tar.addfile(member)
    return path


def build_link(kind: bytes) -> tarfile.TarInfo:
    """Build a link to a file outside of the archive."""
    member = tarfile.TarInfo("keys/ssn.key")
    member.type, member.linkname = kind, "/etc/passwd"
    return member


def build_bomb() -> tarfile.TarInfo:
    """Build a member with a terabyte of zeros in a few bytes."""
    member = tarfile.TarInfo("keys/ssn.key")
    member.pax_headers = {"GNU.sparse.map": "0,0", "GNU.sparse.size": str(2**40)}
    return member


HOSTILE_MEMBERS = [
    pytest.param(build_link(tarfile.SYMTYPE), id="symbolic link"),
    pytest.param(build_link(tarfile.LNKTYPE), id="hard link"),
    pytest.param(build_bomb(), id="bomb"),
]


class TestHostileArchives:
    """Archives with members that are not plain files."""

    @pytest.mark.parametrize("member", HOSTILE_MEMBERS)
    def test_rejects_hostile_archives(self, tmp_path: Path, member: tarfile.TarInfo) -> None:
        with pytest.raises(BrokenArchive):
            read_manifest(write_hostile_archive(tmp_path / "hostile.tar", member))

    @pytest.mark.parametrize("member", HOSTILE_MEMBERS)
    def test_hostile_archives_restore_no_key(self, tmp_path: Path, member: tarfile.TarInfo) -> None:
        archive = write_hostile_archive(tmp_path / "hostile.tar", member)
        with pytest.raises(BrokenArchive):
            restore_keys(archive, tmp_path / "keys")
        assert list(tmp_path.iterdir()) == [archive]


class TestKeys:
    """Keys, which are stored apart from the data."""

    def test_missing_keys_are_named(
        self, backup: SampleBackup, settings: Settings, tmp_path: Path
    ) -> None:
        assert find_missing_keys(backup.manifest.keys, tmp_path) == ["audit-seal.key", "ssn.key"]
        with pytest.raises(CannotRestore, match=r"audit-seal\.key, ssn\.key"):
            command.restore_backup(settings, backup.archive, None, replace=False, needs_keys=True)

    def test_other_keys_are_never_overwritten(self, backup: SampleBackup, tmp_path: Path) -> None:
        (tmp_path / "ssn.key").write_bytes(b"other")
        with pytest.raises(OtherKeys, match=r"another ssn\.key"):
            restore_keys(backup.key_archive, tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["ssn.key"]


class TestCommand:
    """The command line."""

    def test_does_not_overwrite_files(
        self, backup: SampleBackup, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert command.run_backup([str(backup.archive)]) == 1
        assert "exists already" in capsys.readouterr().out
