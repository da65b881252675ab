"""Reads the stream of changes once for the whole process and hands each to whoever may see it."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

import structlog
from sqlalchemy import delete, func

from app.basics.errors import PortalError
from app.contract.enumerations import ScopeKind
from app.contract.limits import CHANGES_KEPT_HOURS
from app.server.access.reader import Reader
from app.server.actor import Actor, worker
from app.server.changes.models import Change
from app.server.database.pools import Database, HasDatabase

_log = structlog.get_logger("portal.changes")
_READER = worker("live changes")
_TICK_SECONDS = 0.5
_BATCH = 1_000
_KEPT_FOR_ONE = 2_000
# Transactions below this have all ended, so nothing can appear among what was read before.
_ENDED = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"


class Position(NamedTuple):
    """A place in the stream: behind this change of this transaction."""

    transaction: int
    number: int

    def __str__(self) -> str:
        return f"{self.transaction}-{self.number}"


@dataclass(frozen=True)
class Changed:
    """One change as read; scope columns are those of the record."""

    position: Position
    kind: str
    record_id: int
    version: int
    scope: dict[str, int | None]

    def is_for(self, actor: Actor) -> bool:
        """Whether the record lies within the actor's scope."""
        if actor.kind is ScopeKind.STAFF:
            return True
        column = Change.__scope__.column(actor.kind)
        return column is not None and self.scope.get(column) in actor.ids


class Subscription:
    """What one listener has not been told yet. ``ended``: nothing more will come."""

    def __init__(self, actor: Actor, position: Position) -> None:
        self.actor = actor
        self.position = position
        self.ended = False
        self.overrun = False
        self._waiting: list[Changed] = []
        self._bell = asyncio.Event()

    def offer(self, changes: list[Changed]) -> None:
        """Take what this listener may see. One that does not keep up is told so, once."""
        self._waiting += [change for change in changes if change.is_for(self.actor)]
        if len(self._waiting) > _KEPT_FOR_ONE:
            self._waiting.clear()
            self.overrun = True
        if self._waiting or self.overrun:
            self._bell.set()

    def end(self) -> None:
        """Tell the listener to go."""
        self.ended = True
        self._bell.set()

    async def next(self, seconds: float) -> list[Changed]:
        """What has come, as soon as something has; empty after ``seconds`` without any."""
        if not self._waiting and not self.ended and not self.overrun:
            try:
                async with asyncio.timeout(seconds):
                    await self._bell.wait()
            except TimeoutError:
                return []
        self._bell.clear()
        found, self._waiting = self._waiting, []
        return found


class Feed:
    """The one reader of a process; it reads only while somebody listens."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._listeners: set[Subscription] = set()
        self._position = Position(0, 0)
        self._lock = asyncio.Lock()
        self._wanted = asyncio.Event()

    @asynccontextmanager
    async def subscribe(
        self, actor: Actor, after: Position | None = None
    ) -> AsyncIterator[Subscription]:
        """Listen from now on, or from behind ``after``.

        Raises:
            Unavailable: the database did not answer.
        """
        async with self._lock:
            if not self._listeners:
                _, ended = await self._read(_READER, Position(0, 0), most=0)
                self._position = Position(ended, 0)
            subscription = Subscription(actor, self._position)
            self._listeners.add(subscription)
            self._wanted.set()
        try:
            if after is not None:
                subscription.offer(await self._missed(actor, after, subscription.position))
            yield subscription
        finally:
            self._listeners.discard(subscription)
            if not self._listeners:
                self._wanted.clear()

    async def run(self) -> None:
        """Read and tell until cancelled, whatever happens to the database meanwhile."""
        while True:
            await self._wanted.wait()
            await asyncio.sleep(_TICK_SECONDS)
            try:
                while await self._tell():
                    pass
            except PortalError as error:
                _log.warning("live changes wait for the database", kind=type(error).__name__)

    def end(self) -> None:
        """Let every listener go, so that the server can stop."""
        for listener in list(self._listeners):
            listener.end()

    async def _tell(self) -> bool:
        """Read on and tell everybody; whether more may be waiting."""
        async with self._lock:
            changes, ended = await self._read(_READER, self._position)
            full = len(changes) == _BATCH
            self._position = changes[-1].position if full else Position(ended, 0)
            newest = {(c.kind, c.record_id): c for c in changes}
            # In their order: whoever was told of one has been told of all before it.
            latest = sorted(newest.values(), key=lambda change: change.position)
            for listener in self._listeners:
                listener.offer(latest)
        return full

    async def _missed(self, actor: Actor, after: Position, until: Position) -> list[Changed]:
        """What lies between two places, read within the listener's own scope."""
        found: list[Changed] = []
        while after < until:
            changes, _ = await self._read(actor, after)
            found += [change for change in changes if change.position <= until]
            if len(changes) < _BATCH or len(found) > _KEPT_FOR_ONE:
                break
            after = changes[-1].position
        return found

    async def _read(
        self, actor: Actor, after: Position, most: int = _BATCH
    ) -> tuple[list[Changed], int]:
        """The next changes, and the transaction below which all have ended."""
        values = {"transaction": after.transaction, "number": after.number, "most": most}
        row = await Reader(self._database, actor).fetch_row(_statement(actor.kind), values)
        return [_changed(item) for item in json.loads(row[0])], int(row[1])


async def forget_old_changes(portal: HasDatabase) -> int:
    """Remove what nobody can still ask for; how many."""
    kept = timedelta(hours=CHANGES_KEPT_HOURS)
    async with portal.database.transaction(_READER) as session:
        gone = await session.execute(delete(Change).where(Change.at < func.now() - kept))
    return int(getattr(gone, "rowcount", 0))


def _statement(kind: ScopeKind) -> str:
    condition = Change.__scope__.predicate(kind)
    return (
        "WITH new AS (SELECT transaction_id, id, kind, record_id, version, client_id, "
        "physician_id, patient_id FROM changes "
        "WHERE (transaction_id, id) > (%(transaction)s::bigint, %(number)s::bigint) "
        f"AND transaction_id < {_ENDED} AND {condition} "
        "ORDER BY transaction_id, id LIMIT %(most)s) "
        "SELECT coalesce(json_agg(new ORDER BY transaction_id, id), '[]'::json)::text, "
        f"{_ENDED} FROM new"
    )


def _changed(item: dict[str, Any]) -> Changed:
    scope = {name: item[name] for name in ("client_id", "physician_id", "patient_id")}
    return Changed(
        Position(item["transaction_id"], item["id"]),
        item["kind"],
        item["record_id"],
        item["version"],
        scope,
    )
