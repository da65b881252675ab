"""Background jobs: put in with the transaction, done by a worker, brought back from a dead one."""

import asyncio
import hashlib
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import timedelta

import psycopg
import pytest
from procrastinate.periodic import PeriodicDeferrer, PeriodicRegistry
from procrastinate.schema import SchemaManager
from psycopg import sql

from app.basics.clock import utc_now
from app.contract.enumerations import ScopeKind
from app.server.actor import Actor, worker
from app.server.database.pools import Database
from app.server.database.scope import DATABASE_ROLES
from app.server.jobs.queue import defer
from app.server.jobs.tasks import Periodic, Task
from app.server.jobs.worker import SchemaNotReadyError, job_app, reap, work
from app.server.schema.migrate import APP_LOGIN
from app.server.work import PERIODIC, TASKS

NURSE = Actor(kind=ScopeKind.CLIENT, user_id=uuid.uuid4(), ids=(1,))
WORKER = worker("test")
# Of the script of procrastinate 3.10, which revision 0007 runs.
SCRIPT = "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009"


# What the periodic work of the tests writes down.
TICK = -1
# Leaves a job as a worker does that was killed an hour ago in the middle of it.
DIED = """
    WITH dead AS (INSERT INTO jobs.procrastinate_workers (last_heartbeat)
        VALUES (now() - interval '1 hour') RETURNING id)
    UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = dead.id
    FROM dead WHERE task_name = %s
"""


class Notebook:
    """What a worker's tasks are given here: they write down what they were asked to do."""

    def __init__(self) -> None:
        self.written: list[int] = []
        self.failures = 0
        self.changed = asyncio.Condition()

    async def write(self, number: int) -> None:
        """Note a number, unless told to fail."""
        async with self.changed:
            if self.failures:
                self.failures -= 1
                raise ValueError("LEE ANN 1980-05-06")
            self.written.append(number)
            self.changed.notify_all()

    async def holds(self, count: int) -> list[int]:
        """Wait until so many were written."""
        async with asyncio.timeout(20), self.changed:
            await self.changed.wait_for(lambda: len(self.written) >= count)
        return self.written


async def _write(notebook: Notebook, *, number: int) -> None:
    await notebook.write(number)


async def _tick(notebook: Notebook) -> None:
    await notebook.write(TICK)


@pytest.fixture
async def database(app_url: str) -> AsyncIterator[Database]:
    """The application's connections."""
    found = Database(app_url, read_size=2, write_size=4)
    yield found
    await found.engine.dispose()


@pytest.fixture
def name(owner_url: str) -> str:
    """A task that no other test knows; what others left behind is gone."""
    with owning(owner_url) as connection:
        connection.execute("DELETE FROM jobs.procrastinate_jobs")
        connection.execute("DELETE FROM jobs.procrastinate_periodic_defers")
    return f"test.{uuid.uuid4().hex}"


@asynccontextmanager
async def working(
    url: str, name: str, notebook: Notebook, periodic: Sequence[Periodic] = ()
) -> AsyncIterator[asyncio.Task[None]]:
    """A worker that knows this one task."""
    tasks = [Task(name, _write)]
    running = asyncio.create_task(work(url, tasks, notebook, poll_seconds=0.1, periodic=periodic))
    try:
        yield running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


@asynccontextmanager
async def deferring(url: str, periodic: Sequence[Periodic]) -> AsyncIterator[PeriodicDeferrer]:
    """A worker's part that puts periodic work in, to be told the time."""
    async with job_app(url, [], periodic).open_async() as app:
        registry = PeriodicRegistry()
        registry.periodic_tasks = {
            key: each
            for key, each in app.periodic_registry.periodic_tasks.items()
            if not each.task.name.startswith("jobs.")
        }
        yield PeriodicDeferrer(registry, **app.periodic_defaults)


def times(url: str, name: str) -> list[int]:
    """The times for which a task was put in and which are remembered."""
    with owning(url) as connection:
        found = connection.execute(
            "SELECT defer_timestamp FROM jobs.procrastinate_periodic_defers WHERE task_name = %s",
            (name,),
        ).fetchall()
    return [int(at) for (at,) in found]


def owning(url: str) -> psycopg.Connection:
    """A connection on which the library's statements find its tables."""
    return psycopg.connect(url, options="-c search_path=jobs,public")


def jobs(owner_url: str, name: str) -> list[tuple[str, int]]:
    """Status and tries of the jobs of a task."""
    with owning(owner_url) as connection:
        return connection.execute(
            "SELECT status::text, attempts FROM jobs.procrastinate_jobs WHERE task_name = %s"
            " ORDER BY id",
            (name,),
        ).fetchall()


class TestPuttingIn:
    """``defer``."""

    async def test_a_job_is_done_once_its_transaction_is_committed(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with working(app_url, name, notebook):
            async with database.transaction(NURSE) as session:
                await defer(session, name, {"number": 7})
                assert jobs(owner_url, name) == [], "no worker can see it yet"
            assert await notebook.holds(1) == [7]
        assert jobs(owner_url, name) == [], "what is done is not kept"

    async def test_a_rollback_takes_the_job_back(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        with pytest.raises(ZeroDivisionError):
            async with database.transaction(NURSE) as session:
                await defer(session, name, {"number": 1})
                raise ZeroDivisionError
        assert jobs(owner_url, name) == []

    async def test_a_job_with_a_time_waits_for_it(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with working(app_url, name, notebook):
            async with database.transaction(NURSE) as session:
                await defer(session, name, {"number": 2}, due=utc_now() + timedelta(hours=1))
                await defer(session, name, {"number": 1})
            assert await notebook.holds(1) == [1]
            with owning(owner_url) as connection:
                connection.execute("UPDATE jobs.procrastinate_jobs SET scheduled_at = now()")
            assert await notebook.holds(2) == [1, 2]


class TestDoing:
    """Workers."""

    async def test_a_job_that_fails_is_done_again_and_its_error_is_kept_out_of_the_log(
        self, database: Database, app_url: str, owner_url: str, name: str, capfd, caplog
    ) -> None:
        notebook = Notebook()
        notebook.failures = 1
        async with working(app_url, name, notebook):
            async with database.transaction(NURSE) as session:
                await defer(session, name, {"number": 3})
            for _ in range(100):
                if jobs(owner_url, name) == [("todo", 1)]:
                    break
                await asyncio.sleep(0.1)
            assert jobs(owner_url, name) == [("todo", 1)]
            with owning(owner_url) as connection:
                connection.execute("UPDATE jobs.procrastinate_jobs SET scheduled_at = now()")
            assert await notebook.holds(1) == [3]
        assert "LEE" not in capfd.readouterr().err + caplog.text

    async def test_two_workers_do_a_hundred_jobs_once_each(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        async with working(app_url, name, notebook), working(app_url, name, notebook):
            async with database.transaction(NURSE) as session:
                for number in range(100):
                    await defer(session, name, {"number": number})
            await notebook.holds(100)
            while jobs(owner_url, name):
                await asyncio.sleep(0.05)
        assert sorted(notebook.written) == list(range(100))

    async def test_jobs_of_a_dead_worker_return(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        async with database.transaction(NURSE) as session:
            await defer(session, name, {"number": 5})
        with owning(owner_url) as connection:
            # As a worker leaves it that was killed an hour ago in the middle of the job.
            connection.execute(DIED, (name,))
        notebook = Notebook()
        async with working(app_url, name, notebook):
            assert await notebook.holds(1) == [5]

    async def test_jobs_of_a_living_worker_stay(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        async with database.transaction(NURSE) as session:
            await defer(session, name, {"number": 5})
        with owning(owner_url) as connection:
            connection.execute(
                "WITH alive AS (INSERT INTO jobs.procrastinate_workers DEFAULT VALUES RETURNING id)"
                " UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = alive.id"
                " FROM alive WHERE task_name = %s",
                (name,),
            )
        async with job_app(app_url, []).open_async() as app:
            assert await reap(app) == 0
        assert jobs(owner_url, name) == [("doing", 0)]

    async def test_a_worker_says_when_the_database_is_not_ready(
        self, cluster_url: str, worker_id: str
    ) -> None:
        bare = f"bare_{worker_id}"
        with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
            for statement in ("DROP DATABASE IF EXISTS {}", "CREATE DATABASE {}"):
                connection.execute(sql.SQL(statement).format(sql.Identifier(bare)))
        with pytest.raises(SchemaNotReadyError, match="start `serve` first"):
            await work(f"{cluster_url}/{bare}", [], None, poll_seconds=1)


class TestPeriodic:
    """Work by the clock. Times are given: no test waits for one."""

    NEW_YEAR = 1_767_225_600  # 2026-01-01 00:00 UTC
    HOUR = 3600

    @pytest.fixture
    def hourly(self, name: str) -> list[Periodic]:
        """One piece of work."""
        return [Periodic(Task(name, _tick))]

    async def test_is_put_in_once_for_each_time_by_two_workers(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with deferring(app_url, hourly) as one, deferring(app_url, hourly) as other:
            for late in (1, 2):
                await one.defer_jobs(one.get_previous_tasks(at=self.NEW_YEAR + late))
                await other.defer_jobs(other.get_previous_tasks(at=self.NEW_YEAR + late))
        assert jobs(owner_url, name) == [("todo", 0)]

    async def test_is_made_up_for_once_however_many_times_passed_without_a_worker(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with deferring(app_url, hourly) as before:
            await before.defer_jobs(before.get_previous_tasks(at=self.NEW_YEAR))
        with owning(owner_url) as connection:
            connection.execute("DELETE FROM jobs.procrastinate_jobs")
        async with deferring(app_url, hourly) as after:
            at = self.NEW_YEAR + 72.5 * self.HOUR
            await after.defer_jobs(after.get_previous_tasks(at=at))
        assert jobs(owner_url, name) == [("todo", 0)]
        assert times(owner_url, name) == [self.NEW_YEAR + 72 * self.HOUR]

    async def test_waits_once_when_a_machine_slept_through_several_times(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with deferring(app_url, hourly) as worker:
            for hours in (0, 5):
                at = self.NEW_YEAR + hours * self.HOUR
                await worker.defer_jobs(worker.get_previous_tasks(at=at))
        assert jobs(owner_url, name) == [("todo", 0)]

    async def test_times_are_those_of_utc(self, app_url: str, owner_url: str, name: str) -> None:
        nightly = [Periodic(Task(name, _tick), "30 2 * * *")]
        async with deferring(app_url, nightly) as worker:
            await worker.defer_jobs(worker.get_previous_tasks(at=self.NEW_YEAR + 12 * self.HOUR))
        assert times(owner_url, name) == [self.NEW_YEAR + 2.5 * self.HOUR]

    async def test_is_done_once_by_workers_that_start_one_after_the_other(
        self, database: Database, app_url: str, owner_url: str, name: str
    ) -> None:
        notebook = Notebook()
        yearly = [Periodic(Task(f"{name}.yearly", _tick), "0 0 1 1 *")]
        for number in (1, 2):
            async with working(app_url, name, notebook, yearly):
                async with database.transaction(NURSE) as session:
                    await defer(session, name, {"number": number})
                await notebook.holds(number + 1)
        assert sorted(notebook.written) == [TICK, 1, 2]

    async def test_is_left_to_the_next_time_when_it_fails(
        self, app_url: str, owner_url: str, name: str, caplog
    ) -> None:
        notebook = Notebook()
        notebook.failures = 1
        yearly = [Periodic(Task(f"{name}.yearly", _tick), "0 0 1 1 *")]
        async with working(app_url, name, notebook, yearly):
            async with asyncio.timeout(20):
                while jobs(owner_url, f"{name}.yearly") != [("failed", 1)]:
                    await asyncio.sleep(0.05)
        assert notebook.written == []
        assert "LEE" not in caplog.text

    async def test_of_a_dead_worker_returns_once_nothing_of_its_kind_waits(
        self, app_url: str, owner_url: str, name: str, hourly: list[Periodic]
    ) -> None:
        async with deferring(app_url, hourly) as worker:
            await worker.defer_jobs(worker.get_previous_tasks(at=self.NEW_YEAR))
            with owning(owner_url) as connection:
                connection.execute(DIED, (name,))
            await worker.defer_jobs(worker.get_previous_tasks(at=self.NEW_YEAR + self.HOUR))
        assert jobs(owner_url, name) == [("doing", 0), ("todo", 0)]
        async with job_app(app_url, []).open_async() as app:
            assert await reap(app) == 0
            with owning(owner_url) as connection:
                connection.execute("DELETE FROM jobs.procrastinate_jobs WHERE status = 'todo'")
            assert await reap(app) == 1
        assert jobs(owner_url, name) == [("todo", 1)]

    def test_what_the_slices_declare_has_names_of_its_own(self) -> None:
        names = [each.task.name for each in PERIODIC] + [each.name for each in TASKS]
        assert len(set(names)) == len(names)


class TestSchema:
    """The database's side."""

    def test_it_is_the_librarys_as_the_revision_knew_it(self) -> None:
        assert hashlib.sha256(SchemaManager.get_schema().encode()).hexdigest() == SCRIPT, (
            "the installed procrastinate has another schema: bring its migration as a revision"
        )

    def test_everybody_may_put_a_job_in_and_only_the_worker_sees_any(self, app_url: str) -> None:
        deferring = "SELECT jobs.defer_job('x', '{}', NULL)"
        with owning(app_url) as connection:
            for role in DATABASE_ROLES:
                connection.execute(f"SET ROLE {role}")
                may_defer = role not in ("as_anonymous", "as_gatekeeper")
                for statement, allowed in (
                    (deferring, may_defer),
                    ("SELECT 1 FROM jobs.procrastinate_jobs", role == "as_worker"),
                    ("SELECT jobs.procrastinate_register_worker_v1()", role == "as_worker"),
                ):
                    if allowed:
                        connection.execute(statement)
                    else:
                        with pytest.raises(psycopg.errors.InsufficientPrivilege):
                            connection.execute(statement)
                    connection.rollback()
                    connection.execute(f"SET ROLE {role}")
                connection.rollback()

    def test_the_login_alone_may_do_nothing_with_jobs(self, app_url: str, owner_url: str) -> None:
        with psycopg.connect(app_url) as connection:
            for statement in (
                "SELECT jobs.defer_job('x', '{}', NULL)",
                "SELECT 1 FROM jobs.procrastinate_jobs",
            ):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement)
                connection.rollback()
        with owning(owner_url) as connection:
            owned = connection.execute(
                "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                " JOIN pg_roles r ON r.oid = c.relowner"
                " WHERE n.nspname = 'jobs' AND r.rolname = %s",
                (APP_LOGIN,),
            ).fetchone()
        assert owned == (0,)
