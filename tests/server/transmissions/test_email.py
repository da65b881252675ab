"""Forms by e-mail, against a real SMTP server."""

import asyncio
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.contract import messages
from tests.server.transmissions.conftest import SENDER, WAITS_TO_BE_TOLD, Open, by_mail
from tests.standins.certificates import Certificate, certificate
from tests.standins.mail import MailStandIn

TO = "office@clinic.example"


class TestTheMail:
    """What arrives."""

    @pytest.mark.parametrize("implicit", [False, True])
    async def test_it_comes_encrypted_with_a_link_and_nothing_about_the_patient(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, implicit: bool
    ) -> None:
        mail.implicit = implicit
        security = "implicit" if implicit else "starttls"
        with mail:
            office = await open_office(**by_mail(mail, certified, smtp_security=security))
            patient = office.world.patient(office.client, last_name="ZYXWVU", first_name="QRSTU")
            one = await office.world.requisition(office.nurse, patient)
            answer = await office.send([one["id"]], "email", TO)
            found = await office.becomes(one["id"], status="sent")
        [received] = mail.received
        assert received.encrypted
        assert received.to == [TO]
        assert received.sender == "noreply@lab.example"
        assert received.mail["From"] == SENDER
        assert received.mail["Subject"].startswith("Laboratory forms from ")
        assert received.mail["Auto-Submitted"] == "auto-generated"
        assert received.mail["Message-ID"].endswith("@lab.example>")
        text = received.mail.get_content()
        link = f"https://portal.lab.example/secured/requisitions/create;id={one['id']}"
        assert link in text
        everything = received.mail.as_string()
        for personal in ("ZYXWVU", "QRSTU", "1970", one["code"]):
            assert personal not in everything
        assert found["attempts"] == 1
        assert found["sentAt"] is not None
        assert found["deliveredAt"] is None
        assert found["lastError"] is None
        assert office.attempts(answer.json()["id"]) == [(1, "accepted", None)]

    async def test_the_forms_are_attached_where_the_lab_prefers_it(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        with mail:
            office = await open_office(**by_mail(mail, certified, email_attaches_forms=True))
            one, two = await office.requisition(), await office.requisition()
            await office.send([two["id"], one["id"]], "email", TO)
            await asyncio.to_thread(mail.wait_for, 1)
        [attached] = list(mail.received[0].mail.iter_attachments())
        assert attached.get_filename() == "requisitions.pdf"
        assert attached.get_content_type() == "application/pdf"
        pages = [p.extract_text() for p in PdfReader(BytesIO(attached.get_content())).pages]
        assert [c in p for c, p in zip((two["code"], one["code"]), pages, strict=True)] == [
            True,
            True,
        ]
        body = mail.received[0].mail.get_body()
        assert body is not None
        assert "create;id=" not in body.get_content()

    async def test_every_try_is_in_the_journal(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        mail.data = ["451 4.3.0 later"]
        with mail:
            office = await open_office(**by_mail(mail, certified))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            await office.becomes(one["id"], status="sent")
        journal = office.world.rows(
            "SELECT role, detail->>'outcome' FROM audit_events WHERE action = 'send attempt'"
            " AND record_ids = %s::bigint[] ORDER BY id",
            ([one["id"]],),
        )
        assert journal == [("worker", "later"), ("worker", "accepted")]


class TestNeverInTheClear:
    """A connection that is not safe carries nothing."""

    async def test_a_server_without_tls_gets_nothing(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        mail.tls = None
        with mail:
            office = await open_office(**by_mail(mail, certified))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            found = await office.becomes(one["id"], lastError=messages.SEND_INSECURE)
        assert found["status"] in ("queued", "sending")
        assert mail.received == []

    @pytest.mark.parametrize("implicit", [False, True])
    async def test_a_certificate_that_nobody_vouches_for_gets_nothing(
        self,
        open_office: Open,
        mail: MailStandIn,
        certified: Certificate,
        tmp_path: Path,
        implicit: bool,
    ) -> None:
        other = certificate(tmp_path)
        mail.implicit = implicit
        security = "implicit" if implicit else "starttls"
        settings = by_mail(mail, certified, smtp_ca_file=other.authority, smtp_security=security)
        with mail:
            office = await open_office(**settings)
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            await office.becomes(one["id"], lastError=messages.SEND_INSECURE)
        assert mail.received == []

    async def test_a_certificate_of_another_name_gets_nothing(
        self, open_office: Open, mail: MailStandIn, tmp_path: Path
    ) -> None:
        other = certificate(tmp_path, "127.0.0.2")
        mail.tls = other.server_context()
        with mail:
            office = await open_office(**by_mail(mail, other))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            await office.becomes(one["id"], lastError=messages.SEND_INSECURE)
        assert mail.received == []

    async def test_a_missing_authority_file_gets_nothing_out_and_is_said(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, tmp_path: Path
    ) -> None:
        gone = replace(certified, authority=tmp_path / "gone.pem")
        with mail:
            office = await open_office(**by_mail(mail, gone))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            await office.becomes(one["id"], lastError=messages.SEND_INSECURE)
        assert mail.received == []


class TestTryingAgain:
    """What does not go out at once."""

    async def test_a_server_that_is_down_for_a_while_loses_nothing(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        office = await open_office(**by_mail(mail, certified, **WAITS_TO_BE_TOLD))
        sent = [await office.requisition() for _ in range(3)]
        for each in sent:
            await office.send([each["id"]], "email", TO)
        for attempts in (1, 2):
            for each in sent:
                # Queued again: a try is counted when it begins, and its end sets the next time.
                waiting = await office.becomes(
                    each["id"],
                    status="queued",
                    lastError=messages.SEND_NO_ANSWER,
                    attempts=attempts,
                )
                assert waiting["sentAt"] is None
            if attempts == 1:
                office.retry_now()
        with mail:
            office.retry_now()
            for each in sent:
                await office.becomes(each["id"], status="sent", lastError=None)
        assert len(mail.received) == 3
        assert len({r.mail["Message-ID"] for r in mail.received}) == 3

    @pytest.mark.parametrize("answer", ["450 4.2.1 mailbox busy", "421 4.3.2 closing"])
    async def test_a_refusal_for_now_is_tried_again(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, answer: str
    ) -> None:
        mail.rcpt = [answer, answer]
        with mail:
            office = await open_office(**by_mail(mail, certified))
            one = await office.requisition()
            transmission = (await office.send([one["id"]], "email", TO)).json()["id"]
            await office.becomes(one["id"], status="sent", attempts=3)
        outcomes = [outcome for _, outcome, _ in office.attempts(transmission)]
        assert outcomes == ["later", "later", "accepted"]
        assert len(mail.received) == 1

    @pytest.mark.parametrize(
        ("rcpt", "data", "words"),
        [
            (["550 5.1.1 no such user"], [], messages.SEND_ADDRESS_REFUSED),
            ([], ["554 5.7.1 spam"], messages.SEND_CONTENT_REFUSED),
            ([], ["552 5.3.4 too big"], messages.SEND_TOO_LARGE),
        ],
    )
    async def test_a_refusal_for_good_fails_at_once(
        self, open_office: Open, mail: MailStandIn, certified: Certificate, rcpt, data, words
    ) -> None:
        mail.rcpt, mail.data = rcpt, data
        with mail:
            office = await open_office(**by_mail(mail, certified))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            found = await office.becomes(one["id"], status="failed")
        assert office.waiting_jobs() == 0
        assert (found["attempts"], found["lastError"]) == (1, words)
        assert found["nextTryAt"] is None
        assert mail.connections <= 2
        assert mail.received == []

    async def test_a_wrong_password_of_the_labs_waits_for_the_lab(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        with mail:
            office = await open_office(**by_mail(mail, certified, smtp_password="wrong"))
            one = await office.requisition()
            await office.send([one["id"]], "email", TO)
            found = await office.becomes(one["id"], lastError=messages.SEND_LOGIN_REFUSED)
        assert found["status"] in ("queued", "sending")
        assert mail.received == []

    async def test_one_day_it_is_given_up(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        office = await open_office(**by_mail(mail, certified, send_hours=1 / 3600))
        one = await office.requisition()
        await office.send([one["id"]], "email", TO)
        found = await office.becomes(one["id"], status="failed")
        assert found["lastError"] == messages.SEND_NO_ANSWER
        assert found["attempts"] > 1

    async def test_a_lab_that_no_longer_sends_says_so_and_goes_on_when_it_does(
        self, open_office: Open, mail: MailStandIn, certified: Certificate
    ) -> None:
        office = await open_office(worker=False, **by_mail(mail, certified))
        one = await office.requisition()
        await office.send([one["id"]], "email", TO)
        settings = office.settings
        office.settings = settings.model_copy(update={"smtp_host": None})
        async with office.working():
            await office.becomes(one["id"], lastError=messages.SEND_NOT_CONFIGURED)
        office.settings = settings
        with mail:
            async with office.working():
                await office.becomes(one["id"], status="sent")
        assert len(mail.received) == 1
