"""Filling in the missing information of an order and its patient (R 2.4, R 4)."""

import asyncio
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.server.world import SIGNATURE, Person, World

LIST = "/api/v2/orders/remote-operations"
ROW = {
    "billTypeId": None,
    "payerId": None,
    "insuranceId": "ab-1",
    "relationship": "SPOUSE",
    "lastName": "Lopez",
    "firstName": "Ana",
    "birthDate": "1971-02-03",
    "gender": "FEMALE",
    "address": "1 Main St",
    "differentThanPatient": True,
}
PARTY = {
    "lastName": "Lopez",
    "firstName": "Ana",
    "phone": "312-555-0101",
    "address": "1 Main St",
    "zipCodeExtra": "1234",
}


@dataclass
class Desk:
    """An order of a client, whose requisition lacks physician, diagnosis, and insurance."""

    world: World
    nurse: Person
    lab: Person
    physician: int
    patient: int
    requisition: int
    order: int

    @property
    def path(self) -> str:
        """The address of the form."""
        return f"/api/v2/orders/{self.order}/billing-information"

    async def read(self, person: Person | None = None) -> dict[str, Any]:
        """Read the form."""
        person = person or self.nurse
        answer = await self.world.http.get(self.path, headers=person.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def save(
        self, person: Person | None = None, version: int | None = None, **body: Any
    ) -> httpx.Response:
        """Save the form with these fields."""
        headers = dict((person or self.nurse).headers)
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        return await self.world.http.put(self.path, headers=headers, json=body)

    async def read_row(self, person: Person | None = None) -> dict[str, Any]:
        """Read the order's row of the search."""
        answer = await self.world.http.get(
            f"/api/v2/orders/ids?ids={self.order}", headers=(person or self.nurse).headers
        )
        return answer.json()[0]

    def build_insurance(self, **values: Any) -> dict[str, Any]:
        """Build an insurance row that has all that a claim needs."""
        payer = self.world.fetch_rows("SELECT id, bill_type_id FROM payers ORDER BY id LIMIT 1")[0]
        code = self.world.run_sql("SELECT min(code) FROM zip_codes")
        bill_type = payer[1] or self.world.run_sql("SELECT min(id) FROM bill_types")
        chosen = {"payerId": payer[0], "billTypeId": bill_type, "zipCode": {"code": code}}
        return {**ROW, **chosen, **values}

    def build_diagnosis(self) -> dict[str, Any]:
        """Choose a diagnosis."""
        return {"id": self.world.run_sql("SELECT min(id) FROM diagnoses")}


@pytest.fixture
async def desk(world: World) -> Desk:
    """An order that is billed to insurance and lacks everything."""
    client = world.create_client()
    physician = world.create_physician(client)
    nurse = await world.create_person("Client Basic", client_ids=[client])
    lab = await world.create_person("Laboratory")
    patient = world.create_patient(client)
    world.add_patient_lists(patient)
    saved = await world.save_requisition(nurse, patient, billTo="INSURANCE")
    received = await world.http.post(
        "/api/v2/requisitions/receive", headers=lab.headers, json={"ids": [saved["id"]]}
    )
    order = received.json()[0]["orderId"]
    return Desk(world, nurse, lab, physician, patient, saved["id"], order)


class TestReading:
    """GET billing-information."""

    async def test_names_what_is_missing(self, desk: Desk) -> None:
        form = await desk.read()
        assert form["missing"] == ["orderingPhysician", "diagnoses", "insuranceInformation"]
        assert (form["birthDate"], form["gender"]) == ("1970-01-02", "FEMALE")
        assert [row["insuranceId"] for row in form["insuranceInformation"]] == ["OLD-1"]
        assert [row["lastName"] for row in form["responsibleParties"]] == ["PAYS"]
        assert all(form[f"canChange{part}"]["allowed"] for part in ("", "Billing", "Diagnoses"))
        assert (await desk.read_row())["hasMissingInfo"] is True

    async def test_is_denied_to_patients_and_other_clients(self, desk: Desk) -> None:
        patient = await desk.world.create_person("Patient", patient_ids=[desk.patient])
        answer = await desk.world.http.get(desk.path, headers=patient.headers)
        assert answer.status_code == 403
        other = desk.world.create_client()
        stranger = await desk.world.create_person("Client Admin", client_ids=[other])
        answer = await desk.world.http.get(desk.path, headers=stranger.headers)
        assert answer.status_code == 404
        assert (await desk.save(stranger, comments="")).status_code == 404
        await desk.save(physicianId=desk.physician)
        physician = await desk.world.create_person("Physician", physician_ids=[desk.physician])
        assert (await desk.read(physician))["canChangeBilling"]["allowed"] is False


class TestSaving:
    """PUT billing-information."""

    async def test_completes_the_order_and_the_patient(self, desk: Desk) -> None:
        form = await desk.read()
        code = desk.world.run_sql("SELECT min(code) FROM zip_codes")
        answer = await desk.save(
            version=form["version"],
            orderId=desk.order,
            patientId=desk.patient,
            patientVersion=form["patientVersion"],
            birthDate="1970-01-02",
            gender="FEMALE",
            physicianId=desk.physician,
            diagnoses=[desk.build_diagnosis()],
            insuranceInformation=[desk.build_insurance()],
            responsibleParties=[{**PARTY, "zipCode": code}],
            username="TESTER, ADA",
            comments="<p>Called the family.</p>",
        )
        assert answer.status_code == 200, answer.text
        saved = answer.json()
        assert saved["missing"] == []
        assert saved["version"] == form["version"] + 1
        assert saved["comment"] == "<p>Called the family.</p>"
        [billed] = saved["insuranceInformation"]
        assert (billed["insuranceId"], billed["lastName"]) == ("AB-1", "LOPEZ")
        [completion] = saved["completions"]
        assert (completion["userName"], completion["wasSigned"]) == ("Ada Tester", False)
        assert set(completion["parts"]) >= {"orderingPhysician", "diagnoses"}
        assert (await desk.read_row())["hasMissingInfo"] is False
        patient = await desk.world.http.get(
            f"/api/v2/patients/{desk.patient}", headers=desk.nurse.headers
        )
        # Rows that were not sent stay with the patient.
        rows = [row["insuranceId"] for row in patient.json()["insuranceInformation"]]
        assert rows == ["AB-1", "OLD-1"]
        parties = [row["lastName"] for row in patient.json()["responsibleParties"]]
        assert parties == ["LOPEZ", "PAYS"]

    async def test_moves_the_order_to_the_physician_who_ordered_it(self, desk: Desk) -> None:
        physician = await desk.world.create_person("Physician", physician_ids=[desk.physician])
        answer = await desk.world.http.get(desk.path, headers=physician.headers)
        assert answer.status_code == 404
        assert (await desk.save(physicianId=desk.physician)).status_code == 200
        answer = await desk.save(physician, diagnoses=[desk.build_diagnosis()])
        assert answer.json()["missing"] == ["insuranceInformation"], answer.text
        answer = await desk.save(physician, insuranceInformation=[desk.build_insurance()])
        assert answer.status_code == 403

    async def test_reports_every_error_and_changes_nothing(self, desk: Desk) -> None:
        answer = await desk.save(
            birthDate="",
            gender="MALE",
            physicianId=None,
            diagnoses=[{"code": "NOPE"}],
            insuranceInformation=[desk.build_insurance(payerId=0, insuranceId=" ")],
            responsibleParties=[{**PARTY, "zipCode": "60614", "phone": "1"}],
        )
        assert answer.status_code == 400, answer.text
        errors = {error["field"]: error["message"] for error in answer.json()["errors"]}
        assert errors["birthDate"] == "Date of birth is required"
        assert errors["gender"].startswith("Gender is on the patient's record")
        assert errors["physicianId"] == "Physician is required"
        assert {field.split(".")[0] for field in errors} >= {
            "diagnoses",
            "insuranceInformation",
            "responsibleParties",
        }
        form = await desk.read()
        assert (form["completions"], len(form["insuranceInformation"])) == ([], 1)

    async def test_foreign_rows_and_patients_look_nonexistent(self, desk: Desk) -> None:
        other = desk.world.create_patient(desk.world.create_client())
        desk.world.add_patient_lists(other)
        row = desk.world.run_sql(
            "SELECT max(id) FROM patient_insurance WHERE patient_id = %s", (other,)
        )
        answers = [
            await desk.save(
                physicianId=desk.physician, insuranceInformation=[desk.build_insurance(id=id_)]
            )
            for id_ in (row, 999_999_999)
        ]
        assert {answer.status_code for answer in answers} == {400}
        assert answers[0].json()["errors"] == answers[1].json()["errors"]
        assert (await desk.save(patientId=other, comments="")).status_code == 404

    async def test_rejects_the_second_of_two_saves(self, desk: Desk) -> None:
        version = (await desk.read())["version"]
        both = await asyncio.gather(
            desk.save(version=version, physicianId=desk.physician),
            desk.save(desk.lab, version=version, physicianId=desk.physician),
        )
        assert sorted(answer.status_code for answer in both) == [200, 412]
        stale = await desk.save(
            physicianId=desk.physician, patientVersion=99, comments="<p>Late.</p>"
        )
        assert stale.status_code == 412
        assert (await desk.read())["comment"] is None

    async def test_a_signature_stays_and_locks_what_is_filled_in(self, desk: Desk) -> None:
        signed = await desk.world.http.post(
            "/api/v2/orders/sign-multiple",
            headers=desk.nurse.headers,
            json={"image": SIGNATURE, "ordersIds": [desk.order]},
        )
        assert signed.status_code == 200, signed.text
        assert (await desk.save(physicianId=desk.physician)).status_code == 200
        form = await desk.read()
        assert [each["wasSigned"] for each in form["completions"]] == [True]
        other = desk.world.create_physician()
        answer = await desk.save(physicianId=other)
        assert (answer.status_code, answer.json()["code"]) == (409, "information_locked")
        order = await desk.world.http.get(
            f"/api/v2/orders/{desk.order}", headers=desk.nurse.headers
        )
        assert order.json()["hasSignature"] is True

    async def test_an_entry_alert_locks_the_comment(self, desk: Desk) -> None:
        desk.world.run_sql("UPDATE orders SET entry_alert = 'CALL' WHERE id = %s", (desk.order,))
        answer = await desk.save(physicianId=desk.physician, comments="<p>No.</p>")
        assert (answer.status_code, answer.json()["code"]) == (409, "information_locked")

    async def test_a_canceled_order_is_closed(self, desk: Desk) -> None:
        desk.world.run_sql("UPDATE orders SET status = 32 WHERE id = %s", (desk.order,))
        answer = await desk.save(physicianId=desk.physician)
        assert (answer.status_code, answer.json()["code"]) == (409, "order_read_only")
        assert (await desk.read())["missing"] == []
        assert (await desk.read_row())["hasMissingInfo"] is False


class TestReceiving:
    """The mark of a new order."""

    async def test_depends_on_who_is_billed(self, desk: Desk) -> None:
        world, client = desk.world, desk.world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        saved = await world.save_requisition(
            nurse,
            world.create_patient(client),
            billTo="CLIENT",
            physicianId=desk.physician,
            diagnoses=[desk.build_diagnosis()],
        )
        received = await world.http.post(
            "/api/v2/requisitions/receive", headers=desk.lab.headers, json={"ids": [saved["id"]]}
        )
        answer = await world.http.get(
            f"/api/v2/orders/ids?ids={received.json()[0]['orderId']}", headers=nurse.headers
        )
        assert answer.json()[0]["hasMissingInfo"] is False


class TestSettings:
    """GET public-settings/missing-info."""

    async def test_is_on_unless_the_lab_turns_it_off(self, desk: Desk) -> None:
        answer = await desk.world.http.get(
            "/api/v2/public-settings/missing-info", headers=desk.nurse.headers
        )
        assert answer.json() == {"enabled": True}
