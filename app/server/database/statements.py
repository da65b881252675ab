"""The statements of a unit of work that go together, in one round trip (ADR 22).

A write makes two: what it needs is loaded by one statement, with everything before it, and what it
writes goes with the commit. ``AsyncSession`` takes part in the same transaction for what is rare.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from psycopg.types.numeric import Int8
from sqlalchemy import Connection
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.actor import Actor
from app.server.database.round_trip import PreparingConnection, fetch_all

SET_SCOPE = (
    "SELECT set_config('role', %(role)s, true), set_config('app.ids', %(ids)s, true), "
    "set_config('app.user', %(user)s, true)"
)
_BIGINT = range(-(2**63), 2**63)
Row = tuple[Any, ...]
Check = Callable[[Row | None], None]
"""Looks at the first row of a statement; raises when the write may not go on."""


def scope_parameters(actor: Actor) -> dict[str, str]:
    """The values of ``SET_SCOPE`` for an actor."""
    return {"role": actor.database_role, "ids": actor.ids_text, "user": actor.user_text}


@dataclass(frozen=True)
class _Waiting:
    text: str
    values: Mapping[str, Any]
    check: Check | None = None


class Statements:
    """One transaction's statements, in their order; they wait until a row is asked for.

    The first that goes takes the transaction's begin and scope along, the last the commit.
    """

    def __init__(self, session: AsyncSession, actor: Actor) -> None:
        self._session = session
        self._scope = scope_parameters(actor)
        self._waiting: list[_Waiting] = []
        self._held: Connection | None = None
        self._has_begun = False
        self._is_opening = False

    @property
    def have_begun(self) -> bool:
        """Whether anything of the transaction has been sent."""
        return self._has_begun

    @property
    def are_waiting(self) -> bool:
        """Whether there is something to be sent."""
        return bool(self._waiting)

    def add(self, text: str, values: Mapping[str, Any], *, check: Check | None = None) -> None:
        """Run a statement when the next row is asked for, at the latest with the commit.

        Its values may be those of the actor's scope (``ids``, ``user``) as well.
        """
        self._waiting.append(_Waiting(text, {**self._scope, **values}, check))

    async def fetch(self, text: str, values: Mapping[str, Any]) -> Row | None:
        """The first row of a statement, or None; what waits goes before it, in one round trip.

        Raises:
            psycopg.Error: what PostgreSQL objected to in any of them.
        """
        self.add(text, values)
        return (await self.send())[-1]

    async def send(self) -> list[Row | None]:
        """Send what waits; the first row of each."""
        if self._held is None:
            self._is_opening = True
            await self._session.connection()
        return await self._exchange()

    async def commit(self) -> None:
        """Send what waits and the commit; without anything to send, the session commits alone."""
        if any(each.check for each in self._waiting):
            await self.send()
        if self._waiting:
            self._waiting.append(_Waiting("COMMIT", {}))
            await self.send()

    async def enter(self, connection: Connection) -> None:
        """Take the connection on which the session has begun; unless ``send`` asked for it, begin
        the transaction on it now."""
        if self._held is not None:
            return
        self._held = connection
        if not self._is_opening:
            await self._exchange()

    async def _exchange(self) -> list[Row | None]:
        assert self._held is not None
        raw = self._held.connection.driver_connection
        assert isinstance(raw, PreparingConnection)
        waiting, self._waiting = self._waiting, []
        if not self._has_begun:
            waiting = [_Waiting("BEGIN", {}), _Waiting(SET_SCOPE, self._scope), *waiting]
            self._has_begun = True
        try:
            rows = await fetch_all(raw, [(each.text, _widened(each.values)) for each in waiting])
        finally:
            if raw.closed:
                self._held.invalidate()
        for each, row in zip(waiting, rows, strict=True):
            if each.check is not None:
                each.check(row)
        return rows


def get_statements(session: AsyncSession) -> Statements:
    """The statements that share the session's transaction."""
    statements: Statements = session.info["statements"]
    return statements


@lru_cache(maxsize=64)
def insert_text(table: str, columns: tuple[str, ...]) -> str:
    """An INSERT of the rows in ``%(rows)s``, a JSON array of objects that name the columns."""
    names = ", ".join(columns)
    return (
        f"INSERT INTO {table} ({names}) SELECT {names} "
        f"FROM json_populate_recordset(NULL::{table}, %(rows)s::json)"
    )


@lru_cache(maxsize=128)
def update_text(table: str, columns: tuple[str, ...]) -> str:
    """An UPDATE of these columns of the rows in ``%(rows)s``, a JSON array of objects with ids."""
    pairs = ", ".join(f"{name} = n.{name}" for name in columns)
    return (
        f"UPDATE {table} t SET {pairs} "
        f"FROM json_populate_recordset(NULL::{table}, %(rows)s::json) n WHERE t.id = n.id"
    )


def rows_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """Rows as ``insert_text`` takes them."""
    return json.dumps(list(rows), default=str)


def _widened(values: Mapping[str, Any]) -> dict[str, Any]:
    """Integers of one type: a statement is prepared anew for each type that its values have."""
    return {name: _wide(value) for name, value in values.items()}


def _wide(value: Any) -> Any:
    if type(value) is int and value in _BIGINT:
        return Int8(value)
    if type(value) is list:
        return [_wide(each) for each in value]
    return value
