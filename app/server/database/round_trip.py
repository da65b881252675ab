"""Several statements in one round trip, sent in one packet and answered in one.

psycopg's pipeline needs several packets with a wait after each. For a list page, a single short
statement, that would be a fifth of the portal's own time (ADR 12).
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import psycopg
from psycopg import pq
from psycopg.abc import Buffer
from psycopg.abc import Transformer as Adapter
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result

_PLACEHOLDER = re.compile(r"%\((\w+)\)s|%%")
_PREPARED_MAX = 200
_PREPARED_RARE_MAX = 120
"""The limit for texts that users compose; the rest is for the portal's own statements."""
_IN_TRANSACTION = (pq.TransactionStatus.INTRANS, pq.TransactionStatus.INERROR)
_FAILED_STATUSES = (pq.ExecStatus.FATAL_ERROR, pq.ExecStatus.BAD_RESPONSE)


@dataclass(frozen=True)
class Statement:
    """A statement with numbered placeholders, and the names of its values in order."""

    text: bytes
    names: tuple[str, ...]
    formats: tuple[PyFormat, ...]


Key = tuple[bytes, tuple[int, ...]]
"""The key of a prepared statement: its text and the types of its values."""


class Call(NamedTuple):
    """A statement with its values, encoded for sending."""

    key: Key
    parameters: Sequence[Buffer | None]
    formats: list[pq.Format] | None
    prepared_max: int = _PREPARED_MAX


class PreparingConnection(psycopg.AsyncConnection[Any]):
    """A connection that keeps the names of its prepared statements."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepared_names: dict[Key, bytes] = {}
        self.numbers = count()

    async def rollback(self) -> None:
        """Roll back with our own statement: psycopg's rollback deallocates prepared statements."""
        if self.pgconn.transaction_status in _IN_TRANSACTION:
            await fetch_all(self, [("ROLLBACK", {})])
        await super().rollback()


@lru_cache(maxsize=1_024)
def parse_statement(text: str) -> Statement:
    """Number the ``%(name)s`` placeholders of a text, where ``%%`` is a percent sign."""
    numbers: dict[str, int] = {}

    def number(match: re.Match[str]) -> str:
        name = match[1]
        return f"${numbers.setdefault(name, len(numbers) + 1)}" if name else "%"

    numbered_text = _PLACEHOLDER.sub(number, text)
    return Statement(numbered_text.encode(), tuple(numbers), (PyFormat.AUTO,) * len(numbers))


async def fetch_rows(
    connection: PreparingConnection,
    statements: Sequence[tuple[str, dict[str, Any]]],
    *,
    are_rare: bool = False,
) -> list[tuple[Any, ...]]:
    """Run statements as one implicit transaction; return the single row of each but the first.

    The first sets the scope. The connection must be in autocommit mode. It is closed if this call
    is interrupted. ``are_rare`` says that the texts probably never run again
    (``_PREPARED_RARE_MAX``).

    Raises:
        psycopg.Error: a statement failed; none has had an effect.
    """
    rows = []
    for row in (await fetch_all(connection, statements, are_rare=are_rare))[1:]:
        assert row is not None
        rows.append(row)
    return rows


async def fetch_all(
    connection: PreparingConnection,
    statements: Sequence[tuple[str, dict[str, Any]]],
    *,
    are_rare: bool = False,
) -> list[tuple[Any, ...] | None]:
    """Run statements in one round trip, and return the first row of each, or None.

    The connection is closed if this call is interrupted.

    Raises:
        psycopg.Error: the error of the first statement that failed; those after it did not run.
    """
    transformer = Transformer(connection)
    calls = [_build_call(transformer, text, values) for text, values in statements]
    if are_rare:
        calls = [call._replace(prepared_max=_PREPARED_RARE_MAX) for call in calls]
    pgconn = connection.pgconn
    pgconn.enter_pipeline_mode()
    try:
        new_statements: dict[Key, bytes] = {}
        new_names = [_queue_call(connection, call, new_statements) for call in calls]
        pgconn.pipeline_sync()
        results = iter(await _receive_results(pgconn))
        pgconn.exit_pipeline_mode()
    except BaseException:
        await connection.close()
        raise
    rows: list[tuple[Any, ...] | None] = []
    for call, name in zip(calls, new_names, strict=True):
        if name is not None:
            _require_success(next(results))
            connection.prepared_names[call.key] = name
        result = next(results)
        _require_success(result)
        rows.append(_load_first_row(transformer, result))
    return rows


def _require_success(result: pq.abc.PGresult) -> None:
    if result.status in _FAILED_STATUSES:
        raise error_from_result(result)


def _load_first_row(transformer: Adapter, result: pq.abc.PGresult) -> tuple[Any, ...] | None:
    if not result.ntuples:
        return None
    transformer.set_pgresult(result)
    row: tuple[Any, ...] = transformer.load_row(0, tuple)
    return row


def _build_call(transformer: Adapter, text: str, values: dict[str, Any]) -> Call:
    """Encode a statement and its values for PostgreSQL."""
    statement = parse_statement(text)
    ordered_values = [values[name] for name in statement.names]
    parameters = transformer.dump_sequence(ordered_values, statement.formats)
    assert transformer.types is not None
    return Call((statement.text, transformer.types), parameters, transformer.formats)


def _queue_call(
    connection: PreparingConnection, call: Call, new_statements: dict[Key, bytes]
) -> bytes | None:
    """Queue a call, and return the name under which it is prepared now; None if it is not.

    ``new_statements`` has the names of the statements that this round trip prepares.
    """
    pgconn, prepared_names = connection.pgconn, connection.prepared_names
    name = prepared_names.get(call.key) or new_statements.get(call.key)
    if name is not None:
        pgconn.send_query_prepared(name, call.parameters, call.formats)
        return None
    if len(prepared_names) >= call.prepared_max:
        # Hundreds of rare statements are not worth the memory in every connection. The pool
        # renews its connections within the hour.
        pgconn.send_query_params(call.key[0], call.parameters, call.key[1], call.formats)
        return None
    name = new_statements[call.key] = b"portal_%d" % next(connection.numbers)
    pgconn.send_prepare(name, *call.key)
    pgconn.send_query_prepared(name, call.parameters, call.formats)
    return name


async def _receive_results(pgconn: pq.abc.PGconn) -> list[pq.abc.PGresult]:
    """Receive all results up to the end of the pipeline."""
    loop = asyncio.get_running_loop()
    while pgconn.flush():
        await _wait_for_socket(loop.add_writer, loop.remove_writer, pgconn.socket)
    results: list[pq.abc.PGresult] = []
    while True:
        await _wait_for_socket(loop.add_reader, loop.remove_reader, pgconn.socket)
        pgconn.consume_input()
        while not pgconn.is_busy():
            result = pgconn.get_result()
            if result is None:  # the end of one statement's results
                if pgconn.status == pq.ConnStatus.BAD:
                    raise psycopg.OperationalError("the connection was lost")
            elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                return results
            else:
                results.append(result)


async def _wait_for_socket(
    add: Callable[..., Any], remove: Callable[[int], Any], socket_number: int
) -> None:
    """Wait until the socket is readable or writable, as ``add`` watches it."""
    future = asyncio.get_running_loop().create_future()

    def wake() -> None:
        if not future.done():
            future.set_result(None)

    add(socket_number, wake)
    try:
        await future
    finally:
        remove(socket_number)
