"""The worker process: killed between sending and recording, stopped, and started again."""

import asyncio
import signal
import threading
import time
from pathlib import Path

import psycopg
import pytest

from app.server.transmissions.service import names
from tests.server.transmissions.conftest import (
    OpenOffice,
    build_fax_settings,
    build_mail_settings,
)
from tests.server.transmissions.worker_process import expire_workers, run_process
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn, Trouble
from tests.standins.mail import MailStandIn

TO = "office@clinic.example"
pytestmark = pytest.mark.xdist_group("kills")


class BlockedAttempts:
    """Blocks updates of attempts, by a lock of their table."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> "BlockedAttempts":
        self._connection = psycopg.connect(self._url)
        self._connection.execute("LOCK TABLE send_attempts IN SHARE MODE")
        return self

    def wait_for_update(self) -> None:
        """Wait until a worker tries to update an attempt."""
        deadline = time.monotonic() + 60
        while True:
            with psycopg.connect(self._url) as connection:
                row = connection.execute(
                    "SELECT count(*) FROM pg_locks WHERE NOT granted"
                    " AND relation = 'send_attempts'::regclass"
                ).fetchone()
            if row and row[0]:
                return
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def __exit__(self, *_: object) -> None:
        self._connection.rollback()
        self._connection.close()


class TestKilledBeforeRecording:
    """kill -9 after the other side accepted an attempt, and before the portal recorded it."""

    async def test_sends_an_email_again_with_the_same_message_id(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        owner_url: str,
        tmp_path: Path,
    ) -> None:
        mail.gate, mail.accepted_address = threading.Event(), TO
        with mail:
            office = await open_office(worker=False, **build_mail_settings(mail, certificate))
            requisition, transmission = await office.send_new_requisition("email", TO)
            with run_process(office, tmp_path / "log") as worker:
                assert await asyncio.to_thread(mail.arrived.wait, 60)
                with BlockedAttempts(owner_url) as blocked_attempts:
                    mail.gate.set()
                    await asyncio.to_thread(blocked_attempts.wait_for_update)
                    worker.kill()
                    worker.wait()
            assert office.list_attempts(transmission) == [(1, None, None)]
            [latest] = await office.list_transmissions(requisition)
            assert latest["status"] == "sending"
            expire_workers(owner_url)
            with run_process(office, tmp_path / "log"):
                await office.wait_until(requisition, status="sent", attempts=2)
        assert len(mail.received) == 2
        assert len({r.mail["Message-ID"] for r in mail.received}) == 1
        assert [outcome for _, outcome, _ in office.list_attempts(transmission)] == [
            "repeated",
            "accepted",
        ]

    async def test_repeats_one_email_of_several(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        owner_url: str,
        tmp_path: Path,
    ) -> None:
        mail.gate, mail.accepted_address = threading.Event(), TO
        with mail:
            office = await open_office(worker=False, **build_mail_settings(mail, certificate))
            ids = [(await office.save_requisition())["id"] for _ in range(4)]
            for requisition_id in ids:
                await office.send([requisition_id], "email", TO)
            with run_process(office, tmp_path / "log") as worker:
                assert await asyncio.to_thread(mail.arrived.wait, 60)
                await asyncio.to_thread(wait_for_running_jobs, owner_url, len(ids))
                worker.kill()
                worker.wait()
            mail.gate.set()
            expire_workers(owner_url)
            with run_process(office, tmp_path / "log"):
                for requisition_id in ids:
                    await office.wait_until(requisition_id, status="sent")
        assert len(mail.received) == len(ids) + 1

    async def test_does_not_send_a_fax_again(
        self, open_office: OpenOffice, fax: FaxStandIn, owner_url: str, tmp_path: Path
    ) -> None:
        with fax:
            fax.trouble = {"POST /faxes": [Trouble(202, hangs=True, takes_effect=True)]}
            office = await open_office(worker=False, **build_fax_settings(fax, fax_seconds=20))
            requisition, transmission = await office.send_new_requisition("fax", "312-555-0199")
            with run_process(office, tmp_path / "log") as worker:
                await asyncio.to_thread(fax.wait_for, 1, 60)
                worker.kill()
                worker.wait()
            assert office.list_attempts(transmission) == [(1, None, None)]
            expire_workers(owner_url)
            with run_process(office, tmp_path / "log"):
                await office.wait_until(requisition, status="delivered")
        assert len(fax.faxes) == 1
        assert office.list_attempts(transmission) == [(1, "accepted", None)]


class TestStopping:
    """Stopping a worker, as for a new release."""

    async def test_restarts_neither_lose_nor_repeat_deliveries(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, tmp_path: Path
    ) -> None:
        mail.accepted_address = TO
        with mail:
            office = await open_office(worker=False, **build_mail_settings(mail, certificate))
            ids = [(await office.save_requisition())["id"] for _ in range(12)]
            for requisition_id in ids:
                await office.send([requisition_id], "email", TO)
            for _ in range(2):
                # A stopped worker finishes what it has begun, so the server accepts the mail only
                # after the signal.
                mail.gate = threading.Event()
                mail.arrived.clear()
                with run_process(office, tmp_path / "log") as worker:
                    assert await asyncio.to_thread(mail.arrived.wait, 60)
                    worker.send_signal(signal.SIGTERM)
                    mail.gate.set()
                    assert await asyncio.to_thread(worker.wait, 60) == 0
            with run_process(office, tmp_path / "log"):
                for requisition_id in ids:
                    await office.wait_until(requisition_id, status="sent")
        assert len(mail.received) == 12
        assert len({r.mail["Message-ID"] for r in mail.received}) == 12

    async def test_logs_contain_no_personal_data(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, tmp_path: Path
    ) -> None:
        mail.rcpt_answers = ["450 4.2.0 office@clinic.example is away, said ZYXWVU"]
        mail.data_answers = ["451 4.3.0 office@clinic.example later, said ZYXWVU"]
        log = tmp_path / "log"
        with mail:
            office = await open_office(worker=False, **build_mail_settings(mail, certificate))
            patient = office.world.create_patient(office.client, last_name="ZYXWVU")
            requisition = await office.world.save_requisition(office.nurse, patient)
            await office.send([requisition["id"]], "email", TO)
            with run_process(office, log):
                await office.wait_until(requisition["id"], status="sent", attempts=3)
        text = log.read_text()
        assert '"event":"send attempt"' in text
        events = office.world.fetch_rows("SELECT detail::text FROM audit_events")
        metrics = (
            await office.http.get("/metrics", headers={"Authorization": "Bearer collector"})
        ).text
        assert 'portal_transmissions{kind="EMAIL",status="sent"}' in metrics
        for output in (text, str(events), metrics):
            assert "clinic.example" not in output
            assert "ZYXWVU" not in output


def wait_for_running_jobs(owner_url: str, count: int) -> None:
    """Wait until workers have begun this many deliveries."""
    deadline = time.monotonic() + 60
    with psycopg.connect(owner_url, autocommit=True) as connection:
        while True:
            row = connection.execute(
                "SELECT count(*) FROM jobs.procrastinate_jobs"
                " WHERE status = 'doing' AND task_name = %s",
                (names.DELIVER,),
            ).fetchone()
            if row and row[0] >= count:
                return
            assert time.monotonic() < deadline
            time.sleep(0.02)
