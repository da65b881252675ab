"""POST /auth/user/change-password."""

from typing import Any

import httpx
import pytest

from app.contract import messages
from app.server.accounts.passwords import Passwords
from tests.server.accounts.builders import PASSWORD, Person
from tests.server.world import World

NEW = "Another-Horse-2!"


async def sign_in(world: World, person: Person, password: str = PASSWORD) -> httpx.Response:
    """Sign in with a password."""
    return await world.http.post(
        "/auth/login", json={"loginId": person.email, "password": password}
    )


async def change_password(
    world: World, person: Person, headers: dict[str, str], **values: Any
) -> httpx.Response:
    """Change the person's password to the new one."""
    body = {"loginId": person.email, "currentPassword": PASSWORD, "password": NEW, **values}
    return await world.http.post("/auth/user/change-password", headers=headers, json=body)


def change_after_verifying(
    world: World, person: Person, monkeypatch: pytest.MonkeyPatch
) -> dict[str, int]:
    """Make the next request race with a password change by the account's owner.

    The change comes right after the request has verified the old password.
    Returns a dictionary that gets the ``status`` of the owner's change.
    """
    matches, result = Passwords.matches, {}

    async def match(self: Passwords, password_hash: str | None, password: str) -> bool:
        is_right = await matches(self, password_hash, password)
        monkeypatch.setattr(Passwords, "matches", matches)
        result["status"] = (await change_password(world, person, person.headers)).status_code
        return is_right

    monkeypatch.setattr(Passwords, "matches", match)
    return result


class TestChanging:
    """A signed-in user with the right password."""

    async def test_the_new_password_replaces_the_old_one(self, world: World) -> None:
        person = await world.create_person("Patient", patient_ids=[])
        assert (await change_password(world, person, person.headers)).status_code == 204
        assert (await sign_in(world, person)).status_code == 404
        assert (await sign_in(world, person, NEW)).status_code == 200

    async def test_compares_long_passwords_to_their_last_character(self, world: World) -> None:
        person = await world.create_person("Patient", patient_ids=[])
        long_password = "Another-Horse-2!" * 6
        assert (
            await change_password(world, person, person.headers, password=long_password)
        ).status_code == 204
        for other in (
            long_password[:-1],
            long_password + "!",
            long_password.swapcase(),
            f" {long_password}",
        ):
            # Remove the delay after failures, which other tests cover.
            world.run_sql("DELETE FROM sign_in_attempts")
            assert (await sign_in(world, person, other)).status_code == 404
        assert (await sign_in(world, person, long_password)).status_code == 200

    async def test_ends_the_other_sessions_and_not_this_one(self, world: World) -> None:
        person = world.create_account("Superuser")
        mine, other = [(await sign_in(world, person)).json() for _ in range(2)]
        headers = {"Authorization": f"JWT {mine['token']}"}
        assert (await change_password(world, person, headers)).status_code == 204
        for session, status in ((mine, 200), (other, 401)):
            answer = await world.http.get(
                "/auth/jwt/validate", headers={"Authorization": f"JWT {session['token']}"}
            )
            assert answer.status_code == status
            answer = await world.http.post(
                "/auth/jwt/refresh", json={"refreshToken": session["refreshToken"]}
            )
            assert answer.status_code == status

    async def test_no_session_begins_with_the_old_password_while_it_is_changed(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        person = await world.create_person("Superuser")
        change = change_after_verifying(world, person, monkeypatch)
        assert (await sign_in(world, person)).status_code == 404
        assert change == {"status": 204}
        last = "SELECT action FROM audit_events WHERE user_id = %s ORDER BY id DESC LIMIT 1"
        assert world.run_sql(last, (person.user_id,)) == "fail-sign-in"
        assert (await sign_in(world, person, NEW)).status_code == 200

    async def test_another_session_cannot_change_the_password_at_the_same_time(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        person = await world.create_person("Superuser")
        stranger_headers = {
            "Authorization": f"JWT {(await sign_in(world, person)).json()['token']}"
        }
        change = change_after_verifying(world, person, monkeypatch)
        answer = await change_password(world, person, stranger_headers, password="Strange-Horse-3!")
        assert answer.status_code == 401
        assert change == {"status": 204}
        assert (await sign_in(world, person, NEW)).status_code == 200

    async def test_only_one_of_two_simultaneous_changes_succeeds(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        person = await world.create_person("Superuser")
        change = change_after_verifying(world, person, monkeypatch)
        answer = await change_password(world, person, person.headers, password="Strange-Horse-3!")
        assert answer.status_code == 400
        assert change == {"status": 204}
        assert (await sign_in(world, person, NEW)).status_code == 200

    async def test_forgets_known_devices(self, world: World) -> None:
        person = await world.create_person("Superuser")
        world.run_sql(
            "INSERT INTO known_devices (token_hash, user_id, expires_at)"
            " VALUES (sha256(%s), %s, now() + interval '1 day')",
            (person.email.encode(), person.user_id),
        )
        await change_password(world, person, person.headers)
        count = "SELECT count(*) FROM known_devices WHERE user_id = %s"
        assert world.run_sql(count, (person.user_id,)) == 0

    async def test_is_audited_without_a_password(self, world: World) -> None:
        person = await world.create_person("Superuser")
        await change_password(world, person, person.headers, currentPassword="nope")
        await change_password(world, person, person.headers)
        rows = world.fetch_rows(
            "SELECT action, detail FROM audit_events WHERE user_id = %s ORDER BY id",
            (person.user_id,),
        )
        assert rows == [("fail-password-change", None), ("change-password", None)]


class TestRejections:
    """Requests that change nothing."""

    @pytest.mark.parametrize("password", ["Shrt-1!", "no-digit-here!", "NoSymbol123", "Ümlaut-1!x"])
    async def test_rejects_passwords_that_break_the_rule(
        self, world: World, parse_problem, password: str
    ) -> None:
        person = await world.create_person("Superuser")
        answer = await change_password(world, person, person.headers, password=password)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "password", "message": messages.NEW_PASSWORD_INVALID}
        ]

    @pytest.mark.parametrize("password", ["Summer-2026!", "P@ssw0rd-1"])
    async def test_rejects_common_passwords(
        self, world: World, parse_problem, password: str
    ) -> None:
        person = await world.create_person("Superuser")
        answer = await change_password(world, person, person.headers, password=password)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": "password", "message": messages.NEW_PASSWORD_COMMON}
        ]
        assert (await sign_in(world, person)).status_code == 200

    async def test_rejects_passwords_that_contain_names_of_the_user(
        self, world: World, parse_problem
    ) -> None:
        person = world.create_account("Superuser")
        email_name = f"morgan.{person.email.partition('@')[0]}"
        person.email = f"{email_name}@test.lab"
        world.run_sql(
            "UPDATE users SET email = %s, first_name = 'ODETTE', last_name = 'O''HARA'"
            " WHERE id = %s",
            (person.email, person.user_id),
        )
        person = await world.sign_in(person)
        passwords = ("Morgan+Horse+1", "Odette-Horse-1", "Horse-0hara-1!", "Riverbend-Horse-1!")
        with world.change_setting("report", {"name": "Riverbend Laboratories"}):
            for password in passwords:
                answer = await change_password(world, person, person.headers, password=password)
                assert answer.status_code == 400
                assert parse_problem(answer)["errors"] == [
                    {"field": "password", "message": messages.NEW_PASSWORD_PERSONAL}
                ]
        assert (await sign_in(world, person)).status_code == 200

    async def test_rejects_a_wrong_current_password(self, world: World, parse_problem) -> None:
        person = await world.create_person("Superuser")
        answer = await change_password(world, person, person.headers, currentPassword="nope")
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"] == messages.INVALID_PASSWORD
        assert (await sign_in(world, person)).status_code == 200

    async def test_hides_other_users(self, world: World) -> None:
        person, other = await world.create_person("Superuser"), world.create_account("Superuser")
        answer = await change_password(world, person, person.headers, loginId=other.email)
        assert answer.status_code == 404

    async def test_a_stolen_session_cannot_guess_the_password(self, world: World) -> None:
        person = await world.create_person("Superuser")
        statuses = [
            (await change_password(world, person, person.headers, currentPassword="no")).status_code
            for _ in range(6)
        ]
        assert statuses == [400] * 5 + [429]
