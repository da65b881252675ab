"""Connections: a write engine (SQLAlchemy sessions) and a read pool (lists, one round trip).

Both log in as the application's own login, which owns nothing; every statement runs as the
database role of the actor's kind of scope, set for one transaction only.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Protocol

from psycopg.conninfo import make_conninfo
from psycopg_pool import AsyncConnectionPool
from sqlalchemy import event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)
from sqlalchemy.orm import Session

from app.server.actor import Actor
from app.server.database.round_trip import ReadConnection, fetch_one

SET_SCOPE = (
    "SELECT set_config('role', %(role)s, true), set_config('app.ids', %(ids)s, true), "
    "set_config('app.user', %(user)s, true)"
)
_READ_OPTIONS = (
    # A generic plan can not know how many rows a scope has; see DESIGN 'Traps'.
    "-c plan_cache_mode=force_custom_plan "
    # What a hundred thousand rows hold some letters in is remembered row by row, not page by page.
    "-c work_mem=16MB "
    # All that lists write is who saw them: the last moment of that may go with the power.
    "-c synchronous_commit=off"
)
_SET_SCOPE_OF_SESSION = text(
    "SELECT set_config('role', :role, true), set_config('app.ids', :ids, true), "
    "set_config('app.user', :user, true)"
)


def scope_parameters(actor: Actor) -> dict[str, str]:
    """The values of ``SET_SCOPE`` for an actor."""
    return {"role": actor.database_role, "ids": actor.ids_text, "user": actor.user_text}


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
            pool_pre_ping=True,
            hide_parameters=True,  # an error's text would hold what was to be written
        )
        self._sessions = async_sessionmaker(self.engine, expire_on_commit=False)
        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        self.reads: AsyncConnectionPool[ReadConnection] = AsyncConnectionPool(
            make_conninfo(plain, options=_READ_OPTIONS),
            connection_class=ReadConnection,
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
        async with self._sessions(info={"actor": actor}) as session, session.begin():
            yield session

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
def _enter_scope(session: Session, _transaction: object, connection: Any) -> None:
    connection.execute(_SET_SCOPE_OF_SESSION, scope_parameters(session.info["actor"]))
