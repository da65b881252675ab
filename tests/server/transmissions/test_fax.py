"""Sending by fax: an HTTP provider like Telnyx, and an e-mail gateway."""

import asyncio
import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from app.contract import messages
from app.server.transmissions.service.deliver import deliver_transmission
from app.server.transmissions.service.follow import follow_transmission
from tests.server.transmissions.conftest import (
    RETRIES_ON_DEMAND,
    Office,
    OpenOffice,
    build_fax_settings,
    build_mail_settings,
)
from tests.standins.certificates import Certificate
from tests.standins.fax import NUMBER, FaxStandIn, Trouble
from tests.standins.mail import MailStandIn

TO = "312-555-0199"
UPLOAD, DIAL, LIST = "POST /media", "POST /faxes", "GET /faxes"


def extract_pages(document: bytes) -> list[str]:
    """Return the text of each page."""
    return [page.extract_text() for page in PdfReader(BytesIO(document)).pages]


class TestDocument:
    """The faxed document, by either sender."""

    @pytest.mark.parametrize("sender", ["provider", "gateway"])
    async def test_has_a_cover_without_patient_data_and_a_header_on_every_page(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        fax: FaxStandIn,
        certificate: Certificate,
        sender,
    ) -> None:
        with mail, fax:
            settings = (
                build_fax_settings(fax)
                if sender == "provider"
                else build_mail_settings(mail, certificate, fax_gateway="{number}@fax.example")
            )
            office = await open_office(**settings)
            patient = office.world.create_patient(office.client, last_name="ZYXWVU")
            first = await office.world.save_requisition(office.nurse, patient)
            second = await office.save_requisition()
            await office.send([first["id"], second["id"]], "fax", TO)
            if sender == "provider":
                [fax_request] = await asyncio.to_thread(fax.wait_for, 1)
                document = fax.documents[fax_request["media_name"]]
                assert (fax_request["to"], fax_request["from"]) == ("+13125550199", NUMBER)
            else:
                [email] = await asyncio.to_thread(mail.wait_for, 1)
                assert email.to == ["3125550199@fax.example"]
                [attachment] = list(email.mail.iter_attachments())
                document = attachment.get_content()
                assert "ZYXWVU" not in email.mail["Subject"]
        cover, *forms = extract_pages(document)
        assert "2 laboratory forms" in cover
        assert "confidential" in cover
        assert TO in cover
        for personal in ("ZYXWVU", "PAT", "1970", first["code"], second["code"]):
            assert personal not in cover
        assert [first["code"] in forms[0], second["code"] in forms[1]] == [True, True]
        for number, page in enumerate((cover, *forms), start=1):
            assert f"PAGE {number}" in page
            assert re.search(r"\d\d/\d\d/\d{4} \d\d:\d\d [AP]M   ?FROM .+TO 312-555-0199", page)


class TestProgress:
    """The progress of a fax until it is delivered."""

    async def test_follows_a_fax_until_it_is_delivered(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.is_frozen = True
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            pending = await office.wait_until(
                requisition, status="sending", attempts=1, nextTryAt=None
            )
            assert pending["deliveredAt"] is None
            fax.is_frozen = False
            transmission = await office.wait_until(requisition, status="delivered")
        assert transmission["sentAt"] is not None
        assert transmission["deliveredAt"] is not None
        assert len(fax.faxes) == 1
        assert fax.media == {}, "the document is deleted at the provider"

    async def test_a_fax_by_gateway_is_sent_but_not_delivered(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, fax_gateway="{number}@fax.example")
            )
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="sent")
        assert transmission["deliveredAt"] is None

    async def test_dials_a_busy_line_again(self, open_office: OpenOffice, fax: FaxStandIn) -> None:
        fax.ends = ["user_busy", "receiver_no_answer"]
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            await office.wait_until(requisition, status="delivered", attempts=3)
        assert len(fax.faxes) == 3
        assert len({fax_request["media_name"] for fax_request in fax.faxes}) == 3

    async def test_fails_when_the_line_stays_busy(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.ends = ["user_busy"] * 9
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert transmission["lastError"] == messages.SEND_FAX_BUSY
        assert len(fax.faxes) == 4

    async def test_does_not_dial_an_invalid_number_again(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.ends = ["receiver_unallocated_number"]
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert transmission["lastError"] == messages.SEND_FAX_NUMBER_REFUSED
        assert len(fax.faxes) == 1


class TestProviderErrors:
    """Errors of the provider: no fax is lost, and none is sent twice."""

    async def send_despite_trouble(
        self, open_office: OpenOffice, fax: FaxStandIn, name: str, trouble: Trouble, message: str
    ) -> tuple[Office, int]:
        """Send with an error at first, and check that it is shown and the fax arrives once."""
        fax.trouble = {name: [trouble]}
        with fax:
            # Only calls that must time out get a short limit; a busy machine needs seconds.
            limit = {"fax_seconds": 5} if trouble.hangs else {}
            office = await open_office(**build_fax_settings(fax, **RETRIES_ON_DEMAND, **limit))
            requisition, transmission = await office.send_new_requisition("fax", TO)
            await office.wait_until(requisition, lastError=message)
            await office.retry_now()
            await office.wait_until(requisition, status="delivered", lastError=None)
        assert len(fax.faxes) == 1
        return office, transmission

    @pytest.mark.parametrize("name", [UPLOAD, DIAL])
    @pytest.mark.parametrize(
        ("trouble", "message"),
        [
            (Trouble(401), messages.SEND_LOGIN_REFUSED),
            (Trouble(403), messages.SEND_LOGIN_REFUSED),
            (Trouble(429, headers={"Retry-After": "1"}), messages.SEND_TOO_MUCH),
            (Trouble(503), messages.SEND_TROUBLE),
        ],
    )
    async def test_retries_after_errors(
        self, open_office: OpenOffice, fax: FaxStandIn, name: str, trouble: Trouble, message: str
    ) -> None:
        await self.send_despite_trouble(open_office, fax, name, trouble, message)

    async def test_does_not_follow_redirects(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        trouble = Trouble(307, headers={"Location": "/v2/elsewhere"})
        await self.send_despite_trouble(open_office, fax, DIAL, trouble, messages.SEND_TROUBLE)
        assert not any("elsewhere" in call for call in fax.calls)

    @pytest.mark.parametrize(
        "trouble",
        [
            Trouble(500, takes_effect=True),
            Trouble(200, takes_effect=True),
            Trouble(200, hangs=True, takes_effect=True),
        ],
    )
    async def test_finds_an_accepted_fax_instead_of_dialing_again(
        self, open_office: OpenOffice, fax: FaxStandIn, trouble: Trouble
    ) -> None:
        message = messages.SEND_NO_ANSWER if trouble.hangs else messages.SEND_TROUBLE
        if trouble.status == 200 and not trouble.hangs:
            message = messages.SEND_UNCLEAR_ANSWER
        office, transmission = await self.send_despite_trouble(
            open_office, fax, DIAL, trouble, message
        )
        assert LIST in fax.calls
        assert office.list_attempts(transmission) == [(1, "accepted", None)]

    @pytest.mark.parametrize(
        "trouble",
        [
            Trouble(202, raw=b"not JSON"),
            Trouble(202, {"data": {}}),
            Trouble(500, {"errors": []}),
            Trouble(302, headers={"Location": "/v2/faxes"}),
            Trouble(408, {"errors": []}),
            Trouble(202, raw=b"[" * 100_000),
            Trouble(202, {"data": {"id": "../../v2/media/x?y=\n"}}),
            Trouble(202, {"data": {"id": 7}}),
            Trouble(202, {"data": {"id": "a" * 101}}),
            Trouble(202, raw=b'{"data": {"id": "a"}}' + b" " * 2_000_000),
        ],
    )
    async def test_a_person_decides_after_a_second_unclear_answer(
        self, open_office: OpenOffice, fax: FaxStandIn, trouble: Trouble
    ) -> None:
        fax.trouble = {DIAL: [trouble] * 9}
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, transmission = await office.send_new_requisition("fax", TO)
            failed_transmission = await office.wait_until(requisition, status="failed")
        assert failed_transmission["lastError"] == messages.SEND_UNCERTAIN
        assert fax.calls.count(DIAL) == 2
        assert len(set(fax.idempotency_keys)) == 1
        assert [o for _, o, _ in office.list_attempts(transmission)] == ["repeated", "unknown"]

    async def test_redials_once_if_the_provider_loses_a_fax(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.loses_faxes = True
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert transmission["lastError"] == messages.SEND_UNCERTAIN
        assert fax.calls.count(DIAL) == 2
        assert len(set(fax.idempotency_keys)) == 1

    async def test_a_fax_with_an_unusable_id_ends(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        """An earlier release stored any id."""
        fax.is_frozen = True
        with fax:
            office = await open_office(worker=False, **build_fax_settings(fax))
            requisition, transmission = await office.send_new_requisition("fax", TO)
            # Without a worker, the ids change after the fax is accepted and before it is followed.
            async with office.open_portal() as portal:
                await deliver_transmission(portal, transmission)
                for update in (
                    "UPDATE send_attempts SET reference = %s WHERE transmission_id = %s",
                    "UPDATE transmissions SET reference = %s WHERE id = %s",
                ):
                    office.world.run_sql(update, ("../x\n", transmission))
                await follow_transmission(portal, transmission)
            [latest] = await office.list_transmissions(requisition)
        assert latest["lastError"] == messages.SEND_FAX_LOST

    async def test_dials_again_after_a_timeout_without_acceptance(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        trouble = Trouble(504, hangs=True)
        office, transmission = await self.send_despite_trouble(
            open_office, fax, DIAL, trouble, messages.SEND_NO_ANSWER
        )
        assert [o for _, o, _ in office.list_attempts(transmission)] == ["repeated", "accepted"]

    async def test_does_not_dial_while_the_provider_does_not_answer(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.trouble = {DIAL: [Trouble(500, takes_effect=True)], LIST: [Trouble(500), Trouble(401)]}
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            await office.wait_until(requisition, status="delivered")
        assert fax.calls.count(LIST) == 3
        assert fax.calls.count(DIAL) == 1

    async def test_fails_on_a_rejected_number(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        refusal = {"errors": [{"code": "10016", "title": "no", "source": {"pointer": "/to"}}]}
        fax.trouble = {DIAL: [Trouble(422, refusal)]}
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert (transmission["attempts"], transmission["lastError"]) == (
            1,
            messages.SEND_FAX_NUMBER_REFUSED,
        )

    async def test_a_wrong_connection_does_not_blame_the_number(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        with fax:
            office = await open_office(**build_fax_settings(fax, fax_connection_id="other"))
            requisition, _ = await office.send_new_requisition("fax", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert transmission["lastError"] == messages.SEND_CONTENT_REFUSED

    async def test_retries_while_the_provider_is_unreachable(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.url = "http://127.0.0.1:9/v2"
        office = await open_office(**build_fax_settings(fax, **RETRIES_ON_DEMAND))
        requisition, _ = await office.send_new_requisition("fax", TO)
        await office.wait_until(requisition, lastError=messages.SEND_NO_ANSWER, attempts=1)
        await office.retry_now()
        await office.wait_until(requisition, lastError=messages.SEND_NO_ANSWER, attempts=2)

    async def test_continues_polling_after_errors(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        fax.is_frozen = True
        with fax:
            office = await open_office(**build_fax_settings(fax))
            requisition, _ = await office.send_new_requisition("fax", TO)
            [fax_request] = await asyncio.to_thread(fax.wait_for, 1)
            fax.trouble[f"GET /faxes/{fax_request['id']}"] = [
                Trouble(500),
                Trouble(429),
                Trouble(401),
            ]
            fax.is_frozen = False
            await office.wait_until(requisition, status="delivered")
        assert len(fax.faxes) == 1
