"""The pools of connections: their turns, and their recovery after a restart."""

import asyncio

import psycopg
import pytest
from psycopg_pool import PoolTimeout

from app.server.actor import ANONYMOUS
from app.server.database import pools
from app.server.database.pools import Database

_ONE, _SLEEP = "SELECT 1", "SELECT pg_sleep(600)"


async def _occupy_connection(database: Database, barrier: asyncio.Barrier) -> int:
    """Hold a connection until all are held, and return the process id of its backend."""
    async with database.reads.connection() as connection:
        await barrier.wait()
        return connection.info.backend_pid


async def test_pool_recovers_when_all_its_connections_are_dead(
    app_url: str, owner_url: str
) -> None:
    database = Database(app_url, read_size=4, write_size=1)
    await database.open()
    try:
        barrier = asyncio.Barrier(4)
        pids = await asyncio.gather(*(_occupy_connection(database, barrier) for _ in range(4)))
        with psycopg.connect(owner_url, autocommit=True) as owner:
            for pid in pids:
                # The time limit (5 s) makes the function wait until the backend has ended.
                owner.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        assert await database.is_available()
    finally:
        await database.close()


class TestTurns:
    """Reads that wait for a connection."""

    async def test_all_reads_get_a_turn(self, app_url: str) -> None:
        database = Database(app_url, read_size=2, write_size=1)
        await database.open()
        try:
            rows = await asyncio.gather(*(database.read(ANONYMOUS, _ONE, {}) for _ in range(20)))
            assert rows == [(1,)] * 20
        finally:
            await database.close()

    async def test_a_read_without_a_turn_ends_with_an_error(
        self, app_url: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(pools, "_WAIT_SECONDS", 0.1)
        database = Database(app_url, read_size=2, write_size=1)
        await database.open()
        try:
            sleepers = [asyncio.create_task(database.read(ANONYMOUS, _SLEEP, {})) for _ in range(2)]
            await asyncio.sleep(0)  # the sleepers take the turns
            with pytest.raises(PoolTimeout):
                await database.read(ANONYMOUS, _ONE, {})
            for sleeper in sleepers:
                sleeper.cancel()
            await asyncio.gather(*sleepers, return_exceptions=True)
            monkeypatch.setattr(pools, "_WAIT_SECONDS", 60)
            assert await database.read(ANONYMOUS, _ONE, {}) == (1,)
        finally:
            await database.close()
