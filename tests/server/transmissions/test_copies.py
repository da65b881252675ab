"""Additional copies: final results, and corrected ones, once for each event (DECISIONS)."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.server.transmissions.service.copies import send_copies
from app.server.transmissions.service.deliver import deliver_transmission
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import (
    Office,
    OpenOffice,
    build_fax_settings,
    build_mail_settings,
    connect_job_owner,
)
from tests.server.transmissions.results import (
    correct_values,
    list_earlier_recipients,
    list_sent,
    receive_order,
    release_values,
)
from tests.server.transmissions.test_fax import extract_pages
from tests.server.transmissions.worker_process import expire_workers, run_process
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn
from tests.standins.mail import MailStandIn

EMAIL, FAX = "family@home.example", "312-555-0177"
COPIES = [{"type": "EMAIL", "destination": EMAIL}, {"type": "FAX", "destination": FAX}]
ONE_COPY = COPIES[:1]
pytestmark = pytest.mark.xdist_group("kills")


def list_jobs(office: Office) -> list[dict[str, Any]]:
    """Return the arguments of the jobs that send copies, oldest first."""
    rows = office.world.fetch_rows(
        "SELECT args - 'requestId' FROM jobs.procrastinate_jobs"
        " WHERE task_name = 'orders.send-copies' ORDER BY id"
    )
    return [row[0] for row in rows]


async def run_jobs(office: Office) -> None:
    """Run each job that sends copies, in this process."""
    portal = office.world.app.state.portal
    for arguments in list_jobs(office):
        await send_copies(portal, **arguments)


async def list_subjects(office: Office, bench: Bench) -> list[str]:
    """Return the subjects of the e-mails about an order, oldest first."""
    return [row["subject"] for row in await list_sent(office, bench.order_id)][::-1]


def mark_sent(office: Office, bench: Bench) -> None:
    """Mark the e-mails about an order as sent now."""
    office.world.fetch_rows(
        "UPDATE transmissions t SET status = 'sent', sent_at = now()"
        " FROM transmission_requisitions l JOIN orders o ON o.requisition_id = l.requisition_id"
        " WHERE l.transmission_id = t.id AND o.id = %s RETURNING t.id",
        (bench.order_id,),
    )


def age_results(office: Office, bench: Bench) -> None:
    """Move the release and the e-mails of an order to the day before."""
    for statement in (
        "UPDATE orders SET reported_at = reported_at - interval '1 day' WHERE id = %s RETURNING id",
        "UPDATE transmissions t SET created_at = t.created_at - interval '1 day',"
        " sent_at = t.sent_at - interval '1 day'"
        " FROM transmission_requisitions l JOIN orders o ON o.requisition_id = l.requisition_id"
        " WHERE l.transmission_id = t.id AND o.id = %s RETURNING t.id",
    ):
        office.world.fetch_rows(statement, (bench.order_id,))


@pytest.fixture
async def office(open_office: OpenOffice, mail: MailStandIn, certificate: Certificate) -> Office:
    """A lab without a worker, whose mail server is not running."""
    return await open_office(worker=False, **build_mail_settings(mail, certificate))


class TestDelivery:
    """The e-mails that the recipients get."""

    async def test_recipients_get_final_results_and_their_correction(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        fax: FaxStandIn,
        certificate: Certificate,
    ) -> None:
        with mail, fax:
            office = await open_office(
                **build_mail_settings(mail, certificate), **build_fax_settings(fax)
            )
            bench = await receive_order(office, additionalCopies=COPIES)
            await release_values(bench, GLU="90")
            assert list_jobs(office) == []
            await release_values(bench, K="4.1")
            first = (await asyncio.to_thread(mail.wait_for, 1))[0]
            await asyncio.to_thread(fax.wait_for, 1)
            await correct_values(bench, K="5.9")
            second = (await asyncio.to_thread(mail.wait_for, 2))[1]
            faxes = await asyncio.to_thread(fax.wait_for, 2)
            covers, reports = zip(
                *(extract_pages(fax.documents[fax_request["media_name"]]) for fax_request in faxes),
                strict=True,
            )
        assert [first.to, second.to] == [[EMAIL], [EMAIL]]
        assert first.mail["Subject"].startswith("Laboratory results from ")
        assert second.mail["Subject"].startswith("Corrected results from ")
        assert ["Corrected results" in cover for cover in covers] == [False, True]
        assert "4.1" in reports[0]
        assert "5.9" in reports[1]
        assert "was 4.1" in reports[1]
        for source in (first.mail.as_string(), second.mail.as_string(), *covers):
            assert "ZYXWVU" not in source
            assert "5.9" not in source
        lab = office.world.run_sql("SELECT value->>'name' FROM lab_settings WHERE name = 'report'")
        assert {row["sentBy"] for row in await list_sent(office, bench.order_id)} == {
            lab or "LABORATORY"
        }


class TestEvents:
    """Changes that trigger copies, and those that do not."""

    async def test_nothing_happens_without_recipients(self, office: Office) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90", K="4.1")
        assert list_jobs(office) == []

    async def test_an_entered_correction_is_not_an_event(self, office: Office) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await bench.correct(K="5.9")
        assert [job["event"] for job in list_jobs(office)] == ["released"]

    async def test_canceling_the_last_pending_test_completes_the_order(
        self, office: Office
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90")
        row = await bench.get_row("K")
        cancel_answer = await bench.world.http.post(
            f"{bench.path}/cancel",
            headers=bench.lab.headers,
            json={"orderTestIds": [row["orderTestId"]], "reason": "CLIENT"},
        )
        assert cancel_answer.status_code == 200, cancel_answer.text
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results"]

    async def test_a_review_without_changes_does_not_send_a_second_copy(
        self, office: Office
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        restore_answer = await bench.post("restore", "K")
        assert restore_answer.status_code == 200, restore_answer.text
        assert [job["event"] for job in list_jobs(office)] == ["released", "completed"]
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results"]

    async def test_a_withdrawn_result_that_is_released_again_is_a_correction(
        self, office: Office
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        # The recipient had the results for a day.
        office.world.fetch_rows(
            "UPDATE transmissions SET created_at = created_at - interval '1 day' RETURNING id"
        )
        await bench.post("withhold", "K", kind="withdrawn", reason="SPECIMEN")
        await correct_values(bench, K="5.9")
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results", "correctedResults"]

    async def test_a_withdrawn_result_whose_test_is_canceled_is_a_correction(
        self, office: Office
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        mark_sent(office, bench)
        # The recipient had the results for a day.
        age_results(office, bench)
        await bench.post("withhold", "K", kind="withdrawn", reason="SPECIMEN")
        cancel_answer = await bench.post("cancel", "K", reason="CLIENT")
        assert cancel_answer.status_code == 200, cancel_answer.text
        assert [job["event"] for job in list_jobs(office)] == ["released", "completed"]
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results", "correctedResults"]

    async def test_a_copy_sent_before_a_review_is_not_sent_again(self, office: Office) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        mark_sent(office, bench)
        # The review begins the day after the results were sent.
        age_results(office, bench)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        restore_answer = await bench.post("restore", "K")
        assert restore_answer.status_code == 200, restore_answer.text
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results"]

    async def test_a_copy_sent_during_a_review_is_sent_again_after_it(self, office: Office) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        await bench.post("withhold", "K", kind="review", reason="REPEAT")
        mark_sent(office, bench)
        restore_answer = await bench.post("restore", "K")
        assert restore_answer.status_code == 200, restore_answer.text
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results", "results"]

    async def test_a_copy_that_failed_during_a_review_is_sent_again_after_it(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        bench = await receive_order(office, "GLU", additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90")
        await run_jobs(office)
        await bench.post("withhold", "GLU", kind="review", reason="REPEAT")
        [row] = await list_sent(office, bench.order_id)
        await deliver_transmission(office.world.app.state.portal, row["id"])
        [row] = await list_sent(office, bench.order_id)
        assert row["status"] == "failed"
        restore_answer = await bench.post("restore", "GLU")
        assert restore_answer.status_code == 200, restore_answer.text
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results", "results"]


class TestEarlierRecipients:
    """Who still has the results from before a correction."""

    async def test_a_copy_half_a_second_after_the_correction_counts_once_it_is_sent(
        self, office: Office
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        await correct_values(bench, K="5.9")
        await run_jobs(office)
        office.world.fetch_rows(
            "UPDATE transmissions SET created_at = released_at AT TIME ZONE %s + interval '0.5 s'"
            " FROM (SELECT max(released_at) AS released_at FROM results WHERE order_id = %s) last"
            " WHERE subject = 'correctedResults' RETURNING id",
            (office.world.app.state.portal.settings.time_zone, bench.order_id),
        )
        for status, expected in (
            ("queued", "queued"),
            ("sending", "sending"),
            ("sent", "current"),
            ("failed", None),
        ):
            office.world.fetch_rows(
                "UPDATE transmissions SET status = %s WHERE subject = 'correctedResults'"
                " RETURNING id",
                (status,),
            )
            assert await list_earlier_recipients(bench) == [("send", EMAIL, expected)], status

    @pytest.mark.parametrize(
        ("outcome", "acts"),
        [("unknown", ["may-receive"]), ("accepted", ["may-receive"]), ("later", [])],
    )
    async def test_a_failed_transmission_is_listed_if_it_may_have_arrived(
        self, office: Office, outcome: str, acts: list[str]
    ) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await release_values(bench, GLU="90", K="4.1")
        await run_jobs(office)
        [row] = await list_sent(office, bench.order_id)
        office.world.fetch_rows(
            "INSERT INTO send_attempts (transmission_id, number, sender, started_at, ended_at,"
            " outcome) VALUES (%s, 1, 'smtp', now(), now(), %s) RETURNING id",
            (row["id"], outcome),
        )
        office.world.fetch_rows(
            "UPDATE transmissions SET status = 'failed' WHERE id = %s RETURNING id", (row["id"],)
        )
        await correct_values(bench, K="5.9")
        recipients = await list_earlier_recipients(bench)
        assert recipients == [(act, EMAIL, None) for act in acts]


@contextmanager
def block_transmissions(url: str) -> Iterator[psycopg.Connection]:
    """Block inserts of transmissions, by a lock of their table."""
    with psycopg.connect(url) as connection:
        connection.execute("LOCK TABLE transmissions IN SHARE MODE")
        yield connection
        connection.rollback()


def wait_for_insert(url: str) -> None:
    """Wait until somebody tries to insert a transmission."""
    statement = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'transmissions'::regclass"
    )
    for _ in range(1_500):
        with psycopg.connect(url) as connection:
            row = connection.execute(statement).fetchone()
            connection.execute("SELECT pg_sleep(0.02)")
        if row and row[0]:
            return
    raise AssertionError("nobody inserts a transmission")


class TestOnce:
    """Each event sends each copy once."""

    async def test_a_job_that_runs_twice_at_once_sends_once(self, office: Office) -> None:
        bench = await receive_order(office, additionalCopies=COPIES)
        await release_values(bench, GLU="90", K="4.1")
        [arguments] = list_jobs(office)
        portal = office.world.app.state.portal
        await asyncio.gather(
            *(send_copies(portal, **arguments) for _ in range(2)), return_exceptions=True
        )
        await run_jobs(office)
        assert await list_subjects(office, bench) == ["results", "results"]

    async def test_a_killed_worker_sends_once(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        owner_url: str,
        tmp_path: Path,
    ) -> None:
        mail.accepted_address = EMAIL
        with mail:
            office = await open_office(worker=False, **build_mail_settings(mail, certificate))
            bench = await receive_order(office, additionalCopies=ONE_COPY)
            await release_values(bench, GLU="90", K="4.1")
            with block_transmissions(owner_url), run_process(office, tmp_path / "log") as worker:
                await asyncio.to_thread(wait_for_insert, owner_url)
                worker.kill()
                worker.wait()
            assert await list_sent(office, bench.order_id) == []
            expire_workers(owner_url)
            with run_process(office, tmp_path / "log"):
                await asyncio.to_thread(mail.wait_for, 1)
                await asyncio.to_thread(_wait_until_idle, owner_url)
        assert len(mail.received) == 1
        assert await list_subjects(office, bench) == ["results"]

    async def test_a_release_that_is_rolled_back_sends_nothing(self, office: Office) -> None:
        bench = await receive_order(office, additionalCopies=ONE_COPY)
        await bench.enter(GLU="90", K="4.1")
        stale_answer = await bench.world.http.post(
            f"{bench.path}/release",
            headers={**bench.lab.headers, "If-Match": '"1"'},
            json={"orderTestIds": None},
        )
        assert stale_answer.status_code == 412
        assert list_jobs(office) == []


def _wait_until_idle(url: str) -> None:
    """Wait until no job of transmissions is left."""
    for _ in range(1_500):
        with connect_job_owner(url) as connection:
            row = connection.execute(
                "SELECT count(*) FROM procrastinate_jobs WHERE status IN ('todo', 'doing')"
                " AND task_name IN ('orders.send-copies', 'transmissions.deliver')"
            ).fetchone()
            connection.execute("SELECT pg_sleep(0.02)")
        if row and row[0] == 0:
            return
    raise AssertionError("a job does not end")
