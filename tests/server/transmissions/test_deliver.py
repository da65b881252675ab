"""Deliveries: canceled requisitions, errors of the portal, repeated jobs and postponing."""

import psycopg
import pytest

from app.contract import messages
from app.contract.enumerations import CopyType
from app.server.actor import Actor
from app.server.transmissions.senders.port import Delivery, SendResult
from app.server.transmissions.service.deliver import deliver_transmission
from tests.server.transmissions.conftest import Office, OpenOffice, build_mail_settings
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn

TO = "office@clinic.example"


class TestCanceledMeanwhile:
    """A requisition canceled after the request is not sent."""

    async def test_fails_the_whole_transmission_with_the_reason(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        first, second = await office.save_requisition(), await office.save_requisition()
        await office.send([first["id"], second["id"]], "email", TO)
        await _cancel_requisition(office, second["id"])
        with mail:
            async with office.run_worker():
                transmission = await office.wait_until(first["id"], status="failed")
        assert transmission["lastError"] == messages.SEND_CANCELED
        assert (transmission["attempts"], transmission["nextTryAt"], transmission["sentAt"]) == (
            0,
            None,
            None,
        )
        assert mail.received == []
        [(detail,)] = office.world.fetch_rows(
            "SELECT detail->>'trouble' FROM audit_events"
            " WHERE action = 'refuse to send' AND record_ids = %s::bigint[]",
            ([first["id"], second["id"]],),
        )
        assert detail == "canceled"

    async def test_stops_further_attempts(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        requisition, _ = await office.send_new_requisition("email", TO)
        async with office.run_worker():
            await office.wait_until(requisition, lastError=messages.SEND_NO_ANSWER)
        await _cancel_requisition(office, requisition)
        with mail:
            async with office.run_worker():
                await office.wait_until(
                    requisition, lastError=messages.SEND_CANCELED, status="failed"
                )
        assert mail.received == []


class TestPortalErrors:
    """Unexpected errors of the portal."""

    @pytest.mark.parametrize("address", ["a\u2028b@clinic.example", "a\u0085b@clinic.example"])
    async def test_portal_errors_are_shown_and_fail_permanently(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, address: str
    ) -> None:
        """The address was accepted by an earlier release, but no e-mail can be sent to it."""
        mail.utf8 = True
        with mail:
            settings = build_mail_settings(mail, certificate, send_hours=1 / 3600)
            office = await open_office(worker=False, **settings)
            requisition, transmission = await office.send_new_requisition("email", TO)
            office.world.run_sql(
                "UPDATE transmissions SET destination = %s WHERE id = %s", (address, transmission)
            )
            async with office.run_worker():
                await office.wait_until(requisition, lastError=messages.SEND_TROUBLE)
                latest = await office.wait_until(requisition, status="failed")
        assert latest["lastError"] == messages.SEND_TROUBLE
        assert mail.received == []


class TestRepeatedJob:
    """A worker died after it postponed the transmission, and before its job ended."""

    async def test_a_repeated_job_makes_no_early_or_second_attempt(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        waits = {"send_wait_seconds": 3600, "send_wait_max_seconds": 3600}
        office = await open_office(worker=False, **build_mail_settings(mail, certificate), **waits)
        requisition, transmission = await office.send_new_requisition("email", TO)
        async with office.open_portal() as portal:
            await deliver_transmission(portal, transmission)
            [first] = await office.list_transmissions(requisition)
            job_count = _count_jobs(office)
            await deliver_transmission(portal, transmission)
            assert await office.list_transmissions(requisition) == [first]
            assert first["attempts"] == 1
            assert _count_jobs(office) == job_count
            office.world.run_sql(
                "UPDATE transmissions SET next_try_at = now() WHERE id = %s", (transmission,)
            )
            await deliver_transmission(portal, transmission)
        [second] = await office.list_transmissions(requisition)
        assert second["attempts"] == 2
        assert _count_jobs(office) == job_count + 1


class TestLostDatabase:
    """The database restarts after the mail server accepted an e-mail."""

    async def test_stores_the_result_once_it_is_back_and_sends_nothing_again(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        requisition, transmission = await office.send_new_requisition("email", TO)
        with mail:
            async with office.open_portal() as portal:
                sender, database = portal.senders.find(CopyType.EMAIL), portal.database
                send, open_transaction = sender.send, database.transaction

                def fail_once(_: Actor) -> None:
                    monkeypatch.setattr(database, "transaction", open_transaction)
                    raise psycopg.OperationalError("the server is starting up")

                async def send_and_lose_the_database(delivery: Delivery) -> SendResult:
                    result = await send(delivery)
                    monkeypatch.setattr(database, "transaction", fail_once)
                    return result

                monkeypatch.setattr(sender, "send", send_and_lose_the_database)
                await deliver_transmission(portal, transmission)
                await deliver_transmission(portal, transmission)
        [sent] = await office.list_transmissions(requisition)
        assert (sent["status"], sent["attempts"], len(mail.received)) == ("sent", 1, 1)


class TestPostponedWithoutAttempt:
    """Attempts are impossible, for example after the lab removed its mail server."""

    async def test_waits_grow_until_the_transmission_fails(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        waits = {"send_wait_seconds": 60, "send_wait_max_seconds": 14_400, "send_hours": 24}
        office = await open_office(worker=False, **build_mail_settings(mail, certificate), **waits)
        requisition, transmission = await office.send_new_requisition("email", TO)
        office.settings = office.settings.model_copy(update={"smtp_host": None})
        async with office.open_portal() as portal:
            for minutes, wait in ((0, 1), (10, 10), (600, 240)):
                _set_age(office, transmission, minutes)
                await deliver_transmission(portal, transmission)
                assert _read_wait(office, transmission) == pytest.approx(wait, abs=0.2)
            _set_age(office, transmission, 23 * 60)
            await deliver_transmission(portal, transmission)
        [latest] = await office.list_transmissions(requisition)
        assert (latest["status"], latest["lastError"]) == ("failed", messages.SEND_NOT_CONFIGURED)
        [(ids, trouble)] = office.world.fetch_rows(
            "SELECT record_ids, detail->>'trouble' FROM audit_events"
            " WHERE action = 'give up sending' AND record_ids = %s::bigint[]",
            ([requisition],),
        )
        assert (ids, trouble) == ([requisition], "notConfigured")


def _set_age(office: Office, transmission: int, minutes: int) -> None:
    """Make a transmission this old, and its next attempt due."""
    office.world.run_sql(
        "UPDATE transmissions SET created_at = now() - %s * interval '1 minute',"
        " next_try_at = now() WHERE id = %s",
        (minutes, transmission),
    )


def _read_wait(office: Office, transmission: int) -> float:
    """Return the minutes until the next attempt."""
    return float(
        office.world.run_sql(
            "SELECT extract(epoch FROM next_try_at - now()) / 60 FROM transmissions WHERE id = %s",
            (transmission,),
        )
    )


async def _cancel_requisition(office: Office, requisition: int) -> None:
    answer = await office.http.post(
        f"/api/v2/requisitions/{requisition}/cancel",
        headers=office.nurse.headers,
        json={"comment": "not needed"},
    )
    assert answer.status_code == 200, answer.text


def _count_jobs(office: Office) -> int:
    return int(office.world.run_sql("SELECT count(*) FROM jobs.procrastinate_jobs"))
