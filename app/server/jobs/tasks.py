"""What a job is: a named coroutine over the worker's parts, tried again until it ends well."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import structlog
from procrastinate import App, JobContext
from procrastinate.jobs import Job
from procrastinate.retry import BaseRetryStrategy, RetryDecision

from app.server.logs import kind_and_place

TRIES_MAX = 60
_WAIT_SECONDS, _WAIT_MAX_SECONDS = 5, 3600
_PARTS = "parts"
_log = structlog.get_logger("portal.jobs")


@dataclass(frozen=True)
class Task:
    """``do(parts, **arguments)`` under a name; ``parts`` is what the worker was started with.

    A job may be done twice (its worker died before it could say that it was done), so ``do`` has
    to bear that. An error that leaves it is a fault of ours or a database that is away: what a
    task expects to go wrong it deals with itself.
    """

    name: str
    do: Callable[..., Awaitable[object]]


@dataclass(frozen=True)
class Periodic:
    """``task`` without arguments, every hour on the hour or at the times of ``cron`` (UTC).

    One job for each of these times, however many workers there are. Of the times at which no worker
    ran, the last is made up for when one starts. A job that still waits is not joined by another,
    and one that fails is left to the next time.
    """

    task: Task
    cron: str = "0 * * * *"
    priority: int = 0


class JobFailedError(Exception):
    """A job ended in an error, which was logged by its kind and place alone."""


class _LongerAndLonger(BaseRetryStrategy):
    """After 5, 10, 20 seconds and so on, at most an hour: for about two days."""

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if job.attempts >= TRIES_MAX:
            return None
        wait = min(_WAIT_MAX_SECONDS, _WAIT_SECONDS * 2 ** min(job.attempts, 12))
        return RetryDecision(retry_in={"seconds": wait})


def add_task(app: App, task: Task) -> None:
    """Let the application's workers do this task."""
    app.task(name=task.name, pass_context=True, retry=_LongerAndLonger())(_runner(task))


def add_periodic(app: App, periodic: Periodic) -> None:
    """Let the application's workers do this work at its times."""
    task = periodic.task

    async def do(parts: object, timestamp: int) -> None:
        await task.do(parts)

    # No ``lock`` besides: held by a job of a dead worker it would keep the next one from running,
    # and the waiting one would keep that job from being put back.
    registered = app.task(
        name=task.name,
        pass_context=True,
        queueing_lock=task.name,
        priority=periodic.priority,
    )(_runner(Task(task.name, do)))
    app.periodic(cron=periodic.cron)(registered)


def _runner(task: Task) -> Callable[..., Awaitable[None]]:
    async def run(context: JobContext, /, **arguments: Any) -> None:
        try:
            await task.do(context.additional_context[_PARTS], **arguments)
        except Exception as error:
            fault = kind_and_place(error)
            _log.warning("job failed", task=task.name, job=context.job.id, **fault)
            raise JobFailedError(task.name) from None

    return run


def context_of(parts: object) -> dict[str, Any]:
    """The worker's parts as its jobs find them."""
    return {_PARTS: parts}
