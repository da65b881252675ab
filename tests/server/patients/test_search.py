"""The patient search: its parameters and rows (O 7, 'Search load')."""

from dataclasses import replace
from datetime import date
from operator import itemgetter
from typing import Any

import pytest

from app.contract.enumerations import Role, ScopeKind
from app.server.access.reader import build_request_parameters
from app.server.actor import Actor
from app.server.lists import statement
from app.server.lists.parsing import parse_query
from app.server.lists.service import prepare_shape
from app.server.lists.statement import build_statement
from app.server.patients.lists import patients
from tests.server.accounts.builders import Person
from tests.server.world import World

PATH = "/api/v2/patients/remote-operations"


async def search_patients(world: World, person: Person, **query: Any) -> list[int]:
    """Search patients, and return the ids of the rows in order."""
    answer = await world.http.get(PATH, headers=person.headers, params=query)
    assert answer.status_code == 200, answer.text
    return [row["id"] for row in answer.json()["data"]]


class TestParameters:
    """firstName, lastName, birthDate, fromSearch, clientIds, physicianIds."""

    async def test_combines_names_and_birth_date(self, world: World) -> None:
        client = world.create_client()
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        ann, anna, bo = (
            world.create_patient(client, last_name=last, first_name=first, birth_date=born)
            for last, first, born in (
                ("LEE", "ANN", date(1980, 5, 6)),
                ("LEEDS", "ANNA", date(1981, 5, 6)),
                ("ROWE", "BO", date(1980, 5, 6)),
            )
        )
        for query, ids in (
            ({}, [ann, anna, bo]),
            ({"lastName": "lee"}, [ann, anna]),
            ({"lastName": "LEE", "firstName": "anna"}, [anna]),
            ({"birthDate": "05/06/1980"}, [ann, bo]),
            ({"birthDate": "1981-05-06"}, [anna]),
            ({"lastName": "LEE", "birthDate": "05/06/1980", "fromSearch": "true"}, [ann]),
            ({"lastName": "LEE", "firstName": "ANN", "fromSearch": "false"}, [ann, anna]),
            ({"lastName": "NOBODY"}, []),
        ):
            assert await search_patients(world, nurse, **query) == ids, query

    @pytest.mark.parametrize("role", [Role.CLIENT_BASIC, Role.SUPERUSER])
    async def test_three_letters_match_anywhere_and_fewer_match_prefixes(
        self, world: World, role: Role
    ) -> None:
        client = world.create_client()
        person = await world.create_person(role, client_ids=[client])
        ann, rosanna = (
            world.create_patient(client, last_name=last, first_name=first)
            for last, first in (("MCLEOD", "ANN"), ("VAN DER MEER", "ROSANNA"))
        )
        for query, ids in (
            ({"lastName": "leo"}, [ann]),
            ({"lastName": "mee"}, [rosanna]),
            ({"lastName": "ee"}, []),
            ({"lastName": "mc"}, [ann]),
            ({"firstName": "ann"}, [ann, rosanna]),
            ({"firstName": "an"}, [ann]),
            ({"firstName": "ann", "lastName": "der"}, [rosanna]),
            ({"firstName": "ann", "column.firstName": "ros"}, [rosanna]),
        ):
            assert await search_patients(world, person, clientIds=client, **query) == ids, query

    @pytest.mark.parametrize("role", [Role.CLIENT_ADMIN, Role.CLIENT_BASIC])
    async def test_client_ids_narrow_and_never_widen(self, world: World, role: Role) -> None:
        client, second_client, foreign_client = (
            world.create_client(),
            world.create_client(),
            world.create_client(),
        )
        patient, second_patient = world.create_patient(client), world.create_patient(second_client)
        foreign = world.create_patient(foreign_client)
        nurse = await world.create_person(role, client_ids=[client, second_client])
        assert set(await search_patients(world, nurse)) == {patient, second_patient}
        assert await search_patients(world, nurse, clientIds=[second_client, foreign_client]) == [
            second_patient
        ]
        assert await search_patients(world, nurse, clientIds=foreign_client) == []
        lab = await world.create_person(Role.LABORATORY)
        assert await search_patients(world, lab, clientIds=foreign_client) == [foreign]

    async def test_physician_ids_narrow_and_never_widen(self, world: World) -> None:
        client, other = world.create_client(), world.create_client()
        physician_id, foreign_physician_id = (
            world.create_physician(client),
            world.create_physician(other),
        )
        own_id = world.create_patient(client, physician=physician_id)
        world.create_patient(client)
        world.create_patient(other, physician=foreign_physician_id)
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        assert await search_patients(world, nurse, physicianIds=physician_id) == [own_id]
        assert await search_patients(world, nurse, physicianIds=foreign_physician_id) == []
        physician = await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id])
        assert await search_patients(world, physician) == [own_id]
        assert await search_patients(world, physician, physicianIds=foreign_physician_id) == []


class TestRows:
    """Rows of the search."""

    async def test_shows_the_client_and_the_place(self, world: World) -> None:
        client = world.create_client(with_unit=True)
        unit = world.run_sql("SELECT id FROM units WHERE client_id = %s", (client,))
        room = world.run_sql("SELECT id FROM rooms WHERE client_id = %s", (client,))
        patient = world.create_patient(
            client, last_name="LEE", unit_id=unit, room_id=room, bed="A", ssn_last4="1234"
        )
        nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[client])
        answer = await world.http.get(PATH, headers=nurse.headers)
        (row,) = answer.json()["data"]
        code, name = world.fetch_rows(
            "SELECT p.code, c.name FROM patients p JOIN clients c ON c.id = p.client_id"
            " WHERE p.id = %s",
            (patient,),
        )[0]
        assert row == {
            "id": patient,
            "code": code,
            "firstName": "PAT",
            "middleName": None,
            "lastName": "LEE",
            "birthDate": "1970-01-02",
            "gender": "FEMALE",
            "ssn": "***-**-1234",
            "clientId": client,
            "clientName": name,
            "clientWebAccess": True,
            "unit": "EAST",
            "room": "101",
            "bed": "A",
        }


class TestManyHits:
    """Letters that occur in more, or in fewer, patients than the cap of the total (ADR 20)."""

    @pytest.fixture(autouse=True, params=[3, 10_001])
    def cap(self, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
        """The number up to which rows are counted."""
        monkeypatch.setattr(statement, "TOTAL_COUNT_CAP", request.param)
        statement.build_statement.cache_clear()
        yield request.param
        statement.build_statement.cache_clear()

    @pytest.mark.parametrize("role", [Role.CLIENT_BASIC, Role.SUPERUSER])
    @pytest.mark.parametrize("sort", ["lastName,firstName", "-lastName", "lastName,-firstName"])
    @pytest.mark.parametrize("names", [{"lastName": "wxq"}, {"lastName": "xqa", "firstName": "n"}])
    async def test_many_hits_are_in_order_on_every_page(
        self, world: World, role: Role, sort: str, names: dict[str, str], cap: int
    ) -> None:
        client = world.create_client()
        created_patients: list[dict[str, Any]] = [
            {"lastName": last, "firstName": first}
            for last in ("WXQA", "OWXQA", "WXQAB")
            for first in ("NED", "NAN", "NED", "NIA")
        ]
        for patient in created_patients:
            patient["id"] = world.create_patient(
                client, last_name=patient["lastName"], first_name=patient["firstName"]
            )
        world.create_patient(client, last_name="WQX", first_name="NAN")
        clients = [client] if role is Role.CLIENT_BASIC else []
        person = await world.create_person(role, client_ids=clients)
        query: dict[str, Any] = {**names, "clientIds": client, "sort": sort}
        keys = sort.split(",")
        # Equal rows are in the order of their ids, in the direction of the last key.
        for key in ("-id" if keys[-1].startswith("-") else "id", *reversed(keys)):
            created_patients.sort(key=itemgetter(key.lstrip("-")), reverse=key.startswith("-"))
        in_order = [patient["id"] for patient in created_patients]
        assert await search_patients(world, person, **query) == in_order
        assert await search_patients(world, person, **query, skip=3, take=4) == in_order[3:7]
        followed_ids: list[int] = []
        after: dict[str, str] = {}
        while True:
            body = (
                await world.http.get(
                    PATH, headers=person.headers, params={**query, "take": 5, **after}
                )
            ).json()
            followed_ids += [row["id"] for row in body["data"]]
            if body["next"] is None:
                break
            after = {"after": body["next"]}
        assert followed_ids == in_order
        assert body["totalIsCapped"] == (cap == 3)


def count_name_filters(plan: dict[str, Any]) -> int:
    """Count how often the plan tests the patients' names for letters."""
    is_name_filter = (
        plan.get("Relation Name") == "patients"
        and "~~" in plan.get("Filter", "")
        and plan["Actual Loops"] > 0
    )
    return int(is_name_filter) + sum(map(count_name_filters, plan.get("Plans", [])))


class TestRareLetters:
    """Letters that hardly any patient of a scope has (ADR 20)."""

    @pytest.mark.parametrize("kind", [ScopeKind.CLIENT, ScopeKind.PHYSICIAN])
    async def test_rare_letters_are_searched_once_for_count_and_page(
        self, world: World, kind: ScopeKind
    ) -> None:
        client = world.create_client()
        world.create_patient(client, last_name="LEE")
        actor = Actor(kind, ids=(client,), role=Role.CLIENT_BASIC)
        # Without an audit row, because the owner of the database has no account.
        spec = replace(patients, is_audited=False)
        query = parse_query(spec, [("column.lastName", "zqu")])
        shape, values = prepare_shape(actor, spec, query)
        values |= build_request_parameters(actor, "")
        text = f"EXPLAIN (ANALYZE, FORMAT JSON) {build_statement(shape)}"
        [(plan,)] = world.fetch_rows(text, values)
        assert count_name_filters(plan[0]["Plan"]) == 1
