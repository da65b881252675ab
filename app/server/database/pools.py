"""Connections: a write engine (SQLAlchemy sessions) and a read pool (lists, one round trip).

Both log in as the application's own login, which owns nothing; every statement runs as the
database role of the actor's kind of scope, set for one transaction only.
"""

import selectors
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import Connection, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session
from sqlalchemy.util import await_only

from app.server.actor import Actor
from app.server.database.round_trip import PreparingConnection, fetch_one
from app.server.database.statements import SET_SCOPE, Statements, scope_parameters

_READ_OPTIONS = (
    # A generic plan can not know how many rows a scope has; see DESIGN 'Traps'.
    "-c plan_cache_mode=force_custom_plan "
    # What a hundred thousand rows hold some letters in is remembered row by row, not page by page.
    "-c work_mem=16MB "
    # All that lists write is who saw them: the last moment of that may go with the power.
    "-c synchronous_commit=off"
)


class Database:
    """The portal's connections, opened once by the host.

    Args:
        url: the application login's URL (``postgresql://``).
        read_size, write_size: most connections of each pool.
    """

    def __init__(self, url: str, *, read_size: int, write_size: int) -> None:
        self._url: URL = make_url(url).set(drivername="postgresql+psycopg")
        self.engine: AsyncEngine = create_async_engine(
            self._url,
            pool_size=write_size,
            max_overflow=0,
            hide_parameters=True,  # an error's text would hold what was to be written
            connect_args={"async_creator_fn": PreparingConnection.connect},
        )
        event.listen(self.engine.sync_engine, "checkout", _refuse_dead)
        event.listen(self.engine.sync_engine, "before_cursor_execute", _send_first)
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.reads: AsyncConnectionPool[PreparingConnection] = AsyncConnectionPool(
            make_conninfo(plain, options=_READ_OPTIONS),
            connection_class=PreparingConnection,
            min_size=2,
            max_size=read_size,
            open=False,
            kwargs={"autocommit": True},
            reconnect_timeout=30,
        )

    async def open(self) -> None:
        """Open the read pool; the write engine connects when first used."""
        await self.reads.open(wait=True, timeout=30)

    async def close(self) -> None:
        """Close every connection."""
        await self.reads.close()
        await self.engine.dispose()

    async def read(self, actor: Actor, statement: str, values: dict[str, Any]) -> tuple[Any, ...]:
        """The one row of a statement that is run within the actor's scope, in one round trip.

        Raises:
            psycopg.Error: what PostgreSQL objected to, or that it did not answer.
        """
        connection = await self.reads.getconn(timeout=10)
        try:
            texts = (SET_SCOPE, statement)
            return await fetch_one(connection, texts, (scope_parameters(actor), values))
        finally:
            await self.reads.putconn(connection)

    @asynccontextmanager
    async def transaction(self, actor: Actor) -> AsyncIterator[AsyncSession]:
        """One transaction within the actor's scope: committed on success, else rolled back."""
        async with self._sessions() as session, session.begin():
            statements = session.info["statements"] = Statements(session, actor)
            yield session
            if statements.have_begun:
                await session.flush()
            await statements.commit()

    async def answers(self) -> bool:
        """Whether the database takes a query now."""
        try:
            async with self.reads.connection(timeout=2) as connection:
                await connection.execute("SELECT 1")
        except Exception:
            return False
        return True


class HasDatabase(Protocol):
    """Whoever has connections to give: the portal, for work that needs nothing else of it."""

    @property
    def database(self) -> Database:
        """The connections."""
        ...


@event.listens_for(Session, "after_begin")
def _enter_scope(session: Session, _transaction: object, connection: Connection) -> None:
    statements: Statements = session.info["statements"]
    connection.info["statements"] = statements
    await_only(statements.enter(connection))


def _send_first(connection: Connection, *_of_the_cursor: Any) -> None:
    """What waits goes before a statement of the session: that one may build on it."""
    statements: Statements | None = connection.info.get("statements")
    if statements is not None and statements.are_waiting:
        await_only(statements.send())


def _refuse_dead(connection: Any, _record: object, _proxy: object) -> None:
    """An idle connection has nothing to read until the server ends it: no question is needed to
    find that out, as a ping before every write would be."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.driver_connection.pgconn.socket, selectors.EVENT_READ)
        if selector.select(0):
            raise InvalidatePoolError
