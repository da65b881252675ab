"""Diagnoses of a requisition: the tests that they support, and their validity."""

from app.contract import messages
from tests.server.world import World

BASE = "/api/v2/requisitions"


class TestDiagnosesByTest:
    """The test that a diagnosis supports."""

    async def test_one_diagnosis_can_support_several_tests(
        self, world: World, nurse, patient
    ) -> None:
        glucose, panel = world.get_test_id("GLU"), world.get_test_id("CBC")
        member = world.get_test_id("WBC")
        requisition = await world.save_requisition(
            nurse,
            patient,
            "GLU",
            "CBC",
            diagnoses=[
                {"code": "E11.9", "testId": glucose},
                {"code": "E11.9", "testId": member},
                {"code": "I10"},
                {"code": "I10"},
            ],
        )
        diagnoses = [(d["code"], d["testId"]) for d in requisition["diagnoses"]]
        assert diagnoses == [("E11.9", glucose), ("E11.9", member), ("I10", None)]
        assert panel in [t["test"]["id"] for t in requisition["tests"]]

    async def test_rejects_a_test_that_is_not_ordered(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        body = world.build_requisition_body(
            patient, "GLU", diagnoses=[{"code": "I10", "testId": world.get_test_id("K")}]
        )
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"] == [
            {
                "field": "diagnoses.0.testId",
                "message": messages.DIAGNOSIS_TEST_NOT_ORDERED.format(code="I10"),
            }
        ]

    async def test_a_test_cannot_be_removed_while_a_diagnosis_supports_it(
        self, world: World, nurse, patient, save
    ) -> None:
        glucose = world.get_test_id("GLU")
        requisition = await world.save_requisition(
            nurse, patient, "GLU", diagnoses=[{"code": "I10", "testId": glucose}]
        )
        potassium = [{"test": {"id": world.get_test_id("K")}}]
        assert (await save(requisition["id"], tests=potassium)).status_code == 400
        answer = await save(requisition["id"], tests=potassium, diagnoses=[{"code": "I10"}])
        assert answer.status_code == 200

    async def test_the_signature_covers_the_supported_test(
        self, world: World, nurse, patient, save, sign
    ) -> None:
        requisition = await world.save_requisition(
            nurse, patient, "GLU", diagnoses=[{"code": "I10"}]
        )
        await sign(nurse, requisition["id"])
        changed_diagnoses = [{"code": "I10", "testId": world.get_test_id("GLU")}]
        assert (await save(requisition["id"], diagnoses=changed_diagnoses)).status_code == 409
        assert (await save(requisition["id"], diagnoses=[{"code": "I10"}])).status_code == 200

    async def test_a_new_collection_date_validates_stored_codes(
        self, world: World, parse_problem, nurse, patient, save
    ) -> None:
        codes = [{"code": "U09.9"}]
        for name in ("diagnoses", "additionalTestsDxCodes"):
            requisition = await world.save_requisition(nurse, patient, **{name: codes})
            too_early = {"collectionDate": "2021-09-30T07:30:00"}
            rejected_answer = await save(requisition["id"], **too_early)
            message = messages.DIAGNOSIS_NOT_BILLABLE.format(code="U09.9")
            assert rejected_answer.status_code == 400
            assert parse_problem(rejected_answer)["errors"] == [
                {"field": f"{name}.0", "message": message}
            ]
            first_day_answer = await save(requisition["id"], collectionDate="2021-10-01T07:30:00")
            assert [row["code"] for row in first_day_answer.json()[name]] == ["U09.9"]
            removal_answer = await save(requisition["id"], **too_early, **{name: []})
            assert removal_answer.status_code == 200
