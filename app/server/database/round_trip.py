"""One round trip: several statements, sent in one packet and read in one.

psycopg's pipeline does the same in several packets with a wait after each. For a list page, which
is one short statement, that is a fifth of what the portal itself spends on it (ADR 12).
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

import psycopg
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result

_PLACEHOLDER = re.compile(r"%\((\w+)\)s|%%")
_PREPARED_MAX = 200
_IN_TRANSACTION = (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)
_FAILED = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE)


@dataclass(frozen=True)
class Statement:
    """A statement as PostgreSQL reads it, and the names of its values in their order."""

    text: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


Key = tuple[bytes, tuple[int, ...]]
"""What a statement is prepared for: its text and the types of its values."""


@dataclass(frozen=True)
class Call:
    """A statement and its values, ready to be sent."""

    key: Key
    parameters: Sequence[Buffer | None]
    formats: list[pq.Format] | None


class PreparingConnection(psycopg.AsyncConnection[Any]):
    """A connection that knows the names of the statements that it has prepared."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.known: dict[Key, bytes] = {}
        self.numbers = count()

    async def rollback(self) -> None:
        """Roll back in a round trip of ours: psycopg's own would deallocate every prepared
        statement, also those that are remembered here."""
        if self.pgconn.transaction_status in _IN_TRANSACTION:
            await fetch_all(self, [("ROLLBACK", {})])
        await super().rollback()


@lru_cache(maxsize=1_024)
def read_statement(text: str) -> Statement:
    """A text with ``%(name)s`` placeholders (a name may come twice, ``%%`` is a percent sign)."""
    places: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found[1]
        return f"${places.setdefault(name, len(places) + 1)}" if name else "%"

    numbered = _PLACEHOLDER.sub(number, text)
    return Statement(numbered.encode(), tuple(places), (PyFormat.AUTO,) * len(places))


async def fetch_one(
    connection: PreparingConnection, texts: tuple[str, str], values: tuple[dict[str, Any], ...]
) -> tuple[Any, ...]:
    """Run two statements, each with its values, as one implicit transaction; the one row of the
    second.

    The connection must be in autocommit. It is closed when this is broken off half-way.

    Raises:
        psycopg.Error: what PostgreSQL objected to; nothing of both has happened then.
    """
    _, row = await fetch_all(connection, tuple(zip(texts, values, strict=True)))
    assert row is not None
    return row


async def fetch_all(
    connection: PreparingConnection, statements: Sequence[tuple[str, dict[str, Any]]]
) -> list[tuple[Any, ...] | None]:
    """Run statements, each with its values, in one round trip; the first row of each, or None.

    The connection is closed when this is broken off half-way.

    Raises:
        psycopg.Error: what PostgreSQL objected to in the first that failed; it has run none of
            those behind it.
    """
    calls = [_call(connection, text, given) for text, given in statements]
    pgconn = connection.pgconn
    pgconn.enter_pipeline_mode()
    try:
        fresh: dict[Key, bytes] = {}
        prepared = [_send(connection, call, fresh) for call in calls]
        pgconn.pipeline_sync()
        results = iter(await _results(pgconn))
        pgconn.exit_pipeline_mode()
    except BaseException:
        await connection.close()
        raise
    rows: list[tuple[Any, ...] | None] = []
    for call, name in zip(calls, prepared, strict=True):
        if name is not None:
            _refuse_failed(next(results))
            connection.known[call.key] = name
        result = next(results)
        _refuse_failed(result)
        rows.append(_first_row(connection, result))
    return rows


def _refuse_failed(result: pq.abc.PGresult) -> None:
    if result.status in _FAILED:
        raise error_from_result(result)


def _first_row(connection: PreparingConnection, result: pq.abc.PGresult) -> tuple[Any, ...] | None:
    if not result.ntuples:
        return None
    transformer = Transformer(connection)
    transformer.set_pgresult(result)
    row: tuple[Any, ...] = transformer.load_row(0, tuple)
    return row


def _call(connection: PreparingConnection, text: str, values: dict[str, Any]) -> Call:
    """A statement with its values as PostgreSQL reads them."""
    statement = read_statement(text)
    transformer = Transformer(connection)
    wanted = [values[name] for name in statement.names]
    parameters = transformer.dump_sequence(wanted, statement.formats)
    assert transformer.types is not None
    return Call((statement.text, transformer.types), parameters, transformer.formats)


def _send(connection: PreparingConnection, call: Call, fresh: dict[Key, bytes]) -> bytes | None:
    """Hand a call over to be sent; the name under which that prepares it, if it does.

    ``fresh``: what this round trip prepares, by what has been handed over so far.
    """
    pgconn, known = connection.pgconn, connection.known
    name = known.get(call.key) or fresh.get(call.key)
    if name is not None:
        pgconn.send_query_prepared(name, call.parameters, call.formats)
        return None
    if len(known) >= _PREPARED_MAX:
        # Rare statements in their hundreds are not worth the memory of every connection; the
        # pool renews its connections within the hour.
        pgconn.send_query_params(call.key[0], call.parameters, call.key[1], call.formats)
        return None
    name = fresh[call.key] = b"portal_%d" % next(connection.numbers)
    pgconn.send_prepare(name, *call.key)
    pgconn.send_query_prepared(name, call.parameters, call.formats)
    return name


async def _results(pgconn: pq.abc.PGconn) -> list[pq.abc.PGresult]:
    """All results up to the end of the pipeline."""
    loop = asyncio.get_running_loop()
    while pgconn.flush():
        await _until(loop.add_writer, loop.remove_writer, pgconn.socket)
    found: list[pq.abc.PGresult] = []
    while True:
        await _until(loop.add_reader, loop.remove_reader, pgconn.socket)
        pgconn.consume_input()
        while not pgconn.is_busy():
            result = pgconn.get_result()
            if result is None:  # the end of one statement's results
                if pgconn.status == pq.ConnStatus.BAD:
                    raise psycopg.OperationalError("the connection was lost")
            elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                return found
            else:
                found.append(result)


async def _until(add: Callable[..., Any], remove: Callable[[int], Any], socket_number: int) -> None:
    """Wait until the socket can be read, or written."""
    ready = asyncio.get_running_loop().create_future()

    def wake() -> None:
        if not ready.done():
            ready.set_result(None)

    add(socket_number, wake)
    try:
        await ready
    finally:
        remove(socket_number)
