"""The lists of a patient: saved whole, in order, and only within the scope."""

import pytest

from app.contract import messages
from app.contract.enumerations import Role
from tests.server.patients.desk import PARTY, SAVES, VALID, Desk
from tests.server.world import World


class TestWholeRecord:
    """POST and PUT /v2/patients with their lists."""

    async def test_saves_all_lists_with_the_patient(self, desk: Desk) -> None:
        patient = await desk.create(
            insuranceInformation=[desk.build_insurance(groupNumber="g1")],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "i10"}, {"id": desk.find_id("diagnoses", "E11.9", "code")}],
            medications=[{"name": "metformin 500 mg"}, {"name": "aspirin"}],
        )
        assert patient == await desk.read(patient)
        (row,) = patient["insuranceInformation"]
        assert (row["insuranceId"], row["groupNumber"], row["order"]) == ("ABC-1", "G1", 1)
        assert (row["payer"], row["billType"]) == ("AETNA", "COMMERCIAL")
        (party,) = patient["responsibleParties"]
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
        assert [d["code"] for d in patient["diagnoses"]] == ["I10", "E11.9"]
        assert [m["name"] for m in patient["medications"]] == ["METFORMIN 500 MG", "ASPIRIN"]
        assert patient["version"] == 1

    async def test_absent_lists_stay_and_null_or_empty_lists_are_cleared(self, desk: Desk) -> None:
        patient = await desk.create(
            insuranceInformation=[desk.build_insurance()],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "ASPIRIN"}],
        )
        changed_patient = (await desk.change(patient, bed="2")).json()
        for name in SAVES.values():
            assert changed_patient[name] == patient[name]
        cleared_patient = (
            await desk.change(
                patient,
                insuranceInformation=None,
                responsibleParties=[],
                diagnoses=None,
                medications=[],
            )
        ).json()
        assert [cleared_patient[name] for name in SAVES.values()] == [[], [], [], []]
        assert cleared_patient["bed"] == "2"

    async def test_names_all_errors_at_once_and_saves_nothing(
        self, desk: Desk, parse_problem
    ) -> None:
        patient = await desk.create(medications=[{"name": "ASPIRIN"}])
        answer = await desk.change(
            patient,
            lastName="",
            insuranceInformation=[desk.build_insurance(), desk.build_insurance(insuranceId=" ")],
            responsibleParties=[{**PARTY, "zipCode": ""}],
            diagnoses=[{"code": "NONE"}],
            medications=[{"name": "X" * 201}],
        )
        assert answer.status_code == 400
        assert {e["field"]: e["message"] for e in parse_problem(answer)["errors"]} == {
            "lastName": messages.LAST_NAME_REQUIRED,
            "insuranceInformation.1.insuranceId": "Insurance Id is required",
            "responsibleParties.0.zipCode": messages.MISSING_ADDRESS,
            "diagnoses.0": messages.NOT_FOUND,
            "medications.0.name": messages.VALUE_TOO_LONG.format(max=200),
        }
        assert await desk.read(patient) == patient

    async def test_a_rejected_registration_saves_nothing(self, desk: Desk) -> None:
        answer = await desk.register(insuranceInformation=[desk.build_insurance(payerId=None)])
        assert answer.status_code == 400
        assert (
            desk.world.run_sql("SELECT count(*) FROM patients WHERE client_id = %s", (desk.client,))
            == 0
        )

    async def test_audits_changed_fields_without_their_content(self, desk: Desk) -> None:
        patient = await desk.create()
        await desk.save(patient, "save-medications", [{"name": "METHADONE"}])
        [(detail,)] = desk.world.fetch_rows(
            "SELECT detail FROM audit_events WHERE action = 'change' AND %s = ANY(record_ids)"
            " AND kind = 'patient'",
            (patient["id"],),
        )
        assert detail == {"fields": ["medications"]}

    async def test_audits_only_fields_that_changed(self, desk: Desk) -> None:
        patient = await desk.create(
            bed="1",
            insuranceInformation=[desk.build_insurance()],
            responsibleParties=[PARTY],
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "ASPIRIN"}],
        )
        lists = {name: patient[name] for name in SAVES.values()}
        (party,) = patient["responsibleParties"]
        whole = {**VALID, "clientId": desk.client, "bed": "1", **lists}
        await desk.change(patient, **whole)
        await desk.change(patient, **{**whole, "bed": "2", "zipCodeName": "60435"})
        await desk.change(patient, lastName="lee", firstName="Bea")
        await desk.change(
            patient,
            insuranceInformation=[*patient["insuranceInformation"], desk.build_insurance()],
            responsibleParties=[{**party, "phone": "312-555-0199"}],
            diagnoses=[],
            medications=[{"name": "aspirin"}],
        )
        await desk.change(patient, socialSecurityNumber="")
        await desk.save(patient, "save-medications", [{"name": "Aspirin"}])
        await desk.save(patient, "save-diagnoses", [{"code": "I10"}])
        audit_rows = desk.world.fetch_rows(
            "SELECT detail -> 'fields' FROM audit_events WHERE action = 'change'"
            " AND %s = ANY(record_ids) AND kind = 'patient' ORDER BY id",
            (patient["id"],),
        )
        assert [fields for (fields,) in audit_rows] == [
            [],
            ["bed", "zip_code_name"],
            ["first_name"],
            ["diagnoses", "insurance_information", "responsible_parties"],
            [],
            [],
            ["diagnoses"],
        ]

    async def test_keeps_a_medication_by_its_id_and_rejects_unknown_ones(
        self, desk: Desk, parse_problem
    ) -> None:
        patient = await desk.create(medications=[{"name": "ASPIRIN"}, {"name": "METFORMIN"}])
        other = await desk.create(medications=[{"name": "OTHER"}])
        aspirin, metformin = patient["medications"]
        items = [{"id": metformin["id"]}, {"name": "x"}]
        change_answer = await desk.save(patient, "save-medications", items)
        assert [m["name"] for m in change_answer.json()["medications"]] == ["METFORMIN", "X"]
        assert change_answer.json()["medications"][0]["id"] == metformin["id"]
        for item, message in (
            ({"id": aspirin["id"]}, messages.NOT_FOUND),
            ({"id": other["medications"][0]["id"]}, messages.NOT_FOUND),
            ({"name": " "}, messages.VALUE_REQUIRED),
            ({}, messages.VALUE_REQUIRED),
        ):
            medications = [{"name": "y"}, item]
            for answer in (
                await desk.save(patient, "save-medications", medications),
                await desk.change(patient, medications=medications),
            ):
                assert answer.status_code == 400
                assert parse_problem(answer)["errors"] == [
                    {"field": "medications.1.name", "message": message}
                ]
        assert (await desk.read(patient))["medications"] == change_answer.json()["medications"]


class TestDiagnosesAndMedications:
    """Diagnoses and medications of a patient."""

    async def test_rejects_a_code_that_is_not_valid_today(self, desk: Desk, parse_problem) -> None:
        patient = await desk.create()
        answer = await desk.save(patient, "save-diagnoses", [{"code": "I10"}, {"code": "Z99.0"}])
        assert parse_problem(answer)["errors"] == [
            {"field": "diagnoses.1", "message": "Diagnosis Z99.0 is no longer valid"}
        ]

    async def test_a_recorded_code_may_have_expired_since(self, desk: Desk) -> None:
        patient = await desk.create()
        ended_id = desk.find_id("diagnoses", "Z99.0", "code")
        desk.world.run_sql(
            "INSERT INTO patient_diagnoses (patient_id, diagnosis_id, position) VALUES (%s, %s, 1)",
            (patient["id"], ended_id),
        )
        answer = await desk.save(patient, "save-diagnoses", [{"code": "I10"}, {"id": ended_id}])
        assert [d["code"] for d in answer.json()["diagnoses"]] == ["I10", "Z99.0"]

    async def test_stores_each_once_in_the_sent_order(self, desk: Desk) -> None:
        patient = await desk.create(
            diagnoses=[{"code": "E11.9"}, {"code": "i10"}, {"code": "e11.9"}],
            medications=[{"name": "b"}, {"name": " A "}, {"name": "B"}],
        )
        assert [d["code"] for d in patient["diagnoses"]] == ["E11.9", "I10"]
        assert [m["name"] for m in patient["medications"]] == ["B", "A"]

    async def test_a_medication_that_stays_keeps_its_id(self, desk: Desk) -> None:
        patient = await desk.create(medications=[{"name": "A"}, {"name": "B"}])
        answer = await desk.save(patient, "save-medications", [{"name": "C"}, {"name": "b"}])
        ids_by_name = {m["name"]: m["id"] for m in answer.json()["medications"]}
        assert list(ids_by_name) == ["C", "B"]
        assert ids_by_name["B"] == patient["medications"][1]["id"]


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
    async def test_are_rejected_like_unknown_ids_and_stay(
        self, desk: Desk, table: str, name: str, whose: str
    ) -> None:
        client = desk.client if whose == "the same client's" else desk.world.create_client()
        patient = desk.world.create_patient(client)
        desk.world.add_patient_lists(patient)
        before = desk.world.fetch_rows(f"SELECT * FROM {table} WHERE patient_id = %s", (patient,))
        saved_patient = await desk.create()
        row = desk.build_insurance() if name == "insuranceInformation" else PARTY
        answers = [
            await desk.change(saved_patient, **{name: [{**row, "id": row_id}]})
            for row_id in (before[0][0], 987_654_321)
        ]
        assert [answer.status_code for answer in answers] == [400, 400]
        assert answers[0].content == answers[1].content
        assert answers[0].json()["errors"] == [
            {"field": f"{name}.0.id", "message": messages.NOT_FOUND}
        ]
        assert (
            desk.world.fetch_rows(f"SELECT * FROM {table} WHERE patient_id = %s", (patient,))
            == before
        )

    async def test_rejects_an_id_that_repeats_in_a_list(self, desk: Desk, parse_problem) -> None:
        patient = await desk.create(
            insuranceInformation=[desk.build_insurance()], responsibleParties=[PARTY]
        )
        (row,), (party,) = patient["insuranceInformation"], patient["responsibleParties"]
        answer = await desk.change(
            patient, insuranceInformation=[row, row], responsibleParties=[party, party]
        )
        assert {e["field"] for e in parse_problem(answer)["errors"]} == {
            "insuranceInformation.1.id",
            "responsibleParties.1.id",
        }


class TestReaders:
    """Roles that only read."""

    async def test_physicians_and_patients_read_lists_within_their_scope(
        self, world: World
    ) -> None:
        client = world.create_client()
        physician_id = world.create_physician(client)
        patient, other = (
            world.create_patient(client, physician=physician_id),
            world.create_patient(client),
        )
        for patient_id in (patient, other):
            world.add_patient_lists(patient_id)
        for person in (
            await world.create_person(Role.PHYSICIAN, physician_ids=[physician_id]),
            await world.create_person(Role.PATIENT, patient_ids=[patient]),
        ):
            path = "/api/v2/patients/{}/billing-info"
            own_answer = await world.http.get(path.format(patient), headers=person.headers)
            assert [row["insuranceId"] for row in own_answer.json()] == ["OLD-1"]
            foreign_answer = await world.http.get(path.format(other), headers=person.headers)
            assert foreign_answer.status_code == 404
