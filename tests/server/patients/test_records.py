"""What is known of a patient besides the form: kept whole, in order, and only one's own."""

import asyncio
import json
import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.patients.test_patients import VALID
from tests.server.world import Person, World

PARTY = {
    "firstName": "Rosa",
    "lastName": "Lee",
    "address": "9 Oak St",
    "country": "USA",
    "zipCode": "60435",
    "zipCodeExtra": "4321",
    "phone": "312-555-0101",
}
SAVES = {
    "save-billing-info": "insuranceInformation",
    "save-responsible-parties": "responsibleParties",
    "save-diagnoses": "diagnoses",
    "save-medications": "medications",
}


@dataclass
class Desk:
    """A nurse at a client, and her calls."""

    world: World
    nurse: Person
    client: int

    async def register(self, **values: Any):
        """POST a patient."""
        return await self.world.http.post(
            "/api/v2/patients",
            headers=self.nurse.headers,
            json={**VALID, "clientId": self.client, **values},
        )

    async def registered(self, **values: Any) -> dict[str, Any]:
        """A saved patient."""
        answer = await self.register(**values)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def change(self, patient: dict[str, Any], **values: Any):
        """PUT some fields."""
        return await self.world.http.put(
            f"/api/v2/patients/{patient['id']}", headers=self.nurse.headers, json=values
        )

    async def save(self, patient: dict[str, Any], path: str, body: Any, **headers: str):
        """POST one list."""
        return await self.world.http.post(
            f"/api/v2/patients/{patient['id']}/{path}",
            headers={**self.nurse.headers, **headers},
            json=body,
        )

    async def read(self, patient: dict[str, Any]) -> dict[str, Any]:
        """GET the patient."""
        answer = await self.world.http.get(
            f"/api/v2/patients/{patient['id']}", headers=self.nurse.headers
        )
        assert answer.status_code == 200
        return answer.json()

    def insurance(self, **values: Any) -> dict[str, Any]:
        """A row that can be saved."""
        return {
            "insuranceId": "abc-1",
            "payerId": self.id_of("payers", "AETNA"),
            "billTypeId": self.id_of("bill_types", "COMMERCIAL"),
            "relationship": "SELF",
            **values,
        }

    def id_of(self, table: str, name: str, column: str = "name") -> int:
        """The id of a reference row."""
        return int(self.world.sql(f"SELECT id FROM {table} WHERE {column} = %s", (name,)))


@pytest.fixture
async def desk(world: World) -> Desk:
    """A nurse and her client."""
    client = world.client()
    return Desk(world, await world.person(Role.CLIENT_BASIC, client_ids=[client]), client)


class TestWholeRecord:
    """POST and PUT /v2/patients with their lists."""

    async def test_everything_is_kept_with_the_patient(self, desk: Desk) -> None:
        saved = await desk.registered(
            insuranceInformation=[desk.insurance(groupNumber="g1")],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "i10"}, {"id": desk.id_of("diagnoses", "E11.9", "code")}],
            medications=[{"name": "metformin 500 mg"}, {"name": "aspirin"}],
        )
        assert saved == await desk.read(saved)
        (row,) = saved["insuranceInformation"]
        assert (row["insuranceId"], row["groupNumber"], row["order"]) == ("ABC-1", "G1", 1)
        assert (row["payer"], row["billType"]) == ("AETNA", "COMMERCIAL")
        (party,) = saved["responsibleParties"]
        assert party == {
            "id": party["id"],
            "order": 1,
            "firstName": "ROSA",
            "lastName": "LEE",
            "address": "9 OAK ST",
            "country": "USA",
            "state": "IL",
            "city": "JOLIET",
            "zipCode": "60435",
            "zipCodeExtra": "4321",
            "phone": "312-555-0101",
            "mobile": None,
            "fax": None,
        }
        assert [d["code"] for d in saved["diagnoses"]] == ["I10", "E11.9"]
        assert [m["name"] for m in saved["medications"]] == ["METFORMIN 500 MG", "ASPIRIN"]
        assert saved["version"] == 1

    async def test_absent_lists_stay_and_null_or_empty_ones_are_cleared(self, desk: Desk) -> None:
        saved = await desk.registered(
            insuranceInformation=[desk.insurance()],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "ASPIRIN"}],
        )
        kept = (await desk.change(saved, bed="2")).json()
        for name in SAVES.values():
            assert kept[name] == saved[name]
        cleared = (
            await desk.change(
                saved,
                insuranceInformation=None,
                responsibleParties=[],
                diagnoses=None,
                medications=[],
            )
        ).json()
        assert [cleared[name] for name in SAVES.values()] == [[], [], [], []]
        assert cleared["bed"] == "2"

    async def test_everything_wrong_is_named_at_once_and_nothing_is_kept(
        self, desk: Desk, problem_of
    ) -> None:
        saved = await desk.registered(medications=[{"name": "ASPIRIN"}])
        answer = await desk.change(
            saved,
            lastName="",
            insuranceInformation=[desk.insurance(), desk.insurance(insuranceId=" ")],
            responsibleParties=[{**PARTY, "zipCode": ""}],
            diagnoses=[{"code": "NONE"}],
            medications=[{"name": "X" * 201}],
        )
        assert answer.status_code == 400
        assert {e["field"]: e["message"] for e in problem_of(answer)["errors"]} == {
            "lastName": messages.LAST_NAME_REQUIRED,
            "insuranceInformation.1.insuranceId": "Insurance Id is required",
            "responsibleParties.0.zipCode": messages.MISSING_ADDRESS,
            "diagnoses.0": messages.NOT_FOUND,
            "medications.0.name": messages.VALUE_TOO_LONG.format(max=200),
        }
        assert await desk.read(saved) == saved

    async def test_a_patient_who_can_not_be_registered_leaves_nothing_behind(
        self, desk: Desk
    ) -> None:
        answer = await desk.register(insuranceInformation=[desk.insurance(payerId=None)])
        assert answer.status_code == 400
        assert (
            desk.world.sql("SELECT count(*) FROM patients WHERE client_id = %s", (desk.client,))
            == 0
        )

    async def test_what_was_changed_is_audited_by_field_without_its_content(
        self, desk: Desk
    ) -> None:
        saved = await desk.registered()
        await desk.save(saved, "save-medications", [{"name": "METHADONE"}])
        (detail,) = [
            d
            for (d,) in desk.world.rows(
                "SELECT detail FROM audit_events WHERE action = 'change' AND %s = ANY(record_ids)"
                " AND kind = 'patient'",
                (saved["id"],),
            )
        ]
        assert detail == {"fields": ["medications"]}

    async def test_only_what_really_changed_is_audited(self, desk: Desk) -> None:
        saved = await desk.registered(
            bed="1",
            insuranceInformation=[desk.insurance()],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "ASPIRIN"}],
        )
        lists = {name: saved[name] for name in SAVES.values()}
        (party,) = saved["responsibleParties"]
        whole = {**VALID, "clientId": desk.client, "bed": "1", **lists}
        await desk.change(saved, **whole)
        await desk.change(saved, **{**whole, "bed": "2", "zipCodeName": "60435"})
        await desk.change(saved, **{"lastName": "lee", "firstName": "Bea"})
        await desk.change(
            saved,
            insuranceInformation=[*saved["insuranceInformation"], desk.insurance()],
            responsibleParties=[{**party, "phone": "312-555-0199"}],
            diagnoses=[],
            medications=[{"name": "aspirin"}],
        )
        await desk.change(saved, socialSecurityNumber="")
        await desk.save(saved, "save-medications", [{"name": "Aspirin"}])
        await desk.save(saved, "save-diagnoses", [{"code": "I10"}])
        found = desk.world.rows(
            "SELECT detail -> 'fields' FROM audit_events WHERE action = 'change'"
            " AND %s = ANY(record_ids) AND kind = 'patient' ORDER BY id",
            (saved["id"],),
        )
        assert [fields for (fields,) in found] == [
            [],
            ["bed", "zip_code_name"],
            ["first_name"],
            ["diagnoses", "insurance_information", "responsible_parties"],
            [],
            [],
            ["diagnoses"],
        ]

    async def test_a_medication_is_kept_by_its_id_and_none_is_lost_silently(
        self, desk: Desk, problem_of
    ) -> None:
        saved = await desk.registered(medications=[{"name": "ASPIRIN"}, {"name": "METFORMIN"}])
        other = await desk.registered(medications=[{"name": "OTHER"}])
        aspirin, metformin = saved["medications"]
        kept = await desk.save(saved, "save-medications", [{"id": metformin["id"]}, {"name": "x"}])
        assert [m["name"] for m in kept.json()["medications"]] == ["METFORMIN", "X"]
        assert kept.json()["medications"][0]["id"] == metformin["id"]
        for item, message in (
            ({"id": aspirin["id"]}, messages.NOT_FOUND),
            ({"id": other["medications"][0]["id"]}, messages.NOT_FOUND),
            ({"name": " "}, messages.VALUE_REQUIRED),
            ({}, messages.VALUE_REQUIRED),
        ):
            sent = [{"name": "y"}, item]
            for answer in (
                await desk.save(saved, "save-medications", sent),
                await desk.change(saved, medications=sent),
            ):
                assert answer.status_code == 400
                assert problem_of(answer)["errors"] == [
                    {"field": "medications.1.name", "message": message}
                ]
        assert (await desk.read(saved))["medications"] == kept.json()["medications"]


class TestInsurance:
    """Insurance rows (O 3, O 5)."""

    async def test_self_follows_the_patient(self, desk: Desk) -> None:
        saved = await desk.registered(
            insuranceInformation=[desk.insurance(lastName="SOMEBODY ELSE", birthDate="1950-01-01")]
        )
        (row,) = saved["insuranceInformation"]
        assert row["lastName"] == "LEE"
        assert row["birthDate"] == "1980-05-06"
        assert row["zipCode"]["code"] == "60601"
        assert row["missingInformation"] is False
        changed = (
            await desk.change(
                saved,
                lastName="Lee-Ray",
                address="7 New St",
                zipCodeName="60435",
                birthDate="1981-01-01",
            )
        ).json()
        (row,) = changed["insuranceInformation"]
        assert (row["lastName"], row["address"]) == ("LEE-RAY", "7 NEW ST")
        assert (row["birthDate"], row["zipCode"]["city"]) == ("1981-01-01", "JOLIET")

    async def test_a_spouse_keeps_their_own_name_and_the_patients_zip_code(
        self, desk: Desk
    ) -> None:
        spouse = desk.insurance(
            relationship="spouse",
            lastName="ray",
            firstName="Bo",
            birthDate="02/03/1979",
            gender="male",
            address="2 Elm St",
            zipCode={"code": "60435"},
            phone="(312) 555-0101",
        )
        saved = await desk.registered(insuranceInformation=[spouse])
        (row,) = saved["insuranceInformation"]
        assert (row["lastName"], row["firstName"], row["gender"]) == ("RAY", "BO", "MALE")
        assert (row["birthDate"], row["phone"]) == ("1979-02-03", "312-555-0101")
        assert row["zipCode"]["code"] == "60601"
        assert row["missingInformation"] is False

    @pytest.mark.parametrize("how", ["id", "object with id", "object with code", "text"])
    async def test_different_than_patient_has_a_zip_code_of_its_own(
        self, desk: Desk, how: str
    ) -> None:
        joliet = desk.id_of("zip_codes", "60435", "code")
        zip_code = {
            "id": {"zipCodeId": joliet},
            "object with id": {"zipCode": {"id": joliet, "code": "60435", "city": "X"}},
            "object with code": {"zipCode": {"code": "60435"}},
            "text": {"zipCode": "60435"},
        }[how]
        row = desk.insurance(differentThanPatient=True, zipCodePlus4="9999", **zip_code)
        saved = await desk.registered(insuranceInformation=[row])
        (kept,) = saved["insuranceInformation"]
        assert (kept["zipCodeId"], kept["zipCodePlus4"]) == (joliet, "9999")
        assert kept["differentThanPatient"] is True

    async def test_an_incomplete_row_is_kept_and_flagged(self, desk: Desk) -> None:
        row = desk.insurance(relationship="SPOUSE", lastName="RAY")
        saved = await desk.registered(insuranceInformation=[row])
        assert saved["insuranceInformation"][0]["missingInformation"] is True

    async def test_order_is_the_place_in_the_list_and_rows_keep_their_ids(self, desk: Desk) -> None:
        three = [desk.insurance(insuranceId=name) for name in "ABC"]
        saved = await desk.registered(insuranceInformation=three)
        a, b, c = saved["insuranceInformation"]
        assert [row["order"] for row in (a, b, c)] == [1, 2, 3]
        for row in (a, b, c):
            del row["order"]
        new = desk.insurance(insuranceId="D")
        changed = (await desk.change(saved, insuranceInformation=[c, new, a])).json()
        rows = changed["insuranceInformation"]
        assert [(row["insuranceId"], row["order"]) for row in rows] == [
            *(("C", 1), ("D", 2), ("A", 3)),
        ]
        assert (rows[0]["id"], rows[2]["id"]) == (c["id"], a["id"])
        assert rows[1]["id"] not in {a["id"], b["id"], c["id"]}

    async def test_an_order_that_is_sent_is_kept(self, desk: Desk, problem_of) -> None:
        rows = [
            desk.insurance(insuranceId=name, order=order)
            for name, order in (("C", 7), ("A", 1), ("B", 3), ("D", None), ("E", 7))
        ]
        parties = [{**PARTY, "firstName": name, "order": n} for name, n in (("B", 2), ("A", 1))]
        saved = await desk.registered(insuranceInformation=rows, responsibleParties=parties)
        assert [(r["insuranceId"], r["order"]) for r in saved["insuranceInformation"]] == [
            *(("A", 1), ("B", 2), ("D", 3), ("C", 4), ("E", 5)),
        ]
        assert [(r["firstName"], r["order"]) for r in saved["responsibleParties"]] == [
            *(("A", 1), ("B", 2)),
        ]
        # What is wrong is named by its place in what was sent.
        wrong = [desk.insurance(order=2), desk.insurance(order=1, insuranceId="")]
        errors = problem_of(await desk.change(saved, insuranceInformation=wrong))["errors"]
        assert [e["field"] for e in errors] == ["insuranceInformation.1.insuranceId"]

    async def test_a_removed_row_stays_for_what_refers_to_it_and_can_not_come_back(
        self, desk: Desk, problem_of
    ) -> None:
        saved = await desk.registered(insuranceInformation=[desk.insurance()])
        (row,) = saved["insuranceInformation"]
        await desk.save(saved, "save-billing-info", [])
        assert desk.world.sql(
            "SELECT removed_at IS NOT NULL FROM patient_insurance WHERE id = %s", (row["id"],)
        )
        again = await desk.save(saved, "save-billing-info", [row])
        assert problem_of(again)["errors"] == [
            {"field": "insuranceInformation.0.id", "message": messages.NOT_FOUND}
        ]

    async def test_a_hundred_rows_are_kept_and_one_more_is_refused(
        self, desk: Desk, problem_of
    ) -> None:
        one = desk.insurance()
        rows = [{**one, "insuranceId": f"N{i}"} for i in range(101)]
        saved = await desk.registered(insuranceInformation=rows[:100])
        kept = saved["insuranceInformation"]
        assert [row["order"] for row in kept] == list(range(1, 101))
        refused = await desk.change(saved, insuranceInformation=rows)
        assert problem_of(refused)["errors"] == [
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
    async def test_says_which_field_of_which_row_is_wrong(
        self, desk: Desk, problem_of, field: str, value: Any, message: str
    ) -> None:
        other = {"relationship": "SPOUSE", "differentThanPatient": True}
        wrong = desk.insurance(**{**other, field: value})
        saved = await desk.registered()
        answer = await desk.world.http.post(
            f"/api/v2/patients/{saved['id']}/save-billing-info",
            headers={**desk.nurse.headers, "Content-Type": "application/json"},
            content=json.dumps([desk.insurance(), wrong]),
        )
        assert answer.status_code == 400, answer.text
        assert problem_of(answer)["errors"] == [
            {"field": f"insuranceInformation.1.{field}", "message": message}
        ]

    @pytest.mark.parametrize(
        ("name", "kept"),
        [
            ("o'brien-smith", "O'BRIEN-SMITH"),
            ("<script>alert(1)</script>", "<SCRIPT>ALERT(1)</SCRIPT>"),
            ("مريم", "مريم"),
            ("😀", "😀"),
            ("nul\x00byte", "NULBYTE"),
        ],
    )
    async def test_keeps_any_name_as_text(self, desk: Desk, name: str, kept: str) -> None:
        saved = await desk.registered(
            insuranceInformation=[desk.insurance(relationship="SPOUSE", lastName=name)],
            responsibleParties=[{**PARTY, "lastName": name}],
            medications=[{"name": name}],
        )
        assert saved["insuranceInformation"][0]["lastName"] == kept
        assert saved["responsibleParties"][0]["lastName"] == kept
        assert saved["medications"][0]["name"] == kept

    async def test_billing_info_is_the_same_rows(self, desk: Desk) -> None:
        saved = await desk.registered(insuranceInformation=[desk.insurance()])
        answer = await desk.world.http.get(
            f"/api/v2/patients/{saved['id']}/billing-info", headers=desk.nurse.headers
        )
        assert answer.json() == saved["insuranceInformation"]


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
            ("mobile", "123", messages.PHONE_INVALID),
            ("fax", "123", messages.FAX_INVALID),
            ("lastName", "X" * 10_000, messages.VALUE_TOO_LONG.format(max=100)),
            ("country", "X" * 61, messages.VALUE_TOO_LONG.format(max=60)),
        ],
    )
    async def test_says_which_field_of_which_row_is_wrong(
        self, desk: Desk, problem_of, field: str, value: Any, message: str
    ) -> None:
        saved = await desk.registered()
        answer = await desk.save(
            saved, "save-responsible-parties", [PARTY, {**PARTY, field: value}]
        )
        assert answer.status_code == 400
        assert problem_of(answer)["errors"] == [
            {"field": f"responsibleParties.1.{field}", "message": message}
        ]

    async def test_move_and_leave_keep_the_others_ids(self, desk: Desk) -> None:
        saved = await desk.registered(
            responsibleParties=[{**PARTY, "firstName": name} for name in "ABC"]
        )
        a, b, c = saved["responsibleParties"]
        for row in (a, c):
            del row["order"]
        changed = (await desk.change(saved, responsibleParties=[c, a])).json()
        rows = changed["responsibleParties"]
        assert [(r["id"], r["firstName"], r["order"]) for r in rows] == [
            *((c["id"], "C", 1), (a["id"], "A", 2)),
        ]
        assert (
            desk.world.sql(
                "SELECT count(*) FROM patient_responsible_parties WHERE id = %s", (b["id"],)
            )
            == 0
        )


class TestDiagnosesAndMedications:
    """Diagnoses and medications of a patient."""

    async def test_a_diagnosis_is_one_whose_code_is_valid_today(
        self, desk: Desk, problem_of
    ) -> None:
        saved = await desk.registered()
        answer = await desk.save(saved, "save-diagnoses", [{"code": "I10"}, {"code": "Z99.0"}])
        assert problem_of(answer)["errors"] == [
            {"field": "diagnoses.1", "message": "Diagnosis Z99.0 is not valid any more"}
        ]

    async def test_one_that_has_ended_since_does_not_stand_in_the_way(self, desk: Desk) -> None:
        saved = await desk.registered()
        ended = desk.id_of("diagnoses", "Z99.0", "code")
        desk.world.sql(
            "INSERT INTO patient_diagnoses (patient_id, diagnosis_id, position) VALUES (%s, %s, 1)",
            (saved["id"], ended),
        )
        answer = await desk.save(saved, "save-diagnoses", [{"code": "I10"}, {"id": ended}])
        assert [d["code"] for d in answer.json()["diagnoses"]] == ["I10", "Z99.0"]

    async def test_each_is_kept_once_in_the_order_given(self, desk: Desk) -> None:
        saved = await desk.registered(
            diagnoses=[{"code": "E11.9"}, {"code": "i10"}, {"code": "e11.9"}],
            medications=[{"name": "b"}, {"name": " A "}, {"name": "B"}],
        )
        assert [d["code"] for d in saved["diagnoses"]] == ["E11.9", "I10"]
        assert [m["name"] for m in saved["medications"]] == ["B", "A"]

    async def test_a_medication_that_stays_keeps_its_id(self, desk: Desk) -> None:
        saved = await desk.registered(medications=[{"name": "A"}, {"name": "B"}])
        answer = await desk.save(saved, "save-medications", [{"name": "C"}, {"name": "b"}])
        now = {m["name"]: m["id"] for m in answer.json()["medications"]}
        assert list(now) == ["C", "B"]
        assert now["B"] == saved["medications"][1]["id"]


class TestSavingOneList:
    """POST /v2/patients/{id}/save-..."""

    @pytest.mark.parametrize("path", SAVES)
    async def test_takes_a_bare_list_or_one_under_its_name(self, desk: Desk, path: str) -> None:
        name = SAVES[path]
        row = {
            "insuranceInformation": desk.insurance(),
            "responsibleParties": PARTY,
            "diagnoses": {"code": "I10"},
            "medications": {"name": "ASPIRIN"},
        }[name]
        saved = await desk.registered()
        for count, body in (
            (1, [row]),
            (0, []),
            (1, {name: [row]}),
            (0, {name: None}),
            (1, {name[0].upper() + name[1:]: [row]}),
        ):
            answer = await desk.save(saved, path, body)
            assert answer.status_code == 200, answer.text
            assert len(answer.json()[name]) == count
        assert answer.json()["version"] == saved["version"] + 5
        assert answer.headers["etag"] == f'"{saved["version"] + 5}"'

    @pytest.mark.parametrize("path", SAVES)
    @pytest.mark.parametrize("body", [{}, None, "text", 5, {"other": []}])
    async def test_refuses_a_body_without_the_list(
        self, desk: Desk, problem_of, path: str, body: Any
    ) -> None:
        saved = await desk.registered()
        answer = await desk.save(saved, path, body)
        assert answer.status_code == 400
        assert problem_of(answer)["errors"]

    async def test_leaves_the_other_lists_and_an_incomplete_form_alone(self, desk: Desk) -> None:
        patient = desk.world.patient(desk.client)  # without an address: older than the rule
        desk.world.record(patient)
        answer = await desk.save({"id": patient}, "save-medications", [{"name": "ASPIRIN"}])
        record = answer.json()
        assert [m["name"] for m in record["medications"]] == ["ASPIRIN"]
        assert len(record["insuranceInformation"]) == len(record["responsibleParties"]) == 1
        assert len(record["diagnoses"]) == 1

    @pytest.mark.parametrize("path", SAVES)
    async def test_of_two_editors_the_second_is_told(self, desk: Desk, path: str) -> None:
        saved = await desk.registered()
        match = f'"{saved["version"]}"'
        answers = await asyncio.gather(
            *(desk.save(saved, path, [], **{"If-Match": match}) for _ in range(2))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 412]

    @pytest.mark.parametrize(
        ("path", "limit"),
        [
            *(("save-billing-info", 100), ("save-responsible-parties", 100)),
            *(("save-diagnoses", 100), ("save-medications", 200)),
        ],
    )
    async def test_a_list_longer_than_anybody_needs_is_refused_before_it_is_read(
        self, desk: Desk, problem_of, path: str, limit: int
    ) -> None:
        saved = await desk.registered()
        answer = await desk.save(saved, path, [{}] * 200_000)
        assert problem_of(answer)["errors"] == [
            {
                "field": SAVES[path],
                "message": messages.TOO_MANY_ROWS.format(max=limit),
            }
        ]

    async def test_the_same_save_sent_twice_is_done_once(self, desk: Desk) -> None:
        saved = await desk.registered()
        key = {"Idempotency-Key": uuid.uuid4().hex}
        rows = [desk.insurance()]
        first = await desk.save(saved, "save-billing-info", rows, **key)
        second = await desk.save(saved, "save-billing-info", rows, **key)
        assert first.content == second.content
        assert (
            desk.world.sql(
                "SELECT count(*) FROM patient_insurance WHERE patient_id = %s", (saved["id"],)
            )
            == 1
        )


class TestForeignRows:
    """Rows of another patient, by their ids."""

    @pytest.mark.parametrize(
        ("table", "name"),
        [
            ("patient_insurance", "insuranceInformation"),
            ("patient_responsible_parties", "responsibleParties"),
        ],
    )
    @pytest.mark.parametrize("whose", ["another client's", "the same client's"])
    async def test_are_refused_exactly_like_unknown_ones_and_stay(
        self, desk: Desk, table: str, name: str, whose: str
    ) -> None:
        home = desk.client if whose == "the same client's" else desk.world.client()
        patient = desk.world.patient(home)
        desk.world.record(patient)
        before = desk.world.rows(f"SELECT * FROM {table} WHERE patient_id = %s", (patient,))
        saved = await desk.registered()
        row = desk.insurance() if name == "insuranceInformation" else PARTY
        answers = [
            await desk.change(saved, **{name: [{**row, "id": row_id}]})
            for row_id in (before[0][0], 987_654_321)
        ]
        assert [answer.status_code for answer in answers] == [400, 400]
        assert answers[0].content == answers[1].content
        assert answers[0].json()["errors"] == [
            {"field": f"{name}.0.id", "message": messages.NOT_FOUND}
        ]
        assert desk.world.rows(f"SELECT * FROM {table} WHERE patient_id = %s", (patient,)) == before

    async def test_an_id_can_not_be_used_twice_in_one_list(self, desk: Desk, problem_of) -> None:
        saved = await desk.registered(
            insuranceInformation=[desk.insurance()], responsibleParties=[PARTY]
        )
        (row,), (party,) = saved["insuranceInformation"], saved["responsibleParties"]
        answer = await desk.change(
            saved, insuranceInformation=[row, row], responsibleParties=[party, party]
        )
        assert {e["field"] for e in problem_of(answer)["errors"]} == {
            *("insuranceInformation.1.id", "responsibleParties.1.id"),
        }


class TestReaders:
    """Roles that read and do not write."""

    async def test_physician_and_patient_see_their_own_records_lists(self, world: World) -> None:
        client = world.client()
        doctor = world.physician(client)
        patient, other = world.patient(client, physician=doctor), world.patient(client)
        for each in (patient, other):
            world.record(each)
        for person in (
            await world.person(Role.PHYSICIAN, physician_ids=[doctor]),
            await world.person(Role.PATIENT, patient_ids=[patient]),
        ):
            path = "/api/v2/patients/{}/billing-info"
            own = await world.http.get(path.format(patient), headers=person.headers)
            assert [row["insuranceId"] for row in own.json()] == ["OLD-1"]
            foreign = await world.http.get(path.format(other), headers=person.headers)
            assert foreign.status_code == 404
