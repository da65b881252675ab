"""Filling in the missing information of an order and its patient (R 2.4, R 4)."""

import asyncio

import pytest

from app.contract import messages
from tests.server.orders.billing_forms import BillingForm, open_billing_form
from tests.server.requisitions.builders import SIGNATURE
from tests.server.world import World

PARTY = {
    "lastName": "Lopez",
    "firstName": "Ana",
    "phone": "312-555-0101",
    "address": "1 Main St",
    "zipCodeExtra": "1234",
}


@pytest.fixture
async def form(world: World) -> BillingForm:
    """The form of an order that is billed to insurance and lacks everything."""
    return await open_billing_form(world)


class TestReading:
    """GET billing-information."""

    async def test_names_what_is_missing(self, form: BillingForm) -> None:
        content = await form.read()
        assert content["missing"] == ["orderingPhysician", "diagnoses", "insuranceInformation"]
        assert (content["birthDate"], content["gender"]) == ("1970-01-02", "FEMALE")
        phone = form.world.run_sql(
            "UPDATE patients SET phone = '3125550101' WHERE id = %s RETURNING phone",
            (form.patient,),
        )
        assert (await form.read())["phone"] == phone
        assert [row["insuranceId"] for row in content["insuranceInformation"]] == ["OLD-1"]
        assert [row["lastName"] for row in content["responsibleParties"]] == ["PAYS"]
        assert all(content[f"canChange{part}"]["allowed"] for part in ("", "Billing", "Diagnoses"))
        assert (await form.read_row())["hasMissingInfo"] is True

    async def test_is_denied_to_patients_and_other_clients(self, form: BillingForm) -> None:
        patient = await form.world.create_person("Patient", patient_ids=[form.patient])
        answer = await form.world.http.get(form.path, headers=patient.headers)
        assert answer.status_code == 403
        other = form.world.create_client()
        stranger = await form.world.create_person("Client Admin", client_ids=[other])
        answer = await form.world.http.get(form.path, headers=stranger.headers)
        assert answer.status_code == 404
        assert (await form.save(stranger, comments="")).status_code == 404
        await form.save(physicianId=form.physician)
        physician = await form.world.create_person("Physician", physician_ids=[form.physician])
        assert (await form.read(physician))["canChangeBilling"]["allowed"] is False


class TestSaving:
    """PUT billing-information."""

    async def test_completes_the_order_and_the_patient(self, form: BillingForm) -> None:
        content = await form.read()
        code = form.world.run_sql("SELECT min(code) FROM zip_codes")
        answer = await form.save(
            version=content["version"],
            orderId=form.order,
            patientId=form.patient,
            patientVersion=content["patientVersion"],
            birthDate="1970-01-02",
            gender="FEMALE",
            physicianId=form.physician,
            diagnoses=[form.build_diagnosis()],
            insuranceInformation=[form.build_insurance()],
            responsibleParties=[{**PARTY, "zipCode": code}],
            username="TESTER, ADA",
            comments="<p>Called the family.</p>",
        )
        assert answer.status_code == 200, answer.text
        order = answer.json()
        assert order["missing"] == []
        assert order["version"] == content["version"] + 1
        assert order["orderingPhysician"] == order["physician"]
        assert order["orderingPhysician"]["id"] == form.physician
        assert order["comment"] == "<p>Called the family.</p>"
        [billed_row] = order["insuranceInformation"]
        assert (billed_row["insuranceId"], billed_row["lastName"]) == ("AB-1", "LOPEZ")
        [completion] = order["completions"]
        assert (completion["userName"], completion["wasSigned"]) == ("Ada Tester", False)
        assert set(completion["parts"]) >= {"orderingPhysician", "diagnoses"}
        assert (await form.read_row())["hasMissingInfo"] is False
        patient_answer = await form.world.http.get(
            f"/api/v2/patients/{form.patient}", headers=form.nurse.headers
        )
        # Rows that were not sent stay with the patient.
        rows = [row["insuranceId"] for row in patient_answer.json()["insuranceInformation"]]
        assert rows == ["AB-1", "OLD-1"]
        parties = [row["lastName"] for row in patient_answer.json()["responsibleParties"]]
        assert parties == ["LOPEZ", "PAYS"]

    async def test_increments_the_version_of_the_requisition(self, form: BillingForm) -> None:
        path = f"/api/v2/requisitions/{form.requisition}"
        before = (await form.world.http.get(path, headers=form.nurse.headers)).json()["version"]
        assert (await form.save(physicianId=form.physician)).status_code == 200
        after = (await form.world.http.get(path, headers=form.nurse.headers)).json()["version"]
        assert after == before + 1

    async def test_sending_a_stored_diagnosis_by_its_code_changes_nothing(
        self, form: BillingForm
    ) -> None:
        diagnosis = form.build_diagnosis()
        await form.save(physicianId=form.physician, diagnoses=[diagnosis])
        code = form.world.run_sql("SELECT code FROM diagnoses WHERE id = %s", (diagnosis["id"],))
        second_answer = await form.save(
            physicianId=form.physician, diagnoses=[{"code": code}], comments="<p>Called.</p>"
        )
        assert second_answer.status_code == 200, second_answer.text
        parts = [completion["parts"] for completion in second_answer.json()["completions"]]
        assert parts == [["orderingPhysician", "diagnoses"], ["comment"]]

    async def test_does_not_note_a_form_without_changes(self, form: BillingForm) -> None:
        await form.save(physicianId=form.physician)
        second_answer = await form.save(physicianId=form.physician)
        assert second_answer.status_code == 200, second_answer.text
        assert [completion["parts"] for completion in second_answer.json()["completions"]] == [
            ["orderingPhysician"]
        ]

    async def test_an_unknown_physician_is_an_error_of_the_field(self, form: BillingForm) -> None:
        await form.save(physicianId=form.physician)
        answer = await form.save(physicianId=999_999_999)
        assert answer.status_code == 400
        assert answer.json()["errors"] == [{"field": "physicianId", "message": messages.NOT_FOUND}]

    async def test_moves_the_order_to_the_physician_who_ordered_it(self, form: BillingForm) -> None:
        physician = await form.world.create_person("Physician", physician_ids=[form.physician])
        answer = await form.world.http.get(form.path, headers=physician.headers)
        assert answer.status_code == 404
        assert (await form.save(physicianId=form.physician)).status_code == 200
        answer = await form.save(physician, diagnoses=[form.build_diagnosis()])
        assert answer.json()["missing"] == ["insuranceInformation"], answer.text
        answer = await form.save(physician, insuranceInformation=[form.build_insurance()])
        assert answer.status_code == 403

    async def test_reports_every_error_and_changes_nothing(self, form: BillingForm) -> None:
        answer = await form.save(
            birthDate="",
            gender="MALE",
            physicianId=None,
            diagnoses=[{"code": "NOPE"}],
            insuranceInformation=[form.build_insurance(payerId=0, insuranceId=" ")],
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
        content = await form.read()
        assert (content["completions"], len(content["insuranceInformation"])) == ([], 1)

    async def test_foreign_rows_and_patients_look_nonexistent(self, form: BillingForm) -> None:
        other = form.world.create_patient(form.world.create_client())
        form.world.add_patient_lists(other)
        row = form.world.run_sql(
            "SELECT max(id) FROM patient_insurance WHERE patient_id = %s", (other,)
        )
        answers = [
            await form.save(
                physicianId=form.physician, insuranceInformation=[form.build_insurance(id=id_)]
            )
            for id_ in (row, 999_999_999)
        ]
        assert {answer.status_code for answer in answers} == {400}
        assert answers[0].json()["errors"] == answers[1].json()["errors"]
        assert (await form.save(patientId=other, comments="")).status_code == 404

    async def test_rejects_the_second_of_two_saves(self, form: BillingForm) -> None:
        version = (await form.read())["version"]
        answers = await asyncio.gather(
            form.save(version=version, physicianId=form.physician),
            form.save(form.lab, version=version, physicianId=form.physician),
        )
        assert sorted(answer.status_code for answer in answers) == [200, 412]
        stale_answer = await form.save(
            physicianId=form.physician, patientVersion=99, comments="<p>Late.</p>"
        )
        assert (stale_answer.status_code, stale_answer.json()["detail"]) == (
            412,
            messages.VERSION_STALE,
        )
        assert (await form.read())["comment"] is None

    async def test_a_signature_stays_and_locks_what_is_filled_in(self, form: BillingForm) -> None:
        sign_answer = await form.world.http.post(
            "/api/v2/orders/sign-multiple",
            headers=form.nurse.headers,
            json={"image": SIGNATURE, "ordersIds": [form.order]},
        )
        assert sign_answer.status_code == 200, sign_answer.text
        assert (await form.save(physicianId=form.physician)).status_code == 200
        content = await form.read()
        assert [completion["wasSigned"] for completion in content["completions"]] == [True]
        other = form.world.create_physician()
        answer = await form.save(physicianId=other)
        assert (answer.status_code, answer.json()["code"]) == (409, "information_locked")
        order_answer = await form.world.http.get(
            f"/api/v2/orders/{form.order}", headers=form.nurse.headers
        )
        assert order_answer.json()["hasSignature"] is True

    async def test_an_entry_alert_locks_the_comment(self, form: BillingForm) -> None:
        form.world.run_sql("UPDATE orders SET entry_alert = 'CALL' WHERE id = %s", (form.order,))
        answer = await form.save(physicianId=form.physician, comments="<p>No.</p>")
        assert (answer.status_code, answer.json()["code"]) == (409, "information_locked")

    async def test_a_canceled_order_is_closed(self, form: BillingForm) -> None:
        form.world.run_sql("UPDATE orders SET status = 32 WHERE id = %s", (form.order,))
        answer = await form.save(physicianId=form.physician)
        assert (answer.status_code, answer.json()["code"]) == (409, "order_read_only")
        assert (await form.read())["missing"] == []
        assert (await form.read_row())["hasMissingInfo"] is False


class TestReceiving:
    """The mark of a new order."""

    async def test_depends_on_who_is_billed(self, form: BillingForm) -> None:
        world, client = form.world, form.world.create_client()
        nurse = await world.create_person("Client Basic", client_ids=[client])
        requisition = await world.save_requisition(
            nurse,
            world.create_patient(client),
            billTo="CLIENT",
            physicianId=form.physician,
            diagnoses=[form.build_diagnosis()],
        )
        receive_answer = await world.http.post(
            "/api/v2/requisitions/receive",
            headers=form.lab.headers,
            json={"ids": [requisition["id"]]},
        )
        answer = await world.http.get(
            f"/api/v2/orders/ids?ids={receive_answer.json()[0]['orderId']}", headers=nurse.headers
        )
        assert answer.json()[0]["hasMissingInfo"] is False


class TestSettings:
    """GET public-settings/missing-info."""

    async def test_is_on_by_default(self, form: BillingForm) -> None:
        answer = await form.world.http.get(
            "/api/v2/public-settings/missing-info", headers=form.nurse.headers
        )
        assert answer.json() == {"enabled": True}
