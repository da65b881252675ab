"""Frozen revisions never change."""

import ast
import shutil
from pathlib import Path

import pytest

from app.server.schema.frozen import (
    MIGRATIONS,
    find_revision_files,
    find_unfrozen_changes,
    freeze_earlier,
    freeze_revisions,
)


@pytest.fixture
def migrations(tmp_path: Path) -> Path:
    """A copy of the migrations that a test may change."""
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    return tmp_path / "migrations"


def add_revision(migrations: Path, number: str) -> None:
    """Add a revision."""
    (migrations / "versions" / f"{number}_another.py").write_text('"""Another."""\n')


def list_imported_modules(path: Path) -> set[str]:
    """Return the packages from which a revision imports."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        elif isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
    return {name.split(".")[0] for name in names}


class TestFindUnfrozenChanges:
    """What ``make check`` reports for changed revisions."""

    def test_committed_revisions_are_unchanged(self) -> None:
        assert find_unfrozen_changes() == []

    def test_reports_changed_scripts(self, migrations: Path) -> None:
        with (migrations / "sql" / "0001_functions.sql").open("a") as script:
            script.write("-- more\n")
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith(
            "app/server/schema/migrations/sql/0001_functions.sql: has changed, but databases"
        )

    def test_reports_changed_revisions(self, migrations: Path) -> None:
        path = migrations / "versions" / "0002_requisition_drafts.py"
        path.write_text(path.read_text().replace("nullable=False", "nullable=True", 1))
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/versions/0002_requisition_drafts.py:")

    def test_reports_missing_scripts(self, migrations: Path) -> None:
        (migrations / "sql" / "0006_triggers.sql").unlink()
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/0006_triggers.sql: is missing")

    def test_reports_scripts_added_to_old_revisions(self, migrations: Path) -> None:
        (migrations / "sql" / "0002_more.sql").write_text("SELECT 1;\n")
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/0002_more.sql: another revision")

    def test_reports_scripts_without_a_revision(self, migrations: Path) -> None:
        (migrations / "sql" / "functions.sql").write_text("SELECT 1;\n")
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/sql/functions.sql: belongs to no")

    def test_newest_revision_may_change_until_another_follows(self, migrations: Path) -> None:
        freeze_revisions("9000", migrations)
        add_revision(migrations, "9001")
        assert find_unfrozen_changes(migrations) == []
        add_revision(migrations, "9002")
        [line] = find_unfrozen_changes(migrations)
        assert line.startswith("app/server/schema/migrations/versions/9001_another.py:")
        freeze_revisions("9001", migrations)
        assert find_unfrozen_changes(migrations) == []

    def test_a_revision_written_by_hand_may_change_but_not_those_before_it(
        self, migrations: Path
    ) -> None:
        add_revision(migrations, "9001")
        add_revision(migrations, "9002")
        assert find_unfrozen_changes(migrations)
        freeze_earlier(migrations)
        assert find_unfrozen_changes(migrations) == []
        for number in ("9001", "9002"):
            path = migrations / "versions" / f"{number}_another.py"
            path.write_text('"""Changed."""\n')
            [line] = find_unfrozen_changes(migrations)
            assert "9001_another.py" in line

    def test_freezing_again_ignores_changes(self, migrations: Path) -> None:
        (migrations / "sql" / "0006_triggers.sql").write_text("SELECT 1;\n")
        freeze_revisions("9999", migrations)
        [line] = find_unfrozen_changes(migrations)
        assert "0006_triggers.sql: has changed" in line


def test_newer_revisions_contain_their_sql() -> None:
    """Imported code could change, unlike the text of a revision."""
    for number, [path, *scripts] in find_revision_files().items():
        if number > "0016":
            assert list_imported_modules(path) <= {"alembic"}, path.name
            assert scripts == [], path.name
