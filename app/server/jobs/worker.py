"""Runs jobs until it is stopped, and returns the jobs of dead workers to the queue."""

import math
from collections.abc import Sequence
from contextlib import suppress

import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg.conninfo import make_conninfo

from app.contract.enumerations import ScopeKind
from app.server.jobs.tasks import Periodic, Task, add_periodic, add_task, build_context

CONCURRENCY = 4
HEARTBEAT_SECONDS = 5.0
DEAD_SECONDS = 20.0
"""A worker without a heartbeat for this long is dead, and its jobs run again."""
_REQUEUE_CRON = "* * * * * */5"
"""Every five seconds; the sixth field is an extension of croniter."""
_REQUEUE_PRIORITY = 100
"""Before all other jobs, because the jobs of dead workers have waited long."""
_GRACE_SECONDS = 10.0
_FAILED_RETENTION_HOURS = 30 * 24
_log = structlog.get_logger("portal.jobs")


class SchemaNotReadyError(RuntimeError):
    """The database has no tables for jobs yet, because no portal has migrated it."""


class WorkerStoppedError(RuntimeError):
    """The worker stopped by itself, because something that it needs failed permanently."""


def build_job_app(url: str, tasks: Sequence[Task], periodic: Sequence[Periodic] = ()) -> App:
    """Build the application of the workers; it connects as the worker's database role."""
    options = f"-c role=as_{ScopeKind.WORKER} -c search_path=jobs,public"
    connector = PsycopgConnector(
        conninfo=make_conninfo(url, options=options), min_size=2, max_size=CONCURRENCY + 3
    )
    # Run a periodic job once if its time passed while no worker ran, however long ago that was.
    app = App(connector=connector, periodic_defaults={"max_delay": math.inf})
    for task in tasks:
        add_task(app, task)
    for job in (*_build_housekeeping(app), *periodic):
        add_periodic(app, job)
    return app


async def run_worker(
    url: str,
    tasks: Sequence[Task],
    parts: object,
    *,
    poll_seconds: float,
    periodic: Sequence[Periodic] = (),
) -> None:
    """Run jobs until canceled; running jobs then have ten seconds to finish.

    Args:
        url: the application login's URL.
        tasks: the tasks of this worker.
        parts: the value passed to tasks.
        poll_seconds: the interval of checking for due jobs.
        periodic: the periodic jobs of this worker.

    Raises:
        SchemaNotReadyError: the schema is older than this worker.
        WorkerStoppedError: the worker ended without being canceled.
        Exception: the database connection was lost; the caller restarts the worker.
    """
    app = build_job_app(url, tasks, periodic)
    try:
        await app.open_async()
        if not await app.check_connection_async():
            raise SchemaNotReadyError("The database is not up to date: start `serve` first.")
        await app.run_worker_async(
            concurrency=CONCURRENCY,
            fetch_job_polling_interval=poll_seconds,
            update_heartbeat_interval=HEARTBEAT_SECONDS,
            stalled_worker_timeout=DEAD_SECONDS,
            shutdown_graceful_timeout=_GRACE_SECONDS,
            delete_jobs="successful",
            install_signal_handlers=False,
            additional_context=build_context(parts),
        )
    finally:
        # The pool also closes after a cancellation while it opens, or it would connect forever.
        await app.close_async()
    raise WorkerStoppedError("The background worker stopped because it could not continue.")


async def requeue_abandoned_jobs(app: App, dead_seconds: float = DEAD_SECONDS) -> int:
    """Put the jobs of dead workers back into the queue now, and return their number.

    A worker may only be slow, so tasks must allow being run twice.
    """
    requeued_count = 0
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=dead_seconds):
        # Another worker may already have returned it.
        with suppress(ConnectorException):
            await app.job_manager.retry_job(job)
            requeued_count += 1
    return requeued_count


def _build_housekeeping(app: App) -> tuple[Periodic, ...]:
    async def requeue_jobs(_: object) -> None:
        await app.job_manager.prune_stalled_workers(DEAD_SECONDS)
        requeued_count = await requeue_abandoned_jobs(app)
        if requeued_count:
            _log.warning("jobs of a dead worker returned", count=requeued_count)

    async def delete_old_jobs(_: object) -> None:
        await app.job_manager.delete_old_jobs(
            _FAILED_RETENTION_HOURS, include_failed=True, include_aborted=True
        )

    return (
        Periodic(
            Task("jobs.return_jobs_of_dead_workers", requeue_jobs), _REQUEUE_CRON, _REQUEUE_PRIORITY
        ),
        Periodic(Task("jobs.forget_old_jobs", delete_old_jobs)),
    )
