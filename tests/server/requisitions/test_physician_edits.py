"""Changes by physicians to requisitions (DECISIONS, 'People and roles')."""

import pytest

from app.contract import messages
from tests.server.accounts.builders import Person
from tests.server.requisitions.steps import BASE, build_test_writes
from tests.server.world import World

_SCAN = {"fileName": "scan.pdf", "content": "JVBERi0xLjQK"}


@pytest.fixture
def physician_id(world: World, nurse) -> int:
    """A physician of the nurse's client."""
    return world.create_physician(nurse.client)


@pytest.fixture
async def physician(world: World, physician_id) -> Person:
    """This physician, signed in."""
    return await world.create_person("Physician", physician_ids=[physician_id])


@pytest.fixture
async def requisition(world: World, nurse, patient, physician_id) -> dict:
    """A pending requisition of this physician."""
    return await world.save_requisition(
        nurse, patient, physicianId=physician_id, diagnoses=[{"code": "I10"}]
    )


@pytest.fixture
def change(world: World, physician, requisition):
    """Return a function that updates the requisition as the physician."""

    async def update(requisition_id: int = requisition["id"], part: str = "", **body):
        path = f"{BASE}/{requisition_id}{part}"
        return await world.http.post(path, headers=physician.headers, json=body)

    return update


async def read_requisition(world: World, physician: Person, requisition: dict) -> dict:
    """Read the requisition as the physician."""
    answer = await world.http.get(f"{BASE}/{requisition['id']}", headers=physician.headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestOpenParts:
    """Parts that physicians can change in their own pending requisitions."""

    async def test_saves_and_reads_open_parts(
        self, world: World, physician, requisition, change
    ) -> None:
        parts = {
            "diagnoses": [{"code": "E11.9"}, {"code": "I10"}],
            "additionalTestsDxCodes": [{"code": "E11.9"}],
            "medications": [{"name": "METFORMIN"}],
            "comments": "<p>Draw fasting</p>",
            "additionalCopies": [{"type": "EMAIL", "destination": "dana@clinic.example"}],
        }
        answer = await change(**parts)
        assert answer.status_code == 200, answer.text
        saved_requisition = await read_requisition(world, physician, requisition)
        assert [row["code"] for row in saved_requisition["diagnoses"]] == ["E11.9", "I10"]
        assert [row["code"] for row in saved_requisition["additionalTestsDxCodes"]] == ["E11.9"]
        assert saved_requisition["medications"] == [{"name": "METFORMIN"}]
        assert saved_requisition["comments"] == "<p>Draw fasting</p>"
        assert saved_requisition["additionalCopies"] == parts["additionalCopies"]
        assert saved_requisition["version"] == requisition["version"] + 1

    async def test_saves_open_parts_without_changing_the_rest(
        self, world: World, physician, requisition, change
    ) -> None:
        """A form may send the whole record."""
        whole = {
            "patientId": requisition["patientId"],
            "physicianId": requisition["physicianId"],
            "collectionDate": requisition["collectionDate"],
            "fasting": requisition["fasting"],
            "priority": requisition["priority"],
            "billTo": requisition["billTo"],
            "tests": build_test_writes(requisition),
            "billingInfo": [],
            "comments": "whole",
        }
        answer = await change(**whole)
        assert answer.status_code == 200, answer.text
        saved_requisition = await read_requisition(world, physician, requisition)
        assert (saved_requisition["comments"], saved_requisition["tests"]) == (
            "whole",
            requisition["tests"],
        )

    async def test_saves_open_parts_by_the_routes_of_the_lists(self, change) -> None:
        answer = await change(part="/save-diagnoses", diagnoses=[{"code": "E11.9"}])
        assert [row["code"] for row in answer.json()["diagnoses"]] == ["E11.9"]
        answer = await change(part="/save-medications", medications=[{"name": "ASPIRIN"}])
        assert answer.json()["medications"] == [{"name": "ASPIRIN"}]

    async def test_open_parts_include_documents(self, world: World, physician, requisition) -> None:
        path = f"{BASE}/{requisition['id']}/documents"
        answer = await world.http.post(path, headers=physician.headers, json=_SCAN)
        assert answer.status_code == 201, answer.text
        list_answer = await world.http.get(path, headers=physician.headers)
        assert [row["name"] for row in list_answer.json()] == ["scan.pdf"]
        delete_answer = await world.http.delete(
            f"{path}/{answer.json()['id']}", headers=physician.headers
        )
        assert delete_answer.status_code == 204

    async def test_open_parts_are_permissions_in_the_record(
        self, world: World, physician, requisition
    ) -> None:
        record = await read_requisition(world, physician, requisition)
        names = ("canChange", "canChangeContent", "canChangeClinical", "canChangeExtras")
        assert [record[name]["allowed"] for name in names] == [False, False, True, True]
        assert record["canChange"]["reason"] == messages.REQUISITION_PHYSICIAN_PARTS
        assert record["canCancel"]["allowed"] is False

    async def test_names_another_physicians_patient_by_code(
        self, world: World, nurse, physician, patient, requisition, change
    ) -> None:
        code = world.run_sql("SELECT code FROM patients WHERE id = %s", (patient,))
        assert code
        hidden_answer = await world.http.get(
            f"/api/v2/patients/{patient}", headers=physician.headers
        )
        assert hidden_answer.status_code == 404
        assert (await read_requisition(world, physician, requisition))["patient"]["code"] == code
        save_answer = await change(comments="Call first")
        assert (save_answer.status_code, save_answer.json()["patient"]["code"]) == (200, code)
        lab = await world.create_person("Laboratory")
        receive_answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        path = f"/api/v2/orders/{receive_answer.json()[0]['orderId']}"
        order_answer = await world.http.get(path, headers=physician.headers)
        assert order_answer.json()["patient"]["code"] == code


class TestLockedParts:
    """Parts that physicians cannot change."""

    @pytest.mark.parametrize(
        "locked_part",
        [
            {"physicianId": None},
            {"collectionDate": "2026-03-05T00:00:00"},
            {"fasting": 1},
            {"priority": "STAT"},
            {"billTo": "Patient"},
            {"tests": []},
            {"patientId": None},
            {"refreshPatient": True},
            {"billingInfo": [{"patientBillingInformationId": 999999999}]},
        ],
    )
    async def test_rejects_open_parts_sent_with_a_locked_part(
        self, world: World, parse_problem, physician, requisition, change, locked_part: dict
    ) -> None:
        answer = await change(comments="not stored", diagnoses=[], **locked_part)
        problem = parse_problem(answer)
        assert (answer.status_code, problem["detail"]) == (
            403,
            messages.REQUISITION_PHYSICIAN_PARTS,
        )
        unchanged_requisition = await read_requisition(world, physician, requisition)
        assert (unchanged_requisition["comments"], unchanged_requisition["version"]) == (
            None,
            requisition["version"],
        )
        assert [row["code"] for row in unchanged_requisition["diagnoses"]] == ["I10"]

    async def test_locked_parts_include_other_tests(
        self, world: World, requisition, change
    ) -> None:
        more = [*build_test_writes(requisition), {"test": {"id": world.get_test_id("K")}}]
        assert (await change(tests=more)).status_code == 403
        confidential = [{**build_test_writes(requisition)[0], "isConfidential": True}]
        assert (await change(tests=confidential)).status_code == 403

    async def test_locked_parts_include_diagnoses_of_a_signed_requisition(
        self, physician, requisition, change, sign, parse_problem
    ) -> None:
        await sign(physician, requisition["id"])
        answer = await change(diagnoses=[{"code": "E11.9"}])
        assert (answer.status_code, parse_problem(answer)["code"]) == (409, "requisition_signed")
        answer = await change(comments="still open", diagnoses=[{"code": "I10"}])
        assert (answer.status_code, answer.json()["comments"]) == (200, "still open")

    async def test_locked_parts_include_all_of_a_received_requisition(
        self, requisition, change, receive, parse_problem
    ) -> None:
        await receive(requisition["id"])
        answer = await change(comments="late")
        assert parse_problem(answer)["code"] == "requisition_read_only"

    async def test_requisitions_of_other_physicians_look_nonexistent(
        self, world: World, nurse, patient, physician, change, parse_problem
    ) -> None:
        other = await world.save_requisition(
            nurse, patient, physicianId=world.create_physician(nurse.client)
        )
        foreign_answer, missing_answer = (
            await change(other["id"], comments="x"),
            await change(0, comments="x"),
        )
        assert (foreign_answer.status_code, missing_answer.status_code) == (404, 404)
        assert foreign_answer.content == missing_answer.content
        upload_answer = await world.http.post(
            f"{BASE}/{other['id']}/documents", headers=physician.headers, json=_SCAN
        )
        assert upload_answer.status_code == 404

    async def test_physicians_cannot_create_requisitions(
        self, world: World, physician, patient
    ) -> None:
        body = world.build_requisition_body(patient)
        answer = await world.http.post(BASE, headers=physician.headers, json=body)
        assert answer.status_code == 403
