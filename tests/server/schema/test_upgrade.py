"""Databases in use are brought to the current schema with what they hold."""

import threading

import psycopg
import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import create_engine, select

from app.server.database.base import Table
from app.server.schema import migrate as migrating
from app.server.schema.migrate import migrate, upgrade
from tests.server.schema.catalog import describe
from tests.server.schema.rows import PASSWORD, fill, start_at

# Answers kept for a repeated request: revision 0011 forgets those of before.
EMPTIED = {"idempotency_keys"}


class TestUpgrade:
    """From the first schema to the head."""

    def test_every_row_of_the_first_schema_is_read_by_todays_tables(self, empty_url: str) -> None:
        start_at(empty_url, "0001")
        with psycopg.connect(empty_url) as connection:
            written = fill(connection)
        migrate(empty_url, PASSWORD)
        tables = {mapper.class_.__tablename__: mapper.class_ for mapper in Table.registry.mappers}
        engine = create_engine(empty_url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:
            for name, row in written.items():
                columns = [tables[name].__table__.c[column] for column in row]
                found = connection.execute(select(*columns)).mappings().all()
                values = {
                    column: value.obj if isinstance(value, Jsonb) else value
                    for column, value in row.items()
                }
                assert [dict(each) for each in found] == ([] if name in EMPTIED else [values]), name
        engine.dispose()

    def test_names_of_before_are_found_by_what_came_later(self, empty_url: str) -> None:
        start_at(empty_url, "0001")
        with psycopg.connect(empty_url) as connection:
            fill(connection)
        migrate(empty_url, PASSWORD)
        with psycopg.connect(empty_url) as connection:
            assert connection.execute("SELECT name FROM patient_names").fetchall() == [("LEE",)]
            days = connection.execute("SELECT collection_day::text FROM requisitions").fetchall()
            assert days == [("2026-05-06",)]

    def test_a_database_that_was_filled_on_the_way_has_the_same_schema(
        self, empty_url: str, owner_url: str
    ) -> None:
        start_at(empty_url, "0005")
        with psycopg.connect(empty_url) as connection:
            fill(connection)
        migrate(empty_url, PASSWORD)
        assert describe(empty_url) == describe(owner_url)


class TestBusyTables:
    """A revision waits for a table only so long, because everybody else waits behind it."""

    @pytest.fixture
    def at_first(self, empty_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
        start_at(empty_url, "0002")
        # The shortest time that PostgreSQL knows: the test does not wait for a clock.
        monkeypatch.setattr(migrating, "LOCK_MILLISECONDS", 1)
        return empty_url

    def test_gives_up_and_leaves_the_schema_as_it_was(
        self, at_first: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(migrating, "_LOCK_PAUSES", ())
        before = describe(at_first)
        with psycopg.connect(at_first) as connection:
            connection.execute("LOCK TABLE payers IN ACCESS SHARE MODE")
            with pytest.raises(migrating.BusyTableError):
                upgrade(at_first)
        assert describe(at_first) == before

    def test_tries_again_and_goes_on(
        self, at_first: str, owner_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        released = threading.Event()
        with psycopg.connect(at_first) as connection:
            connection.execute("LOCK TABLE payers IN ACCESS SHARE MODE")

            def release(_seconds: float) -> None:
                connection.rollback()
                released.set()
                monkeypatch.setattr(migrating, "LOCK_MILLISECONDS", 5000)

            monkeypatch.setattr(migrating, "pause", release)
            upgrade(at_first)
        assert released.is_set()
        assert describe(at_first) == describe(owner_url)
