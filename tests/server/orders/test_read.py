"""Reading orders: the header, and the kinds of results."""

import pytest

from tests.server.accounts.builders import Person
from tests.server.world import World


async def receive_requisition(world: World, lab: Person, requisition_id: int) -> str:
    """Receive a requisition and return the path of its order."""
    answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition_id]}
    )
    return f"/api/v2/orders/{answer.json()[0]['orderId']}"


@pytest.fixture
async def lab(world: World) -> Person:
    """A person of the lab."""
    return await world.create_person("Laboratory")


class TestHeader:
    """GET /orders/{id}."""

    async def test_shows_the_patient(self, world: World, lab: Person) -> None:
        zip_code = world.run_sql("SELECT id FROM zip_codes WHERE code = '60435'")
        client = world.create_client(with_unit=True)
        nurse = await world.create_person("Client Basic", client_ids=[client])
        physician = world.create_physician(client)
        [(unit, room)] = world.fetch_rows(
            "SELECT unit_id, id FROM rooms WHERE client_id = %s", (client,)
        )
        patient = world.create_patient(
            client,
            physician=physician,
            unit_id=unit,
            room_id=room,
            middle_name="QUINN",
            address="1 MAIN ST",
            zip_code_id=zip_code,
            phone="312-555-0101",
        )
        world.run_sql(
            "UPDATE clients SET zip_code_id = %s WHERE id = %s RETURNING id",
            (zip_code, client),
        )
        path = await receive_requisition(
            world, lab, (await world.save_requisition(nurse, patient))["id"]
        )
        order = (await world.http.get(path, headers=nurse.headers)).json()
        header = order["patient"]
        assert (header["id"], header["middleName"]) == (patient, "QUINN")
        assert (header["address"], header["phone"]) == ("1 MAIN ST", "312-555-0101")
        assert header["zipCode"]["city"] == order["patientClient"]["zipCode"]["city"] == "JOLIET"
        assert (header["unit"], header["room"]) == ({"name": "EAST"}, {"name": "101"})
        assert header["primaryPhysician"]["id"] == physician
        assert header["client"] == {
            name: order["patientClient"][name] for name in ("name", "phone", "fax")
        }

    async def test_shows_where_the_specimens_were_collected(
        self, world: World, nurse: Person, lab: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        path = await receive_requisition(world, lab, requisition["id"])
        world.run_sql(
            "UPDATE orders SET collection_sites = '{Ward,Home}' WHERE id = %s",
            (int(path.rsplit("/", 1)[1]),),
        )
        order = (await world.http.get(path, headers=nurse.headers)).json()
        assert order["collectionSites"] == [{"name": "Ward"}, {"name": "Home"}]

    async def test_shows_null_for_missing_fields(
        self, world: World, nurse: Person, lab: Person
    ) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        path = await receive_requisition(world, lab, requisition["id"])
        order = (await world.http.get(path, headers=nurse.headers)).json()
        assert order["patient"]["zipCode"] is None
        assert order["patient"]["primaryPhysician"] is None
        assert order["patientClient"]["zipCode"] is None

    async def test_is_audited(self, world: World, nurse: Person, lab: Person) -> None:
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        path = await receive_requisition(world, lab, requisition["id"])
        await world.http.get(path, headers=nurse.headers)
        assert world.fetch_rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'order' AND user_id = %s",
            (nurse.user_id,),
        ) == [("read", [int(path.rsplit("/", 1)[1])])]


async def test_lists_tests_below_their_panels(world: World, nurse: Person, lab: Person) -> None:
    requisition = await world.save_requisition(
        nurse, world.create_patient(nurse.client), "CBC", "GLU"
    )
    path = await receive_requisition(world, lab, requisition["id"])
    tests = (await world.http.get(f"{path}/tests", headers=nurse.headers)).json()
    names = {test["id"]: test["name"] for test in tests}
    parents = {test["name"]: names.get(test["parentId"]) for test in tests}
    panel = "COMPLETE BLOOD COUNT"
    assert (parents[panel], parents["GLUCOSE"], parents["HEMOGLOBIN"]) == (None, None, panel)


async def test_an_order_without_a_single_test_has_no_kind_of_result(
    world: World, nurse: Person, lab: Person
) -> None:
    world.add_panel("XEMPTY")
    requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "XEMPTY")
    path = await receive_requisition(world, lab, requisition["id"])
    answer = await world.http.get(f"{path}/results-types", headers=nurse.headers)
    assert set(answer.json().values()) == {False}


async def test_results_types_follow_the_tests(world: World, nurse: Person, lab: Person) -> None:
    requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "CBC")
    path = await receive_requisition(world, lab, requisition["id"])
    answer = await world.http.get(f"{path}/results-types", headers=nurse.headers)
    assert answer.json() == {
        "hasClinicalResult": True,
        "hasMicrobiologyResult": False,
        "hasToxicologyResult": False,
        "hasPathologyResult": False,
    }
