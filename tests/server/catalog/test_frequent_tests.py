"""Frequent tests, which the test picker offers first: by physician, then by client."""

import pytest

from app.contract.limits import FREQUENT_REQUISITIONS_MAX, FREQUENT_TESTS
from tests.server.accounts.builders import Person
from tests.server.world import World

PATH = "/api/v2/tests/frequent"


@pytest.fixture
async def nurse(world: World) -> Person:
    """Client staff; ``nurse.client`` is the client, ``nurse.patient`` one of its patients."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client])
    person.client, person.patient = client, world.create_patient(client)
    return person


async def fetch_frequent(world: World, person: Person, **query: object) -> list[str]:
    """Return the codes of the frequent tests, in order."""
    answer = await world.http.get(PATH, params=query, headers=person.headers)
    assert answer.status_code == 200, answer.text
    return [row["code"] for row in answer.json()]


class TestOrder:
    """The order of frequent tests."""

    async def test_tests_of_the_physician_come_first(self, world: World, nurse) -> None:
        physician_id, other = (
            world.create_physician(nurse.client),
            world.create_physician(nurse.client),
        )
        for _ in range(3):
            await world.save_requisition(nurse, nurse.patient, "K", physicianId=other)
        await world.save_requisition(nurse, nurse.patient, "GLU", "CBC", physicianId=physician_id)
        await world.save_requisition(nurse, nurse.patient, "CBC", physicianId=physician_id)
        codes = await fetch_frequent(world, nurse, clientId=nurse.client, physicianId=physician_id)
        assert codes == ["CBC", "GLU", "K"]
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["K", "CBC", "GLU"]

    async def test_rows_match_the_test_search(self, world: World, nurse) -> None:
        await world.save_requisition(nurse, nurse.patient, "CBC")
        answer = await world.http.get(
            PATH, params={"clientId": nurse.client}, headers=nurse.headers
        )
        search_answer = await world.http.get(
            "/api/v2/tests/remote-operations?code=CBC", headers=nurse.headers
        )
        [row] = search_answer.json()["data"]
        search_fields = {"onList", "isExact"}
        assert answer.json() == [{name: row[name] for name in row if name not in search_fields}]
        assert row["type"] == "PANEL"

    async def test_does_not_count_members_of_panels(self, world: World, nurse) -> None:
        await world.save_requisition(nurse, nurse.patient, "CBC")
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["CBC"]

    async def test_counts_the_last_few_hundred_requisitions(self, world: World, nurse) -> None:
        first = await world.save_requisition(nurse, nurse.patient, "K")
        await world.save_requisition(nurse, nurse.patient, "GLU")
        world.run_sql(
            "INSERT INTO requisitions (code, client_id, patient_id, patient_last_name,"
            " patient_first_name, patient_birth_date, patient_gender, status, collection_date,"
            " fasting, priority, bill_to) SELECT 'X' || id || '-' || n, client_id, patient_id,"
            " 'A', 'B', '1970-01-01', 'FEMALE', 1, '2026-01-01', 0, 'ROUTINE', 1"
            " FROM requisitions, generate_series(1, %s) n WHERE id = %s",
            (FREQUENT_REQUISITIONS_MAX - 1, first["id"]),
        )
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["GLU"]

    async def test_offers_only_a_few_tests(self, world: World, nurse) -> None:
        codes = [
            code
            for (code,) in world.fetch_rows(
                "SELECT code FROM lab_tests WHERE orderable AND client_id IS NULL ORDER BY code"
                " LIMIT %s",
                (FREQUENT_TESTS + 1,),
            )
        ]
        await world.save_requisition(nurse, nurse.patient, *codes)
        offered_codes = await fetch_frequent(world, nurse, clientId=nurse.client)
        assert offered_codes == codes[:FREQUENT_TESTS]


class TestOffered:
    """Offered tests are orderable, and within the scope of the user."""

    async def test_leaves_out_withdrawn_tests(self, world: World, nurse) -> None:
        code = world.add_private_test(nurse.client)
        await world.save_requisition(nurse, nurse.patient, code, "GLU")
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["GLU", code]
        world.run_sql("UPDATE lab_tests SET orderable = false WHERE code = %s", (code,))
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["GLU"]

    async def test_offers_tests_outside_the_list_to_lab_staff(self, world: World, nurse) -> None:
        await world.save_requisition(nurse, nurse.patient, "K", "GLU")
        world.put_on_client_list(nurse.client, "GLU")
        lab = await world.create_person("Laboratory")
        all_tests = {"clientId": nurse.client, "allTests": "true"}
        assert await fetch_frequent(world, nurse, clientId=nurse.client) == ["GLU"]
        assert await fetch_frequent(world, nurse, **all_tests) == ["GLU"]
        assert await fetch_frequent(world, lab, clientId=nurse.client) == ["GLU"]
        assert await fetch_frequent(world, lab, **all_tests) == ["GLU", "K"]

    async def test_leaves_out_private_tests_of_other_clients(self, world: World, nurse) -> None:
        code = world.add_private_test(nurse.client)
        await world.save_requisition(nurse, nurse.patient, code, "GLU")
        world.run_sql(
            "UPDATE lab_tests SET client_id = %s WHERE code = %s", (world.create_client(), code)
        )
        lab = await world.create_person("Laboratory")
        for person in (nurse, lab):
            assert await fetch_frequent(world, person, clientId=nurse.client) == ["GLU"]

    async def test_a_foreign_client_answers_like_a_nonexistent_one(
        self, world: World, nurse
    ) -> None:
        await world.save_requisition(nurse, nurse.patient, "GLU")
        stranger = await world.create_person("Client Admin", client_ids=[world.create_client()])
        assert await fetch_frequent(world, stranger, clientId=nurse.client) == []
        assert await fetch_frequent(world, stranger, clientId=999_999_999) == []

    @pytest.mark.parametrize(
        "query", ["", "clientId=x", "clientId=1&allTests=maybe", "clientId=1&color=red"]
    )
    async def test_rejects_invalid_parameters(self, world: World, nurse, query: str) -> None:
        answer = await world.http.get(f"{PATH}?{query}", headers=nurse.headers)
        assert answer.status_code == 400


async def test_all_tests_mark_those_on_the_list(world: World, nurse) -> None:
    world.put_on_client_list(nurse.client, "GLU")
    answer = await world.http.get(
        f"/api/v2/tests/remote-operations?take=100&clientId={nurse.client}&allTests=true",
        headers=nurse.headers,
    )
    on_list_by_code = {row["code"]: row["onList"] for row in answer.json()["data"]}
    assert on_list_by_code["GLU"] is True and on_list_by_code["K"] is False
