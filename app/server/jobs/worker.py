"""Runs jobs until it is asked to stop, and brings back those whose worker died."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

import structlog
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from psycopg.conninfo import make_conninfo

from app.contract.enumerations import ScopeKind
from app.server.jobs.tasks import Task, add_task, context_of
from app.server.logs import kind_and_place

CONCURRENCY = 4
HEARTBEAT_SECONDS = 5.0
DEAD_SECONDS = 20.0
"""A worker that has not been heard of for so long is dead, and its jobs are done anew."""
_REAP_SECONDS = 5.0
_TIDY_SECONDS = 3600.0
_GRACE_SECONDS = 10.0
_FAILED_KEPT_HOURS = 30 * 24
_log = structlog.get_logger("portal.jobs")


class SchemaNotReadyError(RuntimeError):
    """The database has no place for jobs yet: no portal has brought it up to date."""


def job_app(url: str, tasks: Sequence[Task]) -> App:
    """What workers run; its connections log in as the application, as the worker's role."""
    options = f"-c role=as_{ScopeKind.WORKER} -c search_path=jobs,public"
    connector = PsycopgConnector(
        conninfo=make_conninfo(url, options=options), min_size=2, max_size=CONCURRENCY + 3
    )
    app = App(connector=connector)
    for task in tasks:
        add_task(app, task)
    return app


async def work(
    url: str,
    tasks: Sequence[Task],
    parts: object,
    *,
    poll_seconds: float,
    hourly: Sequence[Task] = (),
) -> None:
    """Do jobs until cancelled; what is running then gets ten seconds to end.

    Args:
        url: the application login's.
        tasks: what this worker can do.
        parts: what tasks are given.
        poll_seconds: how often to look for jobs that have become due.
        hourly: what this worker does besides, at its start and every hour, however many workers
            there are.

    Raises:
        SchemaNotReadyError: the schema is older than this worker.
        Exception: the database went away; whoever runs the worker starts it again.
    """
    app = job_app(url, tasks)
    async with app.open_async():
        if not await app.check_connection_async():
            raise SchemaNotReadyError("The database is not up to date: start `serve` first.")
        keepers = [
            asyncio.create_task(_keep_reaping(app)),
            asyncio.create_task(_keep_tidy(app, hourly, parts)),
        ]
        try:
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
        finally:
            for keeper in keepers:
                keeper.cancel()
            await asyncio.gather(*keepers, return_exceptions=True)


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


async def _keep_reaping(app: App) -> None:
    while True:
        try:
            await app.job_manager.prune_stalled_workers(DEAD_SECONDS)
            returned = await reap(app)
            if returned:
                _log.warning("jobs of a dead worker returned", count=returned)
        except Exception as error:  # the next round tries again
            _log.warning("looking for dead workers failed", kind=type(error).__name__)
        await asyncio.sleep(_REAP_SECONDS)


async def _keep_tidy(app: App, hourly: Sequence[Task], parts: object) -> None:
    async def forget_old_jobs(_: object) -> None:
        await app.job_manager.delete_old_jobs(
            _FAILED_KEPT_HOURS, include_failed=True, include_aborted=True
        )

    while True:
        for each in (Task("jobs.forget_old_jobs", forget_old_jobs), *hourly):
            try:
                await each.do(parts)
            except Exception as error:  # the next hour tries again
                _log.warning("hourly work failed", task=each.name, **kind_and_place(error))
        await asyncio.sleep(_TIDY_SECONDS)
