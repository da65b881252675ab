"""The directory of physicians: searching it and asking it for some."""

from typing import Any

import pytest

from app.contract.enumerations import Role
from tests.server.world import Person, World

PHYSICIANS = "/api/v2/physicians"
NOWHERE = 9_007_199_254_740_000


async def ask(world: World, person: Person, path: str, **query: Any) -> Any:
    """The JSON of a successful GET."""
    answer = await world.http.get(f"{PHYSICIANS}/{path}", headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def refused(world: World, person: Person, path: str, **query: Any) -> None:
    """A GET that is a 400."""
    answer = await world.http.get(f"{PHYSICIANS}/{path}", headers=person.headers, params=query)
    assert answer.status_code == 400, (path, query, answer.text)


@pytest.fixture
async def nurse(world: World) -> Person:
    """Somebody at a client of their own."""
    return await world.person(Role.CLIENT_BASIC, client_ids=[world.client()])


class TestByClient:
    """patientClientId and clientIds of /remote-operations and /remote-operations-all-entries."""

    async def test_narrow_to_those_who_work_there(self, world: World) -> None:
        client, other = world.client(), world.client()
        mine, foreign = world.physician(client), world.physician(other)
        nurse = await world.person(Role.CLIENT_BASIC, client_ids=[client])
        lab = await world.person(Role.LABORATORY)
        for name in ("patientClientId", "clientIds"):
            found = await ask(world, nurse, "remote-operations", **{name: client})
            assert [row["id"] for row in found["data"]] == [mine]
            found = await ask(world, nurse, "remote-operations-all-entries", **{name: client})
            assert [row["id"] for row in found] == [mine]
            found = await ask(world, lab, "remote-operations", **{name: other})
            assert [row["id"] for row in found["data"]] == [foreign]

    async def test_a_foreign_client_is_like_one_that_does_not_exist(
        self, world: World, nurse: Person
    ) -> None:
        other = world.client()
        world.physician(other)
        for client in (other, NOWHERE):
            found = await ask(world, nurse, "remote-operations", clientIds=client)
            assert (found["data"], found["totalCount"]) == ([], 0)
            assert await ask(world, nurse, "remote-operations-all-entries", clientIds=client) == []

    async def test_a_patient_has_one_client(self, world: World, nurse: Person) -> None:
        await refused(world, nurse, "remote-operations", patientClientId=[1, 2])


class TestSearch:
    """GET /remote-operations."""

    async def test_by_prefixes_without_judging_the_npi(self, world: World, nurse: Person) -> None:
        doctor = world.physician()
        npi, last = world.rows("SELECT npi, last_name FROM physicians WHERE id = %s", (doctor,))[0]
        for query in (
            {"npi": npi},
            {"npi": f"{npi[:3]}-{npi[3:]}"},
            {"lastName": last.lower()},
            {"lastName": last, "firstName": "da"},
            {"search": last},
        ):
            found = await ask(world, nurse, "remote-operations", **query)
            assert [row["id"] for row in found["data"]] == [doctor], query
        assert set(found["data"][0]) == {"id", "npi", "firstName", "lastName"}

    async def test_bad_input_is_never_a_fault_of_ours(self, world: World, nurse: Person) -> None:
        for query in (
            {"clientIds": "x"},
            {"clientIds": "9" * 5000},
            {"clientIds": ",".join(["1"] * 1001)},
            {"colour": "red"},
            {"take": "9" * 5000},
        ):
            await refused(world, nurse, "remote-operations", **query)
        for text in ("x" * 10_000, "\x00", "%_\\", "'; --", "\U0001f600", "\u202eabc"):
            found = await ask(world, nurse, "remote-operations", search=text, lastName=text)
            assert found["data"] == [] or text == "\x00"


class TestIds:
    """GET /ids."""

    async def test_answers_those_that_exist(self, world: World, nurse: Person) -> None:
        one, two = world.physician(), world.physician()
        rows = await ask(world, nurse, "ids", ids=[one, NOWHERE, two])
        assert {row["id"] for row in rows} == {one, two}
        assert await ask(world, nurse, "ids") == []
        await refused(world, nurse, "ids", ids=list(range(101)))


class TestByName:
    """GET /by-name."""

    async def test_is_the_very_name_whatever_its_case(self, world: World, nurse: Person) -> None:
        doctor = world.physician()
        last = world.sql("SELECT last_name FROM physicians WHERE id = %s", (doctor,))
        for query in (
            {"firstname": "dana", "lastname": f" {last.lower()} "},
            {"lastname": last},
        ):
            assert [r["id"] for r in await ask(world, nurse, "by-name", **query)] == [doctor]
        for query in (
            {"lastname": last[:-1]},
            {"lastname": last, "firstname": "DAN"},
            {},
            {"firstname": "\x00"},
        ):
            assert await ask(world, nurse, "by-name", **query) == []
        await refused(world, nurse, "by-name", name="x")
        await refused(world, nurse, "by-name", name="x", lastname="x")


class TestByNpi:
    """GET /by-npi."""

    async def test_is_an_object_or_null(self, world: World, nurse: Person) -> None:
        doctor = world.physician()
        npi = world.sql("SELECT npi FROM physicians WHERE id = %s", (doctor,))
        assert (await ask(world, nurse, "by-npi", npi=npi))["id"] == doctor
        for other in ("", npi[:-1], "x", "\x00", "9" * 10_000):
            assert await ask(world, nurse, "by-npi", npi=other) is None
        await refused(world, nurse, "by-npi", code=npi)
