"""Saving requisitions, and the errors that prevent it."""

import pytest

from app.contract import messages
from tests.server.requisitions.steps import BASE, add_panel, build_test_writes, remove_member
from tests.server.world import World


class TestSaving:
    """POST /v2/requisitions and /{id}."""

    @pytest.mark.parametrize(
        ("change", "field", "message"),
        [
            ({"patientId": None}, "patientId", messages.REQUISITION_PATIENT_REQUIRED),
            ({"patientId": 999999999}, "patientId", messages.NOT_FOUND),
            ({"tests": []}, "tests", messages.REQUISITION_TEST_REQUIRED),
            ({"tests": [{"test": {"id": 999999}}]}, "tests.0.test.id", messages.TEST_UNKNOWN),
            (
                {"collectionDate": None},
                "collectionDate",
                messages.REQUISITION_COLLECTION_DATE_REQUIRED,
            ),
            ({"fasting": None}, "fasting", messages.REQUISITION_FASTING_REQUIRED),
            ({"fasting": 7}, "fasting", messages.VALUE_INVALID),
            ({"priority": "SOON"}, "priority", messages.VALUE_INVALID),
            ({"diagnoses": [{"code": "NOPE"}]}, "diagnoses.0", messages.NOT_FOUND),
            (
                {"diagnoses": [{"code": "Z99.0"}]},
                "diagnoses.0",
                messages.DIAGNOSIS_NOT_BILLABLE.format(code="Z99.0"),
            ),
            ({"physicianId": 999999999}, "physicianId", messages.NOT_FOUND),
            (
                {"collectionDate": "1950-01-01"},
                "collectionDate",
                messages.REQUISITION_COLLECTION_DATE_BEFORE_BIRTH,
            ),
            (
                {"collectionDate": "2199-01-01"},
                "collectionDate",
                messages.REQUISITION_COLLECTION_DATE_TOO_LATE,
            ),
        ],
    )
    async def test_names_each_invalid_field(
        self, world: World, parse_problem, nurse, patient, change, field: str, message: str
    ) -> None:
        body = {**world.build_requisition_body(patient), **change}
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert {"field": field, "message": message} in parse_problem(answer)["errors"]

    async def test_an_older_requisition_keeps_its_collection_date(
        self, world: World, nurse, patient
    ) -> None:
        """Dates that were accepted before must not block other changes."""
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        world.run_sql(
            "UPDATE requisitions SET collection_date = '1950-01-01' WHERE id = %s",
            (requisition["id"],),
        )
        same = {"collectionDate": "1950-01-01T00:00:00", "comments": "<p>late</p>"}
        answer = await world.http.post(path, headers=nurse.headers, json=same)
        assert answer.status_code == 200, answer.text
        other = {"collectionDate": "1950-01-02T00:00:00"}
        answer = await world.http.post(path, headers=nurse.headers, json=other)
        assert answer.status_code == 400

    async def test_requires_a_physician_where_the_client_does(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        """An older requisition without a physician can still be changed."""
        older = await world.save_requisition(nurse, patient)
        world.run_sql(
            "UPDATE clients SET requires_physician = true WHERE id = %s RETURNING 1",
            (nurse.client,),
        )
        error = {"field": "physicianId", "message": messages.PHYSICIAN_REQUIRED}

        async def post(path: str, **body):
            return await world.http.post(path, headers=nurse.headers, json=body)

        answer = await post(BASE, **world.build_requisition_body(patient))
        assert (answer.status_code, parse_problem(answer)["errors"]) == (400, [error])
        physician = world.create_physician(nurse.client)
        requisition = await world.save_requisition(nurse, patient, physicianId=physician)
        assert requisition["patient"]["client"]["requiresPhysician"] is True
        answer = await post(f"{BASE}/{requisition['id']}", physicianId=None)
        assert (answer.status_code, parse_problem(answer)["errors"]) == (400, [error])
        answer = await post(f"{BASE}/{older['id']}", physicianId=None, comments="late")
        assert answer.status_code == 200, answer.text
        read_answer = await world.http.get(f"/api/v2/patients/{patient}", headers=nurse.headers)
        assert read_answer.json()["client"]["requiresPhysician"] is True

    async def test_requires_a_physician_if_the_client_of_the_new_patient_does(
        self, world: World, parse_problem
    ) -> None:
        first, strict = world.create_client(), world.create_client()
        world.run_sql(
            "UPDATE clients SET requires_physician = true WHERE id = %s RETURNING 1", (strict,)
        )
        admin = await world.create_person("Client Admin", client_ids=[first, strict])
        requisition = await world.save_requisition(admin, world.create_patient(first))
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}",
            headers=admin.headers,
            json={"patientId": world.create_patient(strict)},
        )
        error = {"field": "physicianId", "message": messages.PHYSICIAN_REQUIRED}
        assert (answer.status_code, parse_problem(answer)["errors"]) == (400, [error])

    async def test_accepts_words_and_american_dates(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(
            nurse,
            patient,
            fasting="non fasting",
            billTo="patient",
            priority="Pre-operatory",
            collectionDate="03/04/2026 07:30",
        )
        assert requisition["fasting"] == 2
        assert requisition["billTo"] == "Patient"
        assert requisition["priority"] == "PRE-OPERATORY"
        assert requisition["collectionDate"] == "2026-03-04T07:30:00"

    @pytest.mark.parametrize(
        ("time", "stored_time"),
        [
            ("2026-11-21", "2026-11-21T00:00:00"),
            ("2026-11-21T08:30", "2026-11-21T08:30:00"),
            ("2026-11-21T08:30:15.250", "2026-11-21T08:30:15"),
            ("2026-11-21 08:30:00", "2026-11-21T08:30:00"),
            (" 11/21/2026 08:30:05 ", "2026-11-21T08:30:05"),
            ("11/21/2026", "2026-11-21T00:00:00"),
            # The lab of these tests is in Chicago, six hours behind UTC in winter, five in summer.
            ("2026-11-21T14:30:00Z", "2026-11-21T08:30:00"),
            ("2026-07-01T02:30:00+02:00", "2026-06-30T19:30:00"),
            ("2026-11-21 09:30-0500", "2026-11-21T08:30:00"),
        ],
    )
    async def test_accepts_collection_times_in_every_format(
        self, world: World, nurse, patient, time: str, stored_time: str
    ) -> None:
        requisition = await world.save_requisition(nurse, patient, collectionDate=time)
        assert requisition["collectionDate"] == stored_time
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}", headers=nurse.headers, json={"collectionDate": time}
        )
        assert answer.json()["collectionDate"] == stored_time

    @pytest.mark.parametrize(
        "time",
        [
            0,
            1_790_000_000,
            1.5,
            True,
            [],
            "0001-01-01T00:00:00",
            "1899-12-31",
            "2200-01-01",
            "tomorrow",
            "2026-11-21x08:30",
            "2026-11-21T08:30:00 or so",
            "2026-11-21T25:00",
            "2026-02-30",
            "02/30/2026",
            "11/21/2026 08:30:00:00",
            "20261121",
            "2026-W47-6",
        ],
    )
    async def test_rejects_invalid_collection_times(
        self, world: World, parse_problem, nurse, patient, time
    ) -> None:
        body = world.build_requisition_body(patient, collectionDate=time)
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        errors = parse_problem(answer)["errors"]
        assert errors == [{"field": "collectionDate", "message": messages.VALUE_INVALID}]

    async def test_unchanged_tests_stay_as_stored(self, world: World, nurse, patient) -> None:
        panel = add_panel(world)
        requisition = await world.save_requisition(nurse, patient, panel, "GLU")
        body = requisition | {"tests": build_test_writes(requisition)}
        path = f"{BASE}/{requisition['id']}"
        remove_member(world, panel)
        unchanged_requisition = (
            await world.http.post(path, headers=nurse.headers, json=body)
        ).json()
        assert unchanged_requisition["tests"] == requisition["tests"]
        swapped_requisition = (
            await world.http.post(path, headers=nurse.headers, json={"tests": body["tests"][::-1]})
        ).json()
        assert [test["test"]["code"] for test in swapped_requisition["tests"]] == ["GLU", panel]
        assert len(swapped_requisition["tests"][1]["children"]) == 1

    async def test_a_member_has_the_id_of_its_panel(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient, "CBC")
        [panel] = requisition["tests"]
        assert panel["parentTestId"] is None
        assert {member["parentTestId"] for member in panel["children"]} == {panel["test"]["id"]}

    async def test_a_confidential_panel_has_confidential_members(
        self, world: World, nurse, patient
    ) -> None:
        panel, test = world.get_test_id("CBC"), world.get_test_id("K")
        requisition = await world.save_requisition(
            nurse,
            patient,
            tests=[{"test": {"id": panel}, "isConfidential": True}, {"test": {"id": test}}],
        )
        read_answer = await world.http.get(f"{BASE}/{requisition['id']}", headers=nurse.headers)
        first, second = read_answer.json()["tests"]
        assert (first["test"]["id"], first["isConfidential"]) == (panel, True)
        assert {member["isConfidential"] for member in first["children"]} == {True}
        assert (second["test"]["id"], second["isConfidential"]) == (test, False)
        assert set(first["test"]) == {"id", "code", "name", "alternateNames", "type"}

    async def test_absent_lists_stay_and_empty_lists_clear(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(
            nurse, patient, "CBC", diagnoses=[{"code": "I10"}], medications=[{"name": "aspirin"}]
        )
        path = f"{BASE}/{requisition['id']}"
        unchanged_requisition = (
            await world.http.post(path, headers=nurse.headers, json={"comments": "hello"})
        ).json()
        assert unchanged_requisition["diagnoses"] == requisition["diagnoses"]
        assert unchanged_requisition["medications"] == [{"name": "ASPIRIN"}]
        cleared_requisition = (
            await world.http.post(
                path, headers=nurse.headers, json={"diagnoses": [], "medications": None}
            )
        ).json()
        assert cleared_requisition["diagnoses"] == [] and cleared_requisition["medications"] == []
        assert [t["test"]["code"] for t in cleared_requisition["tests"]] == ["CBC"]

    async def test_stores_a_snapshot_of_the_patient(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        elsewhere = world.create_client()
        world.run_sql(
            "UPDATE patients SET last_name = 'MARRIED', client_id = %s WHERE id = %s",
            (elsewhere, patient),
        )
        latest = (await world.http.get(f"{BASE}/{requisition['id']}", headers=nurse.headers)).json()
        assert latest["patient"]["lastName"] == requisition["patient"]["lastName"]
        list_answer = await world.http.get(f"{BASE}/remote-operations", headers=nurse.headers)
        assert (
            list_answer.json()["data"][0]["patientLastName"] == requisition["patient"]["lastName"]
        )
        assert list_answer.json()["totalCount"] == 1

    async def test_a_save_can_take_the_patients_current_snapshot(
        self, world: World, nurse, patient, insure
    ) -> None:
        chosen_rows = [{"patientBillingInformationId": insure(patient)}]
        requisition = await world.save_requisition(nurse, patient, billingInfo=chosen_rows)
        world.run_sql(
            "UPDATE patients SET last_name = 'MARRIED', bed = 'B' WHERE id = %s", (patient,)
        )
        path, body = f"{BASE}/{requisition['id']}", {"patientId": patient, "comments": "later"}
        unchanged_requisition = (
            await world.http.post(path, headers=nurse.headers, json=body)
        ).json()
        assert unchanged_requisition["patient"] == requisition["patient"]
        body["refreshPatient"] = True
        latest = (await world.http.post(path, headers=nurse.headers, json=body)).json()
        assert (latest["patient"]["lastName"], latest["patient"]["bed"]) == ("MARRIED", "B")
        assert len(latest["billingInformation"]) == 1
        assert latest["tests"] == requisition["tests"]

    async def test_a_signed_requisition_keeps_the_patients_identity(
        self, world: World, nurse, patient, sign
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await sign(nurse, requisition["id"])
        path, body = f"{BASE}/{requisition['id']}", {"patientId": patient, "refreshPatient": True}
        world.run_sql("UPDATE patients SET bed = 'B' WHERE id = %s", (patient,))
        updated_requisition = (await world.http.post(path, headers=nurse.headers, json=body)).json()
        assert updated_requisition["patient"]["bed"] == "B" and updated_requisition["hasSignature"]
        world.run_sql("UPDATE patients SET last_name = 'MARRIED' WHERE id = %s", (patient,))
        rejected_answer = await world.http.post(path, headers=nurse.headers, json=body)
        assert (rejected_answer.status_code, rejected_answer.json()["code"]) == (
            409,
            "requisition_signed",
        )

    async def test_codes_have_a_letter_the_year_and_seven_digits(
        self, world: World, nurse, patient
    ) -> None:
        code = (await world.save_requisition(nurse, patient))["code"]
        assert code[0] == "R" and len(code) == 10 and code[1:].isdigit()
