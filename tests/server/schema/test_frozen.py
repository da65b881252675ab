"""Revisions that others build on never change."""

import ast
import shutil
from pathlib import Path

import pytest

from app.server.schema.frozen import MIGRATIONS, freeze, revision_files, unfrozen_changes


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A copy that a test may change."""
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    return tmp_path / "migrations"


def add(migrations: Path, number: str) -> None:
    """A revision."""
    (migrations / "versions" / f"{number}_another.py").write_text('"""Another."""\n')


class TestUnfrozenChanges:
    """What ``make check`` says of a revision that was rewritten."""

    def test_the_committed_ones_are_as_they_were(self) -> None:
        assert unfrozen_changes() == []

    def test_names_a_script_that_an_older_revision_reads(self, migrations: Path) -> None:
        with (migrations / "sql" / "0001_functions.sql").open("a") as script:
            script.write("-- more\n")
        [line] = unfrozen_changes(migrations)
        assert line.startswith(
            "app/server/schema/migrations/sql/0001_functions.sql: has changed, and databases"
        )

    def test_names_a_revision(self, migrations: Path) -> None:
        path = migrations / "versions" / "0002_requisition_drafts.py"
        path.write_text(path.read_text().replace("nullable=False", "nullable=True", 1))
        [line] = unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/versions/0002_requisition_drafts.py:")

    def test_names_one_that_is_gone(self, migrations: Path) -> None:
        (migrations / "sql" / "0006_triggers.sql").unlink()
        [line] = unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/0006_triggers.sql: is gone")

    def test_names_a_script_that_an_old_revision_did_not_have(self, migrations: Path) -> None:
        (migrations / "sql" / "0002_more.sql").write_text("SELECT 1;\n")
        [line] = unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/0002_more.sql: another revision")

    def test_names_a_script_without_a_revision(self, migrations: Path) -> None:
        (migrations / "sql" / "functions.sql").write_text("SELECT 1;\n")
        [line] = unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/functions.sql: belongs to no")

    def test_the_newest_may_change_until_another_follows_it(self, migrations: Path) -> None:
        freeze("9000", migrations)
        add(migrations, "9001")
        assert unfrozen_changes(migrations) == []
        add(migrations, "9002")
        [line] = unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/versions/9001_another.py:")
        freeze("9001", migrations)
        assert unfrozen_changes(migrations) == []

    def test_freezing_again_takes_no_change_in(self, migrations: Path) -> None:
        (migrations / "sql" / "0006_triggers.sql").write_text("SELECT 1;\n")
        freeze("9999", migrations)
        [line] = unfrozen_changes(migrations)
        assert "0006_triggers.sql: has changed" in line


def test_newer_revisions_carry_their_sql_themselves() -> None:
    """What they import could change; what is in them can not."""
    for number, [path, *scripts] in revision_files().items():
        if number > "0016":
            imported = {
                name.split(".")[0]
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Import | ast.ImportFrom)
                for name in (
                    [node.module or ""]
                    if isinstance(node, ast.ImportFrom)
                    else [alias.name for alias in node.names]
                )
            }
            assert imported <= {"alembic"}, path.name
            assert scripts == [], path.name
