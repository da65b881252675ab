"""The pools of connections after a restart of the database."""

import asyncio

import psycopg

from app.server.database.pools import Database


async def _occupy_connection(database: Database, together: asyncio.Barrier) -> int:
    """Hold a connection until all are held, and return the process id of its backend."""
    async with database.reads.connection() as connection:
        await together.wait()
        return connection.info.backend_pid


async def test_pool_recovers_when_all_its_connections_are_dead(
    app_url: str, owner_url: str
) -> None:
    database = Database(app_url, read_size=4, write_size=1)
    await database.open()
    try:
        together = asyncio.Barrier(4)
        pids = await asyncio.gather(*(_occupy_connection(database, together) for _ in range(4)))
        with psycopg.connect(owner_url, autocommit=True) as owner:
            for pid in pids:
                # The time limit (5 s) makes the function wait until the backend has ended.
                owner.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))
        assert await database.is_available()
    finally:
        await database.close()
