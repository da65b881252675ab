"""``baseline.sql`` is the schema that the revisions make and the models declare."""

import psycopg
import pytest
from procrastinate.schema import SchemaManager

from app.server.schema.baseline import BASELINE, schema_parts, without_revision
from app.server.schema.tables import metadata
from tests.server.schema.catalog import describe


class TestBaseline:
    """``baseline.sql`` as it is committed."""

    def test_makes_the_same_database_as_all_revisions(self, owner_url: str, empty_url: str) -> None:
        with psycopg.connect(empty_url) as connection:
            connection.execute("CREATE SCHEMA jobs")
            connection.execute("SET LOCAL search_path TO jobs, public")
            connection.execute(SchemaManager.get_schema().encode())
            connection.execute("SET LOCAL search_path TO DEFAULT")
            connection.execute(BASELINE.read_bytes())
        assert describe(empty_url) == describe(owner_url)

    def test_is_what_the_models_declare(self) -> None:
        assert without_revision() == []


class TestWithoutRevision:
    """What ``make check`` says of a model that no revision follows."""

    @pytest.fixture
    def committed(self) -> str:
        return BASELINE.read_text(encoding="utf-8")

    def test_names_the_models_of_a_table_that_is_new(self, committed: str) -> None:
        before, heading, after = committed.partition("\n-- table orders\n")
        [line] = without_revision(before + after[after.index("\n-- table") :])
        assert heading
        assert line.startswith("app/server/orders/models.py: table orders has no revision")

    def test_names_the_models_of_a_column_that_is_new(self, committed: str) -> None:
        [line] = without_revision(committed.replace("    cancel_comment TEXT,\n", ""))
        assert line.startswith("app/server/requisitions/models.py: table requisitions ")

    def test_names_the_models_of_an_index_that_is_gone(self, committed: str) -> None:
        last = "CREATE INDEX ix_changes_transaction_id_id ON changes (transaction_id, id);\n"
        [line] = without_revision(
            committed.replace(last, f"{last}CREATE INDEX x ON changes (at);\n")
        )
        assert line.startswith("app/server/changes/models.py: table changes ")

    def test_names_the_models_of_a_scope_that_changed(self, committed: str) -> None:
        grant = "GRANT SELECT ON orders TO as_physician"
        [line] = without_revision(committed.replace(grant, f"{grant}, as_anonymous"))
        assert line.startswith("app/server/orders/models.py: scope of orders ")

    def test_names_a_table_that_is_in_no_model_any_more(self, committed: str) -> None:
        more = "-- table drawers\nCREATE TABLE drawers (\n    id BIGINT\n);\n\n-- table orders\n"
        [line] = without_revision(committed.replace("-- table orders\n", more))
        assert line.startswith("app/server/schema/baseline.sql: table drawers ")

    def test_names_the_functions_that_changed(self, committed: str) -> None:
        [line] = without_revision(committed.replace("STABLE SECURITY DEFINER", "SECURITY DEFINER"))
        assert line.startswith("app/server/schema/functions.sql: functions ")

    def test_every_table_has_its_part(self) -> None:
        parts = schema_parts()
        assert all(f"table {name}" in parts for name in metadata.tables)
