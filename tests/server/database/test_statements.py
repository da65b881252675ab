"""Statements of one transaction: when they go, and what the session sees of them."""

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.database.pools import Database
from app.server.database.statements import get_statements, insert_text, rows_text
from tests.server.wire import wire

STAFF = Actor(ScopeKind.STAFF)
MEDICATION = "INSERT INTO medications (name) VALUES (%(name)s)"
NAMED = "SELECT count(*) FROM medications WHERE name = %(name)s"


@pytest.fixture
def database(portal_app: FastAPI) -> Database:
    """The running portal's connections."""
    return portal_app.state.portal.database


class TestGoing:
    """Statements wait until somebody asks for a row."""

    async def test_begin_scope_and_the_first_row_take_one_round_trip(self, database) -> None:
        async with database.transaction(STAFF) as session:
            await session.connection()  # what the first connection is asked once
        with wire(database) as seen:
            async with database.transaction(STAFF) as session:
                row = await get_statements(session).fetch("SELECT current_user::text", {})
                assert row == ("as_staff",)
                get_statements(session).add(MEDICATION, {"name": "STATEMENTS GO"})
        assert seen.round_trips == 2  # the second is the insert with the commit
        async with database.transaction(STAFF) as session:
            kept = await get_statements(session).fetch(NAMED, {"name": "STATEMENTS GO"})
        assert kept == (1,)

    async def test_nothing_asked_is_nothing_sent(self, database) -> None:
        with wire(database) as seen:
            async with database.transaction(STAFF):
                pass
        assert seen.round_trips == 0

    async def test_the_session_sees_what_waited(self, database) -> None:
        async with database.transaction(STAFF) as session:
            get_statements(session).add(MEDICATION, {"name": "SEEN BY SESSION"})
            seen = await session.scalar(
                text(NAMED.replace("%(name)s", ":name")), {"name": "SEEN BY SESSION"}
            )
        assert seen == 1

    async def test_they_see_what_the_session_wrote(self, database) -> None:
        async with database.transaction(STAFF) as session:
            await session.execute(text("INSERT INTO medications (name) VALUES ('BY SESSION')"))
            assert await get_statements(session).fetch(NAMED, {"name": "BY SESSION"}) == (1,)

    async def test_rows_are_written_from_json(self, database) -> None:
        rows = [
            {"code": "S1", "city": "O'FALLON", "state": "IL"},
            {"code": "S2", "city": "Ü", "state": "IL"},
        ]
        async with database.transaction(STAFF) as session:
            statements = get_statements(session)
            statements.add(
                insert_text("zip_codes", ("code", "city", "state")), {"rows": rows_text(rows)}
            )
            row = await statements.fetch(
                "SELECT array_agg(city ORDER BY code) FROM zip_codes WHERE code = ANY(%(codes)s)",
                {"codes": ["S1", "S2"]},
            )
            assert row == (["O'FALLON", "Ü"],)
            await session.rollback()


class TestFailing:
    """A statement that is refused takes all of the transaction back."""

    async def test_what_went_with_it_has_not_happened(self, database) -> None:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with database.transaction(STAFF) as session:
                get_statements(session).add(MEDICATION, {"name": "NEVER"})
                await get_statements(session).fetch("SELECT 1 / %(n)s", {"n": 0})
        async with database.transaction(STAFF) as session:
            assert await get_statements(session).fetch(NAMED, {"name": "NEVER"}) == (0,)

    async def test_one_that_fails_with_the_commit_is_told(self, database) -> None:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with database.transaction(STAFF) as session:
                get_statements(session).add(MEDICATION, {"name": "NEVER"})
                get_statements(session).add("SELECT 1 / %(n)s", {"n": 0})
        async with database.transaction(STAFF) as session:
            assert await get_statements(session).fetch(NAMED, {"name": "NEVER"}) == (0,)

    async def test_a_check_is_made_before_the_commit(self, database) -> None:
        def refuse(row: object) -> None:
            raise LookupError(row)

        with pytest.raises(LookupError):
            async with database.transaction(STAFF) as session:
                get_statements(session).add(MEDICATION, {"name": "NEVER"})
                get_statements(session).add("SELECT 7", {}, check=refuse)
        async with database.transaction(STAFF) as session:
            assert await get_statements(session).fetch(NAMED, {"name": "NEVER"}) == (0,)

    async def test_what_was_prepared_stays_so_after_a_rollback(self, database) -> None:
        for _ in range(8):  # more than after which psycopg prepares what the session runs
            with pytest.raises(psycopg.errors.DivisionByZero):
                async with database.transaction(STAFF) as session:
                    assert await session.scalar(text("SELECT 5")) == 5
                    assert await get_statements(session).fetch("SELECT 6", {}) == (6,)
                    await get_statements(session).fetch("SELECT 1 / %(n)s", {"n": 0})

    async def test_a_connection_that_died_in_the_pool_is_replaced(self, database, owner) -> None:
        async with database.transaction(STAFF) as session:
            row = await get_statements(session).fetch("SELECT pg_backend_pid()", {})
        assert row is not None
        owner.execute("SELECT pg_terminate_backend(%s, 5000)", row)
        async with database.transaction(STAFF) as session:
            assert await get_statements(session).fetch("SELECT 1", {}) == (1,)
