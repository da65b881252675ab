"""Favorite panels: storing, orderable tests by client, and visibility."""

import asyncio
import uuid
from typing import Any

import pytest

from app.contract import messages
from app.contract.limits import FAVORITE_NAME_MAX, FAVORITE_TESTS_MAX, FAVORITES_MAX
from tests.server.accounts.builders import Person
from tests.server.world import World

BASE = "/api/v2/favorite-panels"


def build_body(world: World, name: str | None, *codes: str) -> dict[str, Any]:
    """Return the body of a favorite panel with these tests."""
    return {"name": name, "tests": [{"id": world.get_test_id(code)} for code in codes]}


async def create_favorite(world: World, person: Person, name: str, *codes: str) -> dict[str, Any]:
    """Create and return a favorite panel."""
    answer = await world.http.post(
        BASE, headers=person.headers, json=build_body(world, name, *codes)
    )
    assert answer.status_code == 201, answer.text
    return answer.json()


async def list_favorites(world: World, person: Person, **query: object) -> list[dict[str, Any]]:
    """Return the person's favorite panels."""
    answer = await world.http.get(BASE, params=query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def list_codes(tests: list[dict[str, Any]]) -> list[str]:
    """Return the codes of tests."""
    return [test["code"] for test in tests]


class TestStoring:
    """POST, GET, PUT, and DELETE."""

    async def test_returns_name_and_tests_in_order(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, " yearly  check ", "K", "CBC", "GLU", "K")
        assert (favorite["name"], favorite["version"]) == ("YEARLY CHECK", 1)
        await create_favorite(world, nurse, "B FIRST", "GLU")
        favorites = await list_favorites(world, nurse)
        assert [f["name"] for f in favorites] == ["B FIRST", "YEARLY CHECK"]
        assert list_codes(favorites[1]["tests"]) == ["K", "CBC", "GLU"]
        assert favorites[1]["tests"][1]["type"] == "PANEL"

    async def test_renaming_does_not_change_the_tests(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K", "GLU")
        answer = await world.http.put(
            f"{BASE}/{favorite['id']}",
            headers={**nurse.headers, "If-Match": '"1"'},
            json={"name": "two"},
        )
        assert answer.status_code == 200 and answer.headers["ETag"] == '"2"'
        [favorite] = await list_favorites(world, nurse)
        assert (favorite["name"], list_codes(favorite["tests"])) == ("TWO", ["K", "GLU"])

    async def test_replaces_the_tests(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K", "GLU")
        await world.http.put(
            f"{BASE}/{favorite['id']}",
            headers=nurse.headers,
            json={"tests": build_body(world, "", "CBC")["tests"]},
        )
        [favorite] = await list_favorites(world, nurse)
        assert (favorite["name"], list_codes(favorite["tests"])) == ("ONE", ["CBC"])

    async def test_rejects_stale_versions(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K")
        path = f"{BASE}/{favorite['id']}"
        headers = {**nurse.headers, "If-Match": '"1"'}
        assert (await world.http.put(path, headers=headers, json={"name": "2"})).status_code == 200
        assert (await world.http.put(path, headers=headers, json={"name": "3"})).status_code == 412
        assert (await world.http.delete(path, headers=headers)).status_code == 412
        assert [f["name"] for f in await list_favorites(world, nurse)] == ["2"]

    async def test_the_same_idempotency_key_creates_once(self, world: World, nurse) -> None:
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        body = build_body(world, "ONE", "K")
        answers = [await world.http.post(BASE, headers=headers, json=body) for _ in range(2)]
        assert answers[0].json() == answers[1].json()
        assert len(await list_favorites(world, nurse)) == 1

    async def test_deletes_a_favorite(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K")
        path = f"{BASE}/{favorite['id']}"
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 204
        assert await list_favorites(world, nurse) == []
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 404

    async def test_audits_changes(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K")
        path = f"{BASE}/{favorite['id']}"
        await world.http.put(path, headers=nurse.headers, json={"name": "TWO"})
        await world.http.delete(path, headers=nurse.headers)
        events = world.fetch_rows(
            "SELECT action FROM audit_events WHERE kind = 'favorite_panel' AND user_id = %s"
            " AND record_ids = ARRAY[%s::bigint] ORDER BY id",
            (nurse.user_id, favorite["id"]),
        )
        assert [action for (action,) in events] == ["create", "change", "delete"]


class TestValidation:
    """Invalid favorite panels, and their messages."""

    @pytest.mark.parametrize(
        ("name", "tests", "field", "message"),
        [
            (" ", ("K",), "name", "Name is required"),
            (None, ("K",), "name", "Name is required"),
            ("X" * (FAVORITE_NAME_MAX + 1), ("K",), "name", "At most 60 characters are allowed"),
            ("ONE", (), "tests", messages.REQUISITION_TEST_REQUIRED),
        ],
    )
    async def test_requires_a_name_and_a_test(
        self, world: World, nurse, name, tests, field: str, message: str
    ) -> None:
        answer = await world.http.post(
            BASE, headers=nurse.headers, json=build_body(world, name, *tests)
        )
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": field, "message": message}]

    async def test_names_unknown_tests_by_index(self, world: World, nurse) -> None:
        private_id = world.get_test_id(world.add_private_test(world.create_client()))
        for unknown_id in (private_id, 999_999_999):
            body = {"name": "ONE", "tests": [{"id": world.get_test_id("K")}, {"id": unknown_id}]}
            answer = await world.http.post(BASE, headers=nurse.headers, json=body)
            assert answer.status_code == 400
            assert answer.json()["errors"] == [
                {"field": "tests.1.id", "message": messages.TEST_UNKNOWN}
            ]

    async def test_rejects_too_many_tests(self, world: World, nurse) -> None:
        tests = [{"id": number} for number in range(1, FAVORITE_TESTS_MAX + 2)]
        answer = await world.http.post(
            BASE, headers=nurse.headers, json={"name": "ONE", "tests": tests}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "tests"

    async def test_names_are_unique_for_each_user(self, world: World, nurse) -> None:
        await create_favorite(world, nurse, "ONE", "K")
        two = await create_favorite(world, nurse, "TWO", "K")
        duplicate_answer = await world.http.post(
            BASE, headers=nurse.headers, json=build_body(world, "one", "GLU")
        )
        rename_answer = await world.http.put(
            f"{BASE}/{two['id']}", headers=nurse.headers, json={"name": "One"}
        )
        for answer in (duplicate_answer, rename_answer):
            assert answer.status_code == 409
            assert answer.json()["errors"] == [
                {"field": "name", "message": messages.FAVORITE_NAME_IN_USE}
            ]
        colleague = await world.create_person("Client Basic", client_ids=[nurse.client])
        await create_favorite(world, colleague, "ONE", "K")

    async def test_limits_the_count_under_concurrent_requests(self, world: World, nurse) -> None:
        world.run_sql(
            "INSERT INTO favorite_panels (user_id, name) SELECT %s, 'N' || n"
            " FROM generate_series(1, %s) n",
            (nurse.user_id, FAVORITES_MAX - 1),
        )
        answers = await asyncio.gather(
            *(
                world.http.post(BASE, headers=nurse.headers, json=build_body(world, f"Z{n}", "K"))
                for n in range(3)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [201, 400, 400]
        rejected_answer = next(answer for answer in answers if answer.status_code == 400)
        assert rejected_answer.json()["detail"] == messages.FAVORITES_TOO_MANY.format(
            max=FAVORITES_MAX
        )


class TestOrderability:
    """Tests that a client can order now."""

    async def test_withdrawn_tests_are_unavailable_until_they_return(
        self, world: World, nurse
    ) -> None:
        code = world.add_private_test(nurse.client)
        favorite = await create_favorite(world, nurse, "ONE", code, "GLU")
        world.run_sql("UPDATE lab_tests SET orderable = false WHERE code = %s", (code,))
        [favorite] = await list_favorites(world, nurse, clientId=nurse.client)
        assert (list_codes(favorite["tests"]), list_codes(favorite["unavailable"])) == (
            ["GLU"],
            [code],
        )
        # A withdrawn test can stay on the panel, since it may return.
        update_answer = await world.http.put(
            f"{BASE}/{favorite['id']}",
            headers=nurse.headers,
            json=build_body(world, "ONE", code, "K"),
        )
        assert update_answer.status_code == 200
        world.run_sql("UPDATE lab_tests SET orderable = true WHERE code = %s", (code,))
        [favorite] = await list_favorites(world, nurse, clientId=nurse.client)
        assert list_codes(favorite["tests"]) == [code, "K"]

    async def test_the_test_list_of_a_client_does_not_limit_the_lab(
        self, world: World, nurse
    ) -> None:
        world.put_on_client_list(nurse.client, "GLU")
        lab = await world.create_person("Laboratory")
        for person, expected in ((nurse, ["GLU"]), (lab, ["K", "GLU"])):
            await create_favorite(world, person, "ONE", "K", "GLU")
            [favorite] = await list_favorites(world, person, clientId=nurse.client)
            assert list_codes(favorite["tests"]) == expected
            [unfiltered_favorite] = await list_favorites(world, person)
            assert list_codes(unfiltered_favorite["tests"]) == ["K", "GLU"]

    async def test_private_tests_are_available_to_their_client_only(self, world: World) -> None:
        first, second = world.create_client(), world.create_client()
        person = await world.create_person("Client Admin", client_ids=[first, second])
        code = world.add_private_test(first)
        await create_favorite(world, person, "ONE", code, "K")
        [first_favorite] = await list_favorites(world, person, clientId=first)
        [second_favorite] = await list_favorites(world, person, clientId=second)
        assert list_codes(first_favorite["tests"]) == [code, "K"]
        assert (
            list_codes(second_favorite["tests"]),
            list_codes(second_favorite["unavailable"]),
        ) == (
            ["K"],
            [code],
        )
        world.run_sql(
            "UPDATE users SET client_ids = ARRAY[%s::bigint] WHERE id = %s",
            (second, person.user_id),
        )
        [hidden_favorite] = await list_favorites(
            world, await world.sign_in(person), clientId=second
        )
        assert (list_codes(hidden_favorite["tests"]), hidden_favorite["unavailable"]) == (["K"], [])


class TestVisibility:
    """Only the owner sees favorite panels."""

    async def test_colleagues_cannot_see_or_change_favorites(self, world: World, nurse) -> None:
        favorite = await create_favorite(world, nurse, "ONE", "K")
        path = f"{BASE}/{favorite['id']}"
        for role, ids in (
            ("Client Basic", {"client_ids": [nurse.client]}),
            ("Superuser", {}),
        ):
            person = await world.create_person(role, **ids)
            assert await list_favorites(world, person) == []
            rename_answer = await world.http.put(path, headers=person.headers, json={"name": "X"})
            nonexistent_answer = await world.http.put(
                f"{BASE}/999999999", headers=person.headers, json={"name": "X"}
            )
            delete_answer = await world.http.delete(path, headers=person.headers)
            assert (
                rename_answer.status_code
                == nonexistent_answer.status_code
                == delete_answer.status_code
                == 404
            )
            assert rename_answer.content == nonexistent_answer.content
        assert [f["name"] for f in await list_favorites(world, nurse)] == ["ONE"]
