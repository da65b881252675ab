"""Background jobs: deferring, running, periodic jobs, and the jobs of dead workers."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from itertools import product

import psycopg
import pytest
from procrastinate.periodic import PeriodicDeferrer, PeriodicRegistry
from procrastinate.schema import SchemaManager
from psycopg import sql

from app.basics.clock import get_utc_now
from app.server.actor import build_worker_actor
from app.server.database.pools import Database
from app.server.database.scope import DATABASE_ROLES
from app.server.jobs.queue import defer_task
from app.server.jobs.tasks import Periodic, Task
from app.server.jobs.worker import (
    SchemaNotReadyError,
    build_job_app,
    requeue_abandoned_jobs,
    run_worker,
)
from app.server.schema.names import APP_LOGIN
from app.server.worker import PERIODIC, TASKS
from tests.server.transmissions.conftest import connect_job_owner
from tests.standins.ports import reserve_port

WORKER = build_worker_actor("test")
# The hash of the script of procrastinate 3.10, which revision 0007 runs.
SCRIPT_HASH = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"
# The number that periodic jobs of these tests write.
TICK = -1
# Marks a job as one of a worker that was killed an hour ago.
MARK_DEAD = """
    WITH dead AS (INSERT INTO jobs.procrastinate_workers (last_heartbeat)
        VALUES (now() - interval '1 hour') RETURNING id)
    UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = dead.id
    FROM dead WHERE task_name = %s
"""


class Notebook:
    """The list to which the tasks of these tests add numbers."""

    def __init__(self) -> None:
        self.written: list[int] = []
        self.failures = 0
        self.changed = asyncio.Condition()

    async def write(self, number: int) -> None:
        """Write a number, or fail if failures are set."""
        async with self.changed:
            if self.failures:
                self.failures -= 1
                raise ValueError("LEE ANN 1980-05-06")
            self.written.append(number)
            self.changed.notify_all()

    async def wait_for(self, count: int) -> list[int]:
        """Wait until this many numbers were written, and return them."""
        async with asyncio.timeout(60), self.changed:
            await self.changed.wait_for(lambda: len(self.written) >= count)
        return self.written


async def _write(notebook: Notebook, *, number: int) -> None:
    await notebook.write(number)


async def _write_tick(notebook: Notebook) -> None:
    await notebook.write(TICK)


@pytest.fixture
async def database(app_url: str) -> AsyncIterator[Database]:
    """The application's connections."""
    database = Database(app_url, read_size=2, write_size=4)
    yield database
    await database.engine.dispose()


@pytest.fixture
def name(owner_url: str) -> str:
    """The name of a task of this test; jobs of other tests are deleted."""
    with connect_job_owner(owner_url) as connection:
        connection.execute("DELETE FROM jobs.procrastinate_jobs")
        connection.execute("DELETE FROM jobs.procrastinate_periodic_defers")
    return f"test.{uuid.uuid4().hex}"


@asynccontextmanager
async def run_test_worker(
    url: str, name: str, notebook: Notebook, periodic: Sequence[Periodic] = ()
) -> AsyncIterator[asyncio.Task[None]]:
    """A running worker with this one task."""
    tasks = [Task(name, _write)]
    task = asyncio.create_task(
        run_worker(url, tasks, notebook, poll_seconds=0.1, periodic=periodic)
    )
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def open_deferrer(url: str, periodic: Sequence[Periodic]) -> AsyncIterator[PeriodicDeferrer]:
    """The part of a worker that defers periodic jobs, for a time that the test sets."""
    async with build_job_app(url, [], periodic).open_async() as app:
        registry = PeriodicRegistry()
        # Without the jobs with which each worker maintains the queue.
        registry.periodic_tasks = {
            key: periodic_task
            for key, periodic_task in app.periodic_registry.periodic_tasks.items()
            if not periodic_task.task.name.startswith("jobs.")
        }
        yield PeriodicDeferrer(registry, **app.periodic_defaults)


def load_deferred_times(url: str, name: str) -> list[int]:
    """Return the recorded times for which a periodic task was deferred."""
    with connect_job_owner(url) as connection:
        rows = connection.execute(
            "SELECT defer_timestamp FROM jobs.procrastinate_periodic_defers WHERE task_name = %s",
            (name,),
        ).fetchall()
    return [int(at) for (at,) in rows]


def load_jobs(owner_url: str, name: str) -> list[tuple[str, int]]:
    """Return the status and attempts of the jobs of a task."""
    with connect_job_owner(owner_url) as connection:
        return connection.execute(
            "SELECT status::text, attempts FROM jobs.procrastinate_jobs WHERE task_name = %s"
            " ORDER BY id",
            (name,),
        ).fetchall()


async def wait_for_jobs(owner_url: str, name: str, expected: list[tuple[str, int]]) -> None:
    """Wait until a task has these jobs; a worker stores a job's end after the task returns."""
    with suppress(TimeoutError):
        async with asyncio.timeout(60):
            while load_jobs(owner_url, name) != expected:
                await asyncio.sleep(0.05)
    assert load_jobs(owner_url, name) == expected


def make_jobs_due(owner_url: str, name: str) -> None:
    """Make a task's jobs due, in a thread because a worker of this loop may hold their locks."""
    with connect_job_owner(owner_url) as connection:
        connection.execute(
            "UPDATE jobs.procrastinate_jobs SET scheduled_at = now() WHERE task_name = %s", (name,)
        )


class TestDeferring:
    """Deferring jobs."""

    async def test_a_job_runs_after_its_transaction_is_committed(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with run_test_worker(app_url, name, notebook):
            async with database.transaction(WORKER) as transaction:
                await defer_task(transaction, name, {"number": 7})
                assert load_jobs(owner_url, name) == [], "no worker can see it yet"
            assert await notebook.wait_for(1) == [7]
            # Successful jobs are deleted.
            await wait_for_jobs(owner_url, name, [])

    async def test_a_rollback_removes_the_job(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        with pytest.raises(ZeroDivisionError):
            async with database.transaction(WORKER) as transaction:
                await defer_task(transaction, name, {"number": 1})
                raise ZeroDivisionError
        assert load_jobs(owner_url, name) == []

    async def test_a_job_waits_until_it_is_due(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with run_test_worker(app_url, name, notebook):
            async with database.transaction(WORKER) as transaction:
                await defer_task(
                    transaction, name, {"number": 2}, due_at=get_utc_now() + timedelta(hours=1)
                )
                await defer_task(transaction, name, {"number": 1})
            assert await notebook.wait_for(1) == [1]
            await asyncio.to_thread(make_jobs_due, owner_url, name)
            assert await notebook.wait_for(2) == [1, 2]


class TestRunning:
    """Running jobs."""

    async def test_a_failed_job_is_retried_and_its_error_text_is_not_logged(
        self, database: Database, app_url: str, owner_url: str, name: str, capfd, caplog
    ) -> None:
        notebook = Notebook()
        notebook.failures = 1
        async with run_test_worker(app_url, name, notebook):
            async with database.transaction(WORKER) as transaction:
                await defer_task(transaction, name, {"number": 3})
            await wait_for_jobs(owner_url, name, [("todo", 1)])
            await asyncio.to_thread(make_jobs_due, owner_url, name)
            assert await notebook.wait_for(1) == [3]
        assert "LEE" not in capfd.readouterr().err + caplog.text

    async def test_two_workers_run_a_hundred_jobs_once_each(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with (
            run_test_worker(app_url, name, notebook),
            run_test_worker(app_url, name, notebook),
        ):
            async with database.transaction(WORKER) as transaction:
                for number in range(100):
                    await defer_task(transaction, name, {"number": number})
            await notebook.wait_for(100)
            await wait_for_jobs(owner_url, name, [])
        assert sorted(notebook.written) == list(range(100))

    async def test_jobs_of_a_dead_worker_run_again(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        async with database.transaction(WORKER) as transaction:
            await defer_task(transaction, name, {"number": 5})
        with connect_job_owner(owner_url) as connection:
            connection.execute(MARK_DEAD, (name,))
        notebook = Notebook()
        async with run_test_worker(app_url, name, notebook):
            assert await notebook.wait_for(1) == [5]

    async def test_jobs_of_a_live_worker_are_not_requeued(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        async with database.transaction(WORKER) as transaction:
            await defer_task(transaction, name, {"number": 5})
        with connect_job_owner(owner_url) as connection:
            connection.execute(
                "WITH alive AS (INSERT INTO jobs.procrastinate_workers DEFAULT VALUES RETURNING id)"
                " UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = alive.id"
                " FROM alive WHERE task_name = %s",
                (name,),
            )
        async with build_job_app(app_url, []).open_async() as app:
            assert await requeue_abandoned_jobs(app) == 0
        assert load_jobs(owner_url, name) == [("doing", 0)]

    async def test_a_worker_reports_a_database_that_is_not_ready(
        self, cluster_url: str, worker_id: str
    ) -> None:
        name = f"empty_{worker_id}"
        with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
            for statement in ("DROP DATABASE IF EXISTS {}", "CREATE DATABASE {}"):
                connection.execute(sql.SQL(statement).format(sql.Identifier(name)))
        with pytest.raises(SchemaNotReadyError, match="start `serve` first"):
            await run_worker(f"{cluster_url}/{name}", [], None, poll_seconds=1)


class TestPeriodic:
    """Periodic jobs; the tests set the time instead of waiting for it."""

    NEW_YEAR = 1_767_225_600  # 2026-01-01 00:00 UTC
    HOUR = 3600

    @pytest.fixture
    def hourly(self, name: str) -> list[Periodic]:
        """An hourly job."""
        return [Periodic(Task(name, _write_tick))]

    async def test_two_workers_defer_a_periodic_job_once_per_time(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with (
            open_deferrer(app_url, hourly) as first,
            open_deferrer(app_url, hourly) as second,
        ):
            for delay in (1, 2):
                await first.defer_jobs(first.get_previous_tasks(at=self.NEW_YEAR + delay))
                await second.defer_jobs(second.get_previous_tasks(at=self.NEW_YEAR + delay))
        assert load_jobs(owner_url, name) == [("todo", 0)]

    async def test_catches_up_once_after_missed_times(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with open_deferrer(app_url, hourly) as before:
            await before.defer_jobs(before.get_previous_tasks(at=self.NEW_YEAR))
        with connect_job_owner(owner_url) as connection:
            connection.execute("DELETE FROM jobs.procrastinate_jobs")
        async with open_deferrer(app_url, hourly) as after:
            at = self.NEW_YEAR + 72.5 * self.HOUR
            await after.defer_jobs(after.get_previous_tasks(at=at))
        assert load_jobs(owner_url, name) == [("todo", 0)]
        assert load_deferred_times(owner_url, name) == [self.NEW_YEAR + 72 * self.HOUR]

    async def test_several_missed_times_leave_one_waiting_job(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with open_deferrer(app_url, hourly) as deferrer:
            for hours in (0, 5):
                at = self.NEW_YEAR + hours * self.HOUR
                await deferrer.defer_jobs(deferrer.get_previous_tasks(at=at))
        assert load_jobs(owner_url, name) == [("todo", 0)]

    async def test_times_are_in_utc(self, app_url: str, owner_url: str, name: str) -> None:
        nightly = [Periodic(Task(name, _write_tick), "30 2 * * *")]
        async with open_deferrer(app_url, nightly) as deferrer:
            await deferrer.defer_jobs(
                deferrer.get_previous_tasks(at=self.NEW_YEAR + 12 * self.HOUR)
            )
        assert load_deferred_times(owner_url, name) == [self.NEW_YEAR + 2.5 * self.HOUR]

    async def test_runs_once_in_consecutive_workers(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        yearly = [Periodic(Task(f"{name}.yearly", _write_tick), "0 0 1 1 *")]
        for number in (1, 2):
            async with run_test_worker(app_url, name, notebook, yearly):
                async with database.transaction(WORKER) as transaction:
                    await defer_task(transaction, name, {"number": number})
                await notebook.wait_for(number + 1)
        assert sorted(notebook.written) == [TICK, 1, 2]

    async def test_a_failed_job_waits_for_the_next_time(
        self, app_url: str, owner_url: str, name: str, caplog
    ) -> None:
        notebook = Notebook()
        notebook.failures = 1
        yearly = [Periodic(Task(f"{name}.yearly", _write_tick), "0 0 1 1 *")]
        async with run_test_worker(app_url, name, notebook, yearly):
            await wait_for_jobs(owner_url, f"{name}.yearly", [("failed", 1)])
        assert notebook.written == []
        assert "LEE" not in caplog.text

    async def test_a_job_of_a_dead_worker_returns_when_no_other_waits(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with open_deferrer(app_url, hourly) as deferrer:
            await deferrer.defer_jobs(deferrer.get_previous_tasks(at=self.NEW_YEAR))
            with connect_job_owner(owner_url) as connection:
                connection.execute(MARK_DEAD, (name,))
            await deferrer.defer_jobs(deferrer.get_previous_tasks(at=self.NEW_YEAR + self.HOUR))
        assert load_jobs(owner_url, name) == [("doing", 0), ("todo", 0)]
        async with build_job_app(app_url, []).open_async() as app:
            assert await requeue_abandoned_jobs(app) == 0
            with connect_job_owner(owner_url) as connection:
                connection.execute("DELETE FROM jobs.procrastinate_jobs WHERE status = 'todo'")
            assert await requeue_abandoned_jobs(app) == 1
        assert load_jobs(owner_url, name) == [("todo", 1)]

    def test_tasks_of_the_slices_have_unique_names(self) -> None:
        names = [job.task.name for job in PERIODIC] + [task.name for task in TASKS]
        assert len(set(names)) == len(names)


class TestSchema:
    """The database schema of jobs."""

    def test_matches_the_schema_of_the_library(self) -> None:
        assert hashlib.sha256(SchemaManager.get_schema().encode()).hexdigest() == SCRIPT_HASH, (
            "the installed procrastinate has another schema: add its migration as a revision"
        )

    def test_only_the_worker_reads_jobs(self, app_url: str) -> None:
        with connect_job_owner(app_url) as connection:
            for role in DATABASE_ROLES:
                for statement in (
                    "SELECT 1 FROM jobs.procrastinate_jobs",
                    "SELECT jobs.procrastinate_register_worker_v1()",
                ):
                    connection.execute(f"SET ROLE {role}")
                    if role == "as_worker":
                        connection.execute(statement)
                    else:
                        with pytest.raises(psycopg.errors.InsufficientPrivilege):
                            connection.execute(statement)
                    connection.rollback()

    def test_people_defer_only_what_the_tasks_declare(self, app_url: str) -> None:
        tasks = {task.name: task.deferred_by for task in (*TASKS, *(p.task for p in PERIODIC))}
        tasks |= {"of nobody": frozenset()}
        with connect_job_owner(app_url) as connection:
            for role, (task, kinds) in product(DATABASE_ROLES, tasks.items()):
                may_defer = role == "as_worker" or role in {f"as_{kind}" for kind in kinds}
                connection.execute(f"SET ROLE {role}")
                try:
                    connection.execute("SELECT jobs.defer_job(%s, '{}', NULL)", (task,))
                    did_defer = True
                except psycopg.errors.InsufficientPrivilege:
                    did_defer = False
                connection.rollback()
                assert did_defer == may_defer, (role, task)

    def test_the_login_without_a_role_cannot_use_jobs(self, app_url: str, owner_url: str) -> None:
        with psycopg.connect(app_url) as connection:
            for statement in (
                "SELECT jobs.defer_job('x', '{}', NULL)",
                "SELECT 1 FROM jobs.procrastinate_jobs",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
                connection.rollback()
        with connect_job_owner(owner_url) as connection:
            owned_count = connection.execute(
                "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                " JOIN pg_roles r ON r.oid = c.relowner"
                " WHERE n.nspname = 'jobs' AND r.rolname = %s",
                (APP_LOGIN,),
            ).fetchone()
        assert owned_count == (0,)


class TestStopping:
    """A worker that is stopped."""

    def test_ends_when_canceled_while_it_connects(self) -> None:
        async def start_and_cancel(url: str) -> None:
            worker = asyncio.create_task(run_worker(url, (), None, poll_seconds=1))
            while len(asyncio.all_tasks()) < 3:  # until the pool's own tasks connect
                await asyncio.sleep(0.01)
            worker.cancel()
            with pytest.raises(asyncio.CancelledError):
                await worker
            assert asyncio.all_tasks() == {asyncio.current_task()}

        with reserve_port() as unused_port:
            asyncio.run(start_and_cancel(f"postgresql://nobody:none@127.0.0.1:{unused_port}/none"))
