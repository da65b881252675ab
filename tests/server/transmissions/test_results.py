"""Results of orders by e-mail and fax (R 7): what is sent, and what is rejected."""

import asyncio
import re
from io import BytesIO

import pytest
from pypdf import PdfReader

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.paperwork.reading import extract_text
from tests.server.transmissions.conftest import (
    Office,
    OpenOffice,
    build_fax_settings,
    build_mail_settings,
)
from tests.server.transmissions.results import (
    SENT_PATH,
    correct_values,
    list_sent,
    receive_order,
    release_values,
    send_results,
)
from tests.server.transmissions.test_fax import extract_pages
from tests.standins.certificates import Certificate
from tests.standins.fax import FaxStandIn
from tests.standins.mail import MailStandIn

EMAIL, FAX = "office@clinic.example", "312-555-0199"


class TestEmail:
    """Results by e-mail."""

    async def test_email_has_a_link_without_patient_data(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            bench = await receive_order(office)
            await release_values(bench, GLU="512")
            answer = await send_results(office, [bench.order_id], "email", EMAIL)
            assert answer.status_code == 202, answer.text
            [email] = await asyncio.to_thread(mail.wait_for, 1)
        assert email.is_encrypted
        assert email.to == [EMAIL]
        assert email.mail["Subject"].startswith("Laboratory results from ")
        text = email.mail.get_content()
        assert f"https://portal.lab.example/secured/results/order;id={bench.order_id}" in text
        code = (await bench.read_order())["codeValue"]
        assert "512" not in text.split()
        del email.mail["Message-ID"]  # its random digits may contain a year
        for personal in ("ZYXWVU", "QRSTU", "1970", code, code[1:]):
            assert personal not in email.mail.as_string()

    async def test_attaches_only_released_values_where_the_lab_prefers_it(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, email_attaches_forms=True)
            )
            bench = await receive_order(office)
            await release_values(bench, GLU="512")
            await bench.enter(K="4.44")
            await send_results(office, [bench.order_id], "email", EMAIL)
            [email] = await asyncio.to_thread(mail.wait_for, 1)
        [attachment] = list(email.mail.iter_attachments())
        assert attachment.get_filename() == "results.pdf"
        text = "".join(p.extract_text() for p in PdfReader(BytesIO(attachment.get_content())).pages)
        assert "ZYXWVU" in text
        assert "512" in text
        assert "PENDING" in text
        assert "4.44" not in text
        body = email.mail.get_body()
        assert body is not None
        assert "order;id=" not in body.get_content()
        assert "ZYXWVU" not in body.get_content()

    async def test_says_that_results_are_corrected(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(**build_mail_settings(mail, certificate))
            bench = await receive_order(office)
            await release_values(bench, GLU="90")
            await correct_values(bench, GLU="120")
            await send_results(office, [bench.order_id], "email", EMAIL, isCorrection=True)
            [email] = await asyncio.to_thread(mail.wait_for, 1)
        assert email.mail["Subject"].startswith("Corrected results from ")
        assert "120" not in email.mail.get_content().split()

    async def test_an_attached_correction_says_when_and_why_and_names_nobody(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, email_attaches_forms=True)
            )
            bench = await receive_order(office)
            await release_values(bench, GLU="90")
            await correct_values(bench, GLU="120")
            report_answer = await office.http.get(
                "/api/v2/reports/order/results",
                headers=office.nurse.headers,
                params={"ids": bench.order_id},
            )
            await send_results(office, [bench.order_id], "email", EMAIL, isCorrection=True)
            [email] = await asyncio.to_thread(mail.wait_for, 1)
        [attachment] = list(email.mail.iter_attachments())
        corrections = [
            find_correction(pdf) for pdf in (report_answer.content, attachment.get_content())
        ]
        assert "by Ada Tester (" in corrections[0]
        # Only the name is left out, because the address may be anybody's (ADR 41).
        assert corrections[1] == corrections[0].replace("Ada Tester", "the laboratory")

    async def test_attaches_the_report_of_an_order_with_canceled_tests(
        self, open_office: OpenOffice, mail: MailStandIn, certificate: Certificate
    ) -> None:
        with mail:
            office = await open_office(
                **build_mail_settings(mail, certificate, email_attaches_forms=True)
            )
            bench = await receive_order(office)
            await release_values(bench, GLU="90")
            row = await bench.get_row("K")
            cancel_answer = await bench.world.http.post(
                f"{bench.path}/cancel",
                headers=bench.lab.headers,
                json={"orderTestIds": [row["orderTestId"]], "reason": "CLIENT"},
            )
            assert cancel_answer.status_code == 200, cancel_answer.text
            await send_results(office, [bench.order_id], "email", EMAIL)
            [email] = await asyncio.to_thread(mail.wait_for, 1)
        [attachment] = list(email.mail.iter_attachments())
        text = " ".join(extract_text(attachment.get_content()).split())
        assert "CANCELED" in text
        assert "Ada Tester" not in text


def find_correction(pdf: bytes) -> str:
    """Return what a report says about its correction."""
    text = "".join(page.extract_text() for page in PdfReader(BytesIO(pdf)).pages)
    match = re.search(r"Corrected \d\d/.*?was 90 mg/dL", " ".join(text.split()))
    assert match is not None, text
    return match[0]


class TestFax:
    """Results by fax."""

    async def test_has_a_cover_and_a_header_on_every_page(
        self, open_office: OpenOffice, fax: FaxStandIn
    ) -> None:
        with fax:
            office = await open_office(**build_fax_settings(fax))
            first, second = await receive_order(office), await receive_order(office)
            for bench in (first, second):
                await release_values(bench, GLU="512")
            ids = [second.order_id, first.order_id]
            answer = await send_results(office, ids, "fax", FAX, isCorrection=True)
            assert answer.status_code == 202, answer.text
            [fax_request] = await asyncio.to_thread(fax.wait_for, 1)
            document = fax.documents[fax_request["media_name"]]
        cover, *reports = extract_pages(document)
        assert "2 laboratory reports" in cover
        assert "Corrected results" in cover
        assert "confidential" in cover
        for personal in ("ZYXWVU", "QRSTU", "512"):
            assert personal not in cover
        codes = [(await bench.read_order())["codeValue"] for bench in (second, first)]
        assert [code in page for code, page in zip(codes, reports, strict=True)] == [True, True]
        for number, page in enumerate((cover, *reports), start=1):
            assert f"PAGE {number}" in page
            assert re.search(r"\d\d/\d\d/\d{4} \d\d:\d\d [AP]M   ?FROM .+TO 312-555-0199", page)


class TestRejections:
    """Requests that change nothing."""

    async def test_an_order_without_released_results_is_named_and_nothing_is_sent(
        self, office: Office, parse_problem
    ) -> None:
        with_results, without = await receive_order(office), await receive_order(office)
        await release_values(with_results, GLU="90")
        await without.enter(GLU="91")
        ids = [with_results.order_id, without.order_id]
        answer = await send_results(office, ids, "email", EMAIL)
        assert answer.status_code == 409
        code = (await without.read_order())["codeValue"]
        assert parse_problem(answer)["detail"] == f"Order {code} has no released results to send"
        assert await list_sent(office, *ids) == []

    async def test_a_canceled_order_is_named(self, office: Office, parse_problem) -> None:
        bench = await receive_order(office)
        cancel_answer = await bench.world.http.post(
            f"{bench.path}/cancel", headers=bench.lab.headers, json={"reason": "CLIENT"}
        )
        assert cancel_answer.status_code == 200, cancel_answer.text
        answer = await send_results(office, [bench.order_id], "fax", FAX)
        assert answer.status_code == 409
        assert "is CANCELED and has no results to send" in parse_problem(answer)["detail"]

    async def test_other_clients_orders_look_nonexistent(self, office: Office) -> None:
        own = await receive_order(office)
        await release_values(own, GLU="90")
        world = office.world
        stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
        answer = await send_results(office, [own.order_id], "email", EMAIL, stranger)
        nonexistent = await send_results(office, [2**50], "email", EMAIL, stranger)
        assert answer.status_code == 404
        assert answer.content == nonexistent.content
        mixed_answer = await send_results(office, [own.order_id, 2**50], "email", EMAIL)
        assert mixed_answer.status_code == 404
        list_answer = await office.http.get(
            SENT_PATH, params={"ids": own.order_id}, headers=stranger.headers
        )
        assert list_answer.status_code == 404
        assert await list_sent(office, own.order_id) == []

    @pytest.mark.parametrize(
        ("kind", "value", "field", "message"),
        [
            ("email", "office", "value", messages.EMAIL_INVALID),
            ("email", f"{EMAIL},b@b.example", "value", messages.EMAIL_INVALID),
            ("email", "", "value", messages.EMAIL_REQUIRED),
            ("fax", "312-555-019", "value", messages.FAX_INVALID),
            ("fax", " ", "value", messages.FAX_REQUIRED),
            ("letter", EMAIL, "type", messages.VALUE_INVALID),
        ],
    )
    async def test_an_invalid_recipient_is_explained(
        self, office: Office, parse_problem, kind, value, field, message
    ) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        answer = await send_results(office, [bench.order_id], kind, value)
        assert answer.status_code == 400
        assert {e["field"]: e["message"] for e in parse_problem(answer)["errors"]} == {
            field: message
        }
        assert await list_sent(office, bench.order_id) == []

    async def test_a_lab_without_mail_and_fax_says_so(
        self, open_office: OpenOffice, parse_problem
    ) -> None:
        office = await open_office(worker=False)
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        for kind, value in (("email", EMAIL), ("fax", FAX)):
            answer = await send_results(office, [bench.order_id], kind, value)
            assert answer.status_code == 424
            assert "has not configured" in parse_problem(answer)["detail"]

    async def test_a_result_withdrawn_meanwhile_is_not_sent(
        self, office: Office, mail: MailStandIn
    ) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        await send_results(office, [bench.order_id], "email", EMAIL)
        withdrawal_answer = await bench.post("withhold", "GLU", kind="withdrawn", reason="SPECIMEN")
        assert withdrawal_answer.status_code == 200, withdrawal_answer.text
        with mail:
            async with office.run_worker():
                for _ in range(1_200):
                    [transmission] = await list_sent(office, bench.order_id)
                    if transmission["status"] == "failed":
                        break
                    await asyncio.sleep(0.05)
        assert transmission["lastError"] == messages.SEND_NOTHING_RELEASED
        assert mail.received == []


class TestVisibility:
    """Who sends and sees what was sent."""

    async def test_everybody_who_sees_the_order_can_send_and_list_results(
        self, office: Office
    ) -> None:
        world = office.world
        physician = world.create_physician(office.client)
        bench = await receive_order(office, physicianId=physician)
        await release_values(bench, GLU="90")
        patient = (await bench.read_order())["patient"]["id"]
        for role, ids in (
            (Role.SUPERUSER, {}),
            (Role.LABORATORY, {}),
            (Role.CLIENT_ADMIN, {"client_ids": [office.client]}),
            (Role.PHYSICIAN, {"physician_ids": [physician]}),
            (Role.PATIENT, {"patient_ids": [patient]}),
        ):
            person = await world.create_person(role, **ids)
            answer = await send_results(office, [bench.order_id], "email", EMAIL, person)
            assert answer.status_code == 202, answer.text
            [recipient] = answer.json()["recipients"]
            assert recipient["orderIds"] == [bench.order_id]
            assert recipient["subject"] == "results"
            sent_results = await list_sent(office, bench.order_id, person=person)
            assert sent_results[0] == recipient
            assert recipient["sentBy"] != ""
            # Patients read no names of staff.
            names_of_others = {row["sentBy"] for row in sent_results[1:]}
            assert ("" in names_of_others) is (role == Role.PATIENT)

    async def test_forms_and_results_are_listed_separately(self, office: Office) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        requisition = (await bench.read_order())["requisitionId"]
        await office.send([requisition], "fax", FAX)
        await send_results(office, [bench.order_id], "email", EMAIL)
        assert [row["type"] for row in await office.list_transmissions(requisition)] == ["FAX"]
        assert [row["type"] for row in await list_sent(office, bench.order_id)] == ["EMAIL"]

    async def test_is_audited_without_the_address(self, office: Office) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        await send_results(office, [bench.order_id], "email", EMAIL)
        [(user, kind, detail)] = office.world.fetch_rows(
            "SELECT user_id::text, kind, detail::text FROM audit_events"
            " WHERE action = 'send' AND user_id = %s AND record_ids = %s::bigint[]",
            (office.nurse.user_id, [bench.order_id]),
        )
        assert (user, kind) == (office.nurse.user_id, "order-results")
        assert EMAIL not in detail


class TestDetails:
    """What was sent, in the details report of an order."""

    async def test_marks_the_corrected_results(self, office: Office) -> None:
        bench = await receive_order(office)
        await release_values(bench, GLU="90")
        await send_results(office, [bench.order_id], "email", EMAIL)
        await correct_values(bench, GLU="120")
        await send_results(office, [bench.order_id], "fax", FAX, isCorrection=True)
        details = await office.http.get(
            "/api/v2/reports/order/details",
            headers=office.nurse.headers,
            params={"ids": bench.order_id},
        )
        text = " ".join(extract_text(details.content).split())
        assert "Sent by e-mail Ada Tester" in text
        assert "Sent by fax (corrected" in text
        subjects = {
            row["destination"]: row["subject"] for row in await list_sent(office, bench.order_id)
        }
        assert subjects == {EMAIL: "results", FAX: "correctedResults"}
