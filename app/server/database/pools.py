"""Database connections: a write engine for SQLAlchemy sessions and a read pool.

Both use the application's login, which owns nothing. Every statement runs as the database role of
the actor's kind of scope, which is set for one transaction only.
"""

import asyncio
import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

import psycopg
from prometheus_client import Histogram
from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool, PoolTimeout
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import InterfaceError, InvalidatePoolError, OperationalError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session
from sqlalchemy.pool import AsyncAdaptedQueuePool, ConnectionPoolEntry
from sqlalchemy.util import await_only

from app.server.actor import Actor
from app.server.database.round_trip import PreparingConnection, fetch_rows
from app.server.database.statements import (
    SET_SCOPE,
    SET_SCOPE_AND_PLAN_ONCE,
    Statements,
    build_scope_parameters,
)
from app.server.database.transactions import Transaction

READ_OPTIONS = (
    # A generic plan cannot know how many rows a scope has; see DESIGN 'Traps'.
    "-c plan_cache_mode=force_custom_plan "
    # Enough for an exact bitmap of a hundred thousand hits of a text search, without lossy pages.
    "-c work_mem=16MB "
    # Reads write audit rows, quotas, and progress; a power cut may lose the last few.
    "-c synchronous_commit=off"
)

CONNECTION_ERRORS = (InterfaceError, OperationalError, psycopg.OperationalError)
"""What a transaction raises if the database restarts, or cannot be reached."""

_SET_SCOPE_AND_LIMIT = f"{SET_SCOPE}, set_config('statement_timeout', %(limit)s, true)"

_WAIT_SECONDS = 10
_WAITS = Histogram(
    "portal_pool_wait_seconds",
    "Waits for a database connection",
    ["pool"],
    buckets=(0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10),
)
_READ_WAITS, _WRITE_WAITS = _WAITS.labels("read"), _WAITS.labels("write")


class _MeasuredPool(AsyncAdaptedQueuePool):
    """The pool of the write engine; measures how long requests wait for a connection."""

    def _do_get(self) -> ConnectionPoolEntry:
        with _WRITE_WAITS.time():
            return super()._do_get()


class Database:
    """The portal's connections, which the host opens once.

    Args:
        url: the application login's URL (``postgresql://``).
        read_size, write_size: the maximum number of connections of each pool.
    """

    def __init__(self, url: str, *, read_size: int, write_size: int) -> None:
        self._url: URL = make_url(url).set(drivername="postgresql+psycopg")
        self.engine: AsyncEngine = create_async_engine(
            self._url,
            pool_size=write_size,
            max_overflow=0,
            hide_parameters=True,  # parameters in error texts would leak patient data
            connect_args={"async_creator_fn": PreparingConnection.connect},
            poolclass=_MeasuredPool,
        )
        event.listen(self.engine.sync_engine, "checkout", _reject_dead_connection)
        event.listen(self.engine.sync_engine, "before_cursor_execute", _send_pending)
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        self.reads: AsyncConnectionPool[PreparingConnection] = AsyncConnectionPool(
            make_conninfo(self.url, options=READ_OPTIONS),
            connection_class=PreparingConnection,
            min_size=2,
            max_size=read_size,
            open=False,
            kwargs={"autocommit": True},
            reconnect_timeout=30,
        )
        self._read_turns = asyncio.Semaphore(read_size)

    @property
    def url(self) -> str:
        """The application login's URL, for separate connections; it contains the password."""
        return self._url.set(drivername="postgresql").render_as_string(hide_password=False)

    async def open(self) -> None:
        """Open the read pool; the write engine connects when first used."""
        await self.reads.open(wait=True, timeout=30)

    async def close(self) -> None:
        """Close every connection."""
        await self.reads.close()
        await self.engine.dispose()

    async def read(
        self,
        actor: Actor,
        statement: str,
        values: dict[str, Any],
        *,
        seconds_max: float | None = None,
        is_record: bool = False,
    ) -> tuple[Any, ...]:
        """Run a statement within the actor's scope in one round trip, and return its single row.

        ``seconds_max`` limits the time of a statement that a user has composed. The text of such a
        statement probably never runs again. ``is_record`` says that the statement begins at one
        record's id, so that it is planned once per connection.

        Raises:
            psycopg.Error: PostgreSQL rejected the statement or did not answer.
            psycopg.errors.QueryCanceled: the statement took longer than ``seconds_max``.
        """
        texts = (statement,)
        [row] = await self._read_rows(
            actor, texts, values, seconds_max=seconds_max, is_record=is_record
        )
        return row

    async def read_page(
        self,
        actor: Actor,
        page_statement: str,
        rows_statement: str,
        values: dict[str, Any],
        *,
        seconds_max: float | None = None,
    ) -> tuple[tuple[Any, ...], str]:
        """Run the statements of a page and of its rows in one round trip (ADR 119).

        The answer is the row of the first, and the JSON of the second. ``seconds_max`` limits the
        time of each, as in ``read``.

        Raises:
            psycopg.Error, psycopg.errors.QueryCanceled: as ``read`` does.
        """
        texts = (page_statement, rows_statement)
        page, (rows,) = await self._read_rows(actor, texts, values, seconds_max=seconds_max)
        return page, rows

    async def _read_rows(
        self,
        actor: Actor,
        texts: tuple[str, ...],
        values: dict[str, Any],
        *,
        seconds_max: float | None,
        is_record: bool = False,
    ) -> list[tuple[Any, ...]]:
        scope = build_scope_parameters(actor)
        # A record is found by its id, whatever the scope (ADR 42).
        set_scope = SET_SCOPE_AND_PLAN_ONCE if is_record else SET_SCOPE
        if seconds_max is not None:
            set_scope = _SET_SCOPE_AND_LIMIT
            scope["limit"] = f"{seconds_max * 1_000:.0f}ms"
        statements = [(set_scope, scope), *((text, values) for text in texts)]
        async with self._lend_read_connection() as connection:
            return await fetch_rows(connection, statements, are_rare=seconds_max is not None)

    @asynccontextmanager
    async def _lend_read_connection(self) -> AsyncIterator[PreparingConnection]:
        """Wait for a connection of the read pool, and lend it.

        A request waits for its turn here, because each wait in the pool costs a task and a timer.
        """
        with _READ_WAITS.time():
            await self._wait_for_read_turn()
            try:
                connection = await self.reads.getconn(timeout=_WAIT_SECONDS)
            except BaseException:
                self._read_turns.release()
                raise
        try:
            yield connection
        finally:
            try:
                await self.reads.putconn(connection)
            finally:
                self._read_turns.release()

    async def _wait_for_read_turn(self) -> None:
        if not self._read_turns.locked():
            await self._read_turns.acquire()
            return
        try:
            async with asyncio.timeout(_WAIT_SECONDS):
                await self._read_turns.acquire()
        except TimeoutError as error:
            raise PoolTimeout("no read connection became free") from error

    @asynccontextmanager
    async def transaction(self, actor: Actor) -> AsyncIterator[Transaction]:
        """Open a transaction within the actor's scope; it commits on success, else rolls back."""
        async with self._sessions() as session, session.begin():
            statements = session.info["statements"] = Statements(session, actor)
            yield Transaction(actor, session, statements)
            if statements.has_begun:
                await session.flush()
            await statements.commit()

    async def is_available(self) -> bool:
        """Whether the database answers a query now."""
        # After a restart of the database, every pooled connection fails on its first use.
        for _ in range(2):
            try:
                async with self.reads.connection(timeout=2) as connection:
                    await connection.execute("SELECT 1")
            except psycopg.OperationalError:
                await self.reads.check()
            except Exception:
                return False
            else:
                return True
        return False


class HasDatabase(Protocol):
    """Anything with database connections, such as the portal."""

    @property
    def database(self) -> Database:
        """The database connections."""
        ...


@event.listens_for(Session, "after_begin")
def _enter_scope(session: Session, _transaction: object, connection: Connection) -> None:
    statements: Statements = session.info["statements"]
    connection.info["statements"] = statements
    await_only(statements.attach(connection))


def _send_pending(connection: Connection, *_cursor_arguments: Any) -> None:
    """Send pending statements before a statement of the session, which may depend on them."""
    statements: Statements | None = connection.info.get("statements")
    if statements is not None and statements.has_pending:
        await_only(statements.send())


def _reject_dead_connection(connection: Any, _record: object, _proxy: object) -> None:
    """Discard a pooled connection that the server has closed.

    The socket of an idle connection becomes readable only when the server ends it, so checking
    the socket replaces a ping before every write.
    """
    with selectors.DefaultSelector() as selector:
        selector.register(connection.driver_connection.pgconn.socket, selectors.EVENT_READ)
        if selector.select(0):
            raise InvalidatePoolError
