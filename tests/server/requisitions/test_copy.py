"""GET /v2/requisitions/{id}/copy: copied parts and omitted parts."""

import pytest

from tests.server.world import World

BASE = "/api/v2/requisitions"


@pytest.fixture
def get_copy(world: World, nurse):
    """Return a function that returns the nurse's copy of a requisition."""

    async def get(requisition_id: int):
        answer = await world.http.get(f"{BASE}/{requisition_id}/copy", headers=nurse.headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    return get


def add_test(world: World) -> int:
    """Add a test that no other test case orders, so that it can be withdrawn."""
    return world.run_sql(
        "INSERT INTO lab_tests (code, name, search_text, kind, result_type) VALUES"
        " ('OLD' || nextval('requisition_codes'), 'OLD TEST', 'OLD', 'clinical', 1) RETURNING id",
        (),
    )


def add_diagnosis(world: World) -> tuple[int, str]:
    """Add a diagnosis that no other test case uses, so that it can expire."""
    diagnosis_id = world.run_sql(
        "INSERT INTO diagnoses (code, description, search_text, valid_from, release) VALUES"
        " ('Q' || nextval('requisition_codes'), 'ENDING', 'ENDING', '2015-10-01', 'TEST')"
        " RETURNING id",
        (),
    )
    return diagnosis_id, world.run_sql("SELECT code FROM diagnoses WHERE id = %s", (diagnosis_id,))


class TestCopying:
    """The content of a copy."""

    async def test_copies_the_parts_of_a_repeated_order_without_saving(
        self, world: World, nurse, patient, insure, sign, get_copy
    ) -> None:
        first, second = insure(patient, "W-1"), insure(patient, "W-2", position=2)
        requisition = await world.save_requisition(
            nurse,
            patient,
            priority="STAT",
            billTo="Client",
            comments="<p>Fragile vein</p>",
            diagnoses=[{"code": "I10"}],
            medications=[{"name": "LISINOPRIL 10 MG"}],
            billingInfo=[
                {"patientBillingInformationId": second, "position": 1},
                {"patientBillingInformationId": first, "position": 2},
            ],
        )
        await sign(nurse, requisition["id"])
        before = world.run_sql("SELECT count(*) FROM requisitions", ())
        copy = await get_copy(requisition["id"])
        assert copy["code"] == requisition["code"]
        assert copy["patientId"] == patient
        assert copy["physician"] == requisition["physician"]
        assert copy["billTo"] == "Client"
        assert copy["comments"] == "<p>Fragile vein</p>"
        copied_codes = [item["test"]["code"] for item in copy["tests"]]
        assert copied_codes == [item["test"]["code"] for item in requisition["tests"]]
        assert [item["code"] for item in copy["diagnoses"]] == ["I10"]
        assert copy["medications"] == [{"name": "LISINOPRIL 10 MG"}]
        assert copy["billingInfo"] == [second, first]
        assert copy["left"] == []
        assert not {"collectionDate", "priority", "hasSignature", "additionalCopies"} & set(copy)
        assert world.run_sql("SELECT count(*) FROM requisitions", ()) == before

    async def test_leaves_out_and_names_withdrawn_and_expired_parts(
        self, world: World, nurse, patient, insure, get_copy
    ) -> None:
        withdrawn_test, orderable = add_test(world), world.get_test_id("GLU")
        expired_diagnosis, code = add_diagnosis(world)
        insurance = insure(patient)
        requisition = await world.save_requisition(
            nurse,
            patient,
            tests=[{"test": {"id": withdrawn_test}}, {"test": {"id": orderable}}],
            diagnoses=[
                {"id": expired_diagnosis},
                {"code": "I10", "testId": withdrawn_test},
                {"code": "E11.9"},
            ],
            billingInfo=[{"patientBillingInformationId": insurance}],
        )
        world.run_sql("UPDATE lab_tests SET orderable = false WHERE id = %s", (withdrawn_test,))
        world.run_sql(
            "UPDATE diagnoses SET valid_to = '2020-01-01' WHERE id = %s", (expired_diagnosis,)
        )
        world.run_sql("UPDATE patient_insurance SET removed_at = now() WHERE id = %s", (insurance,))
        copy = await get_copy(requisition["id"])
        assert [item["test"]["id"] for item in copy["tests"]] == [orderable]
        assert [item["code"] for item in copy["diagnoses"]] == ["E11.9"]
        assert copy["billingInfo"] == []
        test_code = world.run_sql("SELECT code FROM lab_tests WHERE id = %s", (withdrawn_test,))
        payer = requisition["billingInformation"][0]["payer"]
        assert copy["left"] == [
            f"test {test_code}",
            f"diagnosis {code}",
            "diagnosis I10",
            f"insurance {payer}",
        ]

    async def test_copies_canceled_requisitions(
        self, world: World, nurse, patient, cancel, get_copy
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        await cancel(requisition["id"])
        assert (await get_copy(requisition["id"]))["tests"]


class TestScope:
    """Whose requisitions can be copied."""

    async def test_other_clients_requisitions_look_nonexistent(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        stranger = await world.create_person("Client Basic", client_ids=[world.create_client()])
        answers = [
            await world.http.get(f"{BASE}/{requisition_id}/copy", headers=stranger.headers)
            for requisition_id in (requisition["id"], 999_999_999)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].json()["detail"] == answers[1].json()["detail"]

    async def test_rejects_requisitions_of_patients_who_left_the_client(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        world.run_sql(
            "UPDATE patients SET client_id = %s, unit_id = NULL, room_id = NULL WHERE id = %s",
            (world.create_client(), patient),
        )
        answer = await world.http.get(f"{BASE}/{requisition['id']}/copy", headers=nurse.headers)
        assert answer.status_code == 404
        assert requisition["code"] in answer.json()["detail"]
