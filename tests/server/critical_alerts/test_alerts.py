"""Alerting contacts of a client, one after another, by e-mail without clinical content."""

import asyncio
import re
from collections.abc import Sequence
from typing import Any

import pytest

from app.basics.clock import get_lab_today
from app.basics.opening_hours import DAYS
from app.contract.limits import CRITICAL_MINUTES_DEFAULT
from app.server.critical_alerts.service import alert_contacts
from app.server.main import build_portal
from tests.server.results.clinical.bench import Bench
from tests.server.transmissions.conftest import Office, OpenOffice, build_mail_settings
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn


class Alarm:
    """An office with a client's contacts, and a released critical result of that client."""

    def __init__(self, office: Office, bench: Bench) -> None:
        self.office, self.bench, self.world = office, bench, office.world

    def add_contacts(self, *emails: str | None) -> None:
        """Add contacts of the client, in order."""
        for position, email in enumerate(emails, 1):
            self.world.run_sql(
                "INSERT INTO critical_contacts (client_id, position, name, email)"
                " VALUES (%s, %s, %s, %s) RETURNING id",
                (self.office.client, position, f"CONTACT {position}", email),
            )

    def set_hours(self, position: int, hours: str) -> None:
        """Set the hours of a contact."""
        self.world.run_sql(
            "UPDATE critical_contacts SET hours = %s WHERE client_id = %s AND position = %s"
            " RETURNING id",
            (hours, self.office.client, position),
        )

    async def read_notice(self) -> dict[str, Any]:
        """Read the notice as the lab."""
        path = f"/api/v2/critical-results/{self.get_notice_id()}"
        answer = await self.world.http.get(path, headers=self.bench.lab.headers)
        assert answer.status_code == 200, answer.text
        notice: dict[str, Any] = answer.json()
        return notice

    def get_notice_id(self) -> int:
        """Return the id of the order's notice."""
        notice: int = self.world.run_sql(
            "SELECT id FROM critical_notices WHERE order_id = %s", (self.bench.order_id,)
        )
        return notice

    async def run_job(self) -> None:
        """Run the job once, as a worker does."""
        portal = build_portal(self.office.settings, self.office.app_url)
        await portal.database.open()
        try:
            await alert_contacts(portal)
        finally:
            await portal.senders.close()
            await portal.database.close()

    def let_time_pass(self) -> None:
        """Make the next contact and all attempts due."""
        self.world.run_sql(
            "UPDATE critical_notices SET escalate_at = now() WHERE order_id = %s"
            " AND escalate_at IS NOT NULL RETURNING 1",
            (self.bench.order_id,),
        )
        self.make_attempts_due()

    def make_attempts_due(self) -> None:
        """Make all attempts due."""
        self.world.run_sql(
            "UPDATE critical_alerts SET next_try_at = now() WHERE next_try_at IS NOT NULL"
            " AND notice_id IN (SELECT id FROM critical_notices WHERE order_id = %s) RETURNING 1",
            (self.bench.order_id,),
        )

    async def limit_minutes(self, minutes: int) -> None:
        """Change the lab's time limit, as a Superuser."""
        superuser = await self.world.create_person("Superuser")
        answer = await self.world.http.put(
            "/api/system/lab-settings",
            headers=superuser.headers,
            json={"criticalMinutes": minutes},
        )
        assert answer.status_code == 200, answer.text

    def list_alerts(self) -> list[tuple[Any, ...]]:
        """Return the contact of each alert, whether it was sent, and its trouble."""
        return self.world.fetch_rows(
            "SELECT a.position, a.sent_at IS NOT NULL, a.trouble FROM critical_alerts a"
            " JOIN critical_notices n ON n.id = a.notice_id WHERE n.order_id = %s ORDER BY a.id",
            (self.bench.order_id,),
        )

    async def record_call(self) -> None:
        """Record a call with a read-back."""
        notice = self.get_notice_id()
        answer = await self.world.http.post(
            f"/api/v2/critical-results/{notice}/calls",
            headers=self.bench.lab.headers,
            json={"toldName": "ANN", "method": "phone", "isTold": True, "hasReadBack": True},
        )
        assert answer.status_code == 200, answer.text


def build_closed_hours(time_zone: str) -> str:
    """Build hours on a weekday other than today's, so that they do not begin during a test."""
    weekday = get_lab_today(time_zone).weekday()
    return f"{DAYS[(weekday + 3) % len(DAYS)]} 8:00-17:00"


async def open_alarm(
    open_office: OpenOffice,
    mail: MailStandIn,
    certificate: Certificate,
    *emails: str | None,
    tests: Sequence[str] = ("K",),
) -> Alarm:
    """Open an office whose lab has released a critical potassium of an order for ``tests``."""
    office = await open_office(worker=False, **build_mail_settings(mail, certificate))
    lab = await office.world.create_person("Laboratory")
    requisition = await office.save_requisition(
        tests=[{"test": {"id": office.world.get_test_id(code)}} for code in tests]
    )
    receive_answer = await office.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    bench = Bench(office.world, lab, office.nurse, receive_answer.json()[0]["orderId"])
    alarm = Alarm(office, bench)
    alarm.add_contacts(*emails)
    await bench.enter(K="7.2")
    assert (await bench.release()).status_code == 200
    return alarm


class TestAlerts:
    """The job `critical_alerts.alert_contacts`."""

    async def test_mails_the_first_contact_without_clinical_content(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, "w@c.example", "b@c.example")
            await alarm.run_job()
            await alarm.run_job()
        [email] = mail.received
        assert (email.to, email.is_encrypted) == (["w@c.example"], True)
        text = f"{email.mail['Subject']}\n{email.mail.get_content()}"
        assert f"/secured/results/order;id={alarm.bench.order_id}" in text
        order = await alarm.bench.read_order()
        for secret in ("POTASSIUM", "7.2", order["patient"]["lastName"], order["codeValue"]):
            assert not re.search(rf"\b{re.escape(secret)}\b", text, re.I), secret
        assert alarm.list_alerts() == [(1, True, None)]

    async def test_waits_as_long_as_the_lab_says_before_the_next_contact(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, "w@c.example", "b@c.example")
            await alarm.limit_minutes(5)
            await alarm.run_job()
            await alarm.limit_minutes(CRITICAL_MINUTES_DEFAULT)
        minutes = alarm.world.run_sql(
            "SELECT round(extract(epoch FROM n.escalate_at - a.created_at) / 60)"
            " FROM critical_notices n JOIN critical_alerts a ON a.notice_id = n.id"
            " WHERE n.order_id = %s",
            (alarm.bench.order_id,),
        )
        assert minutes == 5

    async def test_continues_with_the_next_contact_until_somebody_reads_back(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        emails = ("a@c.example", None, "c@c.example", "d@c.example")
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, *emails)
            for _ in range(3):
                await alarm.run_job()
                alarm.let_time_pass()
            await alarm.record_call()
            alarm.let_time_pass()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"], ["c@c.example"]]
        # The second has no address: the lab sees that it must call.
        assert alarm.list_alerts() == [(1, True, None), (2, False, None), (3, True, None)]

    async def test_does_not_wait_for_a_closed_contact(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        emails = ("ward@c.example", "oncall@c.example", "boss@c.example")
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, *emails)
            alarm.set_hours(1, build_closed_hours(alarm.office.settings.time_zone))
            alarm.set_hours(2, "Daily 0:00-24:00")
            await alarm.run_job()
        # The closed ward gets the e-mail too, and reads it in the morning.
        assert [m.to for m in mail.received] == [["ward@c.example"], ["oncall@c.example"]]
        notice = await alarm.read_notice()
        contacts = {contact["position"]: contact["isOpen"] for contact in notice["contacts"]}
        assert contacts == {1: False, 2: True, 3: True}

    async def test_a_refused_address_leads_to_the_next_contact_at_once(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        mail.rcpt_answers.append("550 no such mailbox")
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, "x@c.example", "b@c.example")
            await alarm.run_job()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["b@c.example"]]
        assert alarm.list_alerts() == [(1, False, "addressRefused"), (2, True, None)]

    async def test_a_refused_address_leaves_a_later_contact_its_time(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        emails = ("x@c.example", "b@c.example", "c@c.example")
        alarm = await open_alarm(open_office, mail, certificate, *emails)
        # The first e-mail finds no server, and the second contact's turn comes.
        await alarm.run_job()
        change = "UPDATE critical_notices SET escalate_at = now() WHERE order_id = %s RETURNING 1"
        alarm.world.run_sql(change, (alarm.bench.order_id,))
        with mail:
            await alarm.run_job()
            # Now the server refuses the first address.
            mail.rcpt_answers.append("550 no such mailbox")
            alarm.make_attempts_due()
            await alarm.run_job()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["b@c.example"]]
        assert alarm.list_alerts() == [(1, False, "addressRefused"), (2, True, None)]

    async def test_a_silent_server_is_tried_again(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        alarm = await open_alarm(open_office, mail, certificate, "a@c.example")
        await alarm.run_job()
        assert alarm.list_alerts() == [(1, False, "noAnswer")]
        alarm.let_time_pass()
        with mail:
            await alarm.run_job()
        assert alarm.list_alerts() == [(1, True, None)]
        assert len(mail.received) == 1

    @pytest.mark.parametrize("false_reply", [None, b"lorem ipsum"])
    async def test_an_unknown_outcome_is_repeated_once_and_then_the_next_is_alerted(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        false_reply: bytes | None,
    ) -> None:
        if false_reply is None:
            mail.breaks = 2
        else:
            mail.false_replies = {"250 Accepted": [false_reply] * 2}
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, "a@c.example", "b@c.example")
            await alarm.run_job()
            alarm.let_time_pass()
            await alarm.run_job()
            await alarm.run_job()
            alarm.let_time_pass()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"], ["a@c.example"], ["b@c.example"]]
        assert alarm.list_alerts() == [(1, False, "uncertain"), (2, True, None)]

    async def test_a_killed_worker_neither_loses_nor_repeats_alerts(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The worker dies after the escalation, before the e-mail; its attempt is rolled back."""

        async def die(*_: object) -> None:
            raise RuntimeError("killed")

        with mail:
            alarm = await open_alarm(open_office, mail, certificate, "a@c.example")
            with monkeypatch.context() as patch:
                patch.setattr("app.server.critical_alerts.service._send_email", die)
                with pytest.raises(RuntimeError, match="killed"):
                    await alarm.run_job()
            assert alarm.list_alerts() == [(1, False, None)]
            assert mail.received == []
            await asyncio.gather(alarm.run_job(), alarm.run_job())
        assert len(mail.received) == 1
        assert alarm.list_alerts() == [(1, True, None)]


class TestHiddenResults:
    """Nobody is alerted to results that the client does not see (ADR 103)."""

    @pytest.fixture
    async def alarm(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> Alarm:
        """A notice of a critical potassium, with two contacts."""
        return await open_alarm(open_office, mail, certificate, "a@c.example", "b@c.example")

    async def put_under_review(self, alarm: Alarm) -> None:
        """Put the potassium under review."""
        answer = await alarm.bench.post("withhold", "K", kind="review", reason="REPEAT")
        assert answer.status_code == 200, answer.text

    async def test_escalation_waits_for_the_end_of_a_review(
        self, alarm: Alarm, mail: MailStandIn
    ) -> None:
        with mail:
            await alarm.run_job()
            await self.put_under_review(alarm)
            alarm.let_time_pass()
            await alarm.run_job()
            notice = await alarm.read_notice()
            assert [alert["email"] for alert in notice["alerts"]] == ["a@c.example"]
            assert notice["closedAt"] is None
            assert (await alarm.bench.post("restore", "K")).status_code == 200
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"], ["b@c.example"]]

    async def test_an_email_that_waits_is_not_sent_during_a_review(
        self, alarm: Alarm, mail: MailStandIn
    ) -> None:
        await alarm.run_job()  # The server is silent.
        await self.put_under_review(alarm)
        alarm.make_attempts_due()
        with mail:
            await alarm.run_job()
            assert mail.received == []
            assert (await alarm.bench.post("restore", "K")).status_code == 200
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"]]

    async def test_nobody_else_is_alerted_to_a_corrected_result(
        self, alarm: Alarm, mail: MailStandIn
    ) -> None:
        with mail:
            await alarm.run_job()
            await alarm.bench.correct(K="4.2")
            assert (await alarm.bench.release()).status_code == 200
            alarm.let_time_pass()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"]]
        # The lab still has the task, and says in a note why nobody was called.
        assert (await alarm.read_notice())["closedAt"] is None

    async def test_another_result_of_the_notice_continues_the_escalation(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        emails = ("a@c.example", "b@c.example")
        with mail:
            alarm = await open_alarm(open_office, mail, certificate, *emails, tests=("K", "GLU"))
            await alarm.bench.enter(GLU="500")
            assert (await alarm.bench.release()).status_code == 200
            await alarm.run_job()
            await self.put_under_review(alarm)
            alarm.let_time_pass()
            await alarm.run_job()
        assert [m.to for m in mail.received] == [["a@c.example"], ["b@c.example"]]
