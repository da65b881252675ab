"""A person's own sets of tests: kept, judged for a client, and seen by nobody else."""

import asyncio
import uuid
from typing import Any

import pytest

from app.contract import messages
from app.contract.limits import FAVORITE_NAME_MAX, FAVORITE_TESTS_MAX, FAVORITES_MAX
from tests.server.catalog.test_lab_tests import private_test, put_on_list
from tests.server.world import Person, World

BASE = "/api/v2/favorite-panels"


def body(world: World, name: str | None, *codes: str) -> dict[str, Any]:
    """A favorite panel of these tests."""
    return {"name": name, "tests": [{"id": world.test_id(code)} for code in codes]}


async def add(world: World, person: Person, name: str, *codes: str) -> dict[str, Any]:
    """A kept favorite panel."""
    answer = await world.http.post(BASE, headers=person.headers, json=body(world, name, *codes))
    assert answer.status_code == 201, answer.text
    return answer.json()


async def kept(world: World, person: Person, **query: object) -> list[dict[str, Any]]:
    """What the person has."""
    answer = await world.http.get(BASE, params=query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def codes(tests: list[dict[str, Any]]) -> list[str]:
    """The codes of tests."""
    return [test["code"] for test in tests]


class TestKeeping:
    """POST, GET, PUT and DELETE."""

    async def test_it_comes_back_in_its_order_under_its_name(self, world: World, nurse) -> None:
        made = await add(world, nurse, " yearly  check ", "K", "CBC", "GLU", "K")
        assert (made["name"], made["version"]) == ("YEARLY CHECK", 1)
        await add(world, nurse, "B FIRST", "GLU")
        found = await kept(world, nurse)
        assert [f["name"] for f in found] == ["B FIRST", "YEARLY CHECK"]
        assert codes(found[1]["tests"]) == ["K", "CBC", "GLU"]
        assert found[1]["tests"][1]["type"] == "PANEL"

    async def test_a_new_name_leaves_the_tests(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K", "GLU")
        answer = await world.http.put(
            f"{BASE}/{made['id']}",
            headers={**nurse.headers, "If-Match": '"1"'},
            json={"name": "two"},
        )
        assert answer.status_code == 200 and answer.headers["ETag"] == '"2"'
        [found] = await kept(world, nurse)
        assert (found["name"], codes(found["tests"])) == ("TWO", ["K", "GLU"])

    async def test_its_tests_are_chosen_anew(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K", "GLU")
        await world.http.put(
            f"{BASE}/{made['id']}",
            headers=nurse.headers,
            json={"tests": body(world, "", "CBC")["tests"]},
        )
        [found] = await kept(world, nurse)
        assert (found["name"], codes(found["tests"])) == ("ONE", ["CBC"])

    async def test_somebodys_newer_version_is_not_overwritten(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K")
        path, stale = f"{BASE}/{made['id']}", {**nurse.headers, "If-Match": '"1"'}
        assert (await world.http.put(path, headers=stale, json={"name": "2"})).status_code == 200
        assert (await world.http.put(path, headers=stale, json={"name": "3"})).status_code == 412
        assert (await world.http.delete(path, headers=stale)).status_code == 412
        assert [f["name"] for f in await kept(world, nurse)] == ["2"]

    async def test_one_sent_twice_is_kept_once(self, world: World, nurse) -> None:
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        sent = body(world, "ONE", "K")
        answers = [await world.http.post(BASE, headers=headers, json=sent) for _ in range(2)]
        assert answers[0].json() == answers[1].json()
        assert len(await kept(world, nurse)) == 1

    async def test_a_removed_one_is_gone(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K")
        path = f"{BASE}/{made['id']}"
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 204
        assert await kept(world, nurse) == []
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 404

    async def test_the_journal_knows_it(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K")
        path = f"{BASE}/{made['id']}"
        await world.http.put(path, headers=nurse.headers, json={"name": "TWO"})
        await world.http.delete(path, headers=nurse.headers)
        done = world.rows(
            "SELECT action FROM audit_events WHERE kind = 'favorite_panel' AND user_id = %s"
            " AND record_ids = ARRAY[%s::bigint] ORDER BY id",
            (nurse.user_id, made["id"]),
        )
        assert [action for (action,) in done] == ["create", "change", "delete"]


class TestWhatIsRefused:
    """Bad input, with words about it."""

    @pytest.mark.parametrize(
        ("name", "tests", "field", "message"),
        [
            (" ", ("K",), "name", "Name is required"),
            (None, ("K",), "name", "Name is required"),
            ("X" * (FAVORITE_NAME_MAX + 1), ("K",), "name", "At most 60 characters are allowed"),
            ("ONE", (), "tests", messages.REQUISITION_TEST_REQUIRED),
        ],
    )
    async def test_a_name_and_a_test_are_needed(
        self, world: World, nurse, name, tests, field: str, message: str
    ) -> None:
        answer = await world.http.post(BASE, headers=nurse.headers, json=body(world, name, *tests))
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": field, "message": message}]

    async def test_an_unknown_test_is_named_by_its_place(self, world: World, nurse) -> None:
        others = world.test_id(private_test(world, world.client()))
        for wrong in (others, 999_999_999):
            sent = {"name": "ONE", "tests": [{"id": world.test_id("K")}, {"id": wrong}]}
            answer = await world.http.post(BASE, headers=nurse.headers, json=sent)
            assert answer.status_code == 400
            assert answer.json()["errors"] == [
                {"field": "tests.1.id", "message": messages.TEST_UNKNOWN}
            ]

    async def test_more_tests_than_a_panel_holds_are_too_many(self, world: World, nurse) -> None:
        tests = [{"id": number} for number in range(1, FAVORITE_TESTS_MAX + 2)]
        answer = await world.http.post(
            BASE, headers=nurse.headers, json={"name": "ONE", "tests": tests}
        )
        assert answer.status_code == 400
        assert answer.json()["errors"][0]["field"] == "tests"

    async def test_a_name_is_used_once_by_a_person(self, world: World, nurse) -> None:
        await add(world, nurse, "ONE", "K")
        two = await add(world, nurse, "TWO", "K")
        again = await world.http.post(BASE, headers=nurse.headers, json=body(world, "one", "GLU"))
        renamed = await world.http.put(
            f"{BASE}/{two['id']}", headers=nurse.headers, json={"name": "One"}
        )
        for answer in (again, renamed):
            assert answer.status_code == 409
            assert answer.json()["errors"] == [
                {"field": "name", "message": messages.FAVORITE_NAME_IN_USE}
            ]
        stranger = await world.person("Client Basic", client_ids=[nurse.client])
        await add(world, stranger, "ONE", "K")

    async def test_at_most_fifty_even_when_sent_at_once(self, world: World, nurse) -> None:
        world.sql(
            "INSERT INTO favorite_panels (user_id, name) SELECT %s, 'N' || n"
            " FROM generate_series(1, %s) n",
            (nurse.user_id, FAVORITES_MAX - 1),
        )
        answers = await asyncio.gather(
            *(
                world.http.post(BASE, headers=nurse.headers, json=body(world, f"Z{n}", "K"))
                for n in range(3)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [201, 400, 400]
        refused = next(answer for answer in answers if answer.status_code == 400)
        assert refused.json()["detail"] == messages.FAVORITES_TOO_MANY.format(max=FAVORITES_MAX)


class TestJudgedForAClient:
    """What of a favorite can be ordered now."""

    async def test_withdrawn_tests_are_set_apart_and_come_back(self, world: World, nurse) -> None:
        code = private_test(world, nurse.client)
        made = await add(world, nurse, "ONE", code, "GLU")
        world.sql("UPDATE lab_tests SET orderable = false WHERE code = %s", (code,))
        [found] = await kept(world, nurse, clientId=nurse.client)
        assert (codes(found["tests"]), codes(found["unavailable"])) == (["GLU"], [code])
        # Choosing anew may keep it: a test comes back.
        again = await world.http.put(
            f"{BASE}/{made['id']}",
            headers=nurse.headers,
            json=body(world, "ONE", code, "K"),
        )
        assert again.status_code == 200
        world.sql("UPDATE lab_tests SET orderable = true WHERE code = %s", (code,))
        [found] = await kept(world, nurse, clientId=nurse.client)
        assert codes(found["tests"]) == [code, "K"]

    async def test_the_clients_list_counts_but_not_for_the_lab(self, world: World, nurse) -> None:
        put_on_list(world, nurse.client, "GLU")
        lab = await world.person("Laboratory")
        for person, expected in ((nurse, ["GLU"]), (lab, ["K", "GLU"])):
            await add(world, person, "ONE", "K", "GLU")
            [found] = await kept(world, person, clientId=nurse.client)
            assert codes(found["tests"]) == expected
            [anywhere] = await kept(world, person)
            assert codes(anywhere["tests"]) == ["K", "GLU"]

    async def test_a_private_test_is_for_its_client(self, world: World) -> None:
        first, second = world.client(), world.client()
        person = await world.person("Client Admin", client_ids=[first, second])
        code = private_test(world, first)
        await add(world, person, "ONE", code, "K")
        [here] = await kept(world, person, clientId=first)
        [there] = await kept(world, person, clientId=second)
        assert codes(here["tests"]) == [code, "K"]
        assert (codes(there["tests"]), codes(there["unavailable"])) == (["K"], [code])
        world.sql(
            "UPDATE users SET client_ids = ARRAY[%s::bigint] WHERE id = %s",
            (second, person.user_id),
        )
        [gone] = await kept(world, await world.sign_in(person), clientId=second)
        assert (codes(gone["tests"]), gone["unavailable"]) == (["K"], [])


class TestWhoSeesThem:
    """Their owner alone."""

    async def test_colleagues_neither_see_nor_change_them(self, world: World, nurse) -> None:
        made = await add(world, nurse, "ONE", "K")
        path = f"{BASE}/{made['id']}"
        for role, ids in (
            ("Client Basic", {"client_ids": [nurse.client]}),
            ("Superuser", {}),
        ):
            person = await world.person(role, **ids)
            assert await kept(world, person) == []
            renamed = await world.http.put(path, headers=person.headers, json={"name": "X"})
            nowhere = await world.http.put(
                f"{BASE}/999999999", headers=person.headers, json={"name": "X"}
            )
            removed = await world.http.delete(path, headers=person.headers)
            assert renamed.status_code == nowhere.status_code == removed.status_code == 404
            assert renamed.content == nowhere.content
        assert [f["name"] for f in await kept(world, nurse)] == ["ONE"]
