"""Saved searches with a name, conditions, columns, and sort, seen only by their owner."""

import asyncio
from typing import Any

import httpx
import pytest

from app.contract import messages
from app.contract.limits import SAVED_SEARCHES_MAX
from tests.server.accounts.builders import Person
from tests.server.order_search.records import build_condition, join_conditions
from tests.server.world import World

PATH = "/api/v2/orders/saved-searches"
QUERY = join_conditions(
    build_condition("status", "in", ["FINAL"]), build_condition("collectionDate", "inLastDays", 7)
)


async def save_search(world: World, person: Person, **body: Any) -> httpx.Response:
    """Save a search."""
    content = {"name": "Final this week", "query": QUERY, **body}
    return await world.http.post(PATH, headers=person.headers, json=content)


async def list_names(world: World, person: Person) -> list[str]:
    """Return the names of somebody's searches."""
    answer = await world.http.get(PATH, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return [search["name"] for search in answer.json()]


class TestSaving:
    """Saving under a new name."""

    async def test_stores_conditions_columns_and_sort(self, world: World, nurse: Person) -> None:
        answer = await save_search(
            world, nurse, columns=["lastName", "code"], sort="-collectionDate"
        )
        assert answer.status_code == 201, answer.text
        (stored_search,) = (await world.http.get(PATH, headers=nurse.headers)).json()
        assert stored_search == answer.json()
        assert stored_search["query"] == QUERY
        assert stored_search["columns"] == ["lastName", "code"]
        assert stored_search["sort"] == "-collectionDate"

    async def test_a_name_is_unique_for_its_owner(self, world: World, nurse: Person) -> None:
        assert (await save_search(world, nurse)).status_code == 201
        second_answer = await save_search(world, nurse)
        assert second_answer.status_code == 409
        assert second_answer.json()["errors"] == [
            {"field": "name", "message": messages.SAVED_SEARCH_NAME_IN_USE}
        ]
        other = await world.create_person("Client Basic", client_ids=[nurse.client])
        assert (await save_search(world, other)).status_code == 201

    async def test_a_name_is_unique_without_case(self, world: World, nurse: Person) -> None:
        first_answer = await save_search(world, nurse, name="Émigrés")
        second_answer = await save_search(world, nurse, name="ÉMIGRÉS")
        assert (first_answer.status_code, second_answer.status_code) == (201, 409)
        other_id = (await save_search(world, nurse, name="Other")).json()["id"]
        answer = await world.http.put(
            f"{PATH}/{other_id}", headers=nurse.headers, json={"name": "émigrés"}
        )
        assert answer.status_code == 409
        # Its own name may change its case.
        answer = await world.http.put(
            f"{PATH}/{other_id}", headers=nurse.headers, json={"name": "OTHER"}
        )
        assert answer.status_code == 200, answer.text
        await save_search(world, nurse, name="final")
        assert await list_names(world, nurse) == ["final", "OTHER", "Émigrés"]

    async def test_two_windows_cannot_save_one_name_twice(
        self, world: World, nurse: Person
    ) -> None:
        answers = await asyncio.gather(*[save_search(world, nurse) for _ in range(4)])
        assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"name": " \u200b"}, "name"),
            ({"name": "A" * 61}, "name"),
            ({"query": join_conditions(build_condition("salary", "=", 1))}, "query.rules.0.field"),
            ({"columns": ["salary"]}, "columns.0"),
            ({"sort": "salary"}, "sort"),
        ],
    )
    async def test_rejects_searches_that_cannot_run(
        self, world: World, nurse: Person, body: dict[str, Any], field: str
    ) -> None:
        answer = await save_search(world, nurse, **body)
        assert answer.status_code == 400
        assert [error["field"] for error in answer.json()["errors"]] == [field]
        assert await list_names(world, nurse) == []

    async def test_rejects_searches_that_are_too_large(self, world: World, nurse: Person) -> None:
        values = [build_condition("lastName", "=", "Ä" * 200) for _ in range(40)]
        answer = await save_search(world, nurse, query=join_conditions(*values))
        assert answer.json()["detail"] == messages.SAVED_SEARCH_TOO_LARGE

    async def test_limits_the_number_of_saved_searches(self, world: World, nurse: Person) -> None:
        for n in range(SAVED_SEARCHES_MAX):
            assert (await save_search(world, nurse, name=f"Search {n}")).status_code == 201
        answer = await save_search(world, nurse, name="One more")
        assert answer.status_code == 400
        message = messages.SAVED_SEARCHES_TOO_MANY.format(max=SAVED_SEARCHES_MAX)
        assert answer.json()["detail"] == message


class TestChanging:
    """Renaming, replacing, and deleting."""

    async def test_renames_and_replaces_a_saved_search(self, world: World, nurse: Person) -> None:
        stored_search = (await save_search(world, nurse)).json()
        path = f"{PATH}/{stored_search['id']}"
        rename_answer = await world.http.put(path, headers=nurse.headers, json={"name": "Done"})
        assert rename_answer.status_code == 200, rename_answer.text
        assert rename_answer.json() == {**stored_search, "name": "Done", "version": 2}
        query = join_conditions(build_condition("code", "beginsWith", "L"))
        replace_answer = await world.http.put(path, headers=nurse.headers, json={"query": query})
        assert replace_answer.json() == {**rename_answer.json(), "query": query, "version": 3}

    async def test_a_stale_version_changes_nothing(self, world: World, nurse: Person) -> None:
        stored_search = (await save_search(world, nurse)).json()
        headers = {**nurse.headers, "If-Match": '"7"'}
        path = f"{PATH}/{stored_search['id']}"
        answer = await world.http.put(path, headers=headers, json={"name": "Late"})
        assert answer.status_code == 412
        assert (await world.http.delete(path, headers=headers)).status_code == 412
        assert await list_names(world, nurse) == [stored_search["name"]]

    async def test_deletes_a_saved_search(self, world: World, nurse: Person) -> None:
        path = f"{PATH}/{(await save_search(world, nurse)).json()['id']}"
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 204
        assert await list_names(world, nurse) == []
        assert (await world.http.delete(path, headers=nurse.headers)).status_code == 404

    async def test_nobody_else_sees_or_changes_a_search(self, world: World, nurse: Person) -> None:
        path = f"{PATH}/{(await save_search(world, nurse)).json()['id']}"
        nonexistent_path = f"{PATH}/999999999"
        for role in ("Superuser", "Laboratory", "Client Admin"):
            other = await world.create_person(role, client_ids=[nurse.client])
            assert await list_names(world, other) == []
            for method, body in (("PUT", {"name": "Mine"}), ("DELETE", None)):
                foreign_answer, nonexistent_answer = [
                    await world.http.request(method, url, headers=other.headers, json=body)
                    for url in (path, nonexistent_path)
                ]
                assert foreign_answer.status_code == 404
                assert foreign_answer.content == nonexistent_answer.content
        assert await list_names(world, nurse) == ["Final this week"]

    async def test_opens_a_search_whose_column_is_gone(self, world: World, nurse: Person) -> None:
        world.run_sql(
            "INSERT INTO saved_searches (user_id, name, query, columns, sort) VALUES (%s, 'Old',"
            """ '{"rules": [{"field": "gone", "operator": "="}]}', '["gone"]', '-id')""",
            (nurse.user_id,),
        )
        (stored_search,) = (await world.http.get(PATH, headers=nurse.headers)).json()
        assert stored_search["query"]["rules"][0]["field"] == "gone"
