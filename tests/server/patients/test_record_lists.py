"""Saving one list of a patient."""

import asyncio
import uuid
from typing import Any

import pytest

from app.contract import messages
from tests.server.patients.desk import PARTY, SAVES, Desk


class TestSavingOneList:
    """POST /v2/patients/{id}/save-..."""

    @pytest.mark.parametrize("path", SAVES)
    async def test_accepts_a_bare_list_or_one_under_its_name(self, desk: Desk, path: str) -> None:
        name = SAVES[path]
        row = {
            "insuranceInformation": desk.build_insurance(),
            "responsibleParties": PARTY,
            "diagnoses": {"code": "I10"},
            "medications": {"name": "ASPIRIN"},
        }[name]
        patient = await desk.create()
        for count, body in (
            (1, [row]),
            (0, []),
            (1, {name: [row]}),
            (0, {name: None}),
            (1, {name[0].upper() + name[1:]: [row]}),
        ):
            answer = await desk.save(patient, path, body)
            assert answer.status_code == 200, answer.text
            assert len(answer.json()[name]) == count
        assert answer.json()["version"] == patient["version"] + 5
        assert answer.headers["etag"] == f'"{patient["version"] + 5}"'

    @pytest.mark.parametrize("path", SAVES)
    @pytest.mark.parametrize("body", [{}, None, "text", 5, {"other": []}])
    async def test_rejects_a_body_without_the_list(
        self, desk: Desk, parse_problem, path: str, body: Any
    ) -> None:
        patient = await desk.create()
        answer = await desk.save(patient, path, body)
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"]

    async def test_ignores_the_other_lists_and_an_incomplete_form(self, desk: Desk) -> None:
        # Patients who were registered before the rule may lack an address.
        patient = desk.world.create_patient(desk.client)
        desk.world.add_patient_lists(patient)
        answer = await desk.save({"id": patient}, "save-medications", [{"name": "ASPIRIN"}])
        record = answer.json()
        assert [m["name"] for m in record["medications"]] == ["ASPIRIN"]
        assert len(record["insuranceInformation"]) == len(record["responsibleParties"]) == 1
        assert len(record["diagnoses"]) == 1

    @pytest.mark.parametrize("path", SAVES)
    async def test_rejects_a_stale_version(self, desk: Desk, path: str) -> None:
        patient = await desk.create()
        if_match = f'"{patient["version"]}"'
        answers = await asyncio.gather(
            *(desk.save(patient, path, [], **{"If-Match": if_match}) for _ in range(2))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 412]

    @pytest.mark.parametrize(
        ("path", "limit"),
        [
            ("save-billing-info", 100),
            ("save-responsible-parties", 100),
            ("save-diagnoses", 100),
            ("save-medications", 200),
        ],
    )
    async def test_rejects_a_list_above_the_limit(
        self, desk: Desk, parse_problem, path: str, limit: int
    ) -> None:
        patient = await desk.create()
        answer = await desk.save(patient, path, [{}] * 3_000)
        assert parse_problem(answer)["errors"] == [
            {
                "field": SAVES[path],
                "message": messages.TOO_MANY_ROWS.format(max=limit),
            }
        ]

    async def test_a_repeated_save_runs_once(self, desk: Desk) -> None:
        patient = await desk.create()
        key = {"Idempotency-Key": uuid.uuid4().hex}
        rows = [desk.build_insurance()]
        first = await desk.save(patient, "save-billing-info", rows, **key)
        second = await desk.save(patient, "save-billing-info", rows, **key)
        assert first.content == second.content
        assert (
            desk.world.run_sql(
                "SELECT count(*) FROM patient_insurance WHERE patient_id = %s", (patient["id"],)
            )
            == 1
        )
