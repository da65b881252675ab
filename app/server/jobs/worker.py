"""Runs jobs until it is asked to stop, and brings back those whose worker died."""

import math
from collections.abc import Sequence
from contextlib import suppress

import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg.conninfo import make_conninfo

from app.contract.enumerations import ScopeKind
from app.server.jobs.tasks import Periodic, Task, add_periodic, add_task, context_of

CONCURRENCY = 4
HEARTBEAT_SECONDS = 5.0
DEAD_SECONDS = 20.0
"""A worker that has not been heard of for so long is dead, and its jobs are done anew."""
_REAP_CRON = "* * * * * */5"
"""Every five seconds; the sixth field is croniter's."""
_FIRST = 100
"""Before whatever else waits: what dead workers left has waited for long."""
_GRACE_SECONDS = 10.0
_FAILED_KEPT_HOURS = 30 * 24
_log = structlog.get_logger("portal.jobs")


class SchemaNotReadyError(RuntimeError):
    """The database has no place for jobs yet: no portal has brought it up to date."""


class WorkerStoppedError(RuntimeError):
    """The worker ended by itself: something that it needs failed for good."""


def job_app(url: str, tasks: Sequence[Task], periodic: Sequence[Periodic] = ()) -> App:
    """What workers run; its connections log in as the application, as the worker's role."""
    options = f"-c role=as_{ScopeKind.WORKER} -c search_path=jobs,public"
    connector = PsycopgConnector(
        conninfo=make_conninfo(url, options=options), min_size=2, max_size=CONCURRENCY + 3
    )
    # Work whose time passed while no worker ran is made up for once, however long ago it was.
    app = App(connector=connector, periodic_defaults={"max_delay": math.inf})
    for task in tasks:
        add_task(app, task)
    for each in (*_housekeeping(app), *periodic):
        add_periodic(app, each)
    return app


async def work(
    url: str,
    tasks: Sequence[Task],
    parts: object,
    *,
    poll_seconds: float,
    periodic: Sequence[Periodic] = (),
) -> None:
    """Do jobs until cancelled; what is running then gets ten seconds to end.

    Args:
        url: the application login's.
        tasks: what this worker can do.
        parts: what tasks are given.
        poll_seconds: how often to look for jobs that have become due.
        periodic: what workers do besides, by the clock.

    Raises:
        SchemaNotReadyError: the schema is older than this worker.
        WorkerStoppedError: it ended without being cancelled.
        Exception: the database went away; whoever runs the worker starts it again.
    """
    app = job_app(url, tasks, periodic)
    async with app.open_async():
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
            additional_context=context_of(parts),
        )
    raise WorkerStoppedError("The background worker ended: it could not go on.")


async def reap(app: App, dead_seconds: float = DEAD_SECONDS) -> int:
    """Put the jobs of dead workers back, to be done anew at once; how many.

    A worker that is only slow may be among them: a task has to bear being run twice.
    """
    returned = 0
    for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=dead_seconds):
        # Another worker may have put it back in the meantime.
        with suppress(ConnectorException):
            await app.job_manager.retry_job(job)
            returned += 1
    return returned


def _housekeeping(app: App) -> tuple[Periodic, ...]:
    async def return_jobs(_: object) -> None:
        await app.job_manager.prune_stalled_workers(DEAD_SECONDS)
        returned = await reap(app)
        if returned:
            _log.warning("jobs of a dead worker returned", count=returned)

    async def forget_old_jobs(_: object) -> None:
        await app.job_manager.delete_old_jobs(
            _FAILED_KEPT_HOURS, include_failed=True, include_aborted=True
        )

    return (
        Periodic(Task("jobs.return_jobs_of_dead_workers", return_jobs), _REAP_CRON, _FIRST),
        Periodic(Task("jobs.forget_old_jobs", forget_old_jobs)),
    )
