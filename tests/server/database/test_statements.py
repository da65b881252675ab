"""Statements of one transaction: when they are sent, and how they work with the session."""

import psycopg
import pytest
from fastapi import FastAPI
from sqlalchemy import text

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.database.pools import Database
from app.server.database.statements import build_insert, format_rows
from tests.server.wire import trace_wire

STAFF = Actor(ScopeKind.STAFF)
MEDICATION = "INSERT INTO medications (name) VALUES (%(name)s)"
COUNT = "SELECT count(*) FROM medications WHERE name = %(name)s"


@pytest.fixture
async def database(portal_app: FastAPI) -> Database:
    """The running portal's connections, after SQLAlchemy's first questions about the server."""
    database: Database = portal_app.state.portal.database
    async with database.transaction(STAFF) as transaction:
        await transaction.session.connection()
    return database


class TestSending:
    """Statements stay pending until a row is fetched."""

    async def test_begin_scope_and_the_first_row_take_one_round_trip(self, database) -> None:
        with trace_wire(database) as traffic:
            async with database.transaction(STAFF) as transaction:
                row = await transaction.statements.fetch("SELECT current_user::text", {})
                assert row == ("as_staff",)
                transaction.statements.add(MEDICATION, {"name": "STATEMENTS GO"})
        assert traffic.round_trips == 2  # the second is the insert with the commit
        async with database.transaction(STAFF) as transaction:
            count = await transaction.statements.fetch(COUNT, {"name": "STATEMENTS GO"})
        assert count == (1,)

    async def test_an_empty_transaction_sends_nothing(self, database) -> None:
        with trace_wire(database) as traffic:
            async with database.transaction(STAFF):
                pass
        assert traffic.round_trips == 0

    async def test_the_session_sees_pending_statements(self, database) -> None:
        async with database.transaction(STAFF) as transaction:
            transaction.statements.add(MEDICATION, {"name": "SEEN BY SESSION"})
            count = await transaction.session.scalar(
                text(COUNT.replace("%(name)s", ":name")), {"name": "SEEN BY SESSION"}
            )
        assert count == 1

    async def test_statements_see_changes_of_the_session(self, database) -> None:
        async with database.transaction(STAFF) as transaction:
            await transaction.session.execute(
                text("INSERT INTO medications (name) VALUES ('BY SESSION')")
            )
            assert await transaction.statements.fetch(COUNT, {"name": "BY SESSION"}) == (1,)

    async def test_statements_are_planned_once_and_those_of_the_session_by_their_values(
        self, database
    ) -> None:
        mode = "SELECT current_setting('plan_cache_mode')"
        modes = []
        async with database.transaction(STAFF) as transaction:
            statements = transaction.statements
            for _ in range(2):
                modes.append(await statements.fetch(mode, {}))
                modes.append((await transaction.session.scalar(text(mode)),))
            modes.append(await statements.fetch(mode, {}, depends_on_values=True))
        once, by_values = ("force_generic_plan",), ("auto",)
        assert modes == [once, by_values, once, by_values, by_values]

    async def test_inserts_rows_from_json(self, database) -> None:
        rows = [
            {"code": "S1", "city": "O'FALLON", "state": "IL"},
            {"code": "S2", "city": "Ü", "state": "IL"},
        ]
        async with database.transaction(STAFF) as transaction:
            statements = transaction.statements
            statements.add(
                build_insert("zip_codes", ("code", "city", "state")), {"rows": format_rows(rows)}
            )
            row = await statements.fetch(
                "SELECT array_agg(city ORDER BY code) FROM zip_codes WHERE code = ANY(%(codes)s)",
                {"codes": ["S1", "S2"]},
            )
            assert row == (["O'FALLON", "Ü"],)
            await transaction.session.rollback()


class TestFailing:
    """A failed statement rolls back the whole transaction."""

    async def test_statements_of_the_same_round_trip_have_no_effect(self, database) -> None:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with database.transaction(STAFF) as transaction:
                transaction.statements.add(MEDICATION, {"name": "NEVER"})
                await transaction.statements.fetch("SELECT 1 / %(n)s", {"n": 0})
        async with database.transaction(STAFF) as transaction:
            assert await transaction.statements.fetch(COUNT, {"name": "NEVER"}) == (0,)

    async def test_a_failure_with_the_commit_raises_an_error(self, database) -> None:
        with pytest.raises(psycopg.errors.DivisionByZero):
            async with database.transaction(STAFF) as transaction:
                transaction.statements.add(MEDICATION, {"name": "NEVER"})
                transaction.statements.add("SELECT 1 / %(n)s", {"n": 0})
        async with database.transaction(STAFF) as transaction:
            assert await transaction.statements.fetch(COUNT, {"name": "NEVER"}) == (0,)

    async def test_checks_run_before_the_commit(self, database) -> None:
        def fail(row: object) -> None:
            raise LookupError(row)

        with pytest.raises(LookupError):
            async with database.transaction(STAFF) as transaction:
                transaction.statements.add(MEDICATION, {"name": "NEVER"})
                transaction.statements.add("SELECT 7", {}, check=fail)
        async with database.transaction(STAFF) as transaction:
            assert await transaction.statements.fetch(COUNT, {"name": "NEVER"}) == (0,)

    async def test_prepared_statements_survive_a_rollback(self, database) -> None:
        for _ in range(8):  # psycopg prepares the session's statements after five runs
            with pytest.raises(psycopg.errors.DivisionByZero):
                async with database.transaction(STAFF) as transaction:
                    assert await transaction.session.scalar(text("SELECT 5")) == 5
                    assert await transaction.statements.fetch("SELECT 6", {}) == (6,)
                    await transaction.statements.fetch("SELECT 1 / %(n)s", {"n": 0})

    async def test_a_connection_that_died_in_the_pool_is_replaced(self, database, owner) -> None:
        async with database.transaction(STAFF) as transaction:
            row = await transaction.statements.fetch("SELECT pg_backend_pid()", {})
        assert row is not None
        owner.execute("SELECT pg_terminate_backend(%s, 5000)", row)
        async with database.transaction(STAFF) as transaction:
            assert await transaction.statements.fetch("SELECT 1", {}) == (1,)
