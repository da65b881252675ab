"""Counts round trips and statements to PostgreSQL in libpq's trace."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

from sqlalchemy import event

from app.server.database.pools import Database

_WAITS = (b"Sync", b"Query")
"""Messages after which the client waits for the server."""
# The file is never closed, because libpq may write buffered traces to its descriptor later.
_TRACE = TemporaryFile()  # noqa: SIM115
_IS_TRACED: ContextVar[bool] = ContextVar("is_traced", default=False)
"""True in the task of a traced context and its children, not in the portal's own loops."""


@dataclass
class Wire:
    """The traffic of connections."""

    round_trips: int = 0
    statements: int = 0


@contextmanager
def trace_reads(database: Database) -> Iterator[Wire]:
    """Trace the read connections that this task uses, and count their traffic at the end."""
    traffic, pool = Wire(), database.reads
    start = os.fstat(_TRACE.fileno()).st_size
    take, give_back = pool.getconn, pool.putconn

    async def begin(timeout: float | None = None) -> Any:
        connection = await take(timeout)
        if _IS_TRACED.get():
            connection.pgconn.trace(_TRACE.fileno())
        return connection

    async def end(connection: Any) -> None:
        connection.pgconn.untrace()
        await give_back(connection)

    with (
        _mark_own_tasks(),
        patch.object(pool, "getconn", begin),
        patch.object(pool, "putconn", end),
    ):
        yield traffic
    _count_messages(traffic, start)


@contextmanager
def trace_wire(database: Database) -> Iterator[Wire]:
    """Trace the write connections that this task uses, and count their traffic at the end."""
    traffic, engine = Wire(), database.engine.sync_engine
    start = os.fstat(_TRACE.fileno()).st_size

    def begin(connection: Any, *_: Any) -> None:
        if _IS_TRACED.get():
            connection.driver_connection.pgconn.trace(_TRACE.fileno())

    def end(connection: Any, *_: Any) -> None:
        if connection is not None and not connection.driver_connection.closed:
            connection.driver_connection.pgconn.untrace()

    event.listen(engine, "checkout", begin)
    event.listen(engine, "checkin", end)
    try:
        with _mark_own_tasks():
            yield traffic
    finally:
        event.remove(engine, "checkout", begin)
        event.remove(engine, "checkin", end)
    _count_messages(traffic, start)


@contextmanager
def _mark_own_tasks() -> Iterator[None]:
    token = _IS_TRACED.set(True)
    try:
        yield
    finally:
        _IS_TRACED.reset(token)


def _count_messages(traffic: Wire, start: int) -> None:
    for line in _read_trace(start).split(b"\n"):
        # A time, F (frontend) or B (backend), the length, and the kind of message.
        parts = line.split(b"\t")
        if parts[1:2] == [b"F"]:
            traffic.round_trips += parts[3].startswith(_WAITS)
            traffic.statements += parts[3].startswith(b"Execute")


def _read_trace(start: int) -> bytes:
    return os.pread(_TRACE.fileno(), os.fstat(_TRACE.fileno()).st_size - start, start)
