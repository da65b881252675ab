"""Guessing passwords: limits by account, device, and address, and what the audit log says."""

import asyncio
import hashlib
import re
from typing import Any

import httpx
import pytest
from prometheus_client import REGISTRY

from app.server.access import quotas
from app.server.access.quotas import Limit, Quota
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.world import World

_BROWSER = {"X-Refresh-Transport": "cookie"}


async def sign_in(
    world: World, email: str, password: str = PASSWORD, *, device: str = "", address: str = ""
) -> httpx.Response:
    """Sign in as a browser does; ``address`` is the caller's."""
    transport = httpx.ASGITransport(
        world.app, client=(address or "127.0.0.1", 1), raise_app_exceptions=False
    )
    headers = {**_BROWSER, **({"Cookie": f"portal_device={device}"} if device else {})}
    async with httpx.AsyncClient(transport=transport, base_url="http://portal.test") as http:
        return await http.post(
            "/auth/login", headers=headers, json={"loginId": email, "password": password}
        )


def get_device(answer: httpx.Response) -> str:
    """Return the device's secret from the cookies of an answer."""
    [cookie] = [c for c in answer.headers.get_list("set-cookie") if c.startswith("portal_device=")]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/auth" in cookie
    return cookie.split("=", 1)[1].split(";", 1)[0]


def list_actions(world: World, person: Person) -> list[tuple[str, Any]]:
    """Return action and detail of the audit rows about a person's account, oldest first."""
    return world.fetch_rows(
        "SELECT action, detail FROM audit_events WHERE user_id = %s AND kind = 'user' ORDER BY id",
        (person.user_id,),
    )


@pytest.mark.usefixtures("stopped_clock")
class TestKnownDevice:
    """A stranger's failed attempts do not lock the owner out of a known device."""

    async def test_the_owner_signs_in_while_strangers_are_locked_out(self, world: World) -> None:
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        labels = {"quota": "sign-in"}
        before = REGISTRY.get_sample_value("portal_quota_refusals_total", labels) or 0
        for _ in range(4):
            strangers_answer = await sign_in(world, person.email, "nope")
        assert strangers_answer.status_code == 429
        assert REGISTRY.get_sample_value("portal_quota_refusals_total", labels) == before + 1
        assert (await sign_in(world, person.email)).status_code == 429
        assert (await sign_in(world, person.email, device=device)).status_code == 200
        # The owner's sign-in does not reset the stranger's failures.
        assert (await sign_in(world, person.email, "nope")).status_code == 429

    async def test_limits_wrong_passwords_from_a_known_device(self, world: World) -> None:
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        statuses = [
            (await sign_in(world, person.email, "nope", device=device)).status_code
            for _ in range(4)
        ]
        assert statuses == [404, 404, 404, 429]
        assert (await sign_in(world, person.email)).status_code == 200

    async def test_a_device_does_not_help_other_accounts(self, world: World) -> None:
        mine, other = world.create_account("Superuser"), world.create_account("Superuser")
        device = get_device(await sign_in(world, mine.email))
        for _ in range(4):
            await sign_in(world, other.email, "nope")
        assert (await sign_in(world, other.email, device=device)).status_code == 429

    async def test_the_database_stores_only_a_hash_of_the_secret(self, world: World) -> None:
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        stored_value = world.run_sql(
            "SELECT token_hash FROM known_devices WHERE user_id = %s", (person.user_id,)
        )
        assert bytes(stored_value) == hashlib.sha256(device.encode()).digest()

    async def test_the_id_of_a_device_has_32_letters_and_digits(self, world: World) -> None:
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        assert re.fullmatch("[A-Za-z0-9]{32}", device)

    async def test_a_device_alone_gives_no_access(self, world: World) -> None:
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        refresh_answer = await world.http.post(
            "/auth/jwt/refresh",
            headers={**_BROWSER, "Cookie": f"portal_device={device}; portal_refresh={device}"},
        )
        assert refresh_answer.status_code == 401
        world.http.cookies.clear()

    async def test_an_account_has_a_limited_number_of_known_devices(self, world: World) -> None:
        person = world.create_account("Superuser")
        world.run_sql(
            "INSERT INTO known_devices (token_hash, user_id, expires_at)"
            " SELECT sha256(n::text::bytea || %s), %s, now() + n * interval '1 minute'"
            " FROM generate_series(1, 30) n",
            (person.email.encode(), person.user_id),
        )
        await sign_in(world, person.email)
        count = "SELECT count(*) FROM known_devices WHERE user_id = %s"
        assert world.run_sql(count, (person.user_id,)) == 20

    async def test_callers_without_cookies_get_no_device(self, world: World) -> None:
        person = world.create_account("Superuser")
        answer = await world.http.post(
            "/auth/login", json={"loginId": person.email, "password": PASSWORD}
        )
        assert "set-cookie" not in answer.headers


class TestAddress:
    """One address cannot guess the passwords of many accounts."""

    @pytest.fixture(autouse=True)
    def small_quota(self, monkeypatch: pytest.MonkeyPatch) -> None:
        quota = Quota("sign-in-of-test", person=Limit(1, 1), address=Limit(5, 60))
        monkeypatch.setattr("app.server.accounts.attempts.SIGN_IN", quota)

    async def test_failures_with_many_emails_stop_the_address(self, world: World) -> None:
        person = world.create_account("Superuser")
        address = "203.0.113.7"
        statuses = [
            (await sign_in(world, f"{n}{person.email}", "nope", address=address)).status_code
            for n in range(6)
        ]
        assert statuses == [404] * 5 + [429]
        rejected_answer = await sign_in(world, person.email, address=address)
        assert rejected_answer.status_code == 429
        assert 0 < int(rejected_answer.headers["retry-after"]) <= 60
        assert (await sign_in(world, person.email, address="203.0.113.8")).status_code == 200

    async def test_concurrent_failures_are_all_counted(self, world: World) -> None:
        emails = [f"{n}-{world.create_client()}@test.lab" for n in range(12)]
        answers = await asyncio.gather(
            *(sign_in(world, email, "nope", address="203.0.113.9") for email in emails)
        )
        assert sorted(answer.status_code for answer in answers) == [404] * 5 + [429] * 7

    async def test_successful_sign_ins_do_not_count(self, world: World) -> None:
        person = world.create_account("Superuser")
        for _ in range(8):
            answer = await sign_in(world, person.email, address="203.0.113.10")
            assert answer.status_code == 200

    async def test_a_known_device_continues_while_strangers_use_up_the_address(
        self, world: World, stopped_clock: None
    ) -> None:
        person = world.create_account("Superuser")
        address = "203.0.113.12"
        device = get_device(await sign_in(world, person.email, address=address))
        for _ in range(4):
            await sign_in(world, person.email, "nope", address=address)
        for n in range(6):
            strangers_answer = await sign_in(world, f"{n}{person.email}", "nope", address=address)
        assert strangers_answer.status_code == 429
        assert (await sign_in(world, person.email, address=address)).status_code == 429
        owners_answer = await sign_in(world, person.email, address=address, device=device)
        assert owners_answer.status_code == 200

    async def test_a_known_device_does_not_use_up_the_address(
        self, world: World, stopped_clock: None
    ) -> None:
        person = world.create_account("Superuser")
        address = "203.0.113.13"
        device = get_device(await sign_in(world, person.email, address=address))
        for _ in range(8):
            await sign_in(world, person.email, "nope", address=address, device=device)
        other = world.create_account("Superuser")
        assert (await sign_in(world, other.email, address=address)).status_code == 200

    async def test_a_stolen_device_has_a_bounded_number_of_tries(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The device's quota counts tries from all addresses, even without the delays."""
        device_quota = Quota("device-of-test", person=Limit(3, 3_600), address=Limit(100, 1))
        monkeypatch.setattr("app.server.accounts.attempts.SIGN_IN", device_quota)
        monkeypatch.setattr(
            "app.server.accounts.rules.compute_next_attempt_at", lambda _, failed_at: failed_at
        )
        person = world.create_account("Superuser")
        device = get_device(await sign_in(world, person.email))
        statuses = [
            (
                await sign_in(
                    world, person.email, "nope", device=device, address=f"198.51.100.{n + 1}"
                )
            ).status_code
            for n in range(5)
        ]
        assert statuses == [404, 404, 404, 429, 429]
        assert list_actions(world, person)[-3:] == [("fail-sign-in", None)] * 3

    async def test_a_device_of_another_account_does_not_help(self, world: World) -> None:
        person, mine = world.create_account("Superuser"), world.create_account("Superuser")
        address = "203.0.113.14"
        device = get_device(await sign_in(world, mine.email, address=address))
        answers = [
            await sign_in(world, f"{n}{person.email}", "nope", device=device, address=address)
            for n in range(6)
        ]
        assert [answer.status_code for answer in answers] == [404] * 5 + [429]
        # The same answer for accounts that exist and those that do not.
        locked_answer = await sign_in(world, person.email, "nope", device=device, address=address)
        assert locked_answer.json()["code"] == answers[-1].json()["code"]

    async def test_an_ipv6_network_counts_as_one_address(self, world: World) -> None:
        for n in range(6):
            answer = await sign_in(
                world, f"{n}-{world.create_client()}@x.lab", "nope", address=f"2001:db8::{n + 1}"
            )
        assert answer.status_code == 429

    async def test_ipv4_addresses_in_the_form_of_ipv6_are_different(self, world: World) -> None:
        emails = [f"{n}-{world.create_client()}@x.lab" for n in range(6)]
        for n, email in enumerate(emails):
            answer = await sign_in(world, email, "nope", address=f"::ffff:192.0.2.{n + 1}")
        assert answer.status_code == 404
        for n in range(5):
            answer = await sign_in(world, f"{n}{emails[0]}", "nope", address="192.0.2.1")
        assert answer.status_code == 429, "written either way, it is one address"

    async def test_the_database_stores_no_address(self, world: World) -> None:
        await sign_in(world, "nobody@test.lab", "nope", address="203.0.113.11")
        subjects = world.fetch_rows(
            "SELECT subject FROM quota_counts WHERE quota = 'sign-in-of-test'"
        )
        assert subjects and all(len(subject) == 32 for (subject,) in subjects)


@pytest.mark.usefixtures("stopped_clock")
class TestAudit:
    """The audit log has every sign-in, denial, refresh, and end."""

    async def test_records_failed_and_locked_sign_ins(self, world: World) -> None:
        person = world.create_account("Superuser")
        for _ in range(4):
            await sign_in(world, person.email, "nope")
        assert list_actions(world, person) == [
            *[("fail-sign-in", None)] * 3,
            ("refuse-sign-in", {"reason": "account"}),
        ]

    async def test_records_a_session_from_start_to_end(self, world: World) -> None:
        person = world.create_account("Superuser")
        credentials = {"loginId": person.email, "password": PASSWORD}
        session = (await world.http.post("/auth/login", json=credentials)).json()
        refresh_answer = (
            await world.http.post(
                "/auth/jwt/refresh", json={"refreshToken": session["refreshToken"]}
            )
        ).json()
        for _ in range(2):
            await world.http.post(
                "/auth/logout", json={"refreshToken": refresh_answer["refreshToken"]}
            )
        actions = [action for action, _ in list_actions(world, person)]
        assert actions == ["sign-in", "refresh-session", "sign-out"]

    async def test_a_failure_with_an_unknown_email_names_no_user(self, world: World) -> None:
        before = world.run_sql("SELECT max(id) FROM audit_events") or 0
        await sign_in(world, f"ghost-{world.create_client()}@test.lab", "nope")
        rows = world.fetch_rows(
            "SELECT user_id, action, kind, detail FROM audit_events WHERE id > %s", (before,)
        )
        assert rows == [(None, "fail-sign-in", "user", None)]


def test_quota_names_are_unique() -> None:
    names = [quota.name for quota in quotas.QUOTAS]
    assert len(names) == len(set(names))
