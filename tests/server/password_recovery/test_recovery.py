"""A new password by a link in an e-mail."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from app.contract import messages
from app.server.main import build_portal
from app.server.password_recovery import service
from app.server.password_recovery.service import delete_old_requests, send_links
from app.server.settings import Settings
from tests.server.accounts.builders import PASSWORD
from tests.server.transmissions.conftest import Office, OpenOffice, build_mail_settings
from tests.server.world import World
from tests.standins.certificates import Certificate
from tests.standins.mail import MailStandIn, ReceivedMail

NEW = "Another-Horse-2!"
_RETRY_SETTINGS = ("send_wait_seconds", "send_wait_max_seconds", "send_hours")
_LINK = re.compile(r"/password-recovery#token=([\w-]+)")


class Recovery:
    """The requests of a person who forgot the password, at a lab with a mail server."""

    def __init__(self, office: Office, mail: MailStandIn) -> None:
        self.office, self.mail, self.world = office, mail, office.world
        self.person = self.world.create_account("Client Basic", client_ids=[office.client])

    async def request_link(self, email: str | None = None) -> httpx.Response:
        """Ask for a link."""
        return await self.office.http.post(
            "/auth/user/forgot-password",
            json={
                "loginId": email or self.person.email,
                "applicationId": "portal",
                "sendForgotPasswordEmail": True,
            },
        )

    def use_default_waits(self) -> None:
        """Wait between attempts as the portal does by default; a slow job must not try again."""
        defaults = {name: Settings.model_fields[name].default for name in _RETRY_SETTINGS}
        self.office.settings = self.office.settings.model_copy(update=defaults)

    async def run_job(self) -> None:
        """Send the links that are due, as a worker does."""
        portal = build_portal(self.office.settings, self.office.app_url)
        await portal.database.open()
        try:
            await send_links(portal)
        finally:
            await portal.senders.close()
            await portal.database.close()

    async def receive_token(self) -> str:
        """Ask for a link, and return the secret of the newest e-mail."""
        assert (await self.request_link()).status_code == 204
        await self.run_job()
        match = _LINK.search(self.list_emails()[-1].mail.get_content())
        assert match is not None
        return match[1]

    def list_emails(self) -> list[ReceivedMail]:
        """Return the e-mails to the person; the job sends those of other tests too."""
        return [mail for mail in self.mail.received if mail.to == [self.person.email]]

    async def reset(self, token: str, password: str = NEW) -> httpx.Response:
        """Send a new password."""
        return await self.office.http.post(
            "/auth/user/reset-password", json={"changePasswordId": token, "password": password}
        )

    async def sign_in(self, password: str) -> httpx.Response:
        """Sign in as the person."""
        return await self.office.http.post(
            "/auth/login", json={"loginId": self.person.email, "password": password}
        )

    def run_sql(self, text: str) -> Any:
        """Run a statement as the database's owner; its parameter is the person's user id."""
        return self.world.run_sql(text, (self.person.user_id,))


async def wait_for_blocked_statement(world: World, backend: int) -> None:
    """Wait until a statement waits for a lock of this backend."""
    waiting_statement = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND %s = ANY(pg_blocking_pids(pid))"
    )
    async with asyncio.timeout(60):
        while not world.run_sql(waiting_statement, (backend,)):
            await asyncio.sleep(0.02)


@pytest.fixture
async def recovery(open_office: OpenOffice, mail: MailStandIn, certificate: Certificate) -> Any:
    """A person who forgot the password, at a lab whose mail server runs."""
    with mail:
        office = await open_office(worker=False, **build_mail_settings(mail, certificate))
        recovery = Recovery(office, mail)
        # All tests have the same address, so the requests of other tests must not count here.
        recovery.world.run_sql("DELETE FROM quota_counts WHERE quota = 'recovery'")
        recovery.world.run_sql("DELETE FROM password_recoveries")
        yield recovery


class TestRequesting:
    """POST /auth/user/forgot-password."""

    async def test_mails_a_link_without_a_name(self, recovery: Recovery) -> None:
        await recovery.receive_token()
        [email] = recovery.list_emails()
        assert (email.to, email.is_encrypted) == ([recovery.person.email], True)
        text = f"{email.mail['Subject']}\n{email.mail.get_content()}"
        assert "https://portal.lab.example/password-recovery#token=" in text
        assert "10 minutes" in text
        assert "Ada" not in text and "Tester" not in text

    async def test_a_lab_name_of_two_lines_adds_no_header(self, recovery: Recovery) -> None:
        with recovery.world.change_setting("report", {"name": "River\r\nBcc: eve@evil.test"}):
            await recovery.receive_token()
        [email] = recovery.list_emails()
        assert email.to == [recovery.person.email]
        assert "Bcc" not in email.mail
        assert "River Bcc: eve@evil.test" in email.mail["Subject"]

    async def test_says_that_an_email_is_unknown(self, recovery: Recovery, parse_problem) -> None:
        answer = await recovery.request_link("nobody@test.lab")
        assert answer.status_code == 404
        assert parse_problem(answer)["detail"] == messages.RECOVERY_EMAIL_UNKNOWN
        await recovery.run_job()
        assert recovery.list_emails() == []

    async def test_an_inactive_account_gets_no_link(self, recovery: Recovery) -> None:
        recovery.run_sql("UPDATE users SET active = false WHERE id = %s")
        assert (await recovery.request_link()).status_code == 404
        await recovery.run_job()
        assert recovery.list_emails() == []

    async def test_stops_after_a_few_requests_an_hour(self, recovery: Recovery) -> None:
        statuses = [(await recovery.request_link()).status_code for _ in range(4)]
        assert statuses == [204] * 3 + [429]

    async def test_unknown_emails_are_limited_too(self, recovery: Recovery) -> None:
        email = f"ghost-{recovery.person.email}"
        statuses = [(await recovery.request_link(email)).status_code for _ in range(4)]
        assert statuses == [404] * 3 + [429]
        rows = recovery.world.fetch_rows(
            "SELECT user_id, role, record_ids, detail->>'code' FROM audit_events"
            " WHERE action = 'refuse' ORDER BY id DESC LIMIT 4"
        )
        assert [code for _, _, _, code in rows] == ["quota_exceeded", *["unknown_email"] * 3]
        assert {(user, role, tuple(ids)) for user, role, ids, _ in rows} == {
            (None, "anonymous", ())
        }

    async def test_a_lab_without_a_mail_server_says_so(self, world: World, parse_problem) -> None:
        person = world.create_account("Superuser")
        answer = await world.http.post("/auth/user/forgot-password", json={"loginId": person.email})
        assert answer.status_code == 424
        assert parse_problem(answer)["detail"] == messages.EMAIL_NOT_CONFIGURED

    async def test_tries_again_after_trouble_with_a_new_link(self, recovery: Recovery) -> None:
        recovery.use_default_waits()
        recovery.mail.data_answers.append("451 try later")
        assert (await recovery.request_link()).status_code == 204
        await recovery.run_job()
        assert recovery.list_emails() == []
        recovery.run_sql("UPDATE password_recoveries SET next_try_at = now() WHERE user_id = %s")
        await recovery.run_job()
        await recovery.run_job()
        assert len(recovery.list_emails()) == 1

    @pytest.mark.parametrize("false_reply", [None, b"lorem ipsum"])
    async def test_an_attempt_of_unknown_outcome_is_repeated_once(
        self, recovery: Recovery, false_reply: bytes | None
    ) -> None:
        if false_reply is None:
            recovery.mail.breaks = 3
        else:
            recovery.mail.false_replies = {"250 Accepted": [false_reply] * 3}
        await recovery.request_link()
        for _ in range(3):
            await recovery.run_job()
            recovery.run_sql(
                "UPDATE password_recoveries SET next_try_at = now()"
                " WHERE user_id = %s AND next_try_at IS NOT NULL"
            )
        assert len(recovery.list_emails()) == 2

    async def test_an_invitation_is_tried_less_and_less_often_for_a_day(
        self, recovery: Recovery, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        recovery.use_default_waits()
        now = invited_at = recovery.run_sql(
            "INSERT INTO password_recoveries (user_id, key, is_invitation, next_try_at)"
            " VALUES (%s, gen_random_uuid(), true, now()) RETURNING next_try_at"
        )
        recovery.mail.data_answers = ["451 try later"] * 100
        monkeypatch.setattr(service, "get_utc_now", lambda: now)
        minutes = []
        while now is not None:
            minutes.append((now - invited_at) // timedelta(minutes=1))
            await recovery.run_job()
            now = recovery.run_sql("SELECT next_try_at FROM password_recoveries WHERE user_id = %s")
        assert minutes == [0, 1, 3, 7, 15, 31, 63, 127, 255, 495, 735, 975, 1_215]
        assert len(recovery.mail.data_answers) == 100 - len(minutes)

    async def test_does_not_send_late_emails(self, recovery: Recovery) -> None:
        await recovery.request_link()
        recovery.run_sql(
            "UPDATE password_recoveries SET created_at = now() - interval '11 minutes'"
            " WHERE user_id = %s"
        )
        await recovery.run_job()
        assert recovery.list_emails() == []


class TestResetting:
    """POST /auth/user/reset-password."""

    async def test_replaces_the_password_and_ends_all_sessions(self, recovery: Recovery) -> None:
        session = (await recovery.sign_in(PASSWORD)).json()
        token = await recovery.receive_token()
        assert (await recovery.reset(token)).status_code == 204
        assert (await recovery.sign_in(PASSWORD)).status_code == 404
        assert (await recovery.sign_in(NEW)).status_code == 200
        refresh_answer = await recovery.office.http.post(
            "/auth/jwt/refresh", json={"refreshToken": session["refreshToken"]}
        )
        assert refresh_answer.status_code == 401

    @pytest.mark.parametrize(
        ("password", "message"),
        [
            ("Summer-2026!", messages.NEW_PASSWORD_COMMON),
            ("Tester+Horse+1", messages.NEW_PASSWORD_PERSONAL),
        ],
    )
    async def test_rejects_guessable_passwords_and_the_link_stays_valid(
        self, recovery: Recovery, parse_problem, password: str, message: str
    ) -> None:
        token = await recovery.receive_token()
        answer = await recovery.reset(token, password)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [{"field": "password", "message": message}]
        assert (await recovery.reset(token)).status_code == 204

    async def test_the_second_factor_stays(self, recovery: Recovery, parse_problem) -> None:
        recovery.run_sql(
            "INSERT INTO second_factors (user_id, sealed_secret, confirmed_at)"
            " VALUES (%s, 'sealed', now())"
        )
        assert (await recovery.reset(await recovery.receive_token())).status_code == 204
        answer = await recovery.sign_in(NEW)
        assert answer.status_code == 403
        assert parse_problem(answer)["code"] == "second_factor_required"

    async def test_a_link_works_once(self, recovery: Recovery, parse_problem) -> None:
        token = await recovery.receive_token()
        assert (await recovery.reset(token)).status_code == 204
        answer = await recovery.reset(token, "Third-Horse-3!")
        assert answer.status_code == 404
        assert parse_problem(answer)["detail"] == messages.RECOVERY_LINK_INVALID
        assert (await recovery.sign_in(NEW)).status_code == 200

    async def test_using_a_link_ends_the_other_links_of_the_account(
        self, recovery: Recovery
    ) -> None:
        first, second = await recovery.receive_token(), await recovery.receive_token()
        assert (await recovery.reset(second)).status_code == 204
        assert (await recovery.reset(first)).status_code == 404

    async def test_two_links_at_once_do_not_wait_for_each_other(self, recovery: Recovery) -> None:
        await recovery.receive_token()
        token, user_id = await recovery.receive_token(), recovery.person.user_id
        with psycopg.connect(recovery.world.owner_url) as other:
            # The use of the first link: it locks the user, then ends both links.
            other.execute("SELECT 1 FROM users WHERE id = %s FOR UPDATE", (user_id,))
            reset_task = asyncio.create_task(recovery.reset(token))
            await wait_for_blocked_statement(recovery.world, other.info.backend_pid)
            other.execute(
                "UPDATE password_recoveries SET used_at = now() WHERE user_id = %s", (user_id,)
            )
        assert (await reset_task).status_code == 404

    async def test_a_link_expires_after_ten_minutes(self, recovery: Recovery) -> None:
        token = await recovery.receive_token()
        lifetime_query = "SELECT expires_at - now() FROM password_recoveries WHERE user_id = %s"
        assert 0 < recovery.run_sql(lifetime_query).total_seconds() <= 600
        recovery.run_sql(
            "UPDATE password_recoveries SET expires_at = now() - interval '1 second'"
            " WHERE user_id = %s"
        )
        assert (await recovery.reset(token)).status_code == 404

    async def test_the_database_stores_only_a_hash_of_the_secret(self, recovery: Recovery) -> None:
        token = await recovery.receive_token()
        row = recovery.run_sql("SELECT r::text FROM password_recoveries r WHERE user_id = %s")
        assert token not in row and token.encode().hex() not in row

    async def test_a_password_against_the_rule_keeps_the_link(self, recovery: Recovery) -> None:
        token = await recovery.receive_token()
        assert (await recovery.reset(token, "short")).status_code == 400
        assert (await recovery.reset(token)).status_code == 204

    async def test_a_reset_unlocks_the_account(self, recovery: Recovery) -> None:
        for _ in range(4):
            locked_answer = await recovery.sign_in("nope")
        assert locked_answer.status_code == 429
        assert (await recovery.reset(await recovery.receive_token())).status_code == 204
        assert (await recovery.sign_in(NEW)).status_code == 200

    async def test_is_audited_from_request_to_new_password(self, recovery: Recovery) -> None:
        await recovery.reset(await recovery.receive_token())
        rows = recovery.world.fetch_rows(
            "SELECT action, detail FROM audit_events WHERE user_id = %s ORDER BY id",
            (recovery.person.user_id,),
        )
        assert rows == [("request-password", None), ("reset-password", None)]

    async def test_old_requests_are_deleted(self, recovery: Recovery) -> None:
        await recovery.request_link()
        recovery.run_sql(
            "UPDATE password_recoveries SET created_at = now() - interval '25 hours'"
            " WHERE user_id = %s"
        )
        await delete_old_requests(recovery.world.app.state.portal)
        count_query = "SELECT count(*) FROM password_recoveries WHERE user_id = %s"
        assert recovery.run_sql(count_query) == 0
