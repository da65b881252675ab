"""Base classes of repositories, whose queries start inside the actor's scope."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Select,
    any_,
    bindparam,
    cast,
    func,
    literal_column,
    select,
    text,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.types import BigInteger

from app.contract.enumerations import ScopeKind
from app.server.actor import Actor
from app.server.database.base import Table, declared_scopes
from app.server.database.scope import Rows
from app.server.database.transactions import Transaction

Record = TypeVar("Record", bound=Table)


def build_ids_condition(column: Any, ids: Collection[int]) -> ColumnElement[bool]:
    """Build the condition that a column contains one of these ids.

    The ids are one array, so the statement's text is the same for any number of them.
    """
    condition: ColumnElement[bool] = column == any_(cast(list(ids), ARRAY(BigInteger)))
    return condition


def build_scope_predicate(table: type[Table] | str, actor: Actor) -> ColumnElement[bool]:
    """Build the predicate that limits a root table to the actor's scope.

    Pass the table's name if its slice is above the caller's and therefore cannot be imported.
    """
    name = table if isinstance(table, str) else table.__tablename__
    scope = declared_scopes[name]
    assert isinstance(scope, Rows), f"{name} is not a root table"
    if actor.kind in (ScopeKind.STAFF, ScopeKind.WORKER):
        return true()
    condition = scope.build_condition(actor.kind, ":scope_ids", name)
    if condition is None:
        return literal_column("false")
    return text(condition).bindparams(  # type: ignore[return-value]
        bindparam("scope_ids", list(actor.ids), type_=ARRAY(BigInteger))
    )


def lock_rows(statement: "Select[Record]") -> "Select[Record]":
    """Return the query with row locks, so that nobody else changes its rows until the commit.

    Records that the session loaded before the wait for the lock are refreshed; autoflush has
    written their pending changes by then. FOR NO KEY UPDATE lets others write rows that refer to
    these, such as drafts and transmissions: ids never change, and nothing is deleted.
    """
    return statement.with_for_update(key_share=True).execution_options(populate_existing=True)


class Repository:
    """The base of repositories; ``Transaction.build_repository`` builds them."""

    def __init__(self, transaction: Transaction) -> None:
        self.actor = transaction.actor
        self.session = transaction.session
        self.statements = transaction.statements

    async def insert(self, *records: Table) -> None:
        """Insert new records, and set their ids and the database's defaults."""
        self.session.add_all(records)
        await self.flush()

    async def flush(self) -> None:
        """Write changed records now instead of at the commit."""
        await self.session.flush()

    async def load_user_names(self, ids: Iterable[UUID | None]) -> Mapping[UUID, str]:
        """Load the names of users by id; not for patients."""
        user_ids = list({user_id for user_id in ids if user_id is not None})
        if not user_ids:
            return {}
        users = func.unnest(user_ids).table_valued("id").render_derived()
        rows = await self.session.execute(select(users.c.id, func.name_of_user(users.c.id)))
        return {row[0]: row[1] for row in rows if row[1]}

    async def load_by_id(self, table: type[Record], ids: Collection[int]) -> dict[int, Record]:
        """Load records by id, where only the policies decide what the actor sees."""
        key: Any = table.__table__.c.id
        return await self._load_by_id(select(table).where(build_ids_condition(key, ids)))

    async def _load_by_id(self, statement: "Select[Record]") -> dict[int, Record]:
        records = await self.session.scalars(statement)
        return {getattr(record, "id"): record for record in records}  # noqa: B009


class ScopedRepository(Repository):
    """Reads root tables within the actor's scope."""

    def select(self, table: type[Record]) -> "Select[Record]":
        """Return a SELECT of the table's rows within the actor's scope."""
        return select(table).where(build_scope_predicate(table, self.actor))

    async def find_one(
        self, table: type[Record], record_id: int, *, lock: bool = False
    ) -> Record | None:
        """Find a record; None when it does not exist or is outside the actor's scope."""
        key: Any = table.__table__.c.id
        statement = self.select(table).where(key == record_id)
        if lock:
            statement = lock_rows(statement)
        return await self.session.scalar(statement)

    async def load_in_scope(
        self, table: type[Record], ids: list[int], *, lock: bool = False
    ) -> dict[int, Record]:
        """Load records by id within the actor's scope; locks are taken in the order of ids."""
        key: Any = table.__table__.c.id
        statement = self.select(table).where(build_ids_condition(key, ids)).order_by(key)
        if lock:
            statement = lock_rows(statement)
        return await self._load_by_id(statement)
