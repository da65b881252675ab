"""Parts of a requisition: insurance, copies, comments, and parts that signing leaves open."""

import asyncio
import base64
import io
import threading
from typing import Any

import pytest
from fastapi import FastAPI
from pypdf import PdfReader

from app.contract import messages
from app.contract.limits import ADDITIONAL_COPIES_MAX, COMMENTS_MAX_LENGTH
from app.server.drawing_pool import DrawingProcess
from tests.server.world import World

BASE = "/api/v2/requisitions"


class TestInsurance:
    """billingInfo and billing-info."""

    async def test_stores_the_rows_as_they_were_when_chosen(
        self, world: World, nurse, patient, insure
    ) -> None:
        first, second = insure(patient, "W-1"), insure(patient, "W-2", position=2)
        requisition = await world.save_requisition(
            nurse,
            patient,
            billingInfo=[
                {"patientBillingInformationId": first, "position": 2},
                {"patientBillingInformationId": second, "position": 1},
            ],
        )
        name = requisition["patient"]["lastName"]
        world.run_sql("UPDATE patients SET last_name = 'MARRIED' WHERE id = %s", (patient,))
        answer = await world.http.get(
            f"{BASE}/{requisition['id']}/billing-info", headers=nurse.headers
        )
        rows = answer.json()
        assert rows == requisition["billingInformation"]
        assert [row["patientBillingInformationId"] for row in rows] == [second, first]
        assert [row["position"] for row in rows] == [1, 2]
        assert [row["insuranceId"] for row in rows] == ["W-2", "W-1"]
        assert rows[0]["lastName"] == name and rows[0]["payer"] and rows[0]["billType"]

    async def test_saving_again_updates_the_snapshot(
        self, world: World, nurse, patient, insure, save
    ) -> None:
        row = insure(patient)
        chosen_rows = [{"patientBillingInformationId": row, "position": 1}]
        requisition = await world.save_requisition(nurse, patient, billingInfo=chosen_rows)
        world.run_sql("UPDATE patients SET last_name = 'MARRIED' WHERE id = %s", (patient,))
        unchanged_requisition = (await save(requisition["id"], comments="x")).json()
        assert unchanged_requisition["billingInformation"] == requisition["billingInformation"]
        updated_rows = (await save(requisition["id"], billingInfo=chosen_rows)).json()[
            "billingInformation"
        ]
        assert updated_rows[0]["lastName"] == "MARRIED"
        assert updated_rows[0]["id"] == requisition["billingInformation"][0]["id"]

    async def test_accepts_the_rows_of_an_answer(
        self, world: World, nurse, patient, insure, save
    ) -> None:
        """O 3 names the field 'billingInformation', O 7 'billingInfo'."""
        first, second = insure(patient, "W-1"), insure(patient, "W-2", position=2)
        chosen_rows = [
            {"patientBillingInformationId": second, "position": 1},
            {"patientBillingInformationId": first, "position": 2},
        ]
        requisition = await world.save_requisition(nurse, patient, billingInformation=chosen_rows)
        assert [row["insuranceId"] for row in requisition["billingInformation"]] == ["W-2", "W-1"]
        fewer_rows = requisition["billingInformation"][:1]
        changed_requisition = (await save(requisition["id"], billingInformation=fewer_rows)).json()
        assert [row["insuranceId"] for row in changed_requisition["billingInformation"]] == ["W-2"]

    async def test_other_patients_rows_look_nonexistent(
        self, world: World, parse_problem, nurse, patient, insure
    ) -> None:
        foreign_row = insure(world.create_patient(world.create_client()))
        other_patients_row = insure(world.create_patient(nurse.client))
        answers = []
        for row_id in (foreign_row, other_patients_row, 999_999_999):
            body = world.build_requisition_body(
                patient, billingInfo=[{"patientBillingInformationId": row_id, "position": 1}]
            )
            answers.append(await world.http.post(BASE, headers=nurse.headers, json=body))
        assert {answer.status_code for answer in answers} == {400}
        assert len({answer.content for answer in answers}) == 1
        assert parse_problem(answers[0])["errors"] == [
            {"field": "billingInfo.0.patientBillingInformationId", "message": messages.NOT_FOUND}
        ]

    async def test_a_row_removed_from_the_patient_can_stay(
        self, world: World, nurse, patient, insure, save
    ) -> None:
        row = insure(patient)
        chosen_rows = [{"patientBillingInformationId": row, "position": 1}]
        requisition = await world.save_requisition(nurse, patient, billingInfo=chosen_rows)
        world.run_sql("UPDATE patient_insurance SET removed_at = now() WHERE id = %s", (row,))
        unchanged_answer = await save(requisition["id"], billingInfo=chosen_rows)
        assert unchanged_answer.json()["billingInformation"] == requisition["billingInformation"]
        removal_answer = await save(requisition["id"], billingInfo=[])
        assert removal_answer.json()["billingInformation"] == []
        assert (await save(requisition["id"], billingInfo=chosen_rows)).status_code == 400

    async def test_changing_the_patient_removes_the_insurance(
        self, world: World, nurse, patient, insure, save
    ) -> None:
        row = insure(patient)
        chosen_rows = [{"patientBillingInformationId": row, "position": 1}]
        requisition = await world.save_requisition(nurse, patient, billingInfo=chosen_rows)
        other_patient = world.create_patient(nurse.client)
        assert (
            await save(requisition["id"], patientId=other_patient, billingInfo=chosen_rows)
        ).status_code == 400
        move_answer = await save(requisition["id"], patientId=other_patient)
        assert move_answer.json()["billingInformation"] == []

    @pytest.mark.parametrize("wrap", [lambda rows: rows, lambda rows: {"billingInfo": rows}])
    async def test_save_billing_info_replaces_the_list(
        self, world: World, nurse, patient, insure, wrap
    ) -> None:
        first, second = insure(patient, "W-1"), insure(patient, "W-2", position=2)
        requisition = await world.save_requisition(
            nurse, patient, billingInfo=[{"patientBillingInformationId": first, "position": 1}]
        )
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/save-billing-info",
            headers={**nurse.headers, "If-Match": f'"{requisition["version"]}"'},
            json=wrap([{"patientBillingInformationId": second}]),
        )
        assert answer.status_code == 200
        assert answer.headers["etag"] == f'"{requisition["version"] + 1}"'
        record = answer.json()
        assert [r["patientBillingInformationId"] for r in record["billingInformation"]] == [second]
        assert record["tests"] and record["patientId"] == patient

    async def test_is_printed_on_the_form(self, world: World, nurse, patient, insure) -> None:
        row = insure(patient, "W-77")
        requisition = await world.save_requisition(
            nurse,
            patient,
            "GLU",
            billingInfo=[{"patientBillingInformationId": row, "position": 1}],
            diagnoses=[{"code": "I10", "testId": world.get_test_id("GLU")}],
        )
        answer = await world.http.get(
            "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
        )
        text = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
        assert "W-77" in text and requisition["billingInformation"][0]["payer"] in text
        # Once as a test, and once beside the diagnosis that supports the test.
        assert text.count("GLUCOSE") == 2


class TestOtherLists:
    """save-medications and save-diagnoses."""

    async def test_save_medications_changes_nothing_else(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient, diagnoses=[{"code": "I10"}])
        path = f"{BASE}/{requisition['id']}/save-medications"
        for body in ([{"name": "aspirin"}], {"medications": [{"name": "aspirin"}]}):
            answer = await world.http.post(path, headers=nurse.headers, json=body)
            assert answer.status_code == 200
            assert answer.json()["medications"] == [{"name": "ASPIRIN"}]
            assert answer.json()["diagnoses"] == requisition["diagnoses"]

    async def test_measures_the_length_of_medications_after_normalization(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        """'ß' is stored as 'SS', which is longer."""
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}/save-medications"
        for name, status in (("ß" * 100, 200), ("ß" * 101, 400), ("x" * 201, 400)):
            body = {"medications": [{"name": "aspirin"}, {"name": name}]}
            answer = await world.http.post(path, headers=nurse.headers, json=body)
            assert answer.status_code == status, answer.text
        assert parse_problem(answer)["errors"] == [
            {"field": "medications.1.name", "message": messages.VALUE_TOO_LONG.format(max=200)}
        ]

    async def test_save_diagnoses_changes_nothing_else(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(
            nurse, patient, medications=[{"name": "ASPIRIN"}]
        )
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/save-diagnoses",
            headers=nurse.headers,
            json=[{"code": "I10"}],
        )
        assert [d["code"] for d in answer.json()["diagnoses"]] == ["I10"]
        assert answer.json()["medications"] == [{"name": "ASPIRIN"}]

    async def test_rejects_a_body_without_the_list(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        for name in ("save-medications", "save-diagnoses", "save-billing-info"):
            answer = await world.http.post(
                f"{BASE}/{requisition['id']}/{name}", headers=nurse.headers, json={"other": []}
            )
            assert answer.status_code == 400

    async def test_a_stale_version_changes_nothing(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/save-medications",
            headers={**nurse.headers, "If-Match": '"99"'},
            json=[{"name": "ASPIRIN"}],
        )
        assert answer.status_code == 412


class TestCopies:
    """additionalCopies."""

    async def test_are_stored_in_order_with_the_phone_mask(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(
            nurse,
            patient,
            additionalCopies=[
                {"destination": "3125550100", "type": "fax"},
                {"destination": "Ada@Clinic.test", "type": "EMAIL"},
            ],
        )
        assert requisition["additionalCopies"] == [
            {"destination": "312-555-0100", "type": "FAX"},
            {"destination": "Ada@Clinic.test", "type": "EMAIL"},
        ]

    async def test_names_invalid_rows(self, world: World, parse_problem, nurse, patient) -> None:
        body = world.build_requisition_body(
            patient,
            additionalCopies=[
                {"destination": "a@b.test, c@d.test", "type": "EMAIL"},
                {"destination": "CALL ME", "type": "FAX"},
                {"destination": "", "type": "FAX"},
                {"destination": "x", "type": "PIGEON"},
            ],
        )
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert [(e["field"], e["message"]) for e in parse_problem(answer)["errors"]] == [
            ("additionalCopies.0.destination", "Email is invalid"),
            ("additionalCopies.1.destination", "Fax is invalid"),
            ("additionalCopies.2.destination", "Fax is required"),
            ("additionalCopies.3.type", messages.VALUE_INVALID),
        ]

    async def test_rejects_too_many_copies(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        copies = [
            {"destination": f"a{i}@b.test", "type": "EMAIL"}
            for i in range(ADDITIONAL_COPIES_MAX + 1)
        ]
        body = world.build_requisition_body(patient, additionalCopies=copies)
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["message"] == messages.TOO_MANY_ROWS.format(
            max=ADDITIONAL_COPIES_MAX
        )


class TestComments:
    """Comments in rich text."""

    async def test_are_sanitized(self, world: World, nurse, patient) -> None:
        comments = "<p>Call <strong>early</strong><script>alert(1)</script></p>"
        requisition = await world.save_requisition(nurse, patient, comments=comments)
        assert requisition["comments"] == "<p>Call <strong>early</strong></p>"
        empty_requisition = await world.save_requisition(nurse, patient, comments="<p><br></p>")
        assert empty_requisition["comments"] is None

    async def test_rejects_overlong_comments_before_and_after_sanitizing(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        limit = COMMENTS_MAX_LENGTH
        cases = (
            ("x" * (limit + 1), messages.VALUE_TOO_LONG.format(max=limit)),
            ("&" * limit, messages.COMMENTS_TOO_LONG.format(max=limit, count=5 * limit)),
        )
        for comments, message in cases:
            body = world.build_requisition_body(patient, comments=comments)
            answer = await world.http.post(BASE, headers=nurse.headers, json=body)
            assert answer.status_code == 400
            assert parse_problem(answer)["errors"] == [{"field": "comments", "message": message}]

    async def test_sanitizing_does_not_block_other_requests(
        self, world: World, portal_app: FastAPI, nurse, patient, monkeypatch
    ) -> None:
        """Comments are sanitized in another process, without a connection to the database."""
        sanitizing_began, others_were_served = threading.Event(), threading.Event()
        ask = DrawingProcess.ask

        def ask_slowly(self: DrawingProcess, *message: Any) -> Any:
            sanitizing_began.set()
            assert others_were_served.wait(60)
            return ask(self, *message)

        monkeypatch.setattr(DrawingProcess, "ask", ask_slowly)
        slow_body = world.build_requisition_body(
            patient, comments="<div>" * (COMMENTS_MAX_LENGTH // 5)
        )
        save_task = asyncio.create_task(
            world.http.post(BASE, headers=nurse.headers, json=slow_body)
        )
        # Until sanitizing begins, the save itself has a connection to the database.
        assert await asyncio.to_thread(sanitizing_began.wait, 60)
        assert (await world.http.get("/health/live")).status_code == 200
        assert (await world.http.get(BASE + "/1", headers=nurse.headers)).status_code == 404
        assert portal_app.state.portal.database.engine.pool.checkedout() == 0
        assert not save_task.done()
        others_were_served.set()
        assert (await save_task).status_code == 201

    async def test_are_printed_as_plain_text(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(
            nurse, patient, comments="<p>Call <b>early</b> &amp; loud</p><ul><li>twice</li></ul>"
        )
        answer = await world.http.get(
            "/api/v2/reports/requisition", headers=nurse.headers, params={"ids": requisition["id"]}
        )
        text = PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
        assert "Call early & loud" in text and "- twice" in text and "<" not in text


class TestOpenParts:
    """Parts that stay open when signed (O 4; DECISIONS 'The signature signs content')."""

    OPEN = {
        "comments": "later",
        "billTo": "Patient",
        "billingInfo": [],
        "additionalCopies": [{"destination": "a@b.test", "type": "EMAIL"}],
    }

    async def test_can_change_while_signed(self, world: World, nurse, patient, save, sign) -> None:
        requisition = await world.save_requisition(nurse, patient, priority="STAT")
        await sign(nurse, requisition["id"])
        for name, value in self.OPEN.items():
            answer = await save(requisition["id"], **{name: value})
            assert answer.status_code == 200, name
            assert answer.json()["hasSignature"] is True
            assert answer.json()["priority"] == "STAT"

    async def test_cannot_change_when_canceled_or_done(
        self, world: World, nurse, patient, save, receive, cancel
    ) -> None:
        for close in (receive, cancel):
            requisition = await world.save_requisition(nurse, patient)
            await close(requisition["id"])
            for name, value in self.OPEN.items():
                assert (await save(requisition["id"], **{name: value})).status_code == 409, name
            for name in ("save-medications", "save-diagnoses", "save-billing-info"):
                answer = await world.http.post(
                    f"{BASE}/{requisition['id']}/{name}", headers=nurse.headers, json=[]
                )
                assert answer.status_code == 409

    async def test_keeps_fields_that_are_not_sent(self, world: World, nurse, patient, save) -> None:
        requisition = await world.save_requisition(
            nurse, patient, priority="STAT", fasting=1, comments="a"
        )
        changed_requisition = (await save(requisition["id"], billTo="Patient")).json()
        for name in ("priority", "fasting", "comments", "collectionDate", "treeTests"):
            assert changed_requisition[name] == requisition[name]

    @pytest.mark.parametrize("value", [3, 7, "None"])
    async def test_rejects_unknown_bill_to(
        self, world: World, parse_problem, nurse, patient, save, value
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        answer = await save(requisition["id"], billTo=value)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["field"] == "billTo"


class TestSignatureHistory:
    """GET signatures."""

    async def test_lists_all_signatures_newest_first(
        self, world: World, nurse, patient, sign
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        await sign(nurse, requisition["id"])
        await world.sign_in(nurse)
        await world.http.post(f"{path}/unsign", headers=nurse.headers, json={})
        await sign(nurse, requisition["id"])
        history = (await world.http.get(f"{path}/signatures", headers=nurse.headers)).json()
        assert [signature["removedAt"] is None for signature in history] == [True, False]
        assert history[0]["id"] > history[1]["id"]
        for signature in history:
            assert signature["userName"] == "Ada Tester" and len(signature["signedDateTime"]) == 19
            image = base64.b64decode(signature["imageSignature"].partition(",")[2])
            assert image.startswith(b"\x89PNG")

    async def test_is_empty_without_signatures(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.get(
            f"{BASE}/{requisition['id']}/signatures", headers=nurse.headers
        )
        assert answer.json() == []
