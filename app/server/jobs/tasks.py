"""Tasks of jobs: named coroutines, which are retried until they succeed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import structlog
from procrastinate import App, JobContext
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision

from app.contract.enumerations import ScopeKind
from app.server.jobs.queue import REQUEST_ID
from app.server.logs import describe_error
from app.server.request_ids import use_request_id

TRIES_MAX = 60
_WAIT_SECONDS, _WAIT_MAX_SECONDS = 5, 3600
_PARTS = "parts"
_log = structlog.get_logger("portal.jobs")


@dataclass(frozen=True)
class Task:
    """A named coroutine ``run(parts, **arguments)``; the worker passes its ``parts``.

    A job may run twice, when its worker dies before it reports success, so ``run`` must allow that.
    A task handles expected failures itself. Any error that it raises is a bug or a lost database.

    Attributes:
        deferred_by: the people whose acts defer it; the worker may defer any task. The database
            has the same list (``jobs.defer_job`` in ``schema/functions.sql``).
    """

    name: str
    run: Callable[..., Awaitable[object]]
    deferred_by: frozenset[ScopeKind] = frozenset()


@dataclass(frozen=True)
class Periodic:
    """A task without arguments that runs at regular times.

    Each time has one job, however many workers run. A worker that starts catches up on the last
    missed time. No second job is added while one waits, and a failed job waits for the next time.

    Attributes:
        cron: the times in UTC; by default every hour.
    """

    task: Task
    cron: str = "0 * * * *"
    priority: int = 0


class JobFailedError(Exception):
    """A job failed; its error was logged by type and place only."""


class _ExponentialBackoff(BaseRetryStrategy):
    """Retries after 5, 10, 20 seconds and so on up to an hour, for about two days."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if job.attempts >= TRIES_MAX:
            return None
        wait = min(_WAIT_MAX_SECONDS, _WAIT_SECONDS * 2**job.attempts)
        return RetryDecision(retry_in={"seconds": wait})


def add_task(app: App, task: Task) -> None:
    """Register a task with the application of the workers."""
    app.task(name=task.name, pass_context=True, retry=_ExponentialBackoff())(_build_runner(task))


def add_periodic(app: App, periodic: Periodic) -> None:
    """Register a periodic job with the application of the workers."""
    task = periodic.task

    async def run(parts: object, timestamp: int) -> None:
        await task.run(parts)

    # No ``lock``: a job of a dead worker would hold it, so the next job could not start. The queue
    # holds one waiting job per task: the dead worker's job returns to it only if no other waits.
    registered_task = app.task(
        name=task.name,
        pass_context=True,
        queueing_lock=task.name,
        priority=periodic.priority,
    )(_build_runner(Task(task.name, run)))
    app.periodic(cron=periodic.cron)(registered_task)


def _build_runner(task: Task) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, /, **arguments: Any) -> None:
        with use_request_id(arguments.pop(REQUEST_ID, "")):
            try:
                await task.run(context.additional_context[_PARTS], **arguments)
            except Exception as error:
                details = describe_error(error)
                _log.warning("job failed", task=task.name, job=context.job.id, **details)
                raise JobFailedError(task.name) from None

    return run


def build_context(parts: object) -> dict[str, Any]:
    """Build the context from which jobs get the worker's parts."""
    return {_PARTS: parts}
