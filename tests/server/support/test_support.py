"""Requests to the lab, and their e-mails."""

from collections.abc import AsyncIterator
from typing import Any
from unittest.mock import AsyncMock

import httpx
import pytest

from app.contract import messages
from app.server.main import build_portal
from app.server.support.service.send import send_requests
from app.server.transmissions.rules import Outcome, Trouble
from app.server.transmissions.senders.port import SendResult
from tests.server.accounts.builders import Person
from tests.server.transmissions.conftest import (
    Office,
    OpenOffice,
    build_fax_settings,
    build_mail_settings,
)
from tests.server.world import World
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn
from tests.standins.mail import MailStandIn, ReceivedMail

CONTACT, SUPPLIES = "/api/system/contacts/email", "/api/system/supplies/email"
MINE = "/api/system/support-requests"
TEST_PATH = "/api/system/lab-settings/test-sending"
WRITER = {"name": "Ada Tester", "email": "ada@test.lab", "phone": "3125550100"}


class Desk:
    """A lab with a mail server and addresses, and a nurse who writes to it."""

    def __init__(self, office: Office, mail: MailStandIn) -> None:
        self.office, self.mail, self.world = office, mail, office.world
        self.client = self.world.run_sql("SELECT name FROM clients WHERE id = %s", (office.client,))

    async def post(
        self, path: str, body: Any = None, person: Person | None = None, **more: Any
    ) -> httpx.Response:
        """Post as the nurse, or as another person."""
        headers = {**(person or self.office.nurse).headers, **more.pop("headers", {})}
        return await self.office.http.post(path, headers=headers, json=body, **more)

    async def request(self, *wishes: dict[str, Any], **values: Any) -> httpx.Response:
        """Ask for supplies."""
        body = {
            **WRITER,
            "client": self.client,
            "message": "<p>Please <b>soon</b></p>",
            "supplies": [{"id": 1, "name": "Tubes", "supplies": list(wishes)}],
            **values,
        }
        return await self.post(SUPPLIES, body)

    async def list_mine(self, person: Person | None = None) -> list[dict[str, Any]]:
        """List the requests of the nurse, or of another person."""
        headers = (person or self.office.nurse).headers
        requests: list[dict[str, Any]] = (await self.office.http.get(MINE, headers=headers)).json()
        return requests

    async def run_job(self, result: SendResult | None = None) -> None:
        """Send the due requests, as a worker does; the mail server may answer with this result."""
        portal = build_portal(self.office.settings, self.office.app_url)
        await portal.database.open()
        try:
            with pytest.MonkeyPatch.context() as patch:
                if result is not None:
                    patch.setattr(portal.senders.email, "send", AsyncMock(return_value=result))
                await send_requests(portal)
        finally:
            await portal.senders.close()
            await portal.database.close()

    def let_time_pass(self, age: str = "1 minute") -> None:
        """Make waiting requests due, and give them this age."""
        self.world.run_sql(
            "UPDATE support_requests SET next_try_at = now(), created_at = now() - %s::interval"
            " WHERE next_try_at IS NOT NULL RETURNING 1",
            (age,),
        )

    def list_emails(self, address: str) -> list[ReceivedMail]:
        """Return the e-mails to an address."""
        return [mail for mail in self.mail.received if mail.to == [address]]


@pytest.fixture
async def desk(
    open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
) -> AsyncIterator[Desk]:
    """A desk whose mail server runs."""
    with mail:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        office.world.run_sql("DELETE FROM support_requests")
        # All tests have the same network address.
        office.world.run_sql("DELETE FROM quota_counts WHERE quota = 'support'")
        office.world.run_sql(
            "INSERT INTO lab_settings (name, value) VALUES ('support',"
            """ '{"contactEmail": "contact@lab.test", "supplyEmail": "supplies@lab.test"}')"""
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        )
        yield Desk(office, mail)
        office.world.run_sql("DELETE FROM lab_settings WHERE name = 'support'")


@pytest.fixture
def supplies(world: World) -> list[int]:
    """Ids of two supplies of a category."""
    category = world.run_sql(
        "INSERT INTO supply_categories (name, position) VALUES ('Tubes', 1)"
        " ON CONFLICT (name) DO UPDATE SET position = 1 RETURNING id"
    )
    return [
        world.run_sql(
            "INSERT INTO supplies (category_id, code, name, position) VALUES (%s, %s, %s, %s)"
            " ON CONFLICT (code) DO UPDATE SET name = excluded.name RETURNING id",
            (category, code, name, position),
        )
        for position, (code, name) in enumerate((("LAV", "Lavender <4 mL>"), ("GOLD", "Gold")), 1)
    ]


class TestWriting:
    """POST /api/system/contacts/email."""

    async def test_sends_an_email_to_the_lab(self, desk: Desk) -> None:
        answer = await desk.post(CONTACT, {**WRITER, "message": "Call <me>\nplease"})
        assert (answer.status_code, answer.json()) == (200, True)
        await desk.run_job()
        [email] = desk.list_emails("contact@lab.test")
        assert email.mail["Reply-To"] == "ada@test.lab"
        assert "ADA" not in email.mail["Subject"]
        text = email.mail.get_body(("plain",)).get_content()
        assert "ADA TESTER" in text and "312-555-0100" in text and "Call <me>" in text
        html = email.mail.get_body(("html",)).get_content()
        assert "Call &lt;me&gt;<br>please" in html

    async def test_accepts_fields_in_the_query(self, desk: Desk) -> None:
        answer = await desk.post(CONTACT, params={**WRITER, "message": "Hello"})
        assert answer.json() is True

    @pytest.mark.parametrize("role", ["Superuser", "Laboratory", "Physician", "Patient"])
    async def test_every_role_may_write(self, desk: Desk, role: str) -> None:
        person = await desk.world.create_person(role)
        answer = await desk.post(CONTACT, {**WRITER, "message": "Hello"}, person)
        assert answer.json() is True

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("name", " ", messages.CONTACT_LAST_NAME_REQUIRED),
            ("email", None, messages.EMAIL_REQUIRED),
            ("email", "ada@test.lab\r\nBcc: all@test.lab", messages.EMAIL_INVALID),
            ("phone", "555", messages.PHONE_INVALID),
            ("message", "", messages.MESSAGE_REQUIRED),
        ],
    )
    async def test_rejects_invalid_fields(
        self, desk: Desk, field: str, value: str | None, message: str
    ) -> None:
        answer = await desk.post(CONTACT, {**WRITER, "message": "Hello", field: value})
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": field, "message": message}]

    async def test_is_limited(self, desk: Desk) -> None:
        body = {**WRITER, "message": "Hello"}
        statuses = [(await desk.post(CONTACT, body)).status_code for _ in range(6)]
        assert statuses == [200] * 5 + [429]

    async def test_the_same_key_writes_once(self, desk: Desk) -> None:
        body, headers = {**WRITER, "message": "Hello"}, {"Idempotency-Key": "one-message"}
        for _ in range(2):
            assert (await desk.post(CONTACT, body, headers=headers)).json() is True
        assert len(await desk.list_mine()) == 1

    async def test_reports_that_it_is_not_configured(self, desk: Desk, parse_problem) -> None:
        desk.world.run_sql("UPDATE lab_settings SET value = '{}' WHERE name = 'support'")
        answer = await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        assert answer.status_code == 424
        assert parse_problem(answer)["detail"] == messages.CONTACT_NOT_CONFIGURED
        answer = await desk.request()
        assert answer.status_code == 424
        assert parse_problem(answer)["detail"] == messages.NOT_CONFIGURED


class TestRequestingSupplies:
    """POST /api/system/supplies/email."""

    async def test_sends_only_supplies_with_quantity_and_unit(
        self, desk: Desk, supplies: list[int]
    ) -> None:
        answer = await desk.request(
            {"id": supplies[0], "quantity": 2, "config": "Box", "comment": "Cold <today>"},
            {"id": supplies[1], "quantity": 3},
            message='<p onclick="x()">Soon<script>alert(1)</script></p>',
        )
        assert answer.json() is True
        await desk.run_job()
        [email] = desk.list_emails("supplies@lab.test")
        text = email.mail.get_body(("plain",)).get_content()
        assert "2 Box: LAV Lavender <4 mL>, Tubes (Cold <today>)" in text
        assert "GOLD" not in text and desk.client in text
        html = email.mail.get_body(("html",)).get_content()
        assert "<p>Soon</p>" in html and "script" not in html and "onclick" not in html
        assert "Lavender &lt;4 mL&gt;" in html

    @pytest.mark.parametrize(
        "wish",
        [
            {"quantity": 0, "config": "Box"},
            {"quantity": 10_000, "config": "Box"},
            {"quantity": 1, "config": "Pallet"},
            {"quantity": 1, "config": "Box", "comment": "x" * 501},
        ],
    )
    async def test_rejects_invalid_supplies(
        self, desk: Desk, supplies: list[int], wish: dict[str, Any]
    ) -> None:
        assert (await desk.request({"id": supplies[0], **wish})).status_code == 400

    async def test_rejects_unknown_supplies_and_foreign_clients(self, desk: Desk) -> None:
        unknown_answer = await desk.request(
            {"id": 9_007_199_254_740_000, "quantity": 1, "config": "Box"}
        )
        assert unknown_answer.status_code == 400
        foreign = desk.world.create_client()
        name = desk.world.run_sql("SELECT name FROM clients WHERE id = %s", (foreign,))
        answer = await desk.request(client=name)
        assert answer.json()["errors"][0]["field"] == "client"

    @pytest.mark.parametrize("role", ["Laboratory", "Physician", "Patient"])
    async def test_is_for_clients_and_superusers(self, desk: Desk, role: str) -> None:
        person = await desk.world.create_person(role)
        assert (await desk.post(SUPPLIES, {**WRITER}, person)).status_code == 403


class TestDelivery:
    """GET /api/system/support-requests, and trouble with the mail server."""

    async def test_waits_while_the_mail_server_is_down_and_is_sent_later(self, desk: Desk) -> None:
        desk.mail.data_answers.append("451 try later")
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        await desk.run_job()
        [waiting_request] = await desk.list_mine()
        assert (waiting_request["status"], bool(waiting_request["reason"])) == ("waiting", True)
        desk.let_time_pass("10 minutes")
        await desk.run_job()
        await desk.run_job()
        [request] = await desk.list_mine()
        assert (request["status"], request["reason"]) == ("sent", None)
        assert len(desk.list_emails("contact@lab.test")) == 1

    async def test_waits_between_two_tries_as_the_settings_say(self, desk: Desk) -> None:
        desk.office.settings = desk.office.settings.model_copy(
            update={"send_wait_seconds": 1000.0, "send_wait_max_seconds": 1500.0}
        )
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        for seconds in (1000, 1500, 1500):
            desk.let_time_pass()
            await desk.run_job(SendResult(Outcome.LATER, Trouble.NO_ANSWER))
            wait = desk.world.run_sql(
                "SELECT extract(epoch FROM next_try_at - failed_at)::int FROM support_requests"
            )
            assert wait == seconds

    async def test_gives_up_after_the_hours_of_the_settings(self, desk: Desk) -> None:
        desk.office.settings = desk.office.settings.model_copy(update={"send_hours": 2.0})
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        for hours, status in ((1, "waiting"), (3, "failed")):
            desk.let_time_pass(f"{hours} hours")
            await desk.run_job(SendResult(Outcome.LATER, Trouble.NO_ANSWER))
            assert [request["status"] for request in await desk.list_mine()] == [status]

    async def test_a_repeated_email_has_the_same_message_id(self, desk: Desk) -> None:
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        await desk.run_job()
        # The worker died before it could note that the e-mail was accepted.
        desk.world.run_sql("UPDATE support_requests SET sent_at = NULL, next_try_at = now()")
        await desk.run_job()
        first, second = desk.list_emails("contact@lab.test")
        assert first.mail["Message-ID"] == second.mail["Message-ID"]

    async def test_a_request_has_failed_when_the_server_refuses_it_or_after_a_day(
        self, desk: Desk
    ) -> None:
        desk.mail.rcpt_answers.append("550 no such user")
        await desk.post(CONTACT, {**WRITER, "message": "First"})
        await desk.run_job()
        assert [request["status"] for request in await desk.list_mine()] == ["failed"]
        desk.mail.data_answers.append("451 try later")
        await desk.post(CONTACT, {**WRITER, "message": "Second"})
        desk.let_time_pass("25 hours")
        await desk.run_job()
        assert [request["status"] for request in await desk.list_mine()] == ["failed", "failed"]

    async def test_fails_after_two_unknown_outcomes(self, desk: Desk) -> None:
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        uncertain = SendResult(Outcome.UNKNOWN, Trouble.NO_ANSWER)
        await desk.run_job(uncertain)
        [request] = await desk.list_mine()
        assert (request["status"], request["reason"]) == ("waiting", messages.SEND_NO_ANSWER)
        desk.let_time_pass()
        await desk.run_job(SendResult(Outcome.LATER, Trouble.NO_ANSWER))
        desk.let_time_pass()
        await desk.run_job(uncertain)
        [failed_request] = await desk.list_mine()
        assert (failed_request["status"], failed_request["reason"]) == (
            "failed",
            messages.SEND_UNCERTAIN,
        )

    async def test_other_people_do_not_see_the_request(self, desk: Desk) -> None:
        await desk.post(CONTACT, {**WRITER, "message": "Hello"})
        for role in ("Superuser", "Laboratory"):
            assert await desk.list_mine(await desk.world.create_person(role)) == []


class TestTestSending:
    """POST /api/system/lab-settings/test-sending."""

    async def test_says_that_the_mail_server_accepted_the_test(self, desk: Desk) -> None:
        superuser = await desk.world.create_person("Superuser")
        answer = await desk.post(TEST_PATH, {"type": "email", "value": "me@lab.test"}, superuser)
        assert answer.json() == {"isSent": True, "trouble": None}
        [email] = desk.list_emails("me@lab.test")
        assert "test" in email.mail["Subject"]

    async def test_says_why_the_test_was_not_sent(self, desk: Desk) -> None:
        desk.mail.rcpt_answers.append("550 no such user")
        superuser = await desk.world.create_person("Superuser")
        answer = await desk.post(TEST_PATH, {"type": "email", "value": "me@lab.test"}, superuser)
        assert answer.json() == {"isSent": False, "trouble": messages.SEND_ADDRESS_REFUSED}

    async def test_a_lab_without_fax_says_so(self, desk: Desk) -> None:
        superuser = await desk.world.create_person("Superuser")
        body = {"type": "fax", "value": "312-555-0100"}
        assert (await desk.post(TEST_PATH, body, superuser)).status_code == 424

    async def test_faxes_a_cover(self, open_office: OpenOffice, fax: FaxStandIn) -> None:
        with fax:
            office = await open_office(worker=False, **build_fax_settings(fax))
            office.world.run_sql("DELETE FROM quota_counts WHERE quota = 'support'")
            superuser = await office.world.create_person("Superuser")
            answer = await office.http.post(
                TEST_PATH, headers=superuser.headers, json={"type": "fax", "value": "3125550100"}
            )
            assert answer.json()["isSent"] is True
