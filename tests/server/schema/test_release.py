"""The previous release can run on the new schema."""

import psycopg
import pytest
from psycopg import sql

from app.server.schema.migrate import migrate_database, upgrade_schema
from app.server.schema.release import find_breaking_revisions, find_contractions, load_release
from tests.server.schema.rows import PASSWORD, Row, fill_tables, migrate_to

TABLES = ["orders", "requisitions"]
# A check of the table or a trigger refuses the usual samples.
VALUES = {("breakpoints", "method"): "MIC", ("users", "deleted_at"): None}


def find_reasons(statements: str) -> list[str]:
    """Return why these statements break a release with ``TABLES``."""
    return [reason for _, reason in find_contractions(statements, TABLES)]


class TestFindContractions:
    """``find_contractions``."""

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            ("DROP TABLE orders", "drops what it uses"),
            ("ALTER TABLE orders DROP COLUMN status", "drops what it uses"),
            ("ALTER TABLE orders RENAME COLUMN status TO state", "renames what it uses"),
            ("ALTER TABLE orders RENAME TO all_orders", "renames what it uses"),
            ("ALTER TABLE orders ALTER COLUMN x SET NOT NULL", "requires a column that it may"),
            ("ALTER TABLE orders ADD COLUMN x BIGINT NOT NULL", "requires a column that it does"),
            ("ALTER TABLE orders ALTER COLUMN x DROP DEFAULT", "drops a default"),
            ("ALTER TABLE orders ALTER COLUMN x TYPE text", "changes the type"),
            ("ALTER TABLE orders ADD CONSTRAINT c CHECK (x > 1)", "rejects rows"),
            ("CREATE UNIQUE INDEX u ON orders (x)", "rejects rows"),
            ("CREATE UNIQUE INDEX CONCURRENTLY u ON orders (x)", "rejects rows"),
            ("CREATE INDEX ix ON orders (x)", "blocks its writers"),
            ("REVOKE SELECT ON orders FROM as_client", "revokes a privilege"),
            ("DROP POLICY as_client_select ON orders", "hides rows"),
            ("DROP FUNCTION ssn_in_use", "drops what it may use"),
        ],
    )
    def test_returns_the_reason(self, statement: str, reason: str) -> None:
        [actual] = find_reasons(f"{statement};\n")
        assert actual.startswith(reason)

    @pytest.mark.parametrize(
        "statement",
        [
            "CREATE TABLE supplies (id BIGINT NOT NULL, CONSTRAINT u UNIQUE (id))",
            "ALTER TABLE orders ADD COLUMN x BIGINT",
            "ALTER TABLE orders ADD COLUMN x BOOLEAN DEFAULT false NOT NULL",
            "ALTER TABLE orders ADD COLUMN d DATE GENERATED ALWAYS AS (a::date) STORED NOT NULL",
            "ALTER TABLE orders ALTER COLUMN x DROP NOT NULL",
            "CREATE INDEX CONCURRENTLY ix ON orders (x)",
            "CREATE INDEX ix ON supplies (x)",
            "DROP INDEX CONCURRENTLY IF EXISTS ix",
            "ALTER TABLE supplies DROP COLUMN x",
            "GRANT SELECT ON orders TO as_patient",
            "-- DROP TABLE orders\nSELECT 1",
            "CREATE FUNCTION f() RETURNS void LANGUAGE sql AS $$\nDROP TABLE orders;\n$$",
            "DROP POLICY p ON orders;\nCREATE POLICY p ON orders FOR SELECT TO x USING (true)",
        ],
    )
    def test_accepts_compatible_statements(self, statement: str) -> None:
        assert find_reasons(f"{statement};\n") == []

    def test_finds_none_since_the_last_release(self) -> None:
        assert find_breaking_revisions() == []


def fill_release_tables(connection: psycopg.Connection) -> dict[str, Row]:
    """Insert a row into each table of the last release, with its columns only."""
    # The made-up rows know only one test, which no reflex rule may add to itself.
    connection.execute("ALTER TABLE reflex_rules DROP CONSTRAINT ck_reflex_rules_added_test")
    return fill_tables(connection, dict(load_release()[1]), values=VALUES)


class TestPreviousRelease:
    """The last release's statements on the current schema."""

    def test_inserts_reads_and_changes_rows_of_the_current_schema(self, empty_url: str) -> None:
        migrate_database(empty_url, PASSWORD)
        _, tables = load_release()
        with psycopg.connect(empty_url) as connection:
            assert set(fill_release_tables(connection)) == set(tables)
            for table, columns in tables.items():
                names = [sql.Identifier(column) for column in columns]
                connection.execute(
                    sql.SQL("UPDATE {} SET {}").format(
                        sql.Identifier(table),
                        sql.SQL(", ").join(sql.SQL("{0} = {0}").format(name) for name in names),
                    )
                )
                rows = connection.execute(
                    sql.SQL("SELECT {} FROM {}").format(
                        sql.SQL(", ").join(names), sql.Identifier(table)
                    )
                ).fetchall()
                assert rows, table

    def test_reads_its_own_rows_after_the_upgrade(self, empty_url: str) -> None:
        revision, _ = load_release()
        migrate_to(empty_url, revision)
        with psycopg.connect(empty_url) as connection:
            rows = fill_release_tables(connection)
        upgrade_schema(empty_url)
        with psycopg.connect(empty_url) as connection:
            for table, row in rows.items():
                names = sql.SQL(", ").join(map(sql.Identifier, row))
                query = sql.SQL("SELECT {} FROM {}").format(names, sql.Identifier(table))
                assert connection.execute(query).fetchall(), table
