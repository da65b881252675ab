"""Reads the stream of changes once per process; each subscriber gets those in its scope."""

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
from app.contract.limits import CHANGES_RETENTION_HOURS
from app.server.access.reader import Reader
from app.server.actor import Actor, build_worker_actor
from app.server.changes.models import Change
from app.server.database.pools import Database, HasDatabase

_log = structlog.get_logger("portal.changes")
_READER = build_worker_actor("live changes")
_TICK_SECONDS = 0.5
_BATCH = 1_000
_BACKLOG_MAX = 2_000
# All transactions below this have ended, so no change can still appear among those already read.
_FIRST_OPEN_TRANSACTION = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"


class Position(NamedTuple):
    """A position in the stream: after this change of this transaction."""

    transaction: int
    number: int

    def __str__(self) -> str:
        return f"{self.transaction}-{self.number}"


@dataclass(frozen=True)
class ChangedRecord:
    """A change as read from the stream; ``scope`` has the scope columns of the record."""

    position: Position
    kind: str
    record_id: int
    version: int
    scope: dict[str, int | None]

    def is_visible_to(self, actor: Actor) -> bool:
        """Whether the record is within the actor's scope."""
        if actor.kind is ScopeKind.STAFF:
            return True
        column = Change.__scope__.get_column(actor.kind)
        return column is not None and self.scope.get(column) in actor.ids


class Subscription:
    """The changes that a subscriber has not received yet.

    After ``has_ended`` no more changes will come. If ``must_check_rights``, the subscriber checks
    the actor's rights before it sends the next change.
    """

    def __init__(self, actor: Actor, position: Position) -> None:
        self.actor = actor
        self.position = position
        self.has_ended = False
        self.is_overrun = False
        self.must_check_rights = False
        self._pending_changes: list[ChangedRecord] = []
        self._has_news = asyncio.Event()

    def add_visible(self, changes: list[ChangedRecord]) -> None:
        """Add the visible changes, or set ``is_overrun`` if the subscriber does not keep up."""
        self._pending_changes += [change for change in changes if change.is_visible_to(self.actor)]
        if len(self._pending_changes) > _BACKLOG_MAX:
            self._pending_changes.clear()
            self.is_overrun = True
        if self._pending_changes or self.is_overrun:
            self._has_news.set()

    def end(self) -> None:
        """End the subscription."""
        self.has_ended = True
        self._has_news.set()

    def check_rights(self) -> None:
        """Wake the subscriber, who must check whether the actor's rights are the same."""
        self.must_check_rights = True
        self._has_news.set()

    async def wait_for_changes(self, seconds: float) -> list[ChangedRecord]:
        """Wait for changes and return them; empty without any, or to check rights."""
        if not self._pending_changes and not self.has_ended and not self.is_overrun:
            try:
                async with asyncio.timeout(seconds):
                    await self._has_news.wait()
            except TimeoutError:
                return []
        self._has_news.clear()
        changes, self._pending_changes = self._pending_changes, []
        return changes


class Feed:
    """The single reader of a process, which reads only while there are subscribers."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._subscribers: set[Subscription] = set()
        self._position = Position(0, 0)
        self._lock = asyncio.Lock()
        self._has_subscribers = asyncio.Event()

    @asynccontextmanager
    async def subscribe(
        self, actor: Actor, after: Position | None = None
    ) -> AsyncIterator[Subscription]:
        """Subscribe from now on, or from the position ``after``.

        Raises:
            Unavailable: the database did not answer.
        """
        async with self._lock:
            if not self._subscribers:
                _, first_open_transaction = await self._read(_READER, Position(0, 0), max_count=0)
                self._position = Position(first_open_transaction, 0)
            subscription = Subscription(actor, self._position)
            self._subscribers.add(subscription)
            self._has_subscribers.set()
        try:
            if after is not None:
                subscription.add_visible(
                    await self._read_missed_changes(actor, after, subscription.position)
                )
            yield subscription
        finally:
            self._subscribers.discard(subscription)
            if not self._subscribers:
                self._has_subscribers.clear()

    async def run(self) -> None:
        """Publish changes until canceled, whatever happens to the database."""
        while True:
            await self._has_subscribers.wait()
            await asyncio.sleep(_TICK_SECONDS)
            try:
                while await self._publish():
                    pass
            except PortalError as error:
                _log.warning("live changes wait for the database", kind=type(error).__name__)

    def check_rights(self, user_id: str) -> None:
        """Let the streams of a user check their rights, or all streams if the id is empty."""
        for subscriber in self._subscribers:
            if not user_id or subscriber.actor.user_text == user_id:
                subscriber.check_rights()

    def end(self) -> None:
        """End every subscription, so that the server can stop."""
        for subscriber in list(self._subscribers):
            subscriber.end()

    async def _publish(self) -> bool:
        """Publish the next batch of changes, and return whether there may be more."""
        async with self._lock:
            changes, first_open_transaction = await self._read(_READER, self._position)
            is_full = len(changes) == _BATCH
            self._position = (
                changes[-1].position if is_full else Position(first_open_transaction, 0)
            )
            # A record that left a scope is announced there as well (``note_departure``).
            newest = {(c.kind, c.record_id, tuple(c.scope.values())): c for c in changes}
            # In order: a subscriber that has received a change has received all before it.
            latest = sorted(newest.values(), key=lambda change: change.position)
            for subscriber in self._subscribers:
                subscriber.add_visible(latest)
        return is_full

    async def _read_missed_changes(
        self, actor: Actor, after: Position, until: Position
    ) -> list[ChangedRecord]:
        """Read the changes between two positions, within the subscriber's scope."""
        missed_changes: list[ChangedRecord] = []
        while after < until:
            changes, _ = await self._read(actor, after)
            missed_changes += [change for change in changes if change.position <= until]
            if len(changes) < _BATCH or len(missed_changes) > _BACKLOG_MAX:
                break
            after = changes[-1].position
        return missed_changes

    async def _read(
        self, actor: Actor, after: Position, max_count: int = _BATCH
    ) -> tuple[list[ChangedRecord], int]:
        """Read the next changes, and the first transaction that may still be open."""
        values = {"transaction": after.transaction, "number": after.number, "max_count": max_count}
        row = await Reader(self._database, actor).fetch_row(_build_statement(actor.kind), values)
        return [_parse_change(item) for item in json.loads(row[0])], int(row[1])


async def delete_old_changes(portal: HasDatabase) -> int:
    """Delete changes too old to be resumed from, and return their number."""
    retention = timedelta(hours=CHANGES_RETENTION_HOURS)
    async with portal.database.transaction(_READER) as transaction:
        result = await transaction.session.execute(
            delete(Change).where(Change.at < func.now() - retention)
        )
    return int(getattr(result, "rowcount", 0))


def _build_statement(kind: ScopeKind) -> str:
    condition = Change.__scope__.build_predicate(kind)
    return (
        "WITH new AS (SELECT transaction_id, id, kind, record_id, version, client_id, "
        "physician_id, patient_id FROM changes "
        "WHERE (transaction_id, id) > (%(transaction)s::bigint, %(number)s::bigint) "
        f"AND transaction_id < {_FIRST_OPEN_TRANSACTION} AND {condition} "
        "ORDER BY transaction_id, id LIMIT %(max_count)s) "
        "SELECT coalesce(json_agg(new ORDER BY transaction_id, id), '[]'::json)::text, "
        f"{_FIRST_OPEN_TRANSACTION} FROM new"
    )


def _parse_change(item: dict[str, Any]) -> ChangedRecord:
    scope = {name: item[name] for name in ("client_id", "physician_id", "patient_id")}
    return ChangedRecord(
        Position(item["transaction_id"], item["id"]),
        item["kind"],
        item["record_id"],
        item["version"],
        scope,
    )
