"""Upgrades keep the rows of databases in use."""

import threading

import psycopg
import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import create_engine, select

from app.server.database.base import Table
from app.server.schema import migrate as migrate_module
from app.server.schema.migrate import migrate_database, upgrade_schema
from app.server.schema.names import BusyTableError
from tests.server.schema.catalog import describe_schema
from tests.server.schema.rows import PASSWORD, fill_tables, migrate_to

# Revision 0011 deletes the stored answers of repeated requests.
EMPTIED_TABLES = {"idempotency_keys"}


class TestUpgrade:
    """From the first schema to the head."""

    def test_current_models_read_every_row_of_the_first_schema(self, empty_url: str) -> None:
        migrate_to(empty_url, "0001")
        with psycopg.connect(empty_url) as connection:
            rows = fill_tables(connection)
        migrate_database(empty_url, PASSWORD)
        tables = {mapper.class_.__tablename__: mapper.class_ for mapper in Table.registry.mappers}
        engine = create_engine(empty_url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            for name, row in rows.items():
                columns = [tables[name].__table__.c[column] for column in row]
                mappings = connection.execute(select(*columns)).mappings().all()
                values = {
                    column: value.obj if isinstance(value, Jsonb) else value
                    for column, value in row.items()
                }
                assert [dict(mapping) for mapping in mappings] == (
                    [] if name in EMPTIED_TABLES else [values]
                ), name
        engine.dispose()

    def test_fills_later_tables_from_older_rows(self, empty_url: str) -> None:
        migrate_to(empty_url, "0001")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            assert connection.execute("SELECT name FROM patient_names").fetchall() == [("LEE",)]
            days = connection.execute("SELECT collection_day::text FROM requisitions").fetchall()
            assert days == [("2026-05-06",)]
            for table in ("requisitions", "orders"):
                ids = connection.execute(f"SELECT test_ids FROM {table}").fetchall()
                assert ids == [([7],)], table

    def test_moves_results_of_canceled_rows_to_open_rows(self, empty_url: str) -> None:
        migrate_to(empty_url, "0028")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
            connection.execute("UPDATE order_tests SET status = 32")
            connection.execute(
                "INSERT INTO order_tests SELECT (jsonb_populate_record(t, jsonb_build_object("
                "'id', t.id + 1, 'position', t.position + 1, 'status', 1))).* FROM order_tests t"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            ids = connection.execute(
                "SELECT r.order_test_id, t.id FROM results r, order_tests t WHERE t.status = 1"
            ).fetchall()
            assert [owner == open_row for owner, open_row in ids] == [True]

    def test_rules_of_autoverification_get_the_current_unit_and_method(
        self, empty_url: str
    ) -> None:
        migrate_to(empty_url, "0080")
        with psycopg.connect(empty_url) as connection:
            connection.execute(
                "INSERT INTO lab_tests (code, name, search_text, kind, result_type, unit, method)"
                " VALUES ('K', 'POTASSIUM', 'K', 'clinical', 1, 'mmol/L', 'ISE')"
            )
            connection.execute(
                "INSERT INTO autoverification_rules (test_id, low, high, is_on, changed_at)"
                " SELECT id, 3, 5, true, now() FROM lab_tests"
            )
            connection.execute(
                "INSERT INTO autoverification_trials (test_id, low, high, allows_abnormal,"
                " start_date, end_date, results, released, corrected, tried_by, tried_at)"
                " SELECT id, 3, 5, false, now(), now(), 0, 0, 0, gen_random_uuid(), now()"
                " FROM lab_tests"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            for table, measures in (
                ("autoverification_rules", ("mmol/L", "ISE")),
                ("autoverification_trials", (None, None)),
            ):
                rows = connection.execute(f"SELECT unit, method FROM {table}").fetchall()
                assert rows == [measures], table

    def test_numbers_released_pathology_reports_of_each_kind(self, empty_url: str) -> None:
        migrate_to(empty_url, "0028")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
        migrate_to(empty_url, "0081")
        with psycopg.connect(empty_url) as connection:
            connection.execute("DELETE FROM pathology_reports")
            connection.execute(
                "INSERT INTO pathology_reports (order_id, order_test_id, revision, is_current,"
                " kind, content, entered_at, released_at, withheld) SELECT t.order_id, t.id,"
                " v.revision, true, v.kind, '', now(), v.released_at::timestamp, v.withheld"
                " FROM order_tests t, (VALUES (1, 0, '2026-05-06', NULL),"
                " (2, 4, '2026-05-07', 'withdrawn'), (3, 2, '2026-05-08', NULL),"
                " (4, 4, '2026-05-09', NULL), (5, 2, NULL, NULL))"
                " v (revision, kind, released_at, withheld)"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            rows = connection.execute(
                "SELECT revision, number FROM pathology_reports ORDER BY revision"
            ).fetchall()
        assert rows == [(1, 1), (2, 1), (3, 1), (4, 2), (5, None)]

    def test_fills_in_who_canceled_from_the_audit_log(self, empty_url: str) -> None:
        migrate_to(empty_url, "0028")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
            connection.execute("UPDATE requisitions SET status = 2")
            connection.execute(
                "UPDATE audit_events SET kind = 'requisition', action = 'cancel', record_ids = "
                "(SELECT array_agg(id) FROM requisitions)"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            row = connection.execute(
                "SELECT r.canceled_at = e.at, canceled_by_name FROM requisitions r, audit_events e"
            ).fetchone()
        assert row == (True, "LEE LEE")

    def test_gives_an_analyte_of_two_panels_one_result(self, empty_url: str) -> None:
        migrate_to(empty_url, "0031")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
            connection.execute("DELETE FROM results")
            connection.execute("UPDATE lab_tests SET result_type = 1")
            connection.execute("UPDATE order_tests SET position = 1, status = 16, is_panel = false")
            connection.execute(
                "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel,"
                " status) SELECT order_id, test_id, 0, 2, name, kind, is_panel, 4 FROM order_tests"
            )
            connection.execute(
                "INSERT INTO results (order_id, order_test_id, revision, is_current, value,"
                " entered_at) SELECT t.order_id, t.id, v.revision, v.is_current, v.value,"
                " timestamp '2026-05-06' + v.hours * interval '1 hour' FROM order_tests t JOIN"
                " (VALUES (1, 1, false, '4.1', 1), (1, 2, true, '<1,200.5', 3),"
                " (2, 1, true, 'HEMOLYZED', 2)) v (place, revision, is_current, value, hours)"
                " ON v.place = t.position"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            rows = connection.execute(
                "SELECT t.position, t.status, r.revision, r.is_current, r.value, r.sign,"
                " r.number::text FROM order_tests t LEFT JOIN results r ON r.order_test_id = t.id"
                " ORDER BY t.position, r.revision"
            ).fetchall()
        assert rows == [
            (1, 16, 1, False, "4.1", None, "4.1"),
            (1, 16, 2, False, "HEMOLYZED", None, None),
            (1, 16, 3, True, "<1,200.5", "<", "1200.5"),
            (2, 16, None, None, None, None, None),
        ]

    def test_keeps_text_results_of_cultures_and_their_panels_readable(self, empty_url: str) -> None:
        migrate_to(empty_url, "0031")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
            connection.execute(
                "UPDATE order_tests SET position = 2, kind = 'microbiology', is_panel = false"
            )
            connection.execute(
                "INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel,"
                " status) SELECT order_id, test_id, 0, p.position, name, kind, p.position = 1, 1"
                " FROM order_tests, (VALUES (1), (3)) p (position)"
            )
            connection.execute(
                "UPDATE order_tests SET parent_id = (SELECT id FROM order_tests WHERE position = 1)"
                " WHERE position = 2"
            )
        migrate_database(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            rows = connection.execute(
                "SELECT position, kind FROM order_tests ORDER BY position"
            ).fetchall()
        assert rows == [(1, "clinical"), (2, "clinical"), (3, "microbiology")]

    def test_schema_is_the_same_with_existing_rows(self, empty_url: str, owner_url: str) -> None:
        migrate_to(empty_url, "0005")
        with psycopg.connect(empty_url) as connection:
            fill_tables(connection)
        migrate_database(empty_url, PASSWORD)
        assert describe_schema(empty_url) == describe_schema(owner_url)


class TestBusyTables:
    """A revision waits for a table only briefly, because all others wait behind it."""

    @pytest.fixture
    def old_url(self, empty_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
        migrate_to(empty_url, "0002")
        # The shortest time that PostgreSQL accepts keeps the test fast.
        monkeypatch.setattr(migrate_module, "LOCK_MILLISECONDS", 1)
        return empty_url

    def test_gives_up_and_leaves_the_schema_unchanged(
        self, old_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(migrate_module, "_LOCK_PAUSES", ())
        before = describe_schema(old_url)
        with psycopg.connect(old_url) as connection:
            connection.execute("LOCK TABLE payers IN ACCESS SHARE MODE")
            with pytest.raises(BusyTableError):
                upgrade_schema(old_url)
        assert describe_schema(old_url) == before

    def test_retries_until_the_table_is_free(
        self, old_url: str, owner_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        release_event = threading.Event()
        with psycopg.connect(old_url) as connection:
            connection.execute("LOCK TABLE payers IN ACCESS SHARE MODE")

            def release(_seconds: float) -> None:
                connection.rollback()
                release_event.set()
                monkeypatch.setattr(migrate_module, "LOCK_MILLISECONDS", 5000)

            monkeypatch.setattr(migrate_module, "sleep", release)
            upgrade_schema(old_url)
        assert release_event.is_set()
        assert describe_schema(old_url) == describe_schema(owner_url)
