"""What happens to a form between being asked for and being sent."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from app.contract import messages
from app.server.main import portal_of
from app.server.transmissions.service.deliver import deliver
from tests.server.transmissions.conftest import Office, Open, by_mail
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn

TO = "office@clinic.example"


class TestCanceledMeanwhile:
    """A canceled requisition is not sent, also when it was asked for before."""

    async def test_it_stops_all_that_go_with_it_and_says_why(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        office = await open_office(worker=False, **by_mail(mail, certified))
        one, two = await office.requisition(), await office.requisition()
        await office.send([one["id"], two["id"]], "email", TO)
        await _cancel(office, two)
        with mail:
            async with office.working():
                found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_CANCELED
        assert (found["attempts"], found["nextTryAt"], found["sentAt"]) == (0, None, None)
        assert mail.received == []
        [(detail,)] = office.world.rows(
            "SELECT detail->>'trouble' FROM audit_events"
            " WHERE action = 'refuse to send' AND record_ids = %s::bigint[]",
            ([one["id"], two["id"]],),
        )
        assert detail == "canceled"

    async def test_it_stops_the_next_try(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        office = await open_office(worker=False, **by_mail(mail, certified))
        one = await office.requisition()
        await office.send([one["id"]], "email", TO)
        async with office.working():
            await office.becomes(one["id"], lastError=messages.SEND_NO_ANSWER)
        await _cancel(office, one)
        with mail:
            async with office.working():
                await office.becomes(one["id"], lastError=messages.SEND_CANCELED, status="failed")
        assert mail.received == []


class TestFaultsOfOurs:
    """What nobody foresaw."""

    @pytest.mark.parametrize("address", ["a\u2028b@clinic.example", "a\u0085b@clinic.example"])
    async def test_they_are_told_and_end_one_day(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, address: str
    ) -> None:
        """An address that an earlier release took and that no mail can be sent to."""
        mail.utf8 = True
        with mail:
            settings = by_mail(mail, certified, send_hours=1 / 3600)
            office = await open_office(worker=False, **settings)
            one = await office.requisition()
            transmission = (await office.send([one["id"]], "email", TO)).json()["id"]
            office.world.sql(
                "UPDATE transmissions SET destination = %s WHERE id = %s", (address, transmission)
            )
            async with office.working():
                await office.becomes(one["id"], lastError=messages.SEND_TROUBLE)
                found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_TROUBLE
        assert mail.received == []


class TestRunTwice:
    """A worker that died when it had put a try off and before it could say that it was done."""

    async def test_the_wait_is_kept_and_there_is_one_next_try(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        waits = {"send_wait_seconds": 3600, "send_wait_max_seconds": 3600}
        office = await open_office(worker=False, **by_mail(mail, certified), **waits)
        one = await office.requisition()
        transmission = (await office.send([one["id"]], "email", TO)).json()["id"]
        async with _parts(office) as portal:
            await deliver(portal, transmission)
            [first] = await office.sent(one["id"])
            jobs = _jobs(office)
            await deliver(portal, transmission)
            assert await office.sent(one["id"]) == [first]
            assert first["attempts"] == 1
            assert _jobs(office) == jobs
            office.world.sql(
                "UPDATE transmissions SET next_try_at = now() WHERE id = %s", (transmission,)
            )
            await deliver(portal, transmission)
        [second] = await office.sent(one["id"])
        assert second["attempts"] == 2
        assert _jobs(office) == jobs + 1


class TestNotTried:
    """What can not even be tried, as when the lab took its mail server out of the settings."""

    async def test_the_waits_grow_until_it_is_given_up_which_is_journalled(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        waits = {"send_wait_seconds": 60, "send_wait_max_seconds": 14_400, "send_hours": 24}
        office = await open_office(worker=False, **by_mail(mail, certified), **waits)
        one = await office.requisition()
        transmission = (await office.send([one["id"]], "email", TO)).json()["id"]
        taken_out = {"smtp_host": None}
        office.settings = office.settings.model_copy(update=taken_out)
        async with _parts(office) as portal:
            for minutes, wait in ((0, 1), (10, 10), (600, 240)):
                _age(office, transmission, minutes)
                await deliver(portal, transmission)
                assert _wait(office, transmission) == pytest.approx(wait, abs=0.2)
            _age(office, transmission, 23 * 60)
            await deliver(portal, transmission)
        [found] = await office.sent(one["id"])
        assert (found["status"], found["lastError"]) == ("failed", messages.SEND_NOT_CONFIGURED)
        [(ids, trouble)] = office.world.rows(
            "SELECT record_ids, detail->>'trouble' FROM audit_events"
            " WHERE action = 'give up sending' AND record_ids = %s::bigint[]",
            ([one["id"]],),
        )
        assert (ids, trouble) == ([one["id"]], "notConfigured")


def _age(office: Office, transmission: int, minutes: int) -> None:
    """It was asked for so long ago, and its next try is due."""
    office.world.sql(
        "UPDATE transmissions SET created_at = now() - %s * interval '1 minute',"
        " next_try_at = now() WHERE id = %s",
        (minutes, transmission),
    )


def _wait(office: Office, transmission: int) -> float:
    """Minutes until its next try."""
    return float(
        office.world.sql(
            "SELECT extract(epoch FROM next_try_at - now()) / 60 FROM transmissions WHERE id = %s",
            (transmission,),
        )
    )


async def _cancel(office: Office, requisition: dict[str, Any]) -> None:
    answer = await office.http.post(
        f"/api/v2/requisitions/{requisition['id']}/cancel",
        headers=office.nurse.headers,
        json={"comment": "not needed"},
    )
    assert answer.status_code == 200, answer.text


@asynccontextmanager
async def _parts(office: Office) -> AsyncIterator[Any]:
    """What a worker gives its jobs."""
    portal = portal_of(office.settings, office.app_url)
    try:
        yield portal
    finally:
        await portal.senders.close()
        await portal.database.engine.dispose()


def _jobs(office: Office) -> int:
    return int(office.world.sql("SELECT count(*) FROM jobs.procrastinate_jobs"))
