"""``baseline.sql`` matches the revisions and the models."""

import psycopg
import pytest
from procrastinate.schema import SchemaManager

from app.server.schema.baseline import BASELINE, build_schema_parts, find_unrevised_parts
from app.server.schema.tables import metadata
from tests.server.schema.catalog import describe_schema


class TestBaseline:
    """The committed ``baseline.sql``."""

    def test_creates_the_same_database_as_all_revisions(
        self, owner_url: str, empty_url: str
    ) -> None:
        with psycopg.connect(empty_url) as connection:
            connection.execute("CREATE SCHEMA jobs")
            connection.execute("SET LOCAL search_path TO jobs, public")
            connection.execute(SchemaManager.get_schema().encode())
            connection.execute("SET LOCAL search_path TO DEFAULT")
            connection.execute(BASELINE.read_bytes())
        assert describe_schema(empty_url) == describe_schema(owner_url)

    def test_matches_the_models(self) -> None:
        assert find_unrevised_parts() == []


class TestFindUnrevisedParts:
    """What ``make check`` reports for models that lack a revision."""

    @pytest.fixture
    def baseline(self) -> str:
        return BASELINE.read_text(encoding="utf-8")

    def test_reports_new_tables(self, baseline: str) -> None:
        before, heading, after = baseline.partition("\n-- table orders\n")
        [line] = find_unrevised_parts(before + after[after.index("\n-- table") :])
        assert heading
        assert line.startswith("app/server/orders/models.py: table orders has no revision")

    def test_reports_new_columns(self, baseline: str) -> None:
        [line] = find_unrevised_parts(baseline.replace("    cancel_comment TEXT,\n", ""))
        assert line.startswith("app/server/requisitions/models.py: table requisitions ")

    def test_reports_removed_indexes(self, baseline: str) -> None:
        last = "CREATE INDEX ix_changes_transaction_id_id ON changes (transaction_id, id);\n"
        [line] = find_unrevised_parts(
            baseline.replace(last, f"{last}CREATE INDEX x ON changes (at);\n")
        )
        assert line.startswith("app/server/changes/models.py: table changes ")

    def test_reports_changed_scopes(self, baseline: str) -> None:
        grant = "GRANT SELECT ON orders TO as_physician"
        [line] = find_unrevised_parts(baseline.replace(grant, f"{grant}, as_anonymous"))
        assert line.startswith("app/server/orders/models.py: scope of orders ")

    def test_reports_removed_tables(self, baseline: str) -> None:
        more = "-- table drawers\nCREATE TABLE drawers (\n    id BIGINT\n);\n\n-- table orders\n"
        [line] = find_unrevised_parts(baseline.replace("-- table orders\n", more))
        assert line.startswith("app/server/schema/baseline.sql: table drawers ")

    def test_reports_changed_functions(self, baseline: str) -> None:
        [line] = find_unrevised_parts(
            baseline.replace("STABLE SECURITY DEFINER", "SECURITY DEFINER")
        )
        assert line.startswith("app/server/schema/functions.sql: functions ")

    def test_has_every_table(self) -> None:
        parts = build_schema_parts()
        assert all(f"table {name}" in parts for name in metadata.tables)
