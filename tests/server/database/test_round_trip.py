"""The scope and one statement in one round trip, and the connection afterwards."""

import asyncio
from collections.abc import AsyncIterator

import psycopg
import pytest

from app.server.database.round_trip import (
    _PREPARED_MAX,
    PreparingConnection,
    fetch_rows,
    parse_statement,
)

FIRST = "SELECT set_config('app.ids', %(ids)s, true)"
SECOND = "SELECT %(n)s::int + %(n)s, current_setting('app.ids'), %(name)s || ' 100%%', %(list)s"
SCOPE = {"ids": "{7}"}
VALUES = {"n": 20, "name": "Ünal", "list": [1, 2], "never": "named"}


@pytest.fixture
async def connection(app_url: str) -> AsyncIterator[PreparingConnection]:
    """A connection like those of the read pool."""
    async with await PreparingConnection.connect(app_url, autocommit=True) as connection:
        yield connection


async def fetch_scope(connection: PreparingConnection) -> str | None:
    """Return the ids set on the connection outside of any transaction."""
    cursor = await connection.execute("SELECT nullif(current_setting('app.ids', true), '')")
    return (await cursor.fetchone() or [None])[0]


class TestOneRoundTrip:
    """Two statements in one implicit transaction."""

    async def test_returns_the_row_of_the_second_statement(
        self, connection: PreparingConnection
    ) -> None:
        [row] = await fetch_rows(connection, [(FIRST, SCOPE), (SECOND, VALUES)])
        assert row == (40, "{7}", "Ünal 100%", [1, 2])

    async def test_leaves_no_scope_behind(self, connection: PreparingConnection) -> None:
        await fetch_rows(connection, [(FIRST, SCOPE), (SECOND, VALUES)])
        assert await fetch_scope(connection) is None

    async def test_prepares_each_statement_once(self, connection: PreparingConnection) -> None:
        for n in (1, 2, 3):
            await fetch_rows(connection, [(FIRST, SCOPE), (SECOND, {**VALUES, "n": n})])
        cursor = await connection.execute("SELECT count(*) FROM pg_prepared_statements")
        assert await cursor.fetchone() == (2,)

    async def test_limits_the_number_of_prepared_statements(
        self, connection: PreparingConnection
    ) -> None:
        for n in range(_PREPARED_MAX + 30):
            text = f"SELECT {n}, %(n)s"
            assert await fetch_rows(connection, [(FIRST, SCOPE), (text, {"n": n})]) == [(n, n)]
        assert len(connection.prepared_names) == _PREPARED_MAX

    async def test_sends_more_than_fits_in_a_socket_buffer(
        self, connection: PreparingConnection
    ) -> None:
        long_text = "x" * 8_000_000
        [row] = await fetch_rows(
            connection, [(FIRST, SCOPE), ("SELECT length(%(a)s), %(a)s", {"a": long_text})]
        )
        assert row == (len(long_text), long_text)


class TestFailures:
    """Failures: neither statement has an effect, and a broken connection is closed."""

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("SELECT 1 / %(n)s", psycopg.errors.DivisionByZero),
            ("SELECT %(n)s::text::date", psycopg.DataError),
            ("SELECT nonsense FROM nowhere WHERE %(n)s = 1", psycopg.ProgrammingError),
        ],
    )
    async def test_a_failed_statement_leaves_the_connection_usable(
        self, connection: PreparingConnection, text: str, kind: type[Exception]
    ) -> None:
        for _ in range(2):
            with pytest.raises(kind):
                await fetch_rows(connection, [(FIRST, SCOPE), (text, {"n": 0})])
        assert await fetch_scope(connection) is None
        assert (await fetch_rows(connection, [(FIRST, SCOPE), (SECOND, VALUES)]))[0][0] == 40

    async def test_a_lost_connection_raises_an_operational_error(
        self, connection: PreparingConnection, owner_url: str
    ) -> None:
        task = asyncio.create_task(
            fetch_rows(connection, [(FIRST, SCOPE), ("SELECT pg_sleep(%(n)s)", {"n": 60})])
        )
        sleeping_backend = "SELECT FROM pg_stat_activity WHERE pid = %s AND wait_event = 'PgSleep'"
        async with await psycopg.AsyncConnection.connect(owner_url, autocommit=True) as other:
            pid = [connection.info.backend_pid]
            while not (await other.execute(sleeping_backend, pid)).rowcount:
                assert not task.done()
            await other.execute("SELECT pg_terminate_backend(%s)", pid)
        with pytest.raises(psycopg.OperationalError):
            await asyncio.wait_for(task, 10)
        with pytest.raises(psycopg.OperationalError):
            await fetch_rows(connection, [(FIRST, SCOPE), (SECOND, VALUES)])

    async def test_an_interrupted_call_closes_its_connection(
        self, connection: PreparingConnection
    ) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await fetch_rows(
                    connection, [(FIRST, SCOPE), ("SELECT pg_sleep(%(n)s)", {"n": 60})]
                )
        assert connection.closed

    async def test_rejects_a_value_that_cannot_be_sent(
        self, connection: PreparingConnection
    ) -> None:
        with pytest.raises(psycopg.DataError):
            await fetch_rows(connection, [(FIRST, SCOPE), ("SELECT %(a)s", {"a": "nul\0"})])
        assert not connection.closed


def test_numbers_placeholders_by_first_appearance() -> None:
    statement = parse_statement("SELECT %(b)s, %(a)s, %(b)s, '%%'")
    assert statement.text == b"SELECT $1, $2, $1, '%'"
    assert statement.names == ("b", "a")
