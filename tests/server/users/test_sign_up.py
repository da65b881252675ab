"""Sign-up of patients (P 2, P 8, DECISIONS 'People and roles')."""

from datetime import date
from typing import Any

import httpx
import pytest

from app.contract import messages
from app.server.main import build_portal
from app.server.users.service.sign_up import NotSentError, notify_of_sign_up
from tests.server.users.desk import Desk

PATH = "/api/system/anonymous-users/sign-up/portal"
NEW = "Another-Horse-2!"


class Visitor:
    """Somebody who signs up as a patient of the lab."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.email = f"visitor-{desk.boss.email}"
        self.record_email = f"record-{desk.boss.email}"
        self.patient = desk.world.create_patient(
            desk.client,
            last_name="ÖZ LEE",
            first_name="PAT",
            birth_date=date(1961, 3, 4),
            email=self.record_email,
        )
        self.code = desk.world.run_sql("SELECT code FROM patients WHERE id = %s", (self.patient,))

    async def sign_up(self, **values: Any) -> httpx.Response:
        """Send the form."""
        body = {
            "lastName": "öz lee",
            "firstName": "Pat",
            "birthDate": "1961-03-04",
            "code": self.code.lower(),
            "email": self.email,
            "registration": {"applicationId": "portal"},
            **values,
        }
        return await self.desk.world.http.post(PATH, json=body)

    def find_user(self) -> str | None:
        """Return the id of the visitor's account, or None."""
        user_id = self.desk.world.run_sql("SELECT id FROM users WHERE email = %s", (self.email,))
        return str(user_id) if user_id else None

    async def run_notice(self) -> None:
        """Run the job that notifies the address on the record."""
        portal = build_portal(self.desk.worker_settings, self.desk.app_url)
        await portal.database.open()
        try:
            await notify_of_sign_up(portal, self.patient, str(self.find_user()))
        finally:
            await portal.senders.close()
            await portal.database.close()


@pytest.fixture
def visitor(desk: Desk) -> Visitor:
    """A visitor from a network address without earlier attempts."""
    desk.world.run_sql("DELETE FROM quota_counts WHERE quota = 'sign-up'")
    return Visitor(desk)


class TestSigningUp:
    """POST /api/system/anonymous-users/sign-up/{applicationId}."""

    async def test_invites_the_patient_and_opens_that_record_only(self, visitor: Visitor) -> None:
        assert (await visitor.sign_up()).status_code == 201
        token = await visitor.desk.receive_token(visitor.email)
        assert (await visitor.desk.choose_password(token, NEW)).status_code == 204
        user = (await visitor.desk.sign_in(visitor.email, NEW)).json()["user"]
        assert (user["role"], user["data"]["patients"]) == ("Patient", [visitor.patient])
        assert (user["lastName"], user["firstName"]) == ("ÖZ LEE", "PAT")

    @pytest.mark.parametrize(
        "values",
        [
            {"lastName": "LEE"},
            {"firstName": "PA"},
            {"birthDate": "1961-04-03"},
            {"code": "P0000000"},
        ],
    )
    async def test_requires_that_every_field_matches_the_record(
        self, visitor: Visitor, values: dict[str, Any]
    ) -> None:
        answer = await visitor.sign_up(**values)
        assert (answer.status_code, answer.json()["detail"]) == (404, messages.SIGN_UP_UNMATCHED)
        assert visitor.find_user() is None

    async def test_a_record_without_a_birth_date_never_matches(self, visitor: Visitor) -> None:
        visitor.desk.world.run_sql(
            "UPDATE patients SET birth_date = NULL WHERE id = %s", (visitor.patient,)
        )
        for birth_date, status in (("1961-03-04", 404), (None, 400), ("", 400)):
            answer = await visitor.sign_up(birthDate=birth_date)
            assert answer.status_code == status, answer.text
        assert visitor.find_user() is None

    async def test_reports_an_email_in_use_only_if_the_record_matches(
        self, visitor: Visitor
    ) -> None:
        email_in_use = visitor.desk.admin.email.upper()
        answer = await visitor.sign_up(email=email_in_use)
        assert (answer.status_code, answer.json()["detail"]) == (409, "Email in use")
        assert (await visitor.sign_up(email=email_in_use, lastName="LEE")).status_code == 404

    @pytest.mark.parametrize(
        ("field", "message"),
        [
            ("lastName", "Last name is required"),
            ("firstName", "First name is required"),
            ("birthDate", "Birth Date is required"),
            ("code", "Lab Patient ID is required"),
            ("email", "Email is required"),
        ],
    )
    async def test_requires_every_field(self, visitor: Visitor, field: str, message: str) -> None:
        answer = await visitor.sign_up(**{field: None})
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": field, "message": message}]

    async def test_limits_tries_for_each_patient_id(self, visitor: Visitor) -> None:
        statuses = [(await visitor.sign_up(lastName="NO")).status_code for _ in range(6)]
        assert statuses == [404] * 5 + [429]

    async def test_notifies_the_address_on_the_record(self, visitor: Visitor) -> None:
        await visitor.sign_up()
        job = visitor.desk.world.fetch_rows(
            "SELECT args FROM jobs.procrastinate_jobs WHERE task_name = 'users.tell_sign_up'"
        )
        assert job == [({"patient_id": visitor.patient, "user_id": visitor.find_user()},)]
        await visitor.run_notice()
        [notice] = visitor.desk.list_emails(visitor.record_email)
        text = notice.mail.get_content()
        assert "another e-mail address" in text
        assert "LEE" not in text and visitor.email not in text

    @pytest.mark.parametrize("false_reply", [None, b"lorem ipsum"])
    async def test_a_notice_that_may_have_arrived_is_not_repeated(
        self, visitor: Visitor, false_reply: bytes | None
    ) -> None:
        await visitor.sign_up()
        if false_reply is None:
            visitor.desk.mail.breaks = 1
        else:
            visitor.desk.mail.false_replies = {"250 Accepted": [false_reply]}
        await visitor.run_notice()
        assert len(visitor.desk.list_emails(visitor.record_email)) == 1

    async def test_a_notice_that_did_not_arrive_is_repeated(self, visitor: Visitor) -> None:
        await visitor.sign_up()
        visitor.desk.mail.data_answers = ["451 4.3.0 later"]
        with pytest.raises(NotSentError):
            await visitor.run_notice()
        await visitor.run_notice()
        assert len(visitor.desk.list_emails(visitor.record_email)) == 1

    async def test_does_not_notify_the_address_that_signed_up(self, visitor: Visitor) -> None:
        visitor.email = visitor.record_email
        await visitor.sign_up()
        await visitor.run_notice()
        assert visitor.desk.list_emails(visitor.record_email) == []

    async def test_is_audited_with_and_without_success(self, visitor: Visitor) -> None:
        await visitor.sign_up()
        user_id = visitor.find_user()
        action = "SELECT action FROM audit_events WHERE user_id = %s ORDER BY id"
        assert visitor.desk.world.fetch_rows(action, (user_id,)) == [("sign-up",)]
        count = "SELECT count(*) FROM audit_events WHERE action = 'fail-sign-up'"
        before = visitor.desk.world.run_sql(count)
        await visitor.sign_up(lastName="NO")
        assert visitor.desk.world.run_sql(count) == before + 1
