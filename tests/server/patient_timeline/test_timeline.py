"""GET /v2/patients/{id}/timeline: events, pages and scope."""

import itertools
from datetime import date, datetime
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.samples import NONEXISTENT_ID
from tests.server.world import World


async def read_timeline(world: World, person: Person, patient: int, **query: Any) -> Any:
    """Read a page of a patient's timeline as a person."""
    answer = await world.http.get(
        f"/api/v2/patients/{patient}/timeline", headers=person.headers, params=query
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def post_request(world: World, person: Person, path: str, body: Any) -> Any:
    """Send a POST request that must succeed, and return the answer."""
    answer = await world.http.post(path, headers=person.headers, json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse of a new client."""
    return await world.create_person(Role.CLIENT_BASIC, client_ids=[world.create_client()])


@pytest.fixture
def client(world: World, nurse: Person) -> int:
    """The nurse's client."""
    return int(world.run_sql("SELECT client_ids[1] FROM users WHERE id = %s", (nurse.user_id,)))


async def create_history(
    world: World, nurse: Person, patient: int, physician: int | None
) -> dict[str, Any]:
    """Create a requisition with released results, and a canceled one."""
    lab = await world.create_person(Role.LABORATORY)
    requisition = await world.save_requisition(nurse, patient, "GLU", "K", physicianId=physician)
    await world.sign_in(nurse)
    await post_request(
        world,
        nurse,
        "/api/v2/requisitions/sign-multiple",
        {"image": SIGNATURE, "requisitionsIds": [requisition["id"]]},
    )
    (received_order,) = await post_request(
        world, lab, "/api/v2/requisitions/receive", {"ids": [requisition["id"]]}
    )
    path = f"/api/v2/orders/{received_order['orderId']}"
    entry = (await world.http.get(f"{path}/result-entry", headers=lab.headers)).json()
    answer = await world.http.put(
        f"{path}/result-entry",
        headers=lab.headers,
        json={"results": [{"orderTestId": r["orderTestId"], "result": "5"} for r in entry["rows"]]},
    )
    assert answer.status_code == 200, answer.text
    await post_request(world, lab, f"{path}/release", {"orderTestIds": None})
    canceled_requisition = await world.save_requisition(
        nurse, patient, "CBC", physicianId=physician
    )
    await post_request(
        world,
        nurse,
        f"/api/v2/requisitions/{canceled_requisition['id']}/cancel",
        {"comment": "ordered twice"},
    )
    return {
        "requisition": requisition,
        "received": received_order,
        "canceled": canceled_requisition,
    }


class TestEvents:
    """The events of a timeline."""

    async def test_lists_all_events_newest_first(
        self, world: World, nurse: Person, client: int
    ) -> None:
        registration_answer = await world.http.post(
            "/api/v2/patients",
            headers=nurse.headers,
            json={
                "clientId": client,
                "lastName": "Lee",
                "firstName": "Ann",
                "birthDate": "1980-05-06",
                "gender": "FEMALE",
                "address": "1 Main St",
                "zipCodeName": "60601",
                "zipCodePlus4": "1234",
            },
        )
        patient = registration_answer.json()["id"]
        await world.http.put(
            f"/api/v2/patients/{patient}",
            headers=nurse.headers,
            json={"phone": "312-555-0100", "zipCodePlus4": "4321"},
        )
        history = await create_history(world, nurse, patient, None)
        page = await read_timeline(world, nurse, patient)
        assert set(page) == {"data", "totalCount", "totalIsCapped", "next"}
        assert page["totalCount"] == 8
        rows = {row["kind"]: row for row in page["data"] if row["kind"] != "requisition"}
        assert rows["registered"]["title"] == messages.TIMELINE_REGISTERED
        assert rows["registered"]["by"] == "Ada Tester"
        assert rows["changed"]["detail"] == "Phone, Zip plus 4"
        assert rows["changed"]["by"] == "Ada Tester"
        assert rows["signed"]["by"] == "Ada Tester"
        assert rows["canceled"]["detail"] == "ordered twice"
        assert rows["canceled"]["code"] == history["canceled"]["code"]
        order = (history["received"]["orderId"], history["received"]["orderCode"])
        assert (rows["order"]["recordId"], rows["order"]["code"]) == order
        assert (rows["released"]["recordId"], rows["released"]["code"]) == order
        assert rows["released"]["detail"] == "GLUCOSE, POTASSIUM"
        requisitions = [row for row in page["data"] if row["kind"] == "requisition"]
        ids = [history["canceled"]["id"], history["requisition"]["id"]]
        assert [row["recordId"] for row in requisitions] == ids
        assert requisitions[1]["detail"] == "GLUCOSE, POTASSIUM"
        instants = [datetime.fromisoformat(row["at"]) for row in page["data"]]
        assert all(instant.utcoffset() is not None for instant in instants)
        # Times can be equal, because the lab's clock has whole seconds.
        assert all(a >= b for a, b in itertools.pairwise(instants))
        assert len({row["id"] for row in page["data"]}) == 8

    async def test_lists_removed_signatures(self, world: World, nurse: Person, client: int) -> None:
        patient = world.create_patient(client)
        requisition = await world.save_requisition(nurse, patient)
        body = {"image": SIGNATURE, "requisitionsIds": [requisition["id"]]}
        await world.sign_in(nurse)
        await post_request(world, nurse, "/api/v2/requisitions/sign-multiple", body)
        await world.sign_in(nurse)
        await post_request(world, nurse, f"/api/v2/requisitions/{requisition['id']}/unsign", {})
        kinds = {row["kind"] for row in (await read_timeline(world, nurse, patient))["data"]}
        assert kinds == {"registered", "requisition", "signed", "unsigned"}

    async def test_pages_the_events(self, world: World, nurse: Person, client: int) -> None:
        patient = world.create_patient(client)
        await create_history(world, nurse, patient, None)
        all_events = (await read_timeline(world, nurse, patient, take=100))["data"]
        paged_events = []
        for skip in range(0, len(all_events), 3):
            page = await read_timeline(world, nurse, patient, skip=skip, take=3)
            assert page["totalCount"] == len(all_events)
            paged_events += page["data"]
        assert paged_events == all_events
        for query in (
            "take=0",
            "take=101",
            "skip=-1",
            "skip=x",
            "skip=%00",
            "sort=at",
            "take=" + "9" * 5000,
        ):
            answer = await world.http.get(
                f"/api/v2/patients/{patient}/timeline?{query}", headers=nurse.headers
            )
            assert answer.status_code == 400, query

    async def test_is_audited_as_a_read(self, world: World, nurse: Person, client: int) -> None:
        patient = world.create_patient(client)
        await read_timeline(world, nurse, patient)
        assert world.fetch_rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'patient-timeline'"
            " AND user_id = %s",
            (nurse.user_id,),
        ) == [("read", [patient])]


class TestScope:
    """Visibility of events."""

    async def test_other_clients_patients_look_nonexistent(
        self, world: World, nurse: Person
    ) -> None:
        foreign = world.create_patient(world.create_client())
        answers = [
            await world.http.get(f"/api/v2/patients/{patient}/timeline", headers=nurse.headers)
            for patient in (foreign, NONEXISTENT_ID)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content

    async def test_physicians_see_only_their_own_requisitions(
        self, world: World, nurse: Person, client: int
    ) -> None:
        physician, colleague = world.create_physician(client), world.create_physician(client)
        patient = world.create_patient(client, physician=physician)
        await create_history(world, nurse, patient, colleague)
        own = await world.save_requisition(nurse, patient, physicianId=physician)
        person = await world.create_person(Role.PHYSICIAN, physician_ids=[physician])
        page = await read_timeline(world, person, patient)
        assert [(row["kind"], row["recordId"]) for row in page["data"]] == [
            ("requisition", own["id"]),
            ("registered", None),
        ]
        assert page["totalCount"] == 2

    async def test_patients_do_not_see_names_of_staff(
        self, world: World, nurse: Person, client: int
    ) -> None:
        patient, sibling = world.create_patient(client), world.create_patient(client)
        await create_history(world, nurse, patient, None)
        person = await world.create_person(Role.PATIENT, patient_ids=[patient])
        rows = (await read_timeline(world, person, patient))["data"]
        assert {row["kind"] for row in rows if row["by"]} == {"signed"}
        assert {"order", "released", "canceled", "registered"} <= {row["kind"] for row in rows}
        answer = await world.http.get(
            f"/api/v2/patients/{sibling}/timeline", headers=person.headers
        )
        assert answer.status_code == 404

    async def test_does_not_show_unreleased_results(
        self, world: World, nurse: Person, client: int
    ) -> None:
        patient = world.create_patient(client)
        requisition = await world.save_requisition(nurse, patient)
        lab = await world.create_person(Role.LABORATORY)
        await post_request(world, lab, "/api/v2/requisitions/receive", {"ids": [requisition["id"]]})
        for person in (nurse, lab):
            kinds = [row["kind"] for row in (await read_timeline(world, person, patient))["data"]]
            assert "released" not in kinds
            assert "order" in kinds

    async def test_events_of_a_former_client_stay_there(self, world: World) -> None:
        old_client, new_client = world.create_client(), world.create_client()
        lab = await world.create_person(Role.SUPERUSER)
        former_nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[old_client])
        new_nurse = await world.create_person(Role.CLIENT_BASIC, client_ids=[new_client])
        patient = world.create_patient(old_client, birth_date=date(1980, 1, 1))
        await world.save_requisition(former_nurse, patient)
        move_answer = await world.http.put(
            "/api/v2/patients/client-physician",
            headers=lab.headers,
            json={"id": patient, "clientId": new_client},
        )
        assert move_answer.status_code == 200, move_answer.text
        kinds = {row["kind"] for row in (await read_timeline(world, new_nurse, patient))["data"]}
        assert kinds == {"registered", "changed"}
        kinds = {row["kind"] for row in (await read_timeline(world, lab, patient))["data"]}
        assert kinds == {"registered", "changed", "requisition"}
