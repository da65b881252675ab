"""GET /v2/patients/{id}/timeline: what happened to a patient, for those who may know."""

import itertools
from datetime import date, datetime
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.world import SIGNATURE, Person, World

NOWHERE = 9_007_199_254_740_000


async def timeline(world: World, person: Person, patient: int, **query: Any) -> Any:
    """The page of a patient that the person may see."""
    answer = await world.http.get(
        f"/api/v2/patients/{patient}/timeline", headers=person.headers, params=query
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def post(world: World, person: Person, path: str, body: Any) -> Any:
    """A POST that succeeds."""
    answer = await world.http.post(path, headers=person.headers, json=body)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


@pytest.fixture
async def nurse(world: World) -> Person:
    """Somebody at a client of their own."""
    return await world.person(Role.CLIENT_BASIC, client_ids=[world.client()])


@pytest.fixture
def client(world: World, nurse: Person) -> int:
    """The nurse's client."""
    return int(world.sql("SELECT client_ids[1] FROM users WHERE id = %s", (nurse.user_id,)))


async def story(world: World, nurse: Person, patient: int, doctor: int | None) -> dict[str, Any]:
    """Order, sign, receive, enter, release; then another one, canceled."""
    lab = await world.person(Role.LABORATORY)
    made = await world.requisition(nurse, patient, "GLU", "K", physicianId=doctor)
    await world.sign_in(nurse)
    await post(
        world,
        nurse,
        "/api/v2/requisitions/sign-multiple",
        {"image": SIGNATURE, "requisitionsIds": [made["id"]]},
    )
    (received,) = await post(world, lab, "/api/v2/requisitions/receive", {"ids": [made["id"]]})
    path = f"/api/v2/orders/{received['orderId']}"
    entry = (await world.http.get(f"{path}/result-entry", headers=lab.headers)).json()
    answer = await world.http.put(
        f"{path}/result-entry",
        headers=lab.headers,
        json={"results": [{"orderTestId": r["orderTestId"], "result": "5"} for r in entry["rows"]]},
    )
    assert answer.status_code == 200, answer.text
    await post(world, lab, f"{path}/release", {"orderTestIds": None})
    gone = await world.requisition(nurse, patient, "CBC", physicianId=doctor)
    await post(
        world, nurse, f"/api/v2/requisitions/{gone['id']}/cancel", {"comment": "ordered twice"}
    )
    return {"made": made, "received": received, "gone": gone}


class TestEvents:
    """What is told, and how."""

    async def test_the_whole_story_newest_first(
        self, world: World, nurse: Person, client: int
    ) -> None:
        registered = await world.http.post(
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
        patient = registered.json()["id"]
        await world.http.put(
            f"/api/v2/patients/{patient}",
            headers=nurse.headers,
            json={"phone": "312-555-0100", "zipCodePlus4": "4321"},
        )
        told = await story(world, nurse, patient, None)
        page = await timeline(world, nurse, patient)
        assert set(page) == {"data", "totalCount", "totalIsCapped", "next"}
        assert page["totalCount"] == 8
        rows = {row["kind"]: row for row in page["data"] if row["kind"] != "requisition"}
        assert rows["registered"]["title"] == messages.TIMELINE_REGISTERED
        assert rows["registered"]["by"] == "Ada Tester"
        assert rows["changed"]["detail"] == "Phone, Zip plus 4"
        assert rows["changed"]["by"] == "Ada Tester"
        assert rows["signed"]["by"] == "Ada Tester"
        assert rows["canceled"]["detail"] == "ordered twice"
        assert rows["canceled"]["code"] == told["gone"]["code"]
        order = (told["received"]["orderId"], told["received"]["orderCode"])
        assert (rows["order"]["recordId"], rows["order"]["code"]) == order
        assert (rows["released"]["recordId"], rows["released"]["code"]) == order
        assert rows["released"]["detail"] == "GLUCOSE, POTASSIUM"
        made = [row for row in page["data"] if row["kind"] == "requisition"]
        assert [row["recordId"] for row in made] == [told["gone"]["id"], told["made"]["id"]]
        assert made[1]["detail"] == "GLUCOSE, POTASSIUM"
        instants = [datetime.fromisoformat(row["at"]) for row in page["data"]]
        assert all(instant.utcoffset() is not None for instant in instants)
        # The lab's wall clock has whole seconds.
        assert all(a >= b for a, b in itertools.pairwise(instants))
        assert len({row["id"] for row in page["data"]}) == 8

    async def test_a_removed_signature_stays_in_it(
        self, world: World, nurse: Person, client: int
    ) -> None:
        patient = world.patient(client)
        made = await world.requisition(nurse, patient)
        body = {"image": SIGNATURE, "requisitionsIds": [made["id"]]}
        await world.sign_in(nurse)
        await post(world, nurse, "/api/v2/requisitions/sign-multiple", body)
        await world.sign_in(nurse)
        await post(world, nurse, f"/api/v2/requisitions/{made['id']}/unsign", {})
        kinds = {row["kind"] for row in (await timeline(world, nurse, patient))["data"]}
        assert kinds == {"registered", "requisition", "signed", "unsigned"}

    async def test_pages(self, world: World, nurse: Person, client: int) -> None:
        patient = world.patient(client)
        await story(world, nurse, patient, None)
        whole = (await timeline(world, nurse, patient, take=100))["data"]
        pieces = []
        for skip in range(0, len(whole), 3):
            page = await timeline(world, nurse, patient, skip=skip, take=3)
            assert page["totalCount"] == len(whole)
            pieces += page["data"]
        assert pieces == whole
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
        patient = world.patient(client)
        await timeline(world, nurse, patient)
        assert world.rows(
            "SELECT action, record_ids FROM audit_events WHERE kind = 'patient-timeline'"
            " AND user_id = %s",
            (nurse.user_id,),
        ) == [("read", [patient])]


class TestScope:
    """Who is told what."""

    async def test_foreign_is_a_404_like_nonexistent(self, world: World, nurse: Person) -> None:
        foreign = world.patient(world.client())
        answers = [
            await world.http.get(f"/api/v2/patients/{patient}/timeline", headers=nurse.headers)
            for patient in (foreign, NOWHERE)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content

    async def test_a_physician_finds_their_own_requisitions_alone(
        self, world: World, nurse: Person, client: int
    ) -> None:
        doctor, other = world.physician(client), world.physician(client)
        patient = world.patient(client, physician=doctor)
        await story(world, nurse, patient, other)
        mine = await world.requisition(nurse, patient, physicianId=doctor)
        person = await world.person(Role.PHYSICIAN, physician_ids=[doctor])
        page = await timeline(world, person, patient)
        assert [(row["kind"], row["recordId"]) for row in page["data"]] == [
            ("requisition", mine["id"]),
            ("registered", None),
        ]
        assert page["totalCount"] == 2

    async def test_a_patient_reads_their_own_without_the_names_of_the_desks(
        self, world: World, nurse: Person, client: int
    ) -> None:
        patient, sibling = world.patient(client), world.patient(client)
        await story(world, nurse, patient, None)
        person = await world.person(Role.PATIENT, patient_ids=[patient])
        rows = (await timeline(world, person, patient))["data"]
        assert {row["kind"] for row in rows if row["by"]} == {"signed"}
        assert {"order", "released", "canceled", "registered"} <= {row["kind"] for row in rows}
        answer = await world.http.get(
            f"/api/v2/patients/{sibling}/timeline", headers=person.headers
        )
        assert answer.status_code == 404

    async def test_unreleased_results_are_not_told(
        self, world: World, nurse: Person, client: int
    ) -> None:
        patient = world.patient(client)
        made = await world.requisition(nurse, patient)
        lab = await world.person(Role.LABORATORY)
        await post(world, lab, "/api/v2/requisitions/receive", {"ids": [made["id"]]})
        for person in (nurse, lab):
            kinds = [row["kind"] for row in (await timeline(world, person, patient))["data"]]
            assert "released" not in kinds
            assert "order" in kinds

    async def test_what_happened_at_a_former_client_stays_there(self, world: World) -> None:
        old, new = world.client(), world.client()
        lab = await world.person(Role.SUPERUSER)
        before = await world.person(Role.CLIENT_BASIC, client_ids=[old])
        after = await world.person(Role.CLIENT_BASIC, client_ids=[new])
        patient = world.patient(old, birth_date=date(1980, 1, 1))
        await world.requisition(before, patient)
        moved = await world.http.put(
            "/api/v2/patients/client-physician",
            headers=lab.headers,
            json={"id": patient, "clientId": new},
        )
        assert moved.status_code == 200, moved.text
        kinds = {row["kind"] for row in (await timeline(world, after, patient))["data"]}
        assert kinds == {"registered", "changed"}
        kinds = {row["kind"] for row in (await timeline(world, lab, patient))["data"]}
        assert kinds == {"registered", "changed", "requisition"}
