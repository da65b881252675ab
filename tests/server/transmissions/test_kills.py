"""The worker as a process: killed between sending and marking, stopped, started again."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.server.transmissions.conftest import Office, Open, by_mail, by_provider
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn, Trouble
from tests.standins.mail import MailStandIn

ROOT = Path(__file__).parents[3]
_WORKER = """
import asyncio, json, sys
from app.server import logs
from app.server.settings import Settings
from app.server.work import _work
logs.configure("DEBUG")
asyncio.run(_work(Settings(**json.loads(sys.argv[1])), sys.argv[2], True))
"""
TO = "office@clinic.example"
pytestmark = pytest.mark.xdist_group("kills")


@contextmanager
def process(office: Office, log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A worker of its own, which ends with its input."""
    settings = {
        name: getattr(value, "get_secret_value", lambda value=value: value)()
        for name, value in office.settings
        if name not in ("database_url",)
    }
    with log.open("ab") as out:
        found = subprocess.Popen(
            [sys.executable, "-c", _WORKER, json.dumps(settings, default=str), office.app_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
        )
    try:
        yield found
    finally:
        assert found.stdin is not None
        found.stdin.close()
        try:
            found.wait(20)
        finally:
            found.kill()
            found.wait()


class Held:
    """Keeps every try from being marked, by locking the table that marks are made in."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __enter__(self) -> "Held":
        self._connection = psycopg.connect(self._url)
        self._connection.execute("LOCK TABLE send_attempts IN SHARE MODE")
        return self

    def wait_for_a_waiter(self) -> None:
        """Until somebody wants to mark a try."""
        deadline = time.monotonic() + 30
        while True:
            with psycopg.connect(self._url) as other:
                row = other.execute(
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


async def _in_thread(work: Any, *given: Any) -> Any:
    return await asyncio.to_thread(work, *given)


class TestKilledBetweenSendingAndMarking:
    """kill -9 when the other side has it and the portal does not know."""

    async def test_a_mail_goes_again_under_the_same_message_id(
        self,
        open_office: Open,
        mail: MailStandIn,
        certified: Certificate,
        owner_url: str,
        tmp_path: Path,
    ) -> None:
        mail.gate = threading.Event()
        with mail:
            office = await open_office(worker=False, **by_mail(mail, certified))
            one = await office.requisition()
            transmission = (await office.send([one["id"]], "email", TO)).json()["id"]
            with process(office, tmp_path / "log") as worker:
                assert await _in_thread(mail.arrived.wait, 60)
                with Held(owner_url) as held:
                    mail.gate.set()
                    await _in_thread(held.wait_for_a_waiter)
                    worker.kill()
                    worker.wait()
            assert office.attempts(transmission) == [(1, None, None)]
            [seen] = await office.sent(one["id"])
            assert seen["status"] == "sending"
            _expire_workers(owner_url)
            with process(office, tmp_path / "log"):
                await office.becomes(one["id"], status="sent", attempts=2)
        assert len(mail.received) == 2
        assert len({r.mail["Message-ID"] for r in mail.received}) == 1
        assert [o for _, o, _ in office.attempts(transmission)] == ["repeated", "accepted"]

    async def test_a_fax_does_not_go_again(
        self, open_office: Open, fax: FaxStandIn, owner_url: str, tmp_path: Path
    ) -> None:
        with fax:
            fax.trouble = {"POST /faxes": [Trouble(202, sleep=3, after=True)]}
            office = await open_office(worker=False, **by_provider(fax, fax_seconds=20))
            one = await office.requisition()
            transmission = (await office.send([one["id"]], "fax", "312-555-0199")).json()["id"]
            with process(office, tmp_path / "log") as worker:
                await _in_thread(fax.wait_for, 1, 60)
                worker.kill()
                worker.wait()
            assert office.attempts(transmission) == [(1, None, None)]
            _expire_workers(owner_url)
            with process(office, tmp_path / "log"):
                await office.becomes(one["id"], status="delivered")
        assert len(fax.faxes) == 1
        assert office.attempts(transmission) == [(1, "accepted", None)]


class TestStopping:
    """Ctrl-C, SIGTERM, a new release."""

    async def test_restarts_lose_nothing_and_double_nothing(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, tmp_path: Path
    ) -> None:
        with mail:
            office = await open_office(worker=False, **by_mail(mail, certified))
            ids = [(await office.requisition())["id"] for _ in range(12)]
            for each in ids:
                await office.send([each], "email", TO)
            for count in (3, 7):
                with process(office, tmp_path / "log") as worker:
                    await _in_thread(mail.wait_for, count, 60)
                    worker.send_signal(signal.SIGTERM)
                    assert await _in_thread(worker.wait, 20) == 0
            with process(office, tmp_path / "log"):
                for each in ids:
                    await office.becomes(each, status="sent")
        assert len(mail.received) == 12
        assert len({r.mail["Message-ID"] for r in mail.received}) == 12

    async def test_what_a_worker_logs_names_nobody(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, tmp_path: Path
    ) -> None:
        mail.rcpt = ["450 4.2.0 office@clinic.example is away, said ZYXWVU"]
        mail.data = ["451 4.3.0 office@clinic.example later, said ZYXWVU"]
        log = tmp_path / "log"
        with mail:
            office = await open_office(worker=False, **by_mail(mail, certified))
            patient = office.world.patient(office.client, last_name="ZYXWVU")
            one = await office.world.requisition(office.nurse, patient)
            await office.send([one["id"]], "email", TO)
            with process(office, log):
                await office.becomes(one["id"], status="sent", attempts=3)
        words = log.read_text()
        assert '"event": "send attempt"' in words
        journal = office.world.rows("SELECT detail::text FROM audit_events")
        metrics = (await office.http.get("/metrics")).text
        assert 'portal_transmissions{kind="EMAIL",status="sent"}' in metrics
        for each in (words, str(journal), metrics):
            assert "clinic.example" not in each
            assert "ZYXWVU" not in each


def _expire_workers(owner_url: str) -> None:
    """Let the killed worker have been silent for long, instead of waiting for that."""
    with psycopg.connect(owner_url, options="-c search_path=jobs,public") as connection:
        connection.execute(
            "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"
        )
