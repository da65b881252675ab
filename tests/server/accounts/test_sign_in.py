"""Sign-in, sessions, and profiles."""

import asyncio
import time
from types import SimpleNamespace

import pytest

from app.contract import messages
from app.server.accounts.tokens import hash_secret
from tests.server.accounts.builders import PASSWORD
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World


def build_credentials(email: str, password: str = PASSWORD) -> dict[str, str]:
    """Build the body of a sign-in."""
    return {"loginId": email, "password": password, "applicationId": "portal"}


class TestSignIn:
    """POST /auth/login."""

    async def test_returns_tokens_and_profile(self, world: World) -> None:
        account = world.create_account("Physician", physician_ids=[world.create_physician()])
        answer = await world.http.post("/auth/login", json=build_credentials(account.email.upper()))
        body = answer.json()
        assert answer.status_code == 200
        assert body["user"]["role"] == "Physician"
        assert body["user"]["registrations"] == [
            {"applicationId": "portal", "roles": ["Physician"]}
        ]
        assert body["token"] and body["refreshToken"]

    async def test_sets_the_refresh_token_as_a_cookie_for_our_screens(self, world: World) -> None:
        account = world.create_account("Superuser")
        answer = await world.http.post(
            "/auth/login",
            json=build_credentials(account.email),
            headers={"X-Refresh-Transport": "cookie"},
        )
        cookie = answer.headers["set-cookie"]
        assert answer.json()["refreshToken"] is None
        assert "HttpOnly" in cookie and "SameSite=strict" in cookie and "Path=/auth" in cookie

    async def test_a_wrong_password_and_an_unknown_email_get_the_same_answer(
        self, world: World
    ) -> None:
        account = world.create_account("Superuser")
        wrong_answer = await world.http.post(
            "/auth/login", json=build_credentials(account.email, "nope")
        )
        unknown_answer = await world.http.post(
            "/auth/login", json=build_credentials("nobody@test.lab", "nope")
        )
        assert wrong_answer.status_code == unknown_answer.status_code == 404
        assert wrong_answer.content == unknown_answer.content
        assert wrong_answer.json()["detail"] == messages.INCORRECT_CREDENTIALS

    async def test_rejects_an_inactive_account(self, world: World) -> None:
        account = world.create_account("Superuser")
        world.run_sql("UPDATE users SET active = false WHERE id = %s", (account.user_id,))
        answer = await world.http.post("/auth/login", json=build_credentials(account.email))
        assert answer.status_code == 404

    @pytest.mark.usefixtures("stopped_clock")
    @pytest.mark.parametrize("is_known", [True, False])
    async def test_repeated_failures_delay_the_next_attempt(
        self, world: World, is_known: bool
    ) -> None:
        account = world.create_account("Superuser")
        email = account.email if is_known else f"ghost-{account.email}"
        statuses = [
            (
                await world.http.post("/auth/login", json=build_credentials(email, "nope"))
            ).status_code
            for _ in range(4)
        ]
        assert statuses == [404, 404, 404, 429]
        answer = await world.http.post("/auth/login", json=build_credentials(email))
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) >= 1

    async def test_concurrent_attempts_do_not_bypass_the_limit(self, world: World) -> None:
        account = world.create_account("Superuser")
        world.run_sql(
            "INSERT INTO sign_in_attempts (email_hash, failures, last_failure_at)"
            " VALUES (%s, 9, now() - interval '2 minutes')",
            (hash_secret(account.email),),
        )
        passwords = [*(f"nope-{n}" for n in range(20)), PASSWORD]
        answers = await asyncio.gather(
            *(
                world.http.post("/auth/login", json=build_credentials(account.email, password))
                for password in passwords
            )
        )
        assert sorted(answer.status_code for answer in answers) == [404] + [429] * 20

    async def test_concurrent_correct_sign_ins_all_succeed(self, world: World) -> None:
        account = world.create_account("Superuser")
        answers = await asyncio.gather(
            *(
                world.http.post("/auth/login", json=build_credentials(account.email, PASSWORD))
                for _ in range(12)
            )
        )
        assert {answer.status_code for answer in answers} == {200}

    @pytest.mark.usefixtures("stopped_clock")
    async def test_concurrent_first_failures_are_all_counted(self, world: World) -> None:
        account = world.create_account("Superuser")
        await asyncio.gather(
            *(
                world.http.post("/auth/login", json=build_credentials(account.email, "no"))
                for _ in range(3)
            )
        )
        answer = await world.http.post("/auth/login", json=build_credentials(account.email))
        assert answer.status_code == 429

    async def test_old_failures_do_not_count(self, world: World) -> None:
        account = world.create_account("Superuser")
        world.run_sql(
            "INSERT INTO sign_in_attempts (email_hash, failures, last_failure_at)"
            " VALUES (%s, 30, now() - interval '61 minutes')",
            (hash_secret(account.email),),
        )
        for password, status in (("nope", 404), (PASSWORD, 200)):
            answer = await world.http.post(
                "/auth/login", json=build_credentials(account.email, password)
            )
            assert answer.status_code == status

    async def test_a_correct_password_clears_the_failures(self, world: World) -> None:
        account = world.create_account("Superuser")
        for password in ("nope", "nope", PASSWORD, "nope", "nope"):
            answer = await world.http.post(
                "/auth/login", json=build_credentials(account.email, password)
            )
        assert answer.status_code == 404


class TestSession:
    """Refreshing, reusing, and ending a session."""

    async def test_a_refresh_replaces_the_refresh_token(self, world: World) -> None:
        account = world.create_account("Superuser")
        first = (await world.http.post("/auth/login", json=build_credentials(account.email))).json()
        second_answer = await world.http.post(
            "/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]}
        )
        assert second_answer.status_code == 200
        assert second_answer.json()["refreshToken"] != first["refreshToken"]

    async def test_two_tabs_may_refresh_with_the_same_token(self, world: World) -> None:
        account = world.create_account("Superuser")
        first = (await world.http.post("/auth/login", json=build_credentials(account.email))).json()
        for _ in range(2):
            answer = await world.http.post(
                "/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]}
            )
            assert answer.status_code == 200

    async def test_a_late_reuse_of_a_token_ends_the_session(self, world: World) -> None:
        account = world.create_account("Superuser")
        first = (await world.http.post("/auth/login", json=build_credentials(account.email))).json()
        second = (
            await world.http.post("/auth/jwt/refresh", json={"refreshToken": first["refreshToken"]})
        ).json()
        world.run_sql(
            "UPDATE refresh_tokens SET used_at = used_at - interval '11 seconds'"
            " WHERE used_at IS NOT NULL AND session_id IN"
            " (SELECT id FROM user_sessions WHERE user_id = %s)",
            (account.user_id,),
        )
        for token in (first["refreshToken"], second["refreshToken"]):
            answer = await world.http.post("/auth/jwt/refresh", json={"refreshToken": token})
            assert answer.status_code == 401

    async def test_a_cookie_alone_is_not_enough(self, world: World) -> None:
        account = world.create_account("Superuser")
        first = (await world.http.post("/auth/login", json=build_credentials(account.email))).json()
        cookie = {"Cookie": f"portal_refresh={first['refreshToken']}"}
        without_header_answer = await world.http.post("/auth/jwt/refresh", headers=cookie)
        with_header_answer = await world.http.post(
            "/auth/jwt/refresh", headers={**cookie, "X-Refresh-Transport": "cookie"}
        )
        assert (without_header_answer.status_code, with_header_answer.status_code) == (401, 200)

    async def test_our_screens_get_no_error_without_a_session(self, world: World) -> None:
        """Every first visit tries to refresh, and browsers log every error status."""
        answer = await world.http.post(
            "/auth/jwt/refresh", headers={"X-Refresh-Transport": "cookie"}
        )
        assert (answer.status_code, answer.content) == (204, b"")
        stale_headers = {"Cookie": "portal_refresh=stale", "X-Refresh-Transport": "cookie"}
        assert (
            await world.http.post("/auth/jwt/refresh", headers=stale_headers)
        ).status_code == 401
        assert (await world.http.post("/auth/jwt/refresh")).status_code == 401

    async def test_sign_out_ends_access_and_refresh(self, world: World) -> None:
        account = world.create_account("Superuser")
        session = (
            await world.http.post("/auth/login", json=build_credentials(account.email))
        ).json()
        headers = {"Authorization": f"JWT {session['token']}"}
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 200
        refresh = {"refreshToken": session["refreshToken"]}
        await world.http.post("/auth/logout", json=refresh)
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 401
        assert (await world.http.post("/auth/jwt/refresh", json=refresh)).status_code == 401

    async def test_only_our_screens_delete_the_cookie_by_signing_out(self, world: World) -> None:
        """Another site can make a browser send a form here, but not the header."""
        person = await world.create_person("Superuser")
        cookie = {"Cookie": f"portal_refresh={person.token}"}
        foreign_headers = {**cookie, "Origin": "https://elsewhere.test"}
        answer = await world.http.post("/auth/logout", headers=foreign_headers)
        assert "set-cookie" not in answer.headers
        own_headers = {**cookie, "X-Refresh-Transport": "cookie"}
        answer = await world.http.post("/auth/logout", headers=own_headers)
        assert "portal_refresh=" in answer.headers["set-cookie"]
        assert "Max-Age=0" in answer.headers["set-cookie"]

    async def test_sign_out_ends_the_sessions_of_access_and_refresh_token(
        self, world: World
    ) -> None:
        """The tokens belong to two people if somebody else signed in later, in another tab."""
        first, second = [await world.create_person("Superuser") for _ in range(2)]
        credentials = build_credentials(second.email)
        session = (await world.http.post("/auth/login", json=credentials)).json()
        await world.http.post(
            "/auth/logout",
            json={"refreshToken": session["refreshToken"]},
            headers=first.headers,
        )
        for token in (first.token, session["token"]):
            headers = {"Authorization": f"JWT {token}"}
            assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 401

    @pytest.mark.parametrize("header", ["", "JWT", "JWT x.y.z", "Basic abc", "Bearer "])
    async def test_rejects_an_invalid_token_with_a_message(
        self, world: World, parse_problem, header: str
    ) -> None:
        answer = await world.http.get("/auth/jwt/validate", headers={"Authorization": header})
        assert answer.status_code == 401
        assert parse_problem(answer)["detail"] == messages.SESSION_EXPIRED

    async def test_accepts_the_bearer_scheme(self, world: World) -> None:
        person = await world.create_person("Superuser")
        answer = await world.http.get(
            "/auth/jwt/validate", headers={"Authorization": f"Bearer {person.token}"}
        )
        assert answer.status_code == 200

    async def test_removing_a_client_takes_effect_within_seconds(
        self, world: World, monkeypatch
    ) -> None:
        client = world.create_client()
        patient = world.create_patient(client)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        path = f"/api/v2/patients/{patient}"
        assert (await world.http.get(path, headers=nurse.headers)).status_code == 200
        world.run_sql("UPDATE users SET client_ids = '{}' WHERE id = %s", (nurse.user_id,))
        in_six_seconds = SimpleNamespace(monotonic=lambda: time.monotonic() + 6, time=time.time)
        monkeypatch.setattr("app.server.accounts.authentication.time", in_six_seconds)
        assert (await world.http.get(path, headers=nurse.headers)).status_code == 404


class TestOwnProfile:
    """PUT /auth/user/{id}."""

    async def test_changes_names_and_signature_image(self, world: World) -> None:
        person = await world.create_person("Client Basic", client_ids=[world.create_client()])
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

    async def test_hides_other_users(self, world: World) -> None:
        person, other = await world.create_person("Superuser"), world.create_account("Superuser")
        answer = await world.http.put(
            f"/auth/user/{other.user_id}", headers=person.headers, json={"user": {}}
        )
        assert answer.status_code == 404
