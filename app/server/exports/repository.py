"""SQL of exports: those of the actor, and for jobs those of all users."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, or_, select, update

from app.contract.enumerations import ExportState
from app.server.access.reader import Reader
from app.server.database.repository import Repository, lock_rows
from app.server.exports.models import Export
from app.server.exports.rules import UNFINISHED_STATES, Trouble

_REQUEST_LOCKS = 7_305_131
"""The first number of the advisory lock under which a person's unfinished exports are counted."""
_RUN_LOCK = 7_305_132
"""The advisory lock under which the running exports of all users are counted."""
_SWEPT_AT_ONCE = 100

_REPORT = (
    "WITH reported AS (UPDATE exports SET rows_written = %(written)s::bigint, "
    "rows_expected = %(expected)s::bigint WHERE id = %(export)s::bigint "
    "AND user_id = nullif(%(user)s, '')::uuid AND attempt = %(attempt)s::smallint "
    f"AND state = '{ExportState.RUNNING}' RETURNING id) "
    "SELECT EXISTS (SELECT 1 FROM reported)"
)


@dataclass(frozen=True)
class RunId:
    """An attempt to write an export; a later attempt takes over from it."""

    export_id: int
    attempt: int

    def __str__(self) -> str:
        return f"export-{self.export_id}-{self.attempt}"


class ExportRepository(Repository):
    """The actor's own exports."""

    async def lock_requests(self) -> None:
        """Make other requests of the actor wait until this transaction ends."""
        assert self.actor.user_id is not None
        lock = func.pg_advisory_xact_lock(_REQUEST_LOCKS, self.actor.user_id.int % 2**31)
        await self.session.execute(select(lock))

    async def count_unfinished(self) -> int:
        """Count the actor's exports that are queued or run."""
        count = await self.session.scalar(
            select(func.count())
            .select_from(Export)
            .where(self._is_own(), Export.state.in_(UNFINISHED_STATES))
        )
        return count or 0

    async def list_newest(self, limit: int) -> list[Export]:
        """Return the actor's exports, newest first, without deleted ones."""
        exports = await self.session.scalars(
            select(Export)
            .where(self._is_own(), Export.removed_at.is_(None))
            .order_by(Export.id.desc())
            .limit(limit)
        )
        return list(exports)

    async def find(self, export_id: int, *, lock: bool = False) -> Export | None:
        """Find the actor's export, unless it is deleted."""
        return await self._find(export_id, Export.removed_at.is_(None), lock=lock)

    async def find_removed_export(self, export_id: int) -> Export | None:
        """Find and lock the actor's export that was deleted and can be restored."""
        return await self._find(export_id, Export.removed_at.is_not(None), lock=True)

    async def store_file(
        self, run: RunId, key: str, size: int, finished_at: datetime, expires_at: datetime
    ) -> bool:
        """Complete an export with its file, and return whether the run was still in charge."""
        stored_id = await self.session.scalar(
            update(Export)
            .where(self._is_own(), *_is_running(run))
            .values(
                state=ExportState.DONE,
                key=key,
                size=size,
                finished_at=finished_at,
                expires_at=expires_at,
            )
            .returning(Export.id)
        )
        return stored_id is not None

    async def _find(
        self, export_id: int, condition: ColumnElement[bool], *, lock: bool
    ) -> Export | None:
        statement = select(Export).where(Export.id == export_id, self._is_own(), condition)
        return await self.session.scalar(lock_rows(statement) if lock else statement)

    def _is_own(self) -> ColumnElement[bool]:
        return Export.user_id == self.actor.user_id


class ExportJobRepository(Repository):
    """The exports of all people, for jobs."""

    async def lock_runs(self) -> None:
        """Make other jobs that begin wait until this transaction ends."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_RUN_LOCK)))

    async def lock(self, export_id: int) -> Export | None:
        """Lock and return an export; None after it was deleted."""
        return await self.session.scalar(lock_rows(select(Export).where(Export.id == export_id)))

    async def count_running(self, user_id: UUID) -> tuple[int, int]:
        """Count the running exports of the user, and of everybody."""
        row = await self.session.execute(
            select(
                func.count().filter(Export.user_id == user_id),
                func.count(),
            ).where(Export.state == ExportState.RUNNING)
        )
        own, total = row.one()
        return own, total

    async def end_run(self, run: RunId, trouble: Trouble, finished_at: datetime) -> bool:
        """Fail an export, and return whether the run was still in charge."""
        ended_id = await self.session.scalar(
            update(Export)
            .where(*_is_running(run))
            .values(state=ExportState.FAILED, trouble=trouble, finished_at=finished_at)
            .returning(Export.id)
        )
        return ended_id is not None

    async def postpone_run(self, run: RunId) -> bool:
        """Queue an export again, and return whether the run was still in charge."""
        queued_id = await self.session.scalar(
            update(Export)
            .where(*_is_running(run))
            .values(state=ExportState.QUEUED)
            .returning(Export.id)
        )
        return queued_id is not None

    async def lock_outdated_files(self, now: datetime, restorable_for: timedelta) -> list[Export]:
        """Lock and return exports whose file is no longer needed."""
        exports = await self.session.scalars(
            lock_rows(
                select(Export)
                .where(
                    Export.key.is_not(None),
                    or_(Export.expires_at <= now, Export.removed_at <= now - restorable_for),
                )
                .order_by(Export.id)
                .limit(_SWEPT_AT_ONCE)
            )
        )
        return list(exports)

    async def delete_forgotten(
        self, now: datetime, forgotten_after: timedelta, restorable_for: timedelta
    ) -> None:
        """Delete exports without a file that are old, or that their owner deleted."""
        await self.session.execute(
            delete(Export).where(
                Export.key.is_(None),
                Export.state.not_in(UNFINISHED_STATES),
                or_(
                    Export.created_at <= now - forgotten_after,
                    Export.removed_at <= now - restorable_for,
                ),
            )
        )

    async def end_abandoned(self, now: datetime, age: timedelta) -> None:
        """Fail exports that have not finished within this time."""
        await self.session.execute(
            update(Export)
            .where(Export.state.in_(UNFINISHED_STATES), Export.created_at <= now - age)
            .values(state=ExportState.FAILED, trouble=Trouble.INTERRUPTED, finished_at=now)
        )

    async def list_runs(self) -> set[str]:
        """Return the names of the runs that write now."""
        rows = await self.session.execute(
            select(Export.id, Export.attempt).where(Export.state == ExportState.RUNNING)
        )
        return {str(RunId(*row)) for row in rows}


async def report_progress(
    reader: Reader, run: RunId, written_rows: int, expected_rows: int | None
) -> bool:
    """Store the progress of a run immediately, and return whether it is still in charge.

    A run is in charge until somebody cancels the export, or another worker takes it over.
    """
    values = {
        "export": run.export_id,
        "attempt": run.attempt,
        "written": written_rows,
        "expected": expected_rows,
    }
    (is_in_charge,) = await reader.fetch_row(_REPORT, values)
    return bool(is_in_charge)


def _is_running(run: RunId) -> tuple[ColumnElement[bool], ...]:
    return (
        Export.id == run.export_id,
        Export.attempt == run.attempt,
        Export.state == ExportState.RUNNING,
    )
