"""``make revision`` writes the difference between the declarations and a database.

Each test removes something from a database with the current schema, as if it had just been
declared. The new revision then restores it.
"""

import shutil
from contextlib import nullcontext
from functools import partial
from pathlib import Path

import psycopg
import pytest
from alembic import command
from sqlalchemy import create_engine

from app.server.schema.baseline import BASELINE
from app.server.schema.frozen import (
    MIGRATIONS,
    find_revision_files,
    find_unfrozen_changes,
    freeze_earlier,
)
from app.server.schema.migrate import build_alembic_config
from app.server.schema.revise import Difference, find_difference, run, write_revision
from tests.server.schema.catalog import describe_schema


class OutdatedDatabase:
    """An outdated database, and a copy of the revisions to which tests add more."""

    def __init__(self, url: str, migrations: Path) -> None:
        self.url = url
        self.migrations = migrations
        self.next_number = f"{int(list(find_revision_files(migrations))[-1]) + 1:04}"

    def execute(self, statements: str) -> None:
        """Change the database by hand."""
        with psycopg.connect(self.url) as connection:
            connection.execute(statements.encode())

    def find_difference(self) -> Difference:
        """Return what ``make revision`` would write."""
        engine = create_engine(self.url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            difference = find_difference(connection)
        engine.dispose()
        return difference

    def revise(self) -> list[Path]:
        """Write the revision and run it."""
        paths = list(write_revision("add it again", self.find_difference(), self.migrations))
        self.upgrade()
        return paths

    def upgrade(self, stamp: str | None = None, to: str = "head") -> None:
        """Run the revisions, as if ``stamp`` were the last one that ran."""
        config = build_alembic_config(self.url)
        config.set_main_option("script_location", str(self.migrations))
        if stamp is not None:
            command.stamp(config, stamp)
        command.upgrade(config, to)


@pytest.fixture
def database(own_url: str, tmp_path: Path) -> OutdatedDatabase:
    """A database with the current schema, which tests change."""
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    return OutdatedDatabase(own_url, tmp_path / "migrations")


@pytest.fixture
def baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of ``baseline.sql`` that the command reads and writes."""
    path = tmp_path / "baseline.sql"
    shutil.copy(BASELINE, path)
    monkeypatch.setattr("app.server.schema.baseline.BASELINE", path)
    return path


@pytest.fixture
def current_schema(own_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``run`` use a scratch database with the current schema, and a copy of the revisions."""
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    for function in (write_revision, freeze_earlier):
        on_copy = partial(function, migrations=tmp_path / "migrations")
        monkeypatch.setattr(f"app.server.schema.revise.{function.__name__}", on_copy)
    # Migrating would change the password of the application's login in the tests' cluster.
    monkeypatch.setattr("app.server.schema.revise.migrate_database", lambda *_: None)
    monkeypatch.setattr(
        "app.server.schema.revise._create_scratch_database", lambda: nullcontext(own_url)
    )


class TestDifference:
    """``find_difference``."""

    def test_is_empty_for_a_current_database(self, database: OutdatedDatabase) -> None:
        assert database.find_difference() == Difference()

    def test_leaves_the_database_unchanged(self, database: OutdatedDatabase) -> None:
        database.execute("DROP TABLE favorite_panel_tests; DROP FUNCTION keep_names CASCADE")
        before = describe_schema(database.url)
        database.find_difference()
        assert describe_schema(database.url) == before


class TestRevision:
    """A new revision, after it ran."""

    def test_restores_tables_and_columns(self, database: OutdatedDatabase, owner_url: str) -> None:
        database.execute(
            "DROP TABLE favorite_panel_tests, favorite_panels;"
            "ALTER TABLE patients DROP COLUMN mobile;"
            "ALTER TABLE orders ALTER COLUMN specimen_condition TYPE varchar(30);"
            "ALTER TABLE orders ALTER COLUMN requisition_id DROP NOT NULL;"
            "ALTER TABLE bill_types DROP CONSTRAINT uq_bill_types_name"
        )
        [path] = database.revise()
        assert path.name == f"{database.next_number}_add_it_again.py"
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_restores_scopes(self, database: OutdatedDatabase, owner_url: str) -> None:
        database.execute(
            "DROP POLICY as_client_select ON orders;"
            "ALTER POLICY as_patient_select ON orders USING (true);"
            "CREATE POLICY more ON orders FOR SELECT TO as_patient USING (true);"
            "REVOKE SELECT ON requisitions FROM as_client; GRANT DELETE ON orders TO as_staff"
        )
        database.revise()
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_grants_only_what_a_role_lacks_of_a_new_column(
        self, database: OutdatedDatabase
    ) -> None:
        database.execute("REVOKE UPDATE (bed, status) ON requisitions FROM as_client")
        assert database.find_difference().statements == [
            "GRANT UPDATE (bed, status) ON requisitions TO as_client"
        ]

    def test_revokes_only_what_is_not_declared(self, database: OutdatedDatabase) -> None:
        database.execute("GRANT DELETE, UPDATE (code, id) ON requisitions TO as_client")
        assert database.find_difference().statements == [
            "REVOKE DELETE, UPDATE (code, id) ON requisitions FROM as_client"
        ]

    def test_restores_functions_triggers_and_grants(
        self, database: OutdatedDatabase, owner_url: str
    ) -> None:
        database.execute(
            "DROP TABLE patient_names;"
            "DROP FUNCTION ssn_in_use;"
            "GRANT EXECUTE ON FUNCTION name_of_user TO PUBLIC;"
            "DROP TRIGGER order_made ON orders;"
            "REVOKE ALL ON SEQUENCE patient_codes FROM as_client;"
            "ALTER FUNCTION jobs.defer_job SECURITY INVOKER"
        )
        [path] = database.revise()
        assert "-- Names of patients" not in path.read_text(), "that part did not change"
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_creates_indexes_of_tables_in_use_without_blocking_writers(
        self, database: OutdatedDatabase, owner_url: str
    ) -> None:
        database.execute("DROP INDEX ix_changes_at; DROP INDEX ix_patients_code_trgm")
        database.execute("CREATE INDEX ix_not_ours ON orders (status)")
        [path] = database.revise()
        assert path.name == f"{database.next_number}_add_it_again_indexes.py"
        assert path.read_text().count("CREATE INDEX CONCURRENTLY") == 2
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_recreates_indexes_that_include_other_columns(
        self, database: OutdatedDatabase, owner_url: str
    ) -> None:
        database.execute("DROP INDEX ix_orders_collection_date_id")
        database.execute(
            "CREATE INDEX ix_orders_collection_date_id ON orders (collection_date, id)"
            " INCLUDE (version)"
        )
        [path] = database.revise()
        assert path.read_text().count("CREATE INDEX CONCURRENTLY") == 1
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_later_revisions_have_the_usual_lock_timeout(self, database: OutdatedDatabase) -> None:
        database.execute("DROP INDEX ix_changes_at")
        database.revise()
        [path] = write_revision("look", Difference(["SELECT 1"]), database.migrations)
        statement = "CREATE TABLE noted AS SELECT current_setting('lock_timeout') AS value"
        path.write_text(path.read_text().replace("SELECT 1", statement))
        database.execute("DROP INDEX ix_changes_at")
        number = path.name[:4]
        database.upgrade(f"{int(number) - 2:04}", number)
        with psycopg.connect(database.url) as connection:
            assert connection.execute("SELECT value FROM noted").fetchone() == ("5s",)

    def test_recreates_indexes_of_an_interrupted_attempt(
        self, database: OutdatedDatabase, owner_url: str
    ) -> None:
        database.execute("DROP INDEX ix_changes_at")
        paths = list(write_revision("add it", database.find_difference(), database.migrations))
        database.execute("CREATE INDEX ix_changes_at ON changes (at)")
        database.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'ix_changes_at'::regclass"
        )
        database.upgrade()
        assert len(paths) == 1
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_indexes_of_new_columns_follow_in_a_second_revision(
        self, database: OutdatedDatabase, owner_url: str
    ) -> None:
        database.execute("DROP TABLE send_attempts; ALTER TABLE payers DROP COLUMN bill_type_id")
        first, second = database.revise()
        assert "CREATE TABLE send_attempts" in first.read_text()
        assert "INDEX ix_payers_bill_type_id" not in first.read_text()
        assert "CREATE INDEX CONCURRENTLY ix_payers_bill_type_id" in second.read_text()
        assert describe_schema(database.url) == describe_schema(owner_url)

    def test_freezes_earlier_revisions(self, database: OutdatedDatabase) -> None:
        database.execute("DROP TABLE send_attempts; DROP INDEX ix_changes_at")
        [first, _] = database.revise()
        first.write_text(first.read_text() + "# more\n")
        [line] = find_unfrozen_changes(database.migrations)
        assert first.name in line

    def test_is_not_written_when_nothing_differs(self, database: OutdatedDatabase) -> None:
        before = _read_files(database.migrations)
        assert database.revise() == []
        assert _read_files(database.migrations) == before


@pytest.mark.usefixtures("current_schema")
class TestCommand:
    """``run``, when the revisions create all that the models declare."""

    def test_reports_that_there_is_nothing_to_do(
        self, baseline: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = baseline.stat()
        assert run(["add it again"]) == 0
        assert capsys.readouterr().out.startswith("nothing to do")
        assert baseline.stat().st_mtime_ns == before.st_mtime_ns

    def test_updates_an_outdated_baseline(
        self, baseline: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        current = baseline.read_text()
        baseline.write_text(current.replace("CREATE TABLE changes", "CREATE TABLE changed"))
        assert run(["add it again"]) == 0
        assert capsys.readouterr().out == ""
        assert baseline.read_text() == current


def _read_files(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["", "../up", "'; DROP"])
def test_rejects_invalid_names(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([name]) == 2
    assert "make revision NAME=" in capsys.readouterr().err
