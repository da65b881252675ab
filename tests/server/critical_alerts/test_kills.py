"""The worker process, killed in the middle of an escalation."""

import asyncio
import threading
from pathlib import Path

import psycopg
import pytest

from tests.server.critical_alerts.test_alerts import Alarm, open_alarm
from tests.server.transmissions.conftest import OpenOffice
from tests.server.transmissions.worker_process import expire_workers, run_process
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn

FIRST, SECOND = "killed-first@c.example", "killed-second@c.example"
pytestmark = pytest.mark.xdist_group("kills")


@pytest.fixture
async def alarm(open_office: OpenOffice, mail: MailStandIn, certificate: Certificate) -> Alarm:
    """A critical potassium with two contacts; the notices of other orders send no alerts."""
    mail.accepted_address = FIRST
    alarm = await open_alarm(open_office, mail, certificate, FIRST, SECOND)
    alarm.world.fetch_rows(
        "UPDATE critical_notices SET escalate_at = NULL WHERE order_id <> %s RETURNING id",
        (alarm.bench.order_id,),
    )
    return alarm


def wait_for_blocked_alert(url: str) -> None:
    """Wait until a worker tries to insert an alert."""
    statement = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'critical_alerts'::regclass"
    )
    with psycopg.connect(url, autocommit=True) as connection:
        for _ in range(3_000):
            row = connection.execute(statement).fetchone()
            if row and row[0]:
                return
            connection.execute("SELECT pg_sleep(0.02)")
    raise AssertionError("nobody inserts an alert")


async def test_an_escalation_that_is_killed_begins_again(
    alarm: Alarm, mail: MailStandIn, owner_url: str, tmp_path: Path
) -> None:
    """DECISIONS, Results, bad input: 'worker killed in mid-escalation'."""
    with mail:
        with psycopg.connect(owner_url) as blocker:
            blocker.execute("LOCK TABLE critical_alerts IN SHARE MODE")
            with run_process(alarm.office, tmp_path / "log") as worker:
                await asyncio.to_thread(wait_for_blocked_alert, owner_url)
                worker.kill()
                worker.wait()
            blocker.rollback()
        assert mail.received == []
        expire_workers(owner_url)
        with run_process(alarm.office, tmp_path / "log"):
            await asyncio.to_thread(mail.wait_for, 1)
    assert [m.to for m in mail.received] == [[FIRST]]
    assert alarm.list_alerts() == [(1, True, None)]


async def test_an_alert_whose_worker_is_killed_is_repeated_with_the_same_message_id(
    alarm: Alarm, mail: MailStandIn, owner_url: str, tmp_path: Path
) -> None:
    mail.gate = threading.Event()
    with mail:
        with run_process(alarm.office, tmp_path / "log") as worker:
            assert await asyncio.to_thread(mail.arrived.wait, 60)
            worker.kill()
            worker.wait()
        assert alarm.list_alerts() == [(1, False, None)]
        mail.gate.set()
        expire_workers(owner_url)
        with run_process(alarm.office, tmp_path / "log"):
            await asyncio.to_thread(mail.wait_for, 2)
    assert [m.to for m in mail.received] == [[FIRST]] * 2
    assert len({m.mail["Message-ID"] for m in mail.received}) == 1
    assert alarm.list_alerts() == [(1, True, None)]
