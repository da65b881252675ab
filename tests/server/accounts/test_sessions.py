"""A person's open sessions, and the end of idle ones."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.basics.clock import get_utc_now
from app.basics.errors import Unauthenticated
from app.server.accounts.authentication import Authentication
from app.server.accounts.tokens import Claims
from app.server.actor import Actor
from tests.server.accounts.builders import PASSWORD
from tests.server.world import World

_CHROME = "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36"
_FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


async def sign_in(world: World, email: str, agent: str = _CHROME) -> dict[str, Any]:
    """Sign in from a device; return the answer's body."""
    answer = await world.http.post(
        "/auth/login",
        json={"loginId": email, "password": PASSWORD},
        headers={"User-Agent": agent},
    )
    assert answer.status_code == 200
    return dict(answer.json())


def build_headers(body: dict[str, Any]) -> dict[str, str]:
    """Build the header of a session."""
    return {"Authorization": f"JWT {body['token']}"}


async def refresh_session(world: World, body: dict[str, Any]) -> httpx.Response:
    """Exchange the refresh token of a session."""
    return await world.http.post("/auth/jwt/refresh", json={"refreshToken": body["refreshToken"]})


class TestList:
    """GET /auth/sessions."""

    async def test_names_device_address_and_use_and_marks_the_current_session(
        self, world: World
    ) -> None:
        person = world.create_account("Physician", physician_ids=[world.create_physician()])
        await sign_in(world, person.email, _FIREFOX)
        current = await sign_in(world, person.email)
        answer = await world.http.get("/auth/sessions", headers=build_headers(current))
        sessions = answer.json()
        assert [(session["device"], session["isCurrent"]) for session in sessions] == [
            ("Chrome on Windows", True),
            ("Firefox on Linux", False),
        ]
        assert sessions[0]["address"]
        assert sessions[0]["lastUsedAt"] >= sessions[0]["signedInAt"]

    async def test_leaves_out_ended_and_other_peoples_sessions(self, world: World) -> None:
        person = world.create_account("Superuser")
        other = world.create_account("Superuser")
        await sign_in(world, other.email)
        ended_session = await sign_in(world, person.email)
        await world.http.post("/auth/logout", json={"refreshToken": ended_session["refreshToken"]})
        current = await sign_in(world, person.email)
        answer = await world.http.get("/auth/sessions", headers=build_headers(current))
        assert [session["isCurrent"] for session in answer.json()] == [True]


class TestEnd:
    """DELETE /auth/sessions and /auth/sessions/{id}."""

    async def test_ends_a_session_at_once(self, world: World) -> None:
        person = world.create_account("Superuser")
        other = await sign_in(world, person.email, _FIREFOX)
        current = await sign_in(world, person.email)
        headers = build_headers(current)
        sessions = (await world.http.get("/auth/sessions", headers=headers)).json()
        answer = await world.http.delete(f"/auth/sessions/{sessions[1]['id']}", headers=headers)
        assert answer.status_code == 204
        assert (
            await world.http.get("/auth/jwt/validate", headers=build_headers(other))
        ).status_code == 401
        assert (await refresh_session(world, other)).status_code == 401
        assert (await world.http.get("/auth/jwt/validate", headers=headers)).status_code == 200
        second_answer = await world.http.delete(
            f"/auth/sessions/{sessions[1]['id']}", headers=headers
        )
        assert second_answer.status_code == 404

    async def test_ends_all_other_sessions(self, world: World) -> None:
        person = world.create_account("Superuser")
        others = [await sign_in(world, person.email, _FIREFOX) for _ in range(2)]
        current = await sign_in(world, person.email)
        headers = build_headers(current)
        assert (await world.http.delete("/auth/sessions", headers=headers)).status_code == 204
        assert len((await world.http.get("/auth/sessions", headers=headers)).json()) == 1
        for other in others:
            assert (await refresh_session(world, other)).status_code == 401

    async def test_other_peoples_sessions_look_nonexistent(self, world: World) -> None:
        person, other = world.create_account("Superuser"), world.create_account("Superuser")
        foreign = await sign_in(world, other.email)
        sessions = (await world.http.get("/auth/sessions", headers=build_headers(foreign))).json()
        current = await sign_in(world, person.email)
        for session_id in (sessions[0]["id"], "nothing"):
            answer = await world.http.delete(
                f"/auth/sessions/{session_id}", headers=build_headers(current)
            )
            assert answer.status_code == 404
        assert (await refresh_session(world, foreign)).status_code == 200


class TestLifetime:
    """A session in use all day."""

    @pytest.mark.parametrize(("minutes", "status"), [(12 * 60 - 1, 200), (12 * 60 + 1, 401)])
    async def test_session_ends_after_twelve_hours(
        self, world: World, monkeypatch: pytest.MonkeyPatch, minutes: int, status: int
    ) -> None:
        person = world.create_account("Superuser")
        body = await sign_in(world, person.email)
        later = get_utc_now() + timedelta(minutes=minutes)
        world.run_sql(
            "UPDATE user_sessions SET last_used_at = %s WHERE user_id = %s", (later, person.user_id)
        )
        monkeypatch.setattr("app.server.accounts.service.get_utc_now", lambda: later)
        assert (await refresh_session(world, body)).status_code == status


class TestIdle:
    """A page that was closed or asleep for longer than the idle time."""

    @pytest.mark.parametrize(("minutes", "status"), [(20, 200), (22, 401)])
    async def test_an_idle_session_does_not_continue(
        self, world: World, monkeypatch: pytest.MonkeyPatch, minutes: int, status: int
    ) -> None:
        person = world.create_account("Superuser")
        body = await sign_in(world, person.email)
        later = get_utc_now() + timedelta(minutes=minutes)
        monkeypatch.setattr("app.server.accounts.service.get_utc_now", lambda: later)
        assert (await refresh_session(world, body)).status_code == status

    async def test_idle_session_is_not_listed(self, world: World) -> None:
        person = world.create_account("Superuser")
        await sign_in(world, person.email, _FIREFOX)
        world.run_sql(
            "UPDATE user_sessions SET last_used_at = now() - interval '22 minutes'"
            " WHERE user_id = %s",
            (person.user_id,),
        )
        current = await sign_in(world, person.email)
        answer = await world.http.get("/auth/sessions", headers=build_headers(current))
        assert len(answer.json()) == 1


class TestChangesWhileLoading:
    """Access that changes while a request is being authenticated."""

    async def test_the_earlier_access_is_not_remembered(
        self, world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        portal = portal_app.state.portal
        authentication = Authentication(portal.database, portal.tokens)
        person = await world.create_person("Superuser")
        load = Authentication._load

        async def load_before_the_change(self: Authentication, claims: Claims) -> Actor | None:
            actor = await load(self, claims)
            monkeypatch.setattr(Authentication, "_load", load)
            world.run_sql("UPDATE users SET active = false WHERE id = %s", (person.user_id,))
            self._note_change(str(person.user_id))
            return actor

        monkeypatch.setattr(Authentication, "_load", load_before_the_change)
        await authentication.get_actor_of_token(person.token)
        with pytest.raises(Unauthenticated):
            await authentication.get_actor_of_token(person.token)


class TestAvatar:
    """The identicon of an account."""

    async def test_portal_serves_the_avatar(self, world: World) -> None:
        person = world.create_account("Superuser")
        body = await sign_in(world, person.email)
        answer = await world.http.get(body["user"]["imageUrl"])
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert (await world.http.get("/avatars/nobody.svg")).status_code == 404

    async def test_avatar_changes_with_the_email(self, world: World) -> None:
        async def load_picture(email: str) -> bytes:
            body = await sign_in(world, email)
            return (await world.http.get(body["user"]["imageUrl"])).content

        first, second = (world.create_account("Superuser").email for _ in range(2))
        picture = await load_picture(first)
        assert picture == await load_picture(first)
        assert picture != await load_picture(second)


class TestOtherProcesses:
    """Changes by one process of the portal reach the others."""

    @pytest.fixture
    async def other_process(
        self, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch
    ) -> AsyncIterator[Authentication]:
        """The authentication of another process, which caches people for a long time."""
        monkeypatch.setattr("app.server.accounts.authentication._CACHE_SECONDS", 600.0)
        portal = portal_app.state.portal
        authentication = Authentication(portal.database, portal.tokens)
        follow_task = asyncio.create_task(authentication.follow_changes())
        yield authentication
        follow_task.cancel()
        await asyncio.gather(follow_task, return_exceptions=True)

    async def wait_for_end(self, authentication: Authentication, token: str) -> None:
        """Wait until the process no longer knows the token."""
        async with asyncio.timeout(60):
            with pytest.raises(Unauthenticated):
                while True:
                    await authentication.get_actor_of_token(token)
                    await asyncio.sleep(0.02)

    async def test_a_sign_out_ends_the_session_everywhere(
        self, world: World, other_process: Authentication
    ) -> None:
        person = world.create_account("Superuser")
        session = await sign_in(world, person.email)
        await other_process.get_actor_of_token(session["token"])
        await world.http.post("/auth/logout", json={"refreshToken": session["refreshToken"]})
        await self.wait_for_end(other_process, session["token"])

    async def test_a_withdrawn_account_ends_everywhere(
        self, world: World, other_process: Authentication
    ) -> None:
        person = await world.create_person("Superuser")
        await other_process.get_actor_of_token(person.token)
        world.run_sql(
            "UPDATE users SET active = false WHERE id = %s RETURNING 1", (person.user_id,)
        )
        await self.wait_for_end(other_process, person.token)

    async def test_a_changed_client_counts_everywhere(
        self, world: World, other_process: Authentication
    ) -> None:
        first, second = world.create_client(), world.create_client()
        person = await world.create_person("Client Basic", client_ids=[first])
        assert (await other_process.get_actor_of_token(person.token)).ids == (first,)
        world.run_sql(
            "UPDATE users SET client_ids = ARRAY[%s::bigint] WHERE id = %s RETURNING 1",
            (second, person.user_id),
        )
        async with asyncio.timeout(60):
            while (await other_process.get_actor_of_token(person.token)).ids != (second,):
                await asyncio.sleep(0.02)

    async def test_the_lab_requires_a_second_factor_everywhere(
        self, world: World, other_process: Authentication
    ) -> None:
        person = await world.create_person("Superuser")
        assert not (await other_process.get_actor_of_token(person.token)).lacks_second_factor
        world.run_sql(
            "INSERT INTO lab_settings (name, value)"
            " VALUES ('sign-in', '{\"secondFactorRoles\": [\"Superuser\"]}')"
            " ON CONFLICT (name) DO UPDATE SET value = excluded.value RETURNING 1"
        )
        try:
            async with asyncio.timeout(60):
                while not (
                    await other_process.get_actor_of_token(person.token)
                ).lacks_second_factor:
                    await asyncio.sleep(0.02)
        finally:
            world.run_sql("DELETE FROM lab_settings WHERE name = 'sign-in' RETURNING 1")
