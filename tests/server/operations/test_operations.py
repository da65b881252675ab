"""The operations page: its panels, and what a Superuser does with jobs."""

from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest

from app.contract.enumerations import Role
from app.server.operations.rules import is_backup_overdue, is_seal_overdue
from tests.server.accounts.builders import Person
from tests.server.operations.samples import FAIL_JOB
from tests.server.transmissions.conftest import connect_job_owner
from tests.server.world import World

PATH = "/api/system/operations"
NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)


def change_job(world: World, job: int, change: str) -> None:
    """Change columns of a job, as its worker does."""
    with connect_job_owner(world.owner_url) as connection:
        connection.execute(f"UPDATE procrastinate_jobs SET {change} WHERE id = %s", (job,))


@pytest.fixture
async def superuser(world: World) -> Person:
    """A Superuser."""
    return await world.create_person(Role.SUPERUSER)


async def read_page(world: World, person: Person) -> dict[str, Any]:
    """Read the page."""
    answer = await world.http.get(PATH, headers=person.headers)
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


class TestPanels:
    """The content of the page."""

    async def test_has_the_version_the_schema_and_the_database(
        self, world: World, superuser: Person
    ) -> None:
        page = await read_page(world, superuser)
        assert page["portal"]["revision"] == world.run_sql(
            "SELECT version_num FROM alembic_version"
        )
        assert page["database"]["bytes"] > 1_000_000
        assert 0 < page["database"]["connections"] <= page["database"]["connectionsMax"]
        assert {pool["name"] for pool in page["database"]["pools"]} == {"read", "write"}

    async def test_has_the_jobs_that_failed(self, world: World, superuser: Person) -> None:
        job = world.run_sql(FAIL_JOB)
        page = await read_page(world, superuser)
        assert job in [failed_job["id"] for failed_job in page["jobs"]["failed"]]
        [task] = [task for task in page["jobs"]["tasks"] if task["name"] == "test.nothing"]
        assert task["failed"] >= 1

    async def test_counts_deliveries_of_the_last_day(self, world: World, superuser: Person) -> None:
        def find_kind(page: dict[str, Any], kind: str) -> dict[str, int]:
            return next(
                delivery for delivery in page["deliveries"]["kinds"] if delivery["kind"] == kind
            )

        before = find_kind(await read_page(world, superuser), "fax")
        for age in ("0 hours", "2 days"):
            world.run_sql(
                "INSERT INTO transmissions (key, kind, destination, status, requested_by,"
                " requested_by_name, created_at) VALUES (gen_random_uuid(), 'FAX', '8155550100',"
                " 'failed', %s, 'X', now() - %s::interval) RETURNING id",
                (superuser.user_id, age),
            )
        after = find_kind(await read_page(world, superuser), "fax")
        assert (after["failed"], after["waiting"]) == (before["failed"] + 1, before["waiting"])

    async def test_counts_emails_with_links_for_passwords(
        self, world: World, superuser: Person
    ) -> None:
        def find_accounts(page: dict[str, Any]) -> dict[str, int]:
            return next(e for e in page["deliveries"]["kinds"] if e["kind"] == "accounts")

        before = find_accounts(await read_page(world, superuser))
        sent_at = datetime.now(UTC) + timedelta(hours=1)
        # The last row is a link that `user reset` has printed.
        for attempts, next_try_at, sent_time, used_at in (
            (1, NOW, None, None),
            (1, None, None, None),
            (1, None, sent_at, None),
            (1, None, None, NOW),
            (0, None, None, None),
        ):
            world.run_sql(
                "INSERT INTO password_recoveries"
                " (user_id, key, attempts, next_try_at, sent_at, used_at)"
                " VALUES (%s, gen_random_uuid(), %s, %s, %s, %s) RETURNING id",
                (superuser.user_id, attempts, next_try_at, sent_time, used_at),
            )
        world.run_sql(
            "INSERT INTO support_requests (key, user_id, kind, name, email, message, sent_at)"
            " VALUES (gen_random_uuid(), %s, 'contact', 'X', 'x@demo.lab', 'X', %s) RETURNING id",
            (superuser.user_id, sent_at - timedelta(minutes=1)),
        )
        page = await read_page(world, superuser)
        world.run_sql("DELETE FROM password_recoveries WHERE sent_at = %s RETURNING 1", (sent_at,))
        growth = {
            name: find_accounts(page)[name] - before[name] for name in ("waiting", "failed", "sent")
        }
        assert growth == {"waiting": 1, "failed": 1, "sent": 1}
        [email] = [e for e in page["deliveries"]["senders"] if e["name"] == "email"]
        assert datetime.fromisoformat(email["lastSuccess"]) == sent_at

    @pytest.mark.parametrize("email_kind", ["message", "link"])
    async def test_has_the_last_failure_of_every_email(
        self, world: World, superuser: Person, email_kind: str
    ) -> None:
        """The page shows that the mail server is down before anybody sends a form."""
        failed_at = datetime.now(UTC) + timedelta(hours=1 if email_kind == "message" else 2)
        statements = {
            "message": (
                "INSERT INTO support_requests (key, user_id, kind, name, email, message, failed_at)"
                " VALUES (gen_random_uuid(), %s, 'contact', 'X', 'x@demo.lab', 'X', %s)"
                " RETURNING id"
            ),
            "link": (
                "INSERT INTO password_recoveries (key, user_id, next_try_at, failed_at)"
                " VALUES (gen_random_uuid(), %s, now() + interval '1 hour', %s) RETURNING id"
            ),
        }
        table = statements[email_kind].split()[2]
        world.run_sql(statements[email_kind], (superuser.user_id, failed_at))
        page = await read_page(world, superuser)
        world.run_sql(f"DELETE FROM {table} WHERE failed_at = %s RETURNING 1", (failed_at,))
        [email] = [e for e in page["deliveries"]["senders"] if e["name"] == "email"]
        assert datetime.fromisoformat(email["lastFailure"]) == failed_at

    async def test_has_the_time_of_the_next_try(self, world: World, superuser: Person) -> None:
        due_at = datetime(2020, 1, 2, 3, 4, tzinfo=UTC)
        user = superuser.user_id
        for kind, destination in (("FAX", "8155550100"), ("EMAIL", "desk@clinic.lab")):
            world.run_sql(
                "INSERT INTO transmissions (key, kind, destination, status, requested_by,"
                " requested_by_name, next_try_at) VALUES (gen_random_uuid(), %s, %s, 'queued', %s,"
                " 'X', %s) RETURNING id",
                (kind, destination, user, due_at),
            )
        world.run_sql(
            "INSERT INTO password_recoveries (user_id, key, next_try_at)"
            " VALUES (%s, gen_random_uuid(), %s) RETURNING id",
            (user, due_at),
        )
        page = await read_page(world, superuser)
        world.run_sql("DELETE FROM password_recoveries WHERE user_id = %s RETURNING 1", (user,))
        world.run_sql(
            "UPDATE transmissions SET status = 'failed', next_try_at = NULL"
            " WHERE requested_by = %s RETURNING 1",
            (user,),
        )
        tries = {d["kind"]: d["nextTryAt"] for d in page["deliveries"]["kinds"]}
        for kind in ("email", "fax", "accounts"):
            assert datetime.fromisoformat(tries[kind]) == due_at

    async def test_counts_failures_by_their_last_try(self, world: World, superuser: Person) -> None:
        def count_failures(page: dict[str, Any]) -> dict[str, int]:
            return {d["kind"]: d["failed"] for d in page["deliveries"]["kinds"]}

        user = superuser.user_id
        before = count_failures(await read_page(world, superuser))
        for hours in (1, 30):
            world.run_sql(
                "WITH sent AS (INSERT INTO transmissions (key, kind, destination, status,"
                " requested_by, requested_by_name, created_at) VALUES (gen_random_uuid(), 'FAX',"
                " '8155550100', 'failed', %s, 'X', now() - interval '2 days') RETURNING id)"
                " INSERT INTO send_attempts (transmission_id, number, sender, started_at, ended_at,"
                " outcome) SELECT id, 1, 'fax', now(), now() - make_interval(hours => %s), 'later'"
                " FROM sent RETURNING id",
                (user, hours),
            )
            world.run_sql(
                "INSERT INTO password_recoveries (user_id, key, attempts, is_invitation,"
                " created_at, expires_at) VALUES (%s, gen_random_uuid(), 1, true,"
                " now() - interval '2 days', now() + make_interval(hours => 72 - %s)) RETURNING id",
                (user, hours),
            )
        after = count_failures(await read_page(world, superuser))
        world.run_sql("DELETE FROM password_recoveries WHERE user_id = %s RETURNING 1", (user,))
        assert (after["fax"], after["accounts"]) == (before["fax"] + 1, before["accounts"] + 1)

    async def test_warns_without_a_recent_backup(self, world: World, superuser: Person) -> None:
        world.run_sql("DELETE FROM backups RETURNING 1")
        page = await read_page(world, superuser)
        assert page["backup"] == {
            "at": None,
            "ageSeconds": None,
            "version": None,
            "bytes": None,
            "files": None,
            "isOverdue": True,
        }
        world.run_sql(
            "INSERT INTO backups (version, revision, bytes, files) VALUES ('1', '2', 3, 4)"
            " RETURNING id"
        )
        page = await read_page(world, superuser)
        assert (page["backup"]["bytes"], page["backup"]["isOverdue"]) == (3, False)

    async def test_reading_the_page_is_audited(self, world: World, superuser: Person) -> None:
        await read_page(world, superuser)
        count = world.run_sql(
            "SELECT count(*) FROM audit_events WHERE kind = 'operations' AND user_id = %s",
            (superuser.user_id,),
        )
        assert count == 1

    def test_warnings_depend_on_the_age(self) -> None:
        assert is_backup_overdue(None, NOW)
        assert is_backup_overdue(NOW - timedelta(hours=27), NOW)
        assert not is_backup_overdue(NOW - timedelta(hours=25), NOW)
        assert is_seal_overdue(NOW - timedelta(minutes=16), NOW)
        assert not is_seal_overdue(NOW - timedelta(minutes=14), NOW)
        assert not is_seal_overdue(None, NOW)


class TestJobs:
    """Retrying and giving up jobs."""

    async def act(self, world: World, person: Person, job: int, act: str) -> int:
        """Send an act on a job, and return the status of the answer."""
        path = f"{PATH}/jobs/{job}/{act}"
        return (await world.http.post(path, headers=person.headers)).status_code

    def list_audited_acts(self, world: World, person: Person) -> list[tuple[str, Any]]:
        """Return the audited acts of a person on jobs."""
        return world.fetch_rows(
            "SELECT action, detail FROM audit_events WHERE kind = 'job' AND user_id = %s",
            (person.user_id,),
        )

    async def test_a_failed_job_runs_again(self, world: World, superuser: Person) -> None:
        job = world.run_sql(FAIL_JOB)
        assert await self.act(world, superuser, job, "retry") == 204
        status_query = "SELECT status::text FROM jobs.procrastinate_jobs WHERE id = %s"
        assert world.run_sql(status_query, (job,)) == "todo"
        detail = {"job": job, "task": "test.nothing"}
        assert self.list_audited_acts(world, superuser) == [("retry", detail)]
        change_job(world, job, "status = 'succeeded'")
        assert await self.act(world, superuser, job, "retry") == 404

    async def test_a_job_between_two_tries_is_shown_and_can_run_at_once(
        self, world: World, superuser: Person
    ) -> None:
        """Otherwise the job waits unseen for up to an hour after its trouble has ended."""
        job = world.run_sql(FAIL_JOB)
        change_job(
            world,
            job,
            "status = 'todo', attempts = 9, scheduled_at = now() + interval '40 minutes'",
        )
        page = await read_page(world, superuser)
        [shown_job] = [
            failed_job for failed_job in page["jobs"]["failed"] if failed_job["id"] == job
        ]
        assert (shown_job["attempts"], bool(shown_job["nextTryAt"])) == (9, True)
        assert await self.act(world, superuser, job, "retry") == 204
        due_query = "SELECT scheduled_at <= now() FROM jobs.procrastinate_jobs WHERE id = %s"
        assert world.run_sql(due_query, (job,)) is True

    async def test_a_job_that_never_failed_is_not_retried(
        self, world: World, superuser: Person
    ) -> None:
        job = world.run_sql(FAIL_JOB)
        change_job(world, job, "status = 'todo'")
        page = await read_page(world, superuser)
        assert job not in [failed_job["id"] for failed_job in page["jobs"]["failed"]]
        assert await self.act(world, superuser, job, "retry") == 404

    async def test_a_periodic_job_is_not_retried_while_the_next_one_waits(
        self, world: World, superuser: Person
    ) -> None:
        insert = (
            "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, queueing_lock, status)"
            " VALUES ('test', 'test.twice', 'test.twice', %s) RETURNING id"
        )
        with connect_job_owner(world.owner_url) as connection:
            rows = [connection.execute(insert, (s,)).fetchone() for s in ("failed", "todo")]
        failed_id, waiting_id = (row[0] for row in rows if row)
        assert await self.act(world, superuser, failed_id, "retry") == 409
        assert self.list_audited_acts(world, superuser) == []
        assert await self.act(world, superuser, waiting_id, "give-up") == 204

    async def test_a_job_is_given_up(self, world: World, superuser: Person) -> None:
        job = world.run_sql(FAIL_JOB)
        assert await self.act(world, superuser, job, "give-up") == 204
        count_query = "SELECT count(*) FROM jobs.procrastinate_jobs WHERE id = %s"
        assert world.run_sql(count_query, (job,)) == 0
        assert [action for action, _ in self.list_audited_acts(world, superuser)] == ["give-up"]

    async def test_the_database_denies_other_roles(self, world: World) -> None:
        technician = await world.create_person(Role.LABORATORY)
        job = world.run_sql(FAIL_JOB)
        with psycopg.connect(world.owner_url) as connection:
            connection.execute(
                "SELECT set_config('role', 'as_staff', true), set_config('app.user', %s, true)",
                (technician.user_id,),
            )
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("SELECT jobs.retry_failed_job(%s)", (job,))
