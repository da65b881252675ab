"""A patient's insurance rows and responsible parties."""

import json
from typing import Any

import pytest

from app.contract import messages
from tests.server.patients.desk import PARTY, Desk


class TestInsurance:
    """Insurance rows (O 3, O 5)."""

    async def test_a_self_row_copies_the_patient(self, desk: Desk) -> None:
        patient = await desk.create(
            insuranceInformation=[
                desk.build_insurance(lastName="SOMEBODY ELSE", birthDate="1950-01-01")
            ]
        )
        (row,) = patient["insuranceInformation"]
        assert row["lastName"] == "LEE"
        assert row["birthDate"] == "1980-05-06"
        assert row["zipCode"]["code"] == "60601"
        assert row["missingInformation"] is False
        changed_patient = (
            await desk.change(
                patient,
                lastName="Lee-Ray",
                address="7 New St",
                zipCodeName="60435",
                birthDate="1981-01-01",
            )
        ).json()
        (row,) = changed_patient["insuranceInformation"]
        assert (row["lastName"], row["address"]) == ("LEE-RAY", "7 NEW ST")
        assert (row["birthDate"], row["zipCode"]["city"]) == ("1981-01-01", "JOLIET")

    async def test_a_spouse_row_has_its_own_name_and_the_patients_zip_code(
        self, desk: Desk
    ) -> None:
        spouse = desk.build_insurance(
            relationship="spouse",
            lastName="ray",
            firstName="Bo",
            birthDate="02/03/1979",
            gender="male",
            address="2 Elm St",
            zipCode={"code": "60435"},
            phone="(312) 555-0101",
        )
        patient = await desk.create(insuranceInformation=[spouse])
        (row,) = patient["insuranceInformation"]
        assert (row["lastName"], row["firstName"], row["gender"]) == ("RAY", "BO", "MALE")
        assert (row["birthDate"], row["phone"]) == ("1979-02-03", "312-555-0101")
        assert row["zipCode"]["code"] == "60601"
        assert row["missingInformation"] is False

    @pytest.mark.parametrize("notation", ["id", "object with id", "object with code", "text"])
    async def test_different_than_patient_allows_another_zip_code(
        self, desk: Desk, notation: str
    ) -> None:
        joliet = desk.find_id("zip_codes", "60435", "code")
        zip_code = {
            "id": {"zipCodeId": joliet},
            "object with id": {"zipCode": {"id": joliet, "code": "60435", "city": "X"}},
            "object with code": {"zipCode": {"code": "60435"}},
            "text": {"zipCode": "60435"},
        }[notation]
        row = desk.build_insurance(differentThanPatient=True, zipCodePlus4="9999", **zip_code)
        patient = await desk.create(insuranceInformation=[row])
        (stored_row,) = patient["insuranceInformation"]
        assert (stored_row["zipCodeId"], stored_row["zipCodePlus4"]) == (joliet, "9999")
        assert stored_row["differentThanPatient"] is True

    async def test_saves_and_flags_an_incomplete_row(self, desk: Desk) -> None:
        row = desk.build_insurance(relationship="SPOUSE", lastName="RAY")
        patient = await desk.create(insuranceInformation=[row])
        assert patient["insuranceInformation"][0]["missingInformation"] is True

    async def test_order_follows_the_list_and_rows_keep_their_ids(self, desk: Desk) -> None:
        sent_rows = [desk.build_insurance(insuranceId=name) for name in "ABC"]
        patient = await desk.create(insuranceInformation=sent_rows)
        a, b, c = patient["insuranceInformation"]
        assert [row["order"] for row in (a, b, c)] == [1, 2, 3]
        for row in (a, b, c):
            del row["order"]
        new_row = desk.build_insurance(insuranceId="D")
        changed_patient = (await desk.change(patient, insuranceInformation=[c, new_row, a])).json()
        rows = changed_patient["insuranceInformation"]
        assert [(row["insuranceId"], row["order"]) for row in rows] == [
            ("C", 1),
            ("D", 2),
            ("A", 3),
        ]
        assert (rows[0]["id"], rows[2]["id"]) == (c["id"], a["id"])
        assert rows[1]["id"] not in {a["id"], b["id"], c["id"]}

    async def test_sorts_by_the_sent_order(self, desk: Desk, parse_problem) -> None:
        rows = [
            desk.build_insurance(insuranceId=name, order=order)
            for name, order in (("C", 7), ("A", 1), ("B", 3), ("D", None), ("E", 7))
        ]
        parties = [{**PARTY, "firstName": name, "order": n} for name, n in (("B", 2), ("A", 1))]
        patient = await desk.create(insuranceInformation=rows, responsibleParties=parties)
        assert [(r["insuranceId"], r["order"]) for r in patient["insuranceInformation"]] == [
            ("A", 1),
            ("B", 2),
            ("D", 3),
            ("C", 4),
            ("E", 5),
        ]
        assert [(r["firstName"], r["order"]) for r in patient["responsibleParties"]] == [
            ("A", 1),
            ("B", 2),
        ]
        # Errors name the position in the list that was sent.
        invalid_rows = [
            desk.build_insurance(order=2),
            desk.build_insurance(order=1, insuranceId=""),
        ]
        errors = parse_problem(await desk.change(patient, insuranceInformation=invalid_rows))[
            "errors"
        ]
        assert [e["field"] for e in errors] == ["insuranceInformation.1.insuranceId"]

    async def test_a_removed_row_stays_in_the_database_and_cannot_be_restored(
        self, desk: Desk, parse_problem
    ) -> None:
        patient = await desk.create(insuranceInformation=[desk.build_insurance()])
        (row,) = patient["insuranceInformation"]
        await desk.save(patient, "save-billing-info", [])
        assert desk.world.run_sql(
            "SELECT removed_at IS NOT NULL FROM patient_insurance WHERE id = %s", (row["id"],)
        )
        restore_answer = await desk.save(patient, "save-billing-info", [row])
        assert parse_problem(restore_answer)["errors"] == [
            {"field": "insuranceInformation.0.id", "message": messages.NOT_FOUND}
        ]

    async def test_accepts_a_hundred_rows_and_no_more(self, desk: Desk, parse_problem) -> None:
        template = desk.build_insurance()
        rows = [{**template, "insuranceId": f"N{i}"} for i in range(101)]
        patient = await desk.create(insuranceInformation=rows[:100])
        stored_rows = patient["insuranceInformation"]
        assert [row["order"] for row in stored_rows] == list(range(1, 101))
        rejected_answer = await desk.change(patient, insuranceInformation=rows)
        assert parse_problem(rejected_answer)["errors"] == [
            {"field": "insuranceInformation", "message": "At most 100 rows are allowed"}
        ]

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("insuranceId", "", "Insurance Id is required"),
            ("insuranceId", "X" * 10_000, messages.VALUE_TOO_LONG.format(max=50)),
            ("insuranceId", "\x00\x07", "Insurance Id is required"),
            ("payerId", None, "Payer is required"),
            ("payerId", 2**60, messages.VALUE_INVALID),
            ("payerId", 999_999, messages.NOT_FOUND),
            ("billTypeId", None, "Bill Type is required"),
            ("billTypeId", 999_999, messages.NOT_FOUND),
            ("relationship", "NEIGHBOR", messages.VALUE_INVALID),
            ("gender", "OTHER", messages.VALUE_INVALID),
            ("birthDate", "1899-12-31", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("birthDate", "2999-01-01", messages.BIRTH_DATE_OUT_OF_RANGE),
            ("birthDate", "1980-02-30", messages.VALUE_INVALID),
            ("phone", "12", messages.PHONE_INVALID),
            ("zipCode", "00000", messages.ZIP_CODE_UNKNOWN.format(code="00000")),
            ("zipCodePlus4", "12", messages.ZIP_CODE_PLUS4_INVALID),
            ("lastName", "X" * 10_000, messages.VALUE_TOO_LONG.format(max=100)),
            ("lastName", "\ud800", messages.VALUE_INVALID),
        ],
    )
    async def test_names_the_invalid_field_of_a_row(
        self, desk: Desk, parse_problem, field: str, value: Any, message: str
    ) -> None:
        other = {"relationship": "SPOUSE", "differentThanPatient": True}
        invalid_row = desk.build_insurance(**{**other, field: value})
        patient = await desk.create()
        answer = await desk.world.http.post(
            f"/api/v2/patients/{patient['id']}/save-billing-info",
            headers={**desk.nurse.headers, "Content-Type": "application/json"},
            content=json.dumps([desk.build_insurance(), invalid_row]),
        )
        assert answer.status_code == 400, answer.text
        assert parse_problem(answer)["errors"] == [
            {"field": f"insuranceInformation.1.{field}", "message": message}
        ]

    @pytest.mark.parametrize(
        ("name", "stored_name"),
        [
            ("o'brien-smith", "O'BRIEN-SMITH"),
            ("<script>alert(1)</script>", "<SCRIPT>ALERT(1)</SCRIPT>"),
            ("مريم", "مريم"),
            ("😀", "😀"),
            ("nul\x00byte", "NULBYTE"),
        ],
    )
    async def test_stores_any_name_as_text(self, desk: Desk, name: str, stored_name: str) -> None:
        patient = await desk.create(
            insuranceInformation=[desk.build_insurance(relationship="SPOUSE", lastName=name)],
            responsibleParties=[{**PARTY, "lastName": name}],
            medications=[{"name": name}],
        )
        assert patient["insuranceInformation"][0]["lastName"] == stored_name
        assert patient["responsibleParties"][0]["lastName"] == stored_name
        assert patient["medications"][0]["name"] == stored_name

    async def test_billing_info_returns_the_same_rows(self, desk: Desk) -> None:
        patient = await desk.create(insuranceInformation=[desk.build_insurance()])
        answer = await desk.world.http.get(
            f"/api/v2/patients/{patient['id']}/billing-info", headers=desk.nurse.headers
        )
        assert answer.json() == patient["insuranceInformation"]


class TestResponsibleParties:
    """Responsible parties (O 2.5, O 5)."""

    @pytest.mark.parametrize(
        ("field", "value", "message"),
        [
            ("firstName", "", messages.FIRST_NAME_REQUIRED),
            ("lastName", None, messages.LAST_NAME_REQUIRED),
            ("address", "", messages.ADDRESS_REQUIRED),
            ("zipCode", "", messages.MISSING_ADDRESS),
            ("zipCode", "00000", messages.ZIP_CODE_UNKNOWN.format(code="00000")),
            ("zipCodeExtra", "", "Zip plus 4 is required"),
            ("zipCodeExtra", "12", messages.ZIP_CODE_PLUS4_INVALID),
            ("phone", "", "Phone is required"),
            ("phone", "123", messages.PHONE_INVALID),
            ("mobile", "123", messages.MOBILE_INVALID),
            ("fax", "123", messages.FAX_INVALID),
            ("lastName", "X" * 10_000, messages.VALUE_TOO_LONG.format(max=100)),
            ("country", "X" * 61, messages.VALUE_TOO_LONG.format(max=60)),
        ],
    )
    async def test_names_the_invalid_field_of_a_row(
        self, desk: Desk, parse_problem, field: str, value: Any, message: str
    ) -> None:
        patient = await desk.create()
        answer = await desk.save(
            patient, "save-responsible-parties", [PARTY, {**PARTY, field: value}]
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {"field": f"responsibleParties.1.{field}", "message": message}
        ]

    async def test_moved_and_remaining_rows_keep_their_ids(self, desk: Desk) -> None:
        patient = await desk.create(
            responsibleParties=[{**PARTY, "firstName": name} for name in "ABC"]
        )
        a, b, c = patient["responsibleParties"]
        for row in (a, c):
            del row["order"]
        changed_patient = (await desk.change(patient, responsibleParties=[c, a])).json()
        rows = changed_patient["responsibleParties"]
        assert [(r["id"], r["firstName"], r["order"]) for r in rows] == [
            (c["id"], "C", 1),
            (a["id"], "A", 2),
        ]
        assert (
            desk.world.run_sql(
                "SELECT count(*) FROM patient_responsible_parties WHERE id = %s", (b["id"],)
            )
            == 0
        )
