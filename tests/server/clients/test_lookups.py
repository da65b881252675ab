"""Lists of clients, units, and rooms; filters never widen the actor's scope."""

import json
from typing import Any

from app.contract.enumerations import Role
from app.server.clients.lists import clients
from app.server.lists.parsing import format_cursor, parse_query
from tests.server.accounts.builders import Person
from tests.server.world import World

CLIENTS = "/api/v2/clients"
NONEXISTENT_ID = 9_007_199_254_740_000


async def fetch_json(world: World, person: Person, path: str, **query: Any) -> Any:
    """Return the JSON of a successful GET."""
    answer = await world.http.get(f"{CLIENTS}/{path}", headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def list_ids(page: Any) -> set[int]:
    """Return the ids of a page's rows."""
    return {row["id"] for row in page["data"]}


class TestNarrowing:
    """The parameters clientIds, physicianIds, and patientIds."""

    async def test_each_parameter_narrows_the_list(self, world: World) -> None:
        client, second_client, foreign_client = (
            world.create_client(),
            world.create_client(),
            world.create_client(),
        )
        physician_id, foreign_physician_id = (
            world.create_physician(client),
            world.create_physician(foreign_client),
        )
        patient, foreign_patient = (
            world.create_patient(second_client),
            world.create_patient(foreign_client),
        )
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[client, second_client])
        for path in ("remote-operations", "advanced-search-clients"):
            for query, expected in (
                ({}, {client, second_client}),
                ({"clientIds": [second_client, foreign_client]}, {second_client}),
                ({"physicianIds": physician_id}, {client}),
                ({"physicianIds": foreign_physician_id}, set()),
                ({"patientIds": patient}, {second_client}),
                ({"patientIds": foreign_patient}, set()),
                ({"patientIds": NONEXISTENT_ID}, set()),
                ({"clientIds": client, "patientIds": patient}, set()),
            ):
                assert list_ids(await fetch_json(world, nurse, path, **query)) == expected, (
                    path,
                    query,
                )

    async def test_narrows_within_the_scope_of_every_role(self, world: World) -> None:
        client, foreign_client = world.create_client(), world.create_client()
        physician_id = world.create_physician(client)
        patient = world.create_patient(client, physician=physician_id)
        for person in (
            await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id]),
            await world.create_person(Role.PATIENT, patient_ids=[patient]),
        ):
            for path in ("remote-operations", "advanced-search-clients"):
                assert list_ids(await fetch_json(world, person, path)) == {client}
                assert list_ids(
                    await fetch_json(world, person, path, clientIds=[client, foreign_client])
                ) == {client}
                assert (
                    list_ids(await fetch_json(world, person, path, clientIds=foreign_client))
                    == set()
                )
        lab = await world.create_person(Role.LABORATORY)
        assert list_ids(await fetch_json(world, lab, "remote-operations", patientIds=patient)) == {
            client
        }

    async def test_rejects_invalid_parameters_but_accepts_any_search_text(
        self, world: World
    ) -> None:
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[world.create_client()])
        for query in ("clientIds=x", "patientIds=1,", "physicianIds=%00", "color=red", "after=x"):
            for path in ("remote-operations", "advanced-search-clients"):
                answer = await world.http.get(f"{CLIENTS}/{path}?{query}", headers=nurse.headers)
                assert answer.status_code == 400, (path, query)
        for text in ("x" * 10_000, "\x00", "%"):
            await fetch_json(world, nurse, "advanced-search-clients", search=text)

    async def test_rejects_a_cursor_with_values_of_another_type(self, world: World) -> None:
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[world.create_client()])
        sort = parse_query(clients, []).sort
        for values in (["A", "x"], ["\x00", 1], [{"a": 1}, 1], [1, "A"], [[1], 1]):
            answer = await world.http.get(
                f"{CLIENTS}/remote-operations",
                headers=nurse.headers,
                params={"after": format_cursor(sort, json.dumps(values))},
            )
            assert answer.status_code == 400, (values, answer.text)


class TestAdvancedSearch:
    """GET /advanced-search-clients."""

    async def test_returns_ids_and_names(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[client])
        page = await fetch_json(world, nurse, "advanced-search-clients")
        name = world.run_sql("SELECT name FROM clients WHERE id = %s", (client,))
        assert page["data"] == [{"id": client, "name": name}]
        assert (page["totalCount"], page["totalIsCapped"], page["next"]) == (1, False, None)
        assert list_ids(
            await fetch_json(world, nurse, "advanced-search-clients", search=name[-4:])
        ) == {client}
        assert (
            list_ids(await fetch_json(world, nurse, "advanced-search-clients", search="zzz"))
            == set()
        )


class TestByIds:
    """GET /by-ids."""

    async def test_returns_rows_within_the_scope(self, world: World) -> None:
        client, other = world.create_client(with_unit=True), world.create_client()
        nurse = await world.create_person(Role.CLIENT_ADMIN, client_ids=[client])
        rows = await fetch_json(world, nurse, "by-ids", ids=[client, other, NONEXISTENT_ID])
        assert [(row["id"], row["unitsCount"]) for row in rows] == [(client, 1)]
        assert await fetch_json(world, nurse, "by-ids") == []
        answer = await world.http.get(
            f"{CLIENTS}/by-ids?ids={','.join(['1'] * 101)}", headers=nurse.headers
        )
        assert answer.status_code == 400


class TestPlaces:
    """Units and rooms."""

    async def test_a_foreign_client_answers_like_a_nonexistent_one(self, world: World) -> None:
        client, other = world.create_client(with_unit=True), world.create_client(with_unit=True)
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        foreign_unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (other,))
        own_unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
        for own, foreign, nonexistent in (
            (f"{client}/units", f"{other}/units", f"{NONEXISTENT_ID}/units"),
            (f"{client}/rooms", f"{other}/rooms", f"{NONEXISTENT_ID}/rooms"),
            (
                f"units/{own_unit}/rooms",
                f"units/{foreign_unit}/rooms",
                f"units/{NONEXISTENT_ID}/rooms",
            ),
        ):
            assert len((await fetch_json(world, nurse, f"{own}/remote-operations"))["data"]) == 1
            empty_page = await fetch_json(world, nurse, f"{foreign}/remote-operations")
            assert empty_page["data"] == []
            assert empty_page == await fetch_json(world, nurse, f"{nonexistent}/remote-operations")

    async def test_pages_rooms_by_ten(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        for n in range(25):
            world.run_sql("INSERT INTO rooms (client_id, name) VALUES (%s, %s)", (client, f"R{n}"))
        names, after = [], None
        while True:
            query: dict[str, str] = {"after": after} if after else {}
            page = await fetch_json(world, nurse, f"{client}/rooms/remote-operations", **query)
            assert len(page["data"]) <= 10
            names += [row["name"] for row in page["data"]]
            after = page["next"]
            if after is None:
                break
        assert names == [f"R{n}" for n in range(25)]

    async def test_numbers_in_names_compare_as_numbers(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        ordered_names = ["1", "2", "2 B", "11", "12", "101-2", "101-10", "EAST 3", "EAST 20"]
        for name in sorted(ordered_names):
            for table in ("units", "rooms"):
                world.run_sql(
                    f"INSERT INTO {table} (client_id, name) VALUES (%s, %s)", (client, name)
                )
        for path in ("units", "rooms"):
            page = await fetch_json(world, nurse, f"{client}/{path}/remote-operations")
            assert [row["name"] for row in page["data"]] == ordered_names, path
