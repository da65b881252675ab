"""Saving requisitions, and everything that stops it."""

import pytest

from app.contract import messages
from tests.server.requisitions.steps import BASE, add_panel, remove_member, sent_again
from tests.server.world import World


@pytest.fixture
def patient(world: World, nurse) -> int:
    """A patient of the nurse's client."""
    return world.patient(nurse.client)


class TestSaving:
    """POST /v2/requisitions and /{id}."""

    @pytest.mark.parametrize(
        ("change", "field", "message"),
        [
            ({"patientId": None}, "patientId", messages.REQUISITION_PATIENT_REQUIRED),
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
        ],
    )
    async def test_says_what_is_wrong(
        self, world: World, problem_of, nurse, patient, change, field: str, message: str
    ) -> None:
        body = {**world.requisition_body(patient), **change}
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert {"field": field, "message": message} in problem_of(answer)["errors"]

    async def test_takes_words_and_american_dates(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(
            nurse,
            patient,
            fasting="non fasting",
            billTo="patient",
            priority="Pre-operatory",
            collectionDate="03/04/2026 07:30",
        )
        assert saved["fasting"] == 2
        assert saved["billTo"] == "Patient"
        assert saved["priority"] == "PRE-OPERATORY"
        assert saved["collectionDate"] == "2026-03-04T07:30:00"

    @pytest.mark.parametrize(
        ("sent", "kept"),
        [
            ("2026-11-21", "2026-11-21T00:00:00"),
            ("2026-11-21T08:30", "2026-11-21T08:30:00"),
            ("2026-11-21T08:30:15.250", "2026-11-21T08:30:15"),
            ("2026-11-21 08:30:00", "2026-11-21T08:30:00"),
            (" 11/21/2026 08:30:05 ", "2026-11-21T08:30:05"),
            ("11/21/2026", "2026-11-21T00:00:00"),
            # The lab of these tests is in Chicago: six hours behind in winter, five in summer.
            ("2026-11-21T14:30:00Z", "2026-11-21T08:30:00"),
            ("2026-07-01T02:30:00+02:00", "2026-06-30T19:30:00"),
            ("2026-11-21 09:30-0500", "2026-11-21T08:30:00"),
        ],
    )
    async def test_a_collection_time_is_read_whole(
        self, world: World, nurse, patient, sent: str, kept: str
    ) -> None:
        saved = await world.requisition(nurse, patient, collectionDate=sent)
        assert saved["collectionDate"] == kept
        answer = await world.http.post(
            f"{BASE}/{saved['id']}", headers=nurse.headers, json={"collectionDate": sent}
        )
        assert answer.json()["collectionDate"] == kept

    @pytest.mark.parametrize(
        "sent",
        [
            *(0, 1_790_000_000, 1.5, True, [], "0001-01-01T00:00:00", "1899-12-31", "2200-01-01"),
            *("tomorrow", "2026-11-21x08:30", "2026-11-21T08:30:00 or so", "2026-11-21T25:00"),
            *("2026-02-30", "02/30/2026", "11/21/2026 08:30:00:00", "20261121", "2026-W47-6"),
        ],
    )
    async def test_what_is_no_collection_time_is_refused(
        self, world: World, problem_of, nurse, patient, sent
    ) -> None:
        body = world.requisition_body(patient, collectionDate=sent)
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        errors = problem_of(answer)["errors"]
        assert errors == [{"field": "collectionDate", "message": messages.VALUE_INVALID}]

    async def test_tests_sent_again_stay_as_they_are(self, world: World, nurse, patient) -> None:
        panel = add_panel(world)
        saved = await world.requisition(nurse, patient, panel, "GLU")
        again = saved | {"tests": sent_again(saved)}
        path = f"{BASE}/{saved['id']}"
        remove_member(world, panel)
        kept = (await world.http.post(path, headers=nurse.headers, json=again)).json()
        assert kept["tests"] == saved["tests"]
        turned = (
            await world.http.post(path, headers=nurse.headers, json={"tests": again["tests"][::-1]})
        ).json()
        assert [each["test"]["code"] for each in turned["tests"]] == ["GLU", panel]
        assert len(turned["tests"][1]["children"]) == 1

    async def test_a_member_names_its_panel(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient, "CBC")
        [panel] = saved["tests"]
        assert panel["parentTestId"] is None
        assert {each["parentTestId"] for each in panel["children"]} == {panel["test"]["id"]}

    async def test_lists_absent_stay_and_empty_clear(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(
            nurse, patient, "CBC", diagnoses=[{"code": "I10"}], medications=[{"name": "aspirin"}]
        )
        path = f"{BASE}/{saved['id']}"
        kept = (
            await world.http.post(path, headers=nurse.headers, json={"comments": "hello"})
        ).json()
        assert kept["diagnoses"] == saved["diagnoses"]
        assert kept["medications"] == [{"name": "ASPIRIN"}]
        cleared = (
            await world.http.post(
                path, headers=nurse.headers, json={"diagnoses": [], "medications": None}
            )
        ).json()
        assert cleared["diagnoses"] == [] and cleared["medications"] == []
        assert [t["test"]["code"] for t in cleared["tests"]] == ["CBC"]

    async def test_carries_a_snapshot_of_the_patient(self, world: World, nurse, patient) -> None:
        saved = await world.requisition(nurse, patient)
        elsewhere = world.client()
        world.sql(
            "UPDATE patients SET last_name = 'MARRIED', client_id = %s WHERE id = %s",
            (elsewhere, patient),
        )
        now = (await world.http.get(f"{BASE}/{saved['id']}", headers=nurse.headers)).json()
        assert now["patient"]["lastName"] == saved["patient"]["lastName"]
        listed = await world.http.get(f"{BASE}/remote-operations", headers=nurse.headers)
        assert listed.json()["data"][0]["patientLastName"] == saved["patient"]["lastName"]
        assert listed.json()["totalCount"] == 1

    async def test_codes_are_letter_year_and_seven_digits(
        self, world: World, nurse, patient
    ) -> None:
        code = (await world.requisition(nurse, patient))["code"]
        assert code[0] == "R" and len(code) == 10 and code[1:].isdigit()
