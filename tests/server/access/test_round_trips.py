"""Round trips to PostgreSQL per request (ADR 22), counted on the wire."""

import uuid
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.server.lab_settings import zone
from tests.server.accounts.builders import Person
from tests.server.requisitions.builders import SIGNATURE
from tests.server.wire import trace_wire
from tests.server.world import World

pytestmark = pytest.mark.usefixtures("remembered_sessions")

TESTS = ("GLU", "CBC", "K", "COVID", "BCUL")


class RoundTripCounter:
    """Sends requests and counts their round trips."""

    def __init__(self, app: FastAPI, http: httpx.AsyncClient) -> None:
        self._database = app.state.portal.database
        self._http = http

    async def send(
        self, person: Person, method: str, path: str, body: Any = None
    ) -> tuple[httpx.Response, int]:
        """Return the answer to a request with a new idempotency key, and its round trips."""
        headers = {**person.headers, "Idempotency-Key": uuid.uuid4().hex}
        # Start from one fresh connection: an old one may still deallocate statements. The first
        # request then absorbs SQLAlchemy's questions about the server.
        await self._database.engine.dispose()
        await self._http.get("/api/v2/requisitions/0", headers=person.headers)
        with trace_wire(self._database) as traffic:
            answer = await self._http.request(method, path, headers=headers, json=body)
        return answer, traffic.round_trips


@pytest.fixture
def counter(
    portal_app: FastAPI, http: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> RoundTripCounter:
    """A counter of round trips, without those of the time zone, which is read every 5 seconds."""

    async def read_nothing(_: object) -> None:
        pass

    monkeypatch.setattr(zone, "apply_time_zone", read_nothing)
    return RoundTripCounter(portal_app, http)


def build_full_body(world: World, client: int, physician_id: int) -> dict[str, Any]:
    """Build a requisition with all its parts."""
    patient = world.create_patient(client, physician=physician_id)
    world.add_patient_lists(patient)
    row = world.run_sql("SELECT id FROM patient_insurance WHERE patient_id = %s", (patient,))
    return world.build_requisition_body(
        patient,
        *TESTS,
        physicianId=physician_id,
        diagnoses=[{"code": "I10"}, {"code": "E11.9", "testId": world.get_test_id("GLU")}],
        additionalTestsDxCodes=[{"code": "I10"}],
        medications=[{"name": "Metformin"}, {"name": "Lisinopril"}],
        billingInfo=[{"patientBillingInformationId": row}],
        billTo="Insurance",
        comments="<p>Fasting <b>since</b> midnight.</p>",
        additionalCopies=[{"type": "EMAIL", "destination": "copy@test.lab"}],
    )


class TestRequisitions:
    """Saving and reading requisitions: one round trip loads, another writes."""

    async def test_a_full_save_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        body = build_full_body(world, nurse.client, world.create_physician(nurse.client))
        answer, trips = await counter.send(nurse, "POST", "/api/v2/requisitions", body)
        assert (answer.status_code, trips) == (201, 2)
        read_answer = await world.http.get(
            f"/api/v2/requisitions/{answer.json()['id']}", headers=nurse.headers
        )
        assert read_answer.json() == answer.json()

    async def test_a_save_that_deletes_its_draft_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        draft = uuid.uuid4()
        draft_answer = await world.http.put(
            f"/api/v2/requisitions/drafts/{draft}", headers=nurse.headers, json={"content": {}}
        )
        assert draft_answer.status_code == 200
        body = world.build_requisition_body(world.create_patient(nurse.client))
        path = f"/api/v2/requisitions?draftId={draft}"
        answer, trips = await counter.send(nurse, "POST", path, body)
        assert (answer.status_code, trips) == (201, 2)

    async def test_a_full_change_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        physician_id = world.create_physician(nurse.client)
        body = build_full_body(world, nurse.client, physician_id)
        requisition = await world.save_requisition(nurse, body["patientId"])
        path = f"/api/v2/requisitions/{requisition['id']}"
        answer, trips = await counter.send(nurse, "POST", path, body)
        assert (answer.status_code, trips) == (200, 2)
        read_answer = await world.http.get(path, headers=nurse.headers)
        assert read_answer.json() == answer.json()
        assert answer.json()["version"] == requisition["version"] + 1

    async def test_a_replayed_save_takes_four_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        body = world.build_requisition_body(world.create_patient(nurse.client))
        answer, _ = await counter.send(nurse, "POST", "/api/v2/requisitions", body)
        headers = answer.request.headers
        with trace_wire(counter._database) as traffic:
            second_answer = await world.http.post(
                "/api/v2/requisitions", headers=headers, json=body
            )
        assert second_answer.content == answer.content
        assert traffic.round_trips <= 4

    async def test_reading_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        requisition = await world.save_requisition(
            nurse, world.create_patient(nurse.client), *TESTS
        )
        answer, trips = await counter.send(
            nurse, "GET", f"/api/v2/requisitions/{requisition['id']}"
        )
        assert (answer.json(), trips) == (requisition, 2)


class TestActsOnMany:
    """Bulk acts: many records take as many round trips as one."""

    async def test_signing_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        patient = world.create_patient(nurse.client)
        ids = [(await world.save_requisition(nurse, patient, *TESTS))["id"] for _ in range(3)]
        path = "/api/v2/requisitions/sign-multiple"
        body = {"image": SIGNATURE, "requisitionsIds": ids}
        answer, trips = await counter.send(nurse, "POST", path, body)
        assert (answer.status_code, trips) == (200, 2)

    async def test_changing_bill_to_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        patient = world.create_patient(nurse.client)
        ids = [(await world.save_requisition(nurse, patient))["id"] for _ in range(3)]
        path, body = "/api/v2/requisitions/change-bill-to", {"billTo": "Client", "ids": ids}
        answer, trips = await counter.send(nurse, "PUT", path, body)
        assert (answer.status_code, trips) == (200, 2)

    async def test_canceling_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        requisition = await world.save_requisition(
            nurse, world.create_patient(nurse.client), *TESTS
        )
        path = f"/api/v2/requisitions/{requisition['id']}"
        answer, trips = await counter.send(nurse, "POST", f"{path}/cancel", {"comment": "twice"})
        assert (answer.status_code, trips) == (200, 2)
        assert (await world.http.get(path, headers=nurse.headers)).json() == answer.json()

    async def test_unsigning_takes_two_round_trips(
        self, world: World, nurse, counter: RoundTripCounter
    ) -> None:
        requisition = await world.save_requisition(
            nurse, world.create_patient(nurse.client), *TESTS
        )
        sign_answer = await world.http.post(
            "/api/v2/requisitions/sign-multiple",
            headers=nurse.headers,
            json={"image": SIGNATURE, "requisitionsIds": [requisition["id"]]},
        )
        assert sign_answer.status_code == 200
        path = f"/api/v2/requisitions/{requisition['id']}"
        fresh = await world.sign_in(nurse)
        answer, trips = await counter.send(fresh, "POST", f"{path}/unsign")
        assert (answer.status_code, trips) == (200, 2)
        assert (await world.http.get(path, headers=nurse.headers)).json() == answer.json()


async def test_receiving_takes_two_round_trips(
    world: World, nurse, counter: RoundTripCounter
) -> None:
    patient, lab = world.create_patient(nurse.client), await world.create_person("Laboratory")
    first, second = [await world.save_requisition(nurse, patient, *TESTS) for _ in range(2)]
    path = "/api/v2/requisitions/receive"
    body = {"ids": [first["id"]], "code": second["code"]}
    answer, trips = await counter.send(lab, "POST", path, body)
    assert (answer.status_code, len(answer.json()), trips) == (200, 2, 2)


async def test_entering_and_releasing_results_take_two_round_trips_each(
    world: World, nurse, counter: RoundTripCounter
) -> None:
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), *TESTS)
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    path = f"/api/v2/orders/{receive_answer.json()[0]['orderId']}"
    screen, trips = await counter.send(lab, "GET", f"{path}/result-entry")
    assert (screen.status_code, trips) == (200, 2)
    measured_rows = [
        row for row in screen.json()["rows"] if not row["isPanel"] and not row["choices"]
    ]
    results = [{"orderTestId": row["orderTestId"], "result": "7.5"} for row in measured_rows]
    corrected_values = [
        {**result, "result": "8", "correction": {"reason": "REPEAT"}} for result in results
    ]
    for method, act, body in (
        ("PUT", "result-entry", {"results": results}),
        ("POST", "release", {}),
        ("PUT", "result-entry", {"results": corrected_values}),
        ("POST", "release", {"orderTestIds": [results[0]["orderTestId"]]}),
    ):
        answer, trips = await counter.send(lab, method, f"{path}/{act}", body)
        assert (answer.status_code, trips) == (200, 2)
        read_answer = await world.http.get(f"{path}/result-entry", headers=lab.headers)
        assert read_answer.json() == answer.json()


async def test_entering_and_releasing_reports_take_two_round_trips_each(
    world: World, nurse, counter: RoundTripCounter
) -> None:
    lab = await world.create_person("Laboratory")
    requisition = await world.save_requisition(nurse, world.create_patient(nurse.client), "SURG")
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    path = f"/api/v2/orders/{receive_answer.json()[0]['orderId']}"
    screen, trips = await counter.send(lab, "GET", f"{path}/pathology-entry")
    assert (screen.status_code, trips) == (200, 2)
    act = f"pathology-entry/{screen.json()['tests'][0]['orderTestId']}"
    report = {"comment": "<p>Benign.</p>", "signedOutBy": "DANA HALL, MD"}
    revision = {**report, "kind": 4, "reasonCode": "IDENTIFICATION"}
    for method, act_path, body in (
        ("PUT", act, report),
        ("POST", "pathology-release", {}),
        ("PUT", act, revision),
        ("PUT", act, {**revision, "comment": "<p>Atypical.</p>"}),
        ("POST", "pathology-release", {}),
    ):
        answer, trips = await counter.send(lab, method, f"{path}/{act_path}", body)
        assert (answer.status_code, trips) == (200, 2)
        read_answer = await world.http.get(f"{path}/pathology-entry", headers=lab.headers)
        assert read_answer.json() == answer.json()


async def test_entering_and_releasing_toxicology_take_two_round_trips_each(
    world: World, nurse, counter: RoundTripCounter
) -> None:
    lab = await world.create_person("Laboratory")
    patient = world.create_patient(nurse.client)
    requisition = await world.save_requisition(nurse, patient, "QDIA", "VCRE")
    receive_answer = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
    )
    path = f"/api/v2/orders/{receive_answer.json()[0]['orderId']}"
    screen, trips = await counter.send(lab, "GET", f"{path}/toxicology-entry")
    assert (screen.status_code, trips) == (200, 2)
    ids = [row["orderTestId"] for row in screen.json()["rows"]]
    results = [{"orderTestId": i, "result": "50", "reasonCode": "REPEAT"} for i in ids]
    for method, act, body in (
        ("PUT", "toxicology-entry", {"results": results}),
        ("POST", "toxicology-release", {}),
        ("PUT", "toxicology-entry", {"results": [{**row, "result": "60"} for row in results]}),
        ("POST", "toxicology-release", {"orderTestIds": ids[:1]}),
    ):
        answer, trips = await counter.send(lab, method, f"{path}/{act}", body)
        assert (answer.status_code, trips) == (200, 2)
        read_answer = await world.http.get(f"{path}/toxicology-entry", headers=lab.headers)
        assert read_answer.json() == answer.json()


async def test_claim_audit_row_and_stored_answer_add_no_round_trip(
    world: World, nurse, counter: RoundTripCounter
) -> None:
    draft = f"/api/v2/requisitions/drafts/{uuid.uuid4()}"
    await world.http.put(draft, headers=nurse.headers, json={"content": {}})
    answer, trips = await counter.send(nurse, "DELETE", draft)
    assert answer.status_code == 204
    # Begin, scope, and claim; then the draft; then the audit row, stored answer, and commit.
    assert trips == 3
    row = world.fetch_rows(
        "SELECT status FROM idempotency_keys WHERE user_id = %s", (nurse.user_id,)
    )
    assert row == [(204,)]
