"""Counts what a request costs on the wire to PostgreSQL, by libpq's own trace."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import Any

from sqlalchemy import event

from app.server.database.pools import Database

_WAITS = (b"Sync", b"Query")
"""Messages after which the client waits for the server."""
# Never closed: libpq may write what it holds back of it later, by its number.
_TRACE = TemporaryFile()  # noqa: SIM115


@dataclass
class Wire:
    """What has gone over the write connections."""

    round_trips: int = 0
    statements: int = 0


@contextmanager
def wire(database: Database) -> Iterator[Wire]:
    """Trace every write connection that is taken meanwhile; counted at the end."""
    seen, engine = Wire(), database.engine.sync_engine
    start = os.fstat(_TRACE.fileno()).st_size

    def begin(connection: Any, *_: Any) -> None:
        connection.driver_connection.pgconn.trace(_TRACE.fileno())

    def end(connection: Any, *_: Any) -> None:
        if connection is not None and not connection.driver_connection.closed:
            connection.driver_connection.pgconn.untrace()

    event.listen(engine, "checkout", begin)
    event.listen(engine, "checkin", end)
    try:
        yield seen
    finally:
        event.remove(engine, "checkout", begin)
        event.remove(engine, "checkin", end)
    for line in _written_since(start).split(b"\n"):
        # A time, F(rom the client) or B(ack), the length, and what kind of message.
        parts = line.split(b"\t")
        if parts[1:2] == [b"F"]:
            seen.round_trips += parts[3].startswith(_WAITS)
            seen.statements += parts[3].startswith(b"Execute")


def _written_since(start: int) -> bytes:
    return os.pread(_TRACE.fileno(), os.fstat(_TRACE.fileno()).st_size - start, start)
