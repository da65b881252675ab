"""Diagnoses of a requisition: which test they support, and when they have to be valid."""

from app.contract import messages
from tests.server.world import World

BASE = "/api/v2/requisitions"


class TestDiagnosesByTest:
    """A diagnosis may name the test that it supports."""

    async def test_one_diagnosis_may_support_several_tests(
        self, world: World, nurse, patient
    ) -> None:
        glucose, panel = world.test_id("GLU"), world.test_id("CBC")
        member = world.test_id("WBC")
        saved = await world.requisition(
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
        found = [(d["code"], d["testId"]) for d in saved["diagnoses"]]
        assert found == [("E11.9", glucose), ("E11.9", member), ("I10", None)]
        assert panel in [t["test"]["id"] for t in saved["tests"]]

    async def test_a_test_that_is_not_ordered_is_refused(
        self, world: World, problem_of, nurse, patient
    ) -> None:
        body = world.requisition_body(
            patient, "GLU", diagnoses=[{"code": "I10", "testId": world.test_id("K")}]
        )
        answer = await world.http.post(BASE, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert problem_of(answer)["errors"] == [
            {
                "field": "diagnoses.0.testId",
                "message": messages.DIAGNOSIS_TEST_NOT_ORDERED.format(code="I10"),
            }
        ]

    async def test_a_test_does_not_go_while_a_diagnosis_names_it(
        self, world: World, nurse, patient, save
    ) -> None:
        glucose = world.test_id("GLU")
        saved = await world.requisition(
            nurse, patient, "GLU", diagnoses=[{"code": "I10", "testId": glucose}]
        )
        other = [{"test": {"id": world.test_id("K")}}]
        assert (await save(saved["id"], tests=other)).status_code == 400
        both = await save(saved["id"], tests=other, diagnoses=[{"code": "I10"}])
        assert both.status_code == 200

    async def test_the_test_it_supports_is_signed(
        self, world: World, nurse, patient, save, sign
    ) -> None:
        saved = await world.requisition(nurse, patient, "GLU", diagnoses=[{"code": "I10"}])
        await sign(nurse, saved["id"])
        changed = [{"code": "I10", "testId": world.test_id("GLU")}]
        assert (await save(saved["id"], diagnoses=changed)).status_code == 409
        assert (await save(saved["id"], diagnoses=[{"code": "I10"}])).status_code == 200

    async def test_codes_that_stay_are_judged_by_a_new_collection_date(
        self, world: World, problem_of, nurse, patient, save
    ) -> None:
        codes = [{"code": "U09.9"}]
        for name in ("diagnoses", "additionalTestsDxCodes"):
            saved = await world.requisition(nurse, patient, **{name: codes})
            too_early = {"collectionDate": "2021-09-30T07:30:00"}
            refused = await save(saved["id"], **too_early)
            message = messages.DIAGNOSIS_NOT_BILLABLE.format(code="U09.9")
            assert refused.status_code == 400
            assert problem_of(refused)["errors"] == [{"field": f"{name}.0", "message": message}]
            first_day = await save(saved["id"], collectionDate="2021-10-01T07:30:00")
            assert [each["code"] for each in first_day.json()[name]] == ["U09.9"]
            without = await save(saved["id"], **too_early, **{name: []})
            assert without.status_code == 200
