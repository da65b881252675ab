"""Forms by fax: a provider of Telnyx's shape, and an e-mail gateway."""

import asyncio
import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from app.contract import messages
from tests.server.transmissions.conftest import (
    WAITS_TO_BE_TOLD,
    Office,
    Open,
    by_mail,
    by_provider,
)
from tests.standins.certificates import Certificate
from tests.standins.fax import NUMBER, FaxStandIn, Trouble
from tests.standins.mail import MailStandIn

TO = "312-555-0199"
UPLOAD, DIAL, LIST = "POST /media", "POST /faxes", "GET /faxes"


def pages(document: bytes) -> list[str]:
    """The words of each page."""
    return [page.extract_text() for page in PdfReader(BytesIO(document)).pages]


class TestTheDocument:
    """What comes out of the other machine, whichever way it went."""

    @pytest.mark.parametrize("way", ["provider", "gateway"])
    async def test_a_cover_without_a_patient_and_a_line_on_every_page(
        self, open_office: Open, mail: MailStandIn, fax: FaxStandIn, certified: Certificate, way
    ) -> None:
        with mail, fax:
            settings = (
                by_provider(fax)
                if way == "provider"
                else by_mail(mail, certified, fax_gateway="{number}@fax.example")
            )
            office = await open_office(**settings)
            patient = office.world.patient(office.client, last_name="ZYXWVU")
            one = await office.world.requisition(office.nurse, patient)
            two = await office.requisition()
            await office.send([one["id"], two["id"]], "fax", TO)
            if way == "provider":
                [sent] = await asyncio.to_thread(fax.wait_for, 1)
                document = fax.documents[sent["media_name"]]
                assert (sent["to"], sent["from"]) == ("+13125550199", NUMBER)
            else:
                [received] = await asyncio.to_thread(mail.wait_for, 1)
                assert received.to == ["3125550199@fax.example"]
                [attached] = list(received.mail.iter_attachments())
                document = attached.get_content()
                assert "ZYXWVU" not in received.mail["Subject"]
        cover, *forms = pages(document)
        assert "2 laboratory forms" in cover
        assert "confidential" in cover
        assert TO in cover
        for personal in ("ZYXWVU", "PAT", "1970", one["code"], two["code"]):
            assert personal not in cover.replace("PATENT", "")
        assert [one["code"] in forms[0], two["code"] in forms[1]] == [True, True]
        for number, page in enumerate((cover, *forms), start=1):
            assert f"PAGE {number}" in page
            assert re.search(r"\d\d/\d\d/\d{4} \d\d:\d\d   ?FROM .+TO 312-555-0199", page)


class TestFollowing:
    """From asking to arriving."""

    async def test_a_fax_is_followed_until_it_is_delivered(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        fax.stays = True
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            under_way = await office.becomes(one["id"], status="sending", attempts=1)
            under_way = await office.becomes(one["id"], status="sending", nextTryAt=None)
            assert under_way["deliveredAt"] is None
            fax.stays = False
            found = await office.becomes(one["id"], status="delivered")
        assert found["sentAt"] is not None
        assert found["deliveredAt"] is not None
        assert len(fax.faxes) == 1
        assert fax.media == {}, "the provider no longer keeps the document"

    async def test_a_mail_to_a_gateway_is_sent_and_no_more_is_claimed(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **by_mail(mail, certified, fax_gateway="{number}@fax.example")
            )
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            found = await office.becomes(one["id"], status="sent")
        assert found["deliveredAt"] is None

    async def test_a_busy_line_is_dialled_again(self, open_office: Open, fax: FaxStandIn) -> None:
        fax.ends = ["user_busy", "receiver_no_answer"]
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            await office.becomes(one["id"], status="delivered", attempts=3)
        assert len(fax.faxes) == 3
        assert len({each["media_name"] for each in fax.faxes}) == 3

    async def test_a_line_that_stays_busy_is_given_up(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        fax.ends = ["user_busy"] * 9
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_FAX_BUSY
        assert len(fax.faxes) == 4

    async def test_a_number_that_is_none_is_not_dialled_again(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        fax.ends = ["receiver_unallocated_number"]
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_FAX_NUMBER_REFUSED
        assert len(fax.faxes) == 1


class TestTheProvidersTrouble:
    """Its errors: nothing is lost, nothing goes twice."""

    async def sent_in_spite_of(
        self, open_office: Open, fax: FaxStandIn, name: str, trouble: Trouble, words: str
    ) -> tuple[Office, int]:
        """Send with this trouble at first; the trouble is shown, and the fax arrives once."""
        fax.trouble = {name: [trouble]}
        with fax:
            office = await open_office(**by_provider(fax, **WAITS_TO_BE_TOLD))
            one = await office.requisition()
            transmission = (await office.send([one["id"]], "fax", TO)).json()["id"]
            await office.becomes(one["id"], lastError=words)
            office.retry_now()
            await office.becomes(one["id"], status="delivered", lastError=None)
        assert len(fax.faxes) == 1
        return office, transmission

    @pytest.mark.parametrize("name", [UPLOAD, DIAL])
    @pytest.mark.parametrize(
        ("trouble", "words"),
        [
            (Trouble(401), messages.SEND_LOGIN_REFUSED),
            (Trouble(403), messages.SEND_LOGIN_REFUSED),
            (Trouble(429, headers={"Retry-After": "1"}), messages.SEND_TOO_MUCH),
            (Trouble(503), messages.SEND_TROUBLE),
        ],
    )
    async def test_it_is_tried_again(
        self, open_office: Open, fax: FaxStandIn, name: str, trouble: Trouble, words: str
    ) -> None:
        await self.sent_in_spite_of(open_office, fax, name, trouble, words)

    @pytest.mark.parametrize(
        "trouble",
        [Trouble(500, after=True), Trouble(200, after=True), Trouble(200, sleep=3, after=True)],
    )
    async def test_what_it_took_without_saying_so_is_found_and_not_dialled_again(
        self, open_office: Open, fax: FaxStandIn, trouble: Trouble
    ) -> None:
        words = messages.SEND_NO_ANSWER if trouble.sleep else messages.SEND_TROUBLE
        office, transmission = await self.sent_in_spite_of(open_office, fax, DIAL, trouble, words)
        assert LIST in fax.queried_names
        assert office.attempts(transmission) == [(1, "accepted", None)]

    async def test_a_timeout_before_it_was_taken_is_asked_about_and_dialled_again(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        trouble = Trouble(504, sleep=3)
        office, transmission = await self.sent_in_spite_of(
            open_office, fax, DIAL, trouble, messages.SEND_NO_ANSWER
        )
        assert [o for _, o, _ in office.attempts(transmission)] == ["repeated", "accepted"]

    async def test_while_it_can_not_be_asked_nothing_is_dialled(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        fax.trouble = {DIAL: [Trouble(500, after=True)], LIST: [Trouble(500), Trouble(401)]}
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            await office.becomes(one["id"], status="delivered")
        assert fax.queried_names.count(LIST) == 3
        assert fax.queried_names.count(DIAL) == 1

    async def test_a_number_it_refuses_fails_at_once(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        refusal = {"errors": [{"code": "10016", "title": "no", "source": {"pointer": "/to"}}]}
        fax.trouble = {DIAL: [Trouble(422, refusal)]}
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            found = await office.becomes(one["id"], status="failed")
        assert (found["attempts"], found["lastError"]) == (1, messages.SEND_FAX_NUMBER_REFUSED)

    async def test_a_wrong_connection_is_no_fault_of_the_number(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        with fax:
            office = await open_office(**by_provider(fax, fax_connection_id="other"))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_CONTENT_REFUSED

    async def test_a_provider_that_is_away_loses_nothing(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        with fax:
            url = fax.url
        fax.url = "http://127.0.0.1:9/v2"
        office = await open_office(**by_provider(fax, **WAITS_TO_BE_TOLD))
        one = await office.requisition()
        await office.send([one["id"]], "fax", TO)
        await office.becomes(one["id"], lastError=messages.SEND_NO_ANSWER, attempts=1)
        office.retry_now()
        await office.becomes(one["id"], lastError=messages.SEND_NO_ANSWER, attempts=2)
        assert url

    async def test_silence_while_following_is_asked_again(
        self, open_office: Open, fax: FaxStandIn
    ) -> None:
        fax.stays = True
        with fax:
            office = await open_office(**by_provider(fax))
            one = await office.requisition()
            await office.send([one["id"]], "fax", TO)
            [sent] = await asyncio.to_thread(fax.wait_for, 1)
            fax.trouble[f"GET /faxes/{sent['id']}"] = [Trouble(500), Trouble(429), Trouble(401)]
            fax.stays = False
            await office.becomes(one["id"], status="delivered")
        assert len(fax.faxes) == 1
