"""The database of a test, in which builders insert records as its owner."""

import asyncio
import itertools
import os
from collections.abc import Coroutine
from types import TracebackType
from typing import Any, Self

import httpx
import psycopg

_numbers = itertools.count(int.from_bytes(os.urandom(3), "big") * 1000)


class Owner:
    """An autocommit connection as the owner of the tables, opened on first use.

    Connecting takes longer than most statements, so all tests of a worker share it.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection: psycopg.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._connection is not None:
            self._connection.close()

    def execute(self, text: str, values: tuple[Any, ...] | dict[str, Any] = ()) -> psycopg.Cursor:
        """Run a statement; reconnects if the server has closed the connection."""
        if self._connection is None or self._connection.broken:
            self._connection = psycopg.connect(self.url, autocommit=True)
        return self._connection.execute(text, values)


class Records:
    """The base of all builders: statements by the database's owner, and waiting for locks."""

    owner: Owner

    @property
    def owner_url(self) -> str:
        """The URL of the database, for a test's own connection."""
        return self.owner.url

    def run_sql(self, text: str, values: tuple[Any, ...] = ()) -> Any:
        """Run a statement as the owner, and return the first column of the first row."""
        cursor = self.owner.execute(text, values)
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None

    def fetch_rows(
        self, text: str, values: tuple[Any, ...] | dict[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        """Run a statement as the owner, and return all rows."""
        return self.owner.execute(text, values).fetchall()

    def claim_number(self) -> int:
        """Return a number for a name or code that no other record of the run has."""
        return next(_numbers)

    async def wait_for_lock(self) -> None:
        """Wait until a transaction waits for a lock."""
        statement = (
            "SELECT count(*) FROM pg_stat_activity"
            " WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        for _ in range(1_000):
            if self.run_sql(statement):
                return
            await asyncio.sleep(0.02)
        raise AssertionError("no transaction waits for a lock")

    async def commit_meanwhile(
        self,
        statement: str,
        values: tuple[Any, ...],
        request: Coroutine[Any, Any, httpx.Response],
    ) -> httpx.Response:
        """Commit a statement while the request waits for its lock, and return the answer."""
        with psycopg.connect(self.owner_url) as connection:
            connection.execute(statement, values)
            answer = asyncio.create_task(request)
            await self.wait_for_lock()
            connection.commit()
        return await answer
