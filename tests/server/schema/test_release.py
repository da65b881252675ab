"""The previous release runs on the new schema: revisions expand, and contract a release later."""

import psycopg
import pytest
from psycopg import sql

from app.server.schema.migrate import migrate, upgrade
from app.server.schema.release import breaking_revisions, contractions, released
from tests.server.schema.rows import PASSWORD, fill, start_at

TABLES = ["orders", "requisitions"]


def reasons(statements: str) -> list[str]:
    """Why these statements break a release that knows ``TABLES``."""
    return [reason for _, reason in contractions(statements, TABLES)]


class TestContractions:
    """What breaks a release that still runs."""

    @pytest.mark.parametrize(
        ("statement", "reason"),
        [
            ("DROP TABLE orders", "drops what it uses"),
            ("ALTER TABLE orders DROP COLUMN status", "drops what it uses"),
            ("ALTER TABLE orders RENAME COLUMN status TO state", "renames what it uses"),
            ("ALTER TABLE orders RENAME TO all_orders", "renames what it uses"),
            ("ALTER TABLE orders ALTER COLUMN x SET NOT NULL", "requires a column that it may"),
            ("ALTER TABLE orders ADD COLUMN x BIGINT NOT NULL", "requires a column that it does"),
            ("ALTER TABLE orders ALTER COLUMN x DROP DEFAULT", "takes a default away"),
            ("ALTER TABLE orders ALTER COLUMN x TYPE text", "changes the type"),
            ("ALTER TABLE orders ADD CONSTRAINT c CHECK (x > 1)", "refuses rows"),
            ("CREATE UNIQUE INDEX u ON orders (x)", "refuses rows"),
            ("CREATE UNIQUE INDEX CONCURRENTLY u ON orders (x)", "refuses rows"),
            ("CREATE INDEX ix ON orders (x)", "stops its writers"),
            ("REVOKE SELECT ON orders FROM as_client", "takes a right away"),
            ("DROP POLICY as_client_select ON orders", "hides rows"),
            ("DROP FUNCTION ssn_in_use", "drops what it may use"),
        ],
    )
    def test_are_told_with_their_reason(self, statement: str, reason: str) -> None:
        [found] = reasons(f"{statement};\n")
        assert found.startswith(reason)

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
    def test_are_only_what_a_release_does_not_bear(self, statement: str) -> None:
        assert reasons(f"{statement};\n") == []

    def test_none_has_come_since_the_last_release(self) -> None:
        assert breaking_revisions() == []


class TestPreviousRelease:
    """What the last release lists in its statements."""

    def test_inserts_reads_and_changes_rows_of_todays_schema(self, empty_url: str) -> None:
        migrate(empty_url, PASSWORD)
        _, tables = released()
        with psycopg.connect(empty_url) as connection:
            assert set(fill(connection, dict(tables))) == set(tables)
            for table, columns in tables.items():
                names = [sql.Identifier(column) for column in columns]
                connection.execute(
                    sql.SQL("UPDATE {} SET {}").format(
                        sql.Identifier(table),
                        sql.SQL(", ").join(sql.SQL("{0} = {0}").format(each) for each in names),
                    )
                )
                rows = connection.execute(
                    sql.SQL("SELECT {} FROM {}").format(
                        sql.SQL(", ").join(names), sql.Identifier(table)
                    )
                ).fetchall()
                assert rows, table

    def test_reads_its_own_rows_after_the_upgrade(self, empty_url: str) -> None:
        revision, tables = released()
        start_at(empty_url, revision)
        with psycopg.connect(empty_url) as connection:
            written = fill(connection, dict(tables))
        upgrade(empty_url)
        with psycopg.connect(empty_url) as connection:
            for table, row in written.items():
                names = sql.SQL(", ").join(map(sql.Identifier, row))
                query = sql.SQL("SELECT {} FROM {}").format(names, sql.Identifier(table))
                assert connection.execute(query).fetchall(), table
