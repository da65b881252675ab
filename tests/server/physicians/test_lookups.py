"""The directory of physicians: searching, and lookups by id, name and NPI."""

from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.samples import NONEXISTENT_ID
from tests.server.world import World

PHYSICIANS = "/api/v2/physicians"


async def fetch_json(world: World, person: Person, path: str, **query: Any) -> Any:
    """Return the JSON of a successful GET."""
    answer = await world.http.get(f"{PHYSICIANS}/{path}", headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def assert_rejected(world: World, person: Person, path: str, **query: Any) -> None:
    """Assert that a GET is rejected with status 400."""
    answer = await world.http.get(f"{PHYSICIANS}/{path}", headers=person.headers, params=query)
    assert answer.status_code == 400, (path, query, answer.text)


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse of a client."""
    return await world.create_person(Role.CLIENT_BASIC, client_ids=[world.create_client()])


class TestByClient:
    """patientClientId and clientIds of /remote-operations and /remote-operations-all-entries."""

    async def test_narrows_to_physicians_of_the_client(self, world: World) -> None:
        client, other = world.create_client(), world.create_client()
        own_id, foreign = world.create_physician(client), world.create_physician(other)
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        lab = await world.create_person(Role.LABORATORY)
        for name in ("patientClientId", "clientIds"):
            page = await fetch_json(world, nurse, "remote-operations", **{name: client})
            assert [row["id"] for row in page["data"]] == [own_id]
            rows = await fetch_json(world, nurse, "remote-operations-all-entries", **{name: client})
            assert [row["id"] for row in rows] == [own_id]
            page = await fetch_json(world, lab, "remote-operations", **{name: other})
            assert [row["id"] for row in page["data"]] == [foreign]

    async def test_a_foreign_client_answers_like_a_nonexistent_one(
        self, world: World, nurse: Person
    ) -> None:
        other = world.create_client()
        world.create_physician(other)
        for client in (other, NONEXISTENT_ID):
            page = await fetch_json(world, nurse, "remote-operations", clientIds=client)
            assert (page["data"], page["totalCount"]) == ([], 0)
            assert (
                await fetch_json(world, nurse, "remote-operations-all-entries", clientIds=client)
                == []
            )

    async def test_accepts_one_patient_client_id_only(self, world: World, nurse: Person) -> None:
        await assert_rejected(world, nurse, "remote-operations", patientClientId=[1, 2])


class TestSearch:
    """GET /remote-operations."""

    async def test_three_letters_match_anywhere_and_fewer_match_prefixes(
        self, world: World
    ) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        physician_id = world.create_physician(client)
        world.run_sql(
            "UPDATE physicians SET last_name = 'O''BRIEN', first_name = 'LEEANN' WHERE id = %s",
            (physician_id,),
        )
        for name, text, is_found in (
            ("lastName", "bri", True),
            ("lastName", "br", False),
            ("lastName", "o'", True),
            ("firstName", "ann", True),
            ("firstName", "an", False),
            ("firstName", "l", True),
        ):
            query = {name: text, "clientIds": client}
            page = await fetch_json(world, nurse, "remote-operations", **query)
            assert [row["id"] for row in page["data"]] == ([physician_id] if is_found else []), (
                query
            )

    async def test_searches_without_validating_the_npi(self, world: World, nurse: Person) -> None:
        physician_id = world.create_physician()
        npi, last = world.fetch_rows(
            "SELECT npi, last_name FROM physicians WHERE id = %s", (physician_id,)
        )[0]
        for query in (
            {"npi": npi},
            {"npi": f"{npi[:3]}-{npi[3:]}"},
            {"npi": npi[3:]},
            {"lastName": last.lower()},
            {"lastName": last, "firstName": "da"},
            {"search": last},
        ):
            page = await fetch_json(world, nurse, "remote-operations", **query)
            assert [row["id"] for row in page["data"]] == [physician_id], query
        assert set(page["data"][0]) == {"id", "npi", "firstName", "lastName"}
        nobody = await fetch_json(world, nurse, "remote-operations", npi="abc")
        assert (nobody["data"], nobody["totalCount"]) == ([], 0)

    async def test_survives_bad_input(self, world: World, nurse: Person) -> None:
        for query in (
            {"clientIds": "x"},
            {"clientIds": "9" * 5000},
            {"clientIds": ",".join(["1"] * 1001)},
            {"color": "red"},
            {"take": "9" * 5000},
        ):
            await assert_rejected(world, nurse, "remote-operations", **query)
        for text in ("x" * 10_000, "%_\\", "'; --", "\U0001f600", "\u202eabc"):
            page = await fetch_json(world, nurse, "remote-operations", search=text, lastName=text)
            assert page["data"] == []
        # A text without visible characters filters nothing.
        world.create_physician()
        page = await fetch_json(world, nurse, "remote-operations", search="\x00", lastName="\x00")
        assert page["data"] != []


class TestIds:
    """GET /ids."""

    async def test_returns_existing_physicians(self, world: World, nurse: Person) -> None:
        first, second = world.create_physician(), world.create_physician()
        rows = await fetch_json(world, nurse, "ids", ids=[first, NONEXISTENT_ID, second])
        assert {row["id"] for row in rows} == {first, second}
        assert await fetch_json(world, nurse, "ids") == []
        await assert_rejected(world, nurse, "ids", ids=list(range(101)))


class TestByName:
    """GET /by-name."""

    async def test_finds_the_exact_name_in_any_case(self, world: World, nurse: Person) -> None:
        physician_id = world.create_physician()
        last = world.run_sql("SELECT last_name FROM physicians WHERE id = %s", (physician_id,))
        for query in (
            {"firstname": "dana", "lastname": f" {last.lower()} "},
            {"lastname": last},
        ):
            assert [r["id"] for r in await fetch_json(world, nurse, "by-name", **query)] == [
                physician_id
            ]
        for query in (
            {"lastname": last[:-1]},
            {"lastname": last, "firstname": "DAN"},
            {},
            {"firstname": "\x00"},
        ):
            assert await fetch_json(world, nurse, "by-name", **query) == []
        await assert_rejected(world, nurse, "by-name", name="x")
        await assert_rejected(world, nurse, "by-name", name="x", lastname="x")


class TestByNpi:
    """GET /by-npi."""

    async def test_returns_an_object_or_null(self, world: World, nurse: Person) -> None:
        physician_id = world.create_physician()
        npi = world.run_sql("SELECT npi FROM physicians WHERE id = %s", (physician_id,))
        assert (await fetch_json(world, nurse, "by-npi", npi=npi))["id"] == physician_id
        for other in ("", npi[:-1], "x", "\x00", "9" * 10_000):
            assert await fetch_json(world, nurse, "by-npi", npi=other) is None
        await assert_rejected(world, nurse, "by-npi", code=npi)
