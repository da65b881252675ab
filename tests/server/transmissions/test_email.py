"""Sending by e-mail, with a real SMTP server."""

import asyncio
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from app.contract import messages
from tests.server.transmissions.conftest import (
    RETRIES_ON_DEMAND,
    SENDER,
    OpenOffice,
    build_mail_settings,
)
from tests.standins.certificates import Certificate, create_certificate
from tests.standins.mail import MailStandIn

TO = "office@clinic.example"


class TestMessage:
    """The e-mail that arrives."""

    @pytest.mark.parametrize("implicit", [False, True])
    async def test_email_is_encrypted_and_has_a_link_without_patient_data(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, implicit: bool
    ) -> None:
        mail.implicit = implicit
        security = "implicit" if implicit else "starttls"
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, smtp_security=security)
            )
            patient = office.world.create_patient(
                office.client, last_name="ZYXWVU", first_name="QRSTU"
            )
            requisition = await office.world.save_requisition(office.nurse, patient)
            answer = await office.send([requisition["id"]], "email", TO)
            transmission = await office.wait_until(requisition["id"], status="sent")
        [email] = mail.received
        assert email.is_encrypted
        assert email.to == [TO]
        assert email.sender == "noreply@lab.example"
        assert email.mail["From"] == SENDER
        assert email.mail["Subject"].startswith("Laboratory forms from ")
        assert email.mail["Auto-Submitted"] == "auto-generated"
        assert email.mail["Message-ID"].endswith("@lab.example>")
        text = email.mail.get_content()
        link = f"https://portal.lab.example/secured/requisitions/create;id={requisition['id']}"
        assert link in text
        source = email.mail.as_string()
        for personal in ("ZYXWVU", "QRSTU", "1970", requisition["code"]):
            assert personal not in source
        assert transmission["attempts"] == 1
        assert transmission["sentAt"] is not None
        assert transmission["deliveredAt"] is None
        assert transmission["lastError"] is None
        assert office.list_attempts(answer.json()["id"]) == [(1, "accepted", None)]

    async def test_attaches_the_forms_when_configured(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, email_attaches_forms=True)
            )
            first, second = await office.save_requisition(), await office.save_requisition()
            await office.send([second["id"], first["id"]], "email", TO)
            await asyncio.to_thread(mail.wait_for, 1)
        [attachment] = list(mail.received[0].mail.iter_attachments())
        assert attachment.get_filename() == "requisitions.pdf"
        assert attachment.get_content_type() == "application/pdf"
        pages = [p.extract_text() for p in PdfReader(BytesIO(attachment.get_content())).pages]
        assert [c in p for c, p in zip((second["code"], first["code"]), pages, strict=True)] == [
            True,
            True,
        ]
        body = mail.received[0].mail.get_body()
        assert body is not None
        assert "create;id=" not in body.get_content()

    async def test_header_and_audit_row_have_the_id_of_the_request(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition = await office.save_requisition()
            answer = await office.send([requisition["id"]], "email", TO)
            await office.wait_until(requisition["id"], status="sent")
        request_id = answer.headers["x-request-id"]
        [email] = mail.received
        assert email.mail["X-Request-ID"] == request_id
        actions = office.world.fetch_rows(
            "SELECT action FROM audit_events WHERE request_id = %s", (request_id,)
        )
        assert ("send attempt",) in actions

    async def test_audits_every_attempt(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        mail.data_answers = ["451 4.3.0 later"]
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, status="sent")
        events = office.world.fetch_rows(
            "SELECT role, detail->>'outcome' FROM audit_events WHERE action = 'send attempt'"
            " AND record_ids = %s::bigint[] ORDER BY id",
            ([requisition],),
        )
        assert events == [("worker", "later"), ("worker", "accepted")]


class TestEncryption:
    """Nothing is sent over an insecure connection."""

    async def test_sends_nothing_to_a_server_without_tls(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        mail.tls = None
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            transmission = await office.wait_until(requisition, lastError=messages.SEND_INSECURE)
        assert transmission["status"] in ("queued", "sending")
        assert mail.received == []

    @pytest.mark.parametrize("implicit", [False, True])
    async def test_sends_nothing_to_a_server_with_an_untrusted_certificate(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        tmp_path: Path,
        implicit: bool,
    ) -> None:
        other_certificate = create_certificate(tmp_path)
        mail.implicit = implicit
        security = "implicit" if implicit else "starttls"
        settings = build_mail_settings(
            mail, certificate, smtp_ca_file=other_certificate.authority, smtp_security=security
        )
        with mail:
            office = await open_office(**settings)
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, lastError=messages.SEND_INSECURE)
        assert mail.received == []

    async def test_sends_nothing_to_a_server_with_a_certificate_for_another_name(
        self, open_office: OpenOffice, mail: MailStandIn, tmp_path: Path
    ) -> None:
        other_certificate = create_certificate(tmp_path, "127.0.0.2")
        mail.tls = other_certificate.build_server_context()
        with mail:
            office = await open_office(**build_mail_settings(mail, other_certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, lastError=messages.SEND_INSECURE)
        assert mail.received == []

    async def test_sends_nothing_without_the_authority_file(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, tmp_path: Path
    ) -> None:
        missing_certificate = replace(certificate, authority=tmp_path / "missing.pem")
        with mail:
            office = await open_office(**build_mail_settings(mail, missing_certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, lastError=messages.SEND_INSECURE)
        assert mail.received == []


class TestRetries:
    """E-mails that are not accepted at the first attempt."""

    async def test_retries_while_the_server_is_down(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        office = await open_office(**build_mail_settings(mail, certificate, **RETRIES_ON_DEMAND))
        requisitions = [await office.save_requisition() for _ in range(3)]
        for requisition in requisitions:
            await office.send([requisition["id"]], "email", TO)
        for attempts in (1, 2):
            for requisition in requisitions:
                # Queued again: the count changes when an attempt begins, the status when it ends.
                queued_transmission = await office.wait_until(
                    requisition["id"],
                    status="queued",
                    lastError=messages.SEND_NO_ANSWER,
                    attempts=attempts,
                )
                assert queued_transmission["sentAt"] is None
            if attempts == 1:
                await office.retry_now()
        with mail:
            await office.retry_now()
            for requisition in requisitions:
                await office.wait_until(requisition["id"], status="sent", lastError=None)
        assert len(mail.received) == 3
        assert len({r.mail["Message-ID"] for r in mail.received}) == 3

    async def test_repeats_once_after_a_lost_answer(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        mail.breaks = 1
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, **RETRIES_ON_DEMAND)
            )
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, status="queued", attempts=1)
            await office.retry_now()
            await office.wait_until(requisition, status="sent", attempts=2)
        assert len(mail.received) == 2

    async def test_stops_after_a_second_lost_answer(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        mail.breaks = 2
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, **RETRIES_ON_DEMAND)
            )
            requisition, transmission = await office.send_new_requisition("email", TO)
            for attempts in (1, 2):
                await office.wait_until(requisition, status="queued", attempts=attempts)
                await office.retry_now()
            failed_transmission = await office.wait_until(requisition, status="failed")
        assert failed_transmission["lastError"] == messages.SEND_UNCERTAIN
        assert len(mail.received) == 2
        assert [o for _, o, _ in office.list_attempts(transmission)] == ["repeated", "unknown"]

    @pytest.mark.parametrize(
        "false_reply", [b"lorem ipsum", b"OK queued", b"\0\0\0", b"999 what", b"354 more", b"2500"]
    )
    async def test_a_person_decides_after_a_second_unclear_answer(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        false_reply: bytes,
    ) -> None:
        mail.false_replies = {"250 Accepted": [false_reply] * 9}
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, transmission = await office.send_new_requisition("email", TO)
            failed_transmission = await office.wait_until(requisition, status="failed")
        assert failed_transmission["lastError"] == messages.SEND_UNCERTAIN
        assert len(mail.received) == 2
        assert [o for _, o, _ in office.list_attempts(transmission)] == ["repeated", "unknown"]

    @pytest.mark.parametrize(
        "false_reply",
        [b"251 forwarded", b"200", b"250 " + b"a" * 100_000],
        ids=["251", "200", "long 250"],
    )
    async def test_any_positive_answer_accepts_the_message(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        false_reply: bytes,
    ) -> None:
        mail.false_replies = {"250 Accepted": [false_reply] * 9}
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, status="sent", attempts=1)
        assert len(mail.received) == 1

    @pytest.mark.parametrize("reply", ["220 mail", "250 OK", "354"])
    async def test_retries_after_an_unclear_answer_before_the_content(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, reply: str
    ) -> None:
        mail.false_replies = {reply: [b"lorem ipsum"] * 3}
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, **RETRIES_ON_DEMAND)
            )
            requisition, transmission = await office.send_new_requisition("email", TO)
            for attempts in (1, 2, 3):
                await office.wait_until(
                    requisition,
                    status="queued",
                    attempts=attempts,
                    lastError=messages.SEND_UNCLEAR_ANSWER,
                )
                await office.retry_now()
            await office.wait_until(requisition, status="sent", lastError=None)
        assert len(mail.received) == 1
        outcomes = [outcome for _, outcome, _ in office.list_attempts(transmission)]
        assert outcomes == ["later"] * 3 + ["accepted"]

    @pytest.mark.parametrize("answer", ["450 4.2.1 mailbox busy", "421 4.3.2 closing"])
    async def test_retries_temporary_errors(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate, answer: str
    ) -> None:
        mail.rcpt_answers = [answer, answer]
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, transmission = await office.send_new_requisition("email", TO)
            await office.wait_until(requisition, status="sent", attempts=3)
        outcomes = [outcome for _, outcome, _ in office.list_attempts(transmission)]
        assert outcomes == ["later", "later", "accepted"]
        assert len(mail.received) == 1

    @pytest.mark.parametrize(
        ("rcpt", "data", "message"),
        [
            (["550 5.1.1 no such user"], [], messages.SEND_ADDRESS_REFUSED),
            ([], ["554 5.7.1 spam"], messages.SEND_CONTENT_REFUSED),
            ([], ["552 5.3.4 too big"], messages.SEND_TOO_LARGE),
        ],
    )
    async def test_fails_on_permanent_errors(
        self,
        open_office: OpenOffice,
        mail: MailStandIn,
        certificate: Certificate,
        rcpt,
        data,
        message,
    ) -> None:
        mail.rcpt_answers, mail.data_answers = rcpt, data
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            requisition, _ = await office.send_new_requisition("email", TO)
            transmission = await office.wait_until(requisition, status="failed")
        assert office.count_waiting_jobs() == 0
        assert (transmission["attempts"], transmission["lastError"]) == (1, message)
        assert transmission["nextTryAt"] is None
        assert mail.connections <= 2
        assert mail.received == []

    async def test_retries_after_a_rejected_login(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, smtp_password="wrong")
            )
            requisition, _ = await office.send_new_requisition("email", TO)
            transmission = await office.wait_until(
                requisition, lastError=messages.SEND_LOGIN_REFUSED
            )
        assert transmission["status"] in ("queued", "sending")
        assert mail.received == []

    async def test_fails_after_the_retry_period(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        settings = build_mail_settings(mail, certificate, send_hours=24, **RETRIES_ON_DEMAND)
        office = await open_office(**settings)
        requisition, _ = await office.send_new_requisition("email", TO)
        first = await office.wait_until(requisition, lastError=messages.SEND_NO_ANSWER)
        assert first["status"] == "queued"
        office.world.run_sql(
            "UPDATE transmissions SET created_at = created_at - interval '25 hours' WHERE id = %s",
            (first["id"],),
        )
        await office.retry_now()
        transmission = await office.wait_until(requisition, status="failed")
        assert transmission["lastError"] == messages.SEND_NO_ANSWER
        assert transmission["attempts"] == 2

    async def test_waits_while_sending_is_not_configured(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        requisition, _ = await office.send_new_requisition("email", TO)
        settings = office.settings
        office.settings = settings.model_copy(update={"smtp_host": None})
        async with office.run_worker():
            await office.wait_until(requisition, lastError=messages.SEND_NOT_CONFIGURED)
        office.settings = settings
        with mail:
            async with office.run_worker():
                await office.wait_until(requisition, status="sent")
        assert len(mail.received) == 1
