"""The base of repositories: a query starts inside the actor's scope or not at all."""

from collections.abc import Sequence
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Select,
    any_,
    bindparam,
    cast,
    literal_column,
    select,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.types import BigInteger

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.database.base import Table, declared_scopes
from app.server.database.scope import Rows
from app.server.database.statements import Statements, get_statements

Record = TypeVar("Record", bound=Table)


def among(column: Any, ids: Sequence[int]) -> ColumnElement[bool]:
    """That a column holds one of these ids; an array, so that the statement's text stays the same
    for any number of them."""
    found: ColumnElement[bool] = column == any_(cast(list(ids), ARRAY(BigInteger)))
    return found


def in_scope(table: type[Table] | str, actor: Actor) -> ColumnElement[bool]:
    """The predicate that confines a root table to the actor, from its declaration.

    A table of a slice that stands above the caller's is named instead of imported.
    """
    name = table if isinstance(table, str) else table.__tablename__
    declared = declared_scopes[name]
    assert isinstance(declared, Rows), f"{name} is not a root table"
    if actor.kind in (ScopeKind.STAFF, ScopeKind.WORKER):
        return true()
    condition = declared.condition(actor.kind, ":scope_ids", name)
    if condition is None:
        return literal_column("false")
    return text(condition).bindparams(  # type: ignore[return-value]
        bindparam("scope_ids", list(actor.ids), type_=ARRAY(BigInteger))
    )


def locking(statement: "Select[Record]") -> "Select[Record]":
    """The same query, holding what it finds until the commit: nobody else changes it meanwhile.

    The records are brought up to date, also those that were looked at before the wait for the lock
    (autoflush has written what was changed of them here). FOR NO KEY UPDATE lets others write rows
    that refer to these, as drafts and transmissions do: ids never change, and nothing is deleted.
    """
    return statement.with_for_update(key_share=True).execution_options(populate_existing=True)


class Repository:
    """Made with a session and the actor whose scope that is in (``Work.repository``)."""

    def __init__(self, session: AsyncSession, actor: Actor) -> None:
        self.session = session
        self.actor = actor

    @property
    def statements(self) -> Statements:
        """The statements that go together, in the session's transaction."""
        return get_statements(self.session)

    async def insert(self, *records: Table) -> None:
        """Insert new records; they have the ids and defaults of the database then."""
        self.session.add_all(records)
        await self.flush()

    async def flush(self) -> None:
        """Write what was changed of records now, and not only with the commit."""
        await self.session.flush()


class ScopedRepository(Repository):
    """Reads root tables within the actor's scope; made with the actor, never without."""

    def select(self, table: type[Record]) -> "Select[Record]":
        """A SELECT of the table that can only find the actor's rows."""
        return select(table).where(in_scope(table, self.actor))

    async def one(
        self, table: type[Record], record_id: int, *, lock: bool = False
    ) -> Record | None:
        """The record, or None when it does not exist or is not the actor's."""
        key: Any = table.__table__.c.id
        statement = self.select(table).where(key == record_id)
        if lock:
            statement = locking(statement)
        return await self.session.scalar(statement)

    async def many(
        self, table: type[Record], ids: list[int], *, lock: bool = False
    ) -> dict[int, Record]:
        """The records by id; what is not the actor's is missing. Locked in the order of ids."""
        key: Any = table.__table__.c.id
        statement = self.select(table).where(among(key, ids)).order_by(key)
        if lock:
            statement = locking(statement)
        found = await self.session.scalars(statement)
        return {getattr(record, "id"): record for record in found}  # noqa: B009
