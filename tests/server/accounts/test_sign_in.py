"""Signing in, staying signed in, and being found out."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from app.contract import messages
from app.server.accounts import service
from app.server.accounts.tokens import hash_of
from tests.server.world import PASSWORD, SIGNATURE, World


def credentials(email: str, password: str = PASSWORD) -> dict[str, str]:
    """A sign-in body."""
    return {"loginId": email, "password": password, "applicationId": "portal"}


class TestSignIn:
    """POST /auth/login."""

    async def test_answers_token_refresh_token_and_profile(self, world: World) -> None:
        account = world.account("Physician", physician_ids=[world.physician()])
        answer = await world.http.post("/auth/login", json=credentials(account.email.upper()))
        body = answer.json()
        assert answer.status_code == 200
        assert body["user"]["role"] == "Physician"
        assert body["user"]["registrations"] == [
            {"applicationId": "portal", "roles": ["Physician"]}
        ]
        assert body["token"] and body["refreshToken"]

    async def test_keeps_the_refresh_token_in_a_cookie_for_our_screens(self, world: World) -> None:
        account = world.account("Superuser")
        answer = await world.http.post(
            "/auth/login",
            json=credentials(account.email),
            headers={"X-Refresh-Transport": "cookie"},
        )
        cookie = answer.headers["set-cookie"]
        assert answer.json()["refreshToken"] is None
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/auth" in cookie
        world.http.cookies.clear()

    async def test_wrong_password_and_unknown_email_are_alike(self, world: World) -> None:
        account = world.account("Superuser")
        wrong = await world.http.post("/auth/login", json=credentials(account.email, "nope"))
        unknown = await world.http.post("/auth/login", json=credentials("nobody@test.lab", "nope"))
        assert wrong.status_code == unknown.status_code == 404
        assert wrong.content == unknown.content
        assert wrong.json()["detail"] == messages.INCORRECT_CREDENTIALS

    async def test_an_inactive_account_does_not_get_in(self, world: World) -> None:
        account = world.account("Superuser")
        world.sql("UPDATE users SET active = false WHERE id = %s", (account.user_id,))
        answer = await world.http.post("/auth/login", json=credentials(account.email))
        assert answer.status_code == 404

    @pytest.mark.parametrize("known", [True, False])
    async def test_failures_slow_down_and_then_lock(self, world: World, known: bool) -> None:
        account = world.account("Superuser")
        email = account.email if known else f"ghost-{account.email}"
        statuses = [
            (await world.http.post("/auth/login", json=credentials(email, "nope"))).status_code
            for _ in range(4)
        ]
        assert statuses == [404, 404, 404, 429]
        answer = await world.http.post("/auth/login", json=credentials(email))
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1

    async def test_many_at_one_moment_are_no_way_around_it(self, world: World) -> None:
        account = world.account("Superuser")
        world.sql(
            "INSERT INTO sign_in_attempts (email_hash, failures, last_failure_at)"
            " VALUES (%s, 9, now() - interval '2 minutes')",
            (hash_of(account.email),),
        )
        passwords = [*(f"nope-{n}" for n in range(20)), PASSWORD]
        answers = await asyncio.gather(
            *(
                world.http.post("/auth/login", json=credentials(account.email, password))
                for password in passwords
            )
        )
        assert sorted(answer.status_code for answer in answers) == [404] + [429] * 20

    async def test_right_ones_at_one_moment_do_not_stand_in_each_others_way(
        self, world: World
    ) -> None:
        account = world.account("Superuser")
        answers = await asyncio.gather(
            *(
                world.http.post("/auth/login", json=credentials(account.email, PASSWORD))
                for _ in range(12)
            )
        )
        assert {answer.status_code for answer in answers} == {200}

    async def test_the_first_ones_at_one_moment_are_all_counted(self, world: World) -> None:
        account = world.account("Superuser")
        await asyncio.gather(
            *(world.http.post("/auth/login", json=credentials(account.email, "no")) for _ in "123")
        )
        answer = await world.http.post("/auth/login", json=credentials(account.email))
        assert answer.status_code == 429

    async def test_failures_of_long_ago_do_not_count(self, world: World) -> None:
        account = world.account("Superuser")
        world.sql(
            "INSERT INTO sign_in_attempts (email_hash, failures, last_failure_at)"
            " VALUES (%s, 30, now() - interval '61 minutes')",
            (hash_of(account.email),),
        )
        for password, status in (("nope", 404), (PASSWORD, 200)):
            answer = await world.http.post("/auth/login", json=credentials(account.email, password))
            assert answer.status_code == status

    async def test_a_right_password_forgets_the_failures(self, world: World) -> None:
        account = world.account("Superuser")
        for password in ("nope", "nope", PASSWORD, "nope", "nope"):
            answer = await world.http.post("/auth/login", json=credentials(account.email, password))
        assert answer.status_code == 404


class TestSession:
    """Refresh, reuse, end."""

    async def test_refresh_rotates(self, world: World) -> None:
        account = world.account("Superuser")
        first = (await world.http.post("/auth/login", json=credentials(account.email))).json()
        second = await world.http.post(
            "/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]}
        )
        assert second.status_code == 200
        assert second.json()["refreshToken"] != first["refreshToken"]

    async def test_two_tabs_may_refresh_at_once(self, world: World) -> None:
        account = world.account("Superuser")
        first = (await world.http.post("/auth/login", json=credentials(account.email))).json()
        for _ in range(2):
            answer = await world.http.post(
                "/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]}
            )
            assert answer.status_code == 200

    async def test_a_token_used_again_later_ends_the_whole_session(self, world: World) -> None:
        account = world.account("Superuser")
        first = (await world.http.post("/auth/login", json=credentials(account.email))).json()
        second = (
            await world.http.post("/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]})
        ).json()
        world.sql(
            "UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds'"
            " WHERE used_at IS NOT NULL AND session_id IN"
            " (SELECT id FROM user_sessions WHERE user_id = %s)",
            (account.user_id,),
        )
        for token in (first["refreshToken"], second["refreshToken"]):
            answer = await world.http.post("/auth/jwt/refresh", json={"refreshToken": token})
            assert answer.status_code == 401

    async def test_a_cookie_alone_is_not_enough(self, world: World) -> None:
        account = world.account("Superuser")
        first = (await world.http.post("/auth/login", json=credentials(account.email))).json()
        cookie = {"Cookie": f"portal_refresh={first['refreshToken']}"}
        without = await world.http.post("/auth/jwt/refresh", headers=cookie)
        with_header = await world.http.post(
            "/auth/jwt/refresh", headers={**cookie, "X-Refresh-Transport": "cookie"}
        )
        assert (without.status_code, with_header.status_code) == (401, 200)
        world.http.cookies.clear()

    async def test_sign_out_ends_access_and_refresh(self, world: World) -> None:
        account = world.account("Superuser")
        session = (await world.http.post("/auth/login", json=credentials(account.email))).json()
        headers = {"Authorization": f"JWT {session['token']}"}
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 200
        await world.http.post("/auth/logout", json={"refreshToken": session["refreshToken"]})
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 401

    @pytest.mark.parametrize("header", ["", "JWT", "JWT x.y.z", "Basic abc", "Bearer "])
    async def test_a_dead_token_is_a_401_with_words(
        self, world: World, problem_of, header: str
    ) -> None:
        answer = await world.http.get("/auth/jwt/validate", headers={"Authorization": header})
        assert answer.status_code == 401
        assert problem_of(answer)["detail"] == messages.SESSION_EXPIRED

    async def test_bearer_is_accepted_too(self, world: World) -> None:
        person = await world.person("Superuser")
        answer = await world.http.get(
            "/auth/jwt/validate", headers={"Authorization": f"Bearer {person.token}"}
        )
        assert answer.status_code == 200

    async def test_a_withdrawn_client_is_felt_within_seconds(
        self, world: World, monkeypatch
    ) -> None:
        client = world.client()
        patient = world.patient(client)
        nurse = await world.person("Client Basic", client_ids=[client])
        path = f"/api/v2/patients/{patient}"
        assert (await world.http.get(path, headers=nurse.headers)).status_code == 200
        world.sql("UPDATE users SET client_ids = '{}' WHERE id = %s", (nurse.user_id,))
        in_six_seconds = SimpleNamespace(monotonic=lambda: time.monotonic() + 6, time=time.time)
        monkeypatch.setattr("app.server.accounts.authentication.time", in_six_seconds)
        assert (await world.http.get(path, headers=nurse.headers)).status_code == 404


class TestOwnProfile:
    """PUT /auth/user/{id}."""

    async def test_changes_names_and_signature_image(self, world: World) -> None:
        person = await world.person("Client Basic", client_ids=[world.client()])
        answer = await world.http.put(
            f"/auth/user/{person.user_id}",
            headers=person.headers,
            json={
                "user": {
                    "firstName": "Grace",
                    "data": {"signImage": SIGNATURE, "clients": [1, 2, 3]},
                    "registrations": [{"applicationId": "portal", "roles": ["Superuser"]}],
                }
            },
        )
        user = answer.json()["user"]
        assert user["firstName"] == "Grace"
        assert user["data"]["signImage"].startswith("data:image/png;base64,")
        assert user["role"] == "Client Basic"
        assert user["data"]["clients"] != [1, 2, 3]

    async def test_another_user_does_not_exist(self, world: World) -> None:
        person, other = await world.person("Superuser"), world.account("Superuser")
        answer = await world.http.put(
            f"/auth/user/{other.user_id}", headers=person.headers, json={"user": {}}
        )
        assert answer.status_code == 404


def test_a_session_outlives_a_working_day_at_most() -> None:
    assert service.SESSION_LIFE.total_seconds() == 12 * 3600
