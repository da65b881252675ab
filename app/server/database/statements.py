"""Statements of a unit of work that share round trips (ADR 22).

A write takes two round trips: one statement loads everything it needs, and all its changes go with
the commit. Rare statements use ``AsyncSession`` in the same transaction.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
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
SET_PLAN_ONCE = "set_config('plan_cache_mode', 'force_generic_plan', true)"
"""SQL: the rest of the transaction plans each statement once per connection, for all values.

Statements that begin at ids have the same plan whatever the values are; planning one with its
policies takes longer than running it.
"""
_PLAN_ONCE = f"SELECT {SET_PLAN_ONCE}"
# A statement of the session may depend on its values.
_PLAN_BY_VALUES = "SELECT set_config('plan_cache_mode', 'auto', true)"
SET_SCOPE_AND_PLAN_ONCE = f"{SET_SCOPE}, {SET_PLAN_ONCE}"
"""Sets the scope, and makes PostgreSQL plan the statements of the transaction once for all values.
"""
_COMMIT = "COMMIT"
_BIGINT = range(-(2**63), 2**63)
Row = tuple[Any, ...]
Check = Callable[[Row | None], None]
"""Checks the first row of a statement, and raises an error to stop the write."""


def build_scope_parameters(actor: Actor) -> dict[str, str]:
    """Return the values of ``SET_SCOPE`` for an actor."""
    return {"role": actor.database_role, "ids": actor.ids_text, "user": actor.user_text}


@dataclass(frozen=True)
class _PendingStatement:
    text: str
    values: Mapping[str, Any]
    check: Check | None = None
    depends_on_values: bool = False


class Statements:
    """The statements of a transaction, in order; they stay pending until a row is fetched.

    The first round trip includes BEGIN and the scope, the last one COMMIT. Each connection plans a
    statement once, for all values, unless it is fetched with ``depends_on_values``.
    """

    def __init__(self, session: AsyncSession, actor: Actor) -> None:
        self._session = session
        self._scope = build_scope_parameters(actor)
        self._pending_statements: list[_PendingStatement] = []
        self._connection: Connection | None = None
        self._has_begun = False
        self._is_opening = False

    @property
    def has_begun(self) -> bool:
        """Whether the transaction has begun on the server."""
        return self._has_begun

    @property
    def has_pending(self) -> bool:
        """Whether statements wait to be sent."""
        return bool(self._pending_statements)

    def add(self, text: str, values: Mapping[str, Any], *, check: Check | None = None) -> None:
        """Add a statement; it is sent with the next row that is fetched, or with the commit.

        It may also use the values of the actor's scope (``ids``, ``user``).
        """
        self._pending_statements.append(_PendingStatement(text, {**self._scope, **values}, check))

    async def fetch(
        self, text: str, values: Mapping[str, Any], *, depends_on_values: bool = False
    ) -> Row | None:
        """Send a statement with all pending ones in one round trip, and return its first row.

        ``depends_on_values`` says that the best plan depends on the values, such as the letters
        of a search.

        Raises:
            psycopg.Error: one of the statements failed.
        """
        statement = _PendingStatement(
            text, {**self._scope, **values}, depends_on_values=depends_on_values
        )
        self._pending_statements.append(statement)
        return (await self.send())[-1]

    async def send(self) -> list[Row | None]:
        """Send all pending statements, and return the first row of each."""
        if self._connection is None:
            self._is_opening = True
            await self._session.connection()
        return await self._exchange()

    async def commit(self) -> None:
        """Send pending statements with COMMIT; without any, the session only commits."""
        if any(statement.check for statement in self._pending_statements):
            await self.send()
        if self._pending_statements:
            self._pending_statements.append(_PendingStatement(_COMMIT, {}))
            await self.send()

    async def attach(self, connection: Connection) -> None:
        """Attach the session's connection, and begin the transaction unless ``send`` will do so."""
        if self._connection is not None:
            return
        self._connection = connection
        if not self._is_opening:
            await self._exchange()

    async def _exchange(self) -> list[Row | None]:
        assert self._connection is not None
        raw = self._connection.connection.driver_connection
        assert isinstance(raw, PreparingConnection)
        pending_statements, self._pending_statements = self._pending_statements, []
        opening, closing = self._frame(pending_statements)
        try:
            rows = await fetch_all(
                raw,
                [
                    (statement.text, _widen_integers(statement.values))
                    for statement in (*opening, *pending_statements, *closing)
                ],
            )
        finally:
            if raw.closed:
                self._connection.invalidate()
        rows = rows[len(opening) : len(opening) + len(pending_statements)]
        for statement, row in zip(pending_statements, rows, strict=True):
            if statement.check is not None:
                statement.check(row)
        return rows

    def _frame(
        self, statements: Sequence[_PendingStatement]
    ) -> tuple[list[_PendingStatement], list[_PendingStatement]]:
        """Return what is sent before and after these statements."""
        is_planned_once = bool(statements) and not any(s.depends_on_values for s in statements)
        opening = [_PendingStatement(_PLAN_ONCE, {})] if is_planned_once else []
        closing = [_PendingStatement(_PLAN_BY_VALUES, {})] if is_planned_once else []
        if statements and statements[-1].text == _COMMIT:
            closing = []  # It ended the transaction, and the setting with it.
        if not self._has_begun:
            set_scope = SET_SCOPE_AND_PLAN_ONCE if is_planned_once else SET_SCOPE
            opening = [_PendingStatement("BEGIN", {}), _PendingStatement(set_scope, self._scope)]
            self._has_begun = True
        return opening, closing


@lru_cache(maxsize=64)
def build_insert(table: str, columns: tuple[str, ...]) -> str:
    """Build an INSERT of the rows in ``%(rows)s``, a JSON array of objects with these columns."""
    names = ", ".join(columns)
    return (
        f"INSERT INTO {table} ({names}) SELECT {names} "
        f"FROM json_populate_recordset(NULL::{table}, %(rows)s::json)"
    )


@lru_cache(maxsize=128)
def build_update(table: str, columns: tuple[str, ...]) -> str:
    """Build an UPDATE of these columns from ``%(rows)s``, a JSON array of objects with ids."""
    pairs = ", ".join(f"{name} = n.{name}" for name in columns)
    return (
        f"UPDATE {table} t SET {pairs} "
        f"FROM json_populate_recordset(NULL::{table}, %(rows)s::json) n WHERE t.id = n.id"
    )


def format_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """Format rows as the JSON that ``build_insert`` and ``build_update`` expect."""
    return json.dumps(list(rows), default=str)


def _widen_integers(values: Mapping[str, Any]) -> dict[str, Any]:
    """Send all integers as bigint, so that a statement is not prepared once per integer type."""
    return {name: _widen_integer(value) for name, value in values.items()}


def _widen_integer(value: Any) -> Any:
    if type(value) is int and value in _BIGINT:
        return Int8(value)
    if type(value) is list:
        return [_widen_integer(item) for item in value]
    return value
