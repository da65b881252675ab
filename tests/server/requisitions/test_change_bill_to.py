"""Changing the bill-to of one or more requisitions."""

import pytest

from app.contract import messages
from tests.server.world import World

BASE = "/api/v2/requisitions"


class TestChangeBillTo:
    """PUT change-bill-to."""

    async def test_changes_many_by_body_or_query(self, world: World, nurse, patient) -> None:
        requisitions = [await world.save_requisition(nurse, patient) for _ in range(3)]
        ids = [requisition["id"] for requisition in requisitions]
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": ids,
                "versions": {str(row["id"]): row["version"] for row in requisitions},
            },
        )
        assert answer.status_code == 200
        assert answer.json() == {"data": [{"id": i, "version": 2} for i in ids]}
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            params={"billTo": "insurance", "ids": ids[:2]},
        )
        assert answer.status_code == 200
        rows = world.fetch_rows(
            "SELECT bill_to FROM requisitions WHERE id = ANY(%s) ORDER BY id", (ids,)
        )
        assert [row[0] for row in rows] == [0, 0, 2]

    async def test_uses_the_query_for_fields_missing_from_the_body(
        self, world: World, nurse, patient
    ) -> None:
        first, second = [(await world.save_requisition(nurse, patient))["id"] for _ in range(2)]
        for query, body, changed_id in (
            ({"billTo": "Patient", "ids": first}, {}, first),
            ({"billTo": "Patient", "ids": first}, {"ids": [second]}, second),
            ({"ids": second}, {"billTo": "Patient"}, second),
            ({"billTo": "Client", "ids": second}, {"billTo": "Patient"}, second),
        ):
            world.run_sql(
                "UPDATE requisitions SET bill_to = 0 WHERE id = ANY(%s)", ([first, second],)
            )
            answer = await world.http.put(
                f"{BASE}/change-bill-to", headers=nurse.headers, params=query, json=body
            )
            assert answer.status_code == 200, (query, body, answer.text)
            changed_rows = world.fetch_rows(
                "SELECT id FROM requisitions WHERE id = ANY(%s) AND bill_to = 2", ([first, second],)
            )
            assert changed_rows == [(changed_id,)]

    async def test_changes_none_and_names_a_canceled_requisition(
        self, world: World, parse_problem, nurse, patient, cancel
    ) -> None:
        pending_requisition, canceled_requisition = [
            await world.save_requisition(nurse, patient) for _ in range(2)
        ]
        await cancel(canceled_requisition["id"])
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": [pending_requisition["id"], canceled_requisition["id"]],
            },
        )
        assert answer.status_code == 409
        assert canceled_requisition["code"] in parse_problem(answer)["detail"]
        assert (
            world.run_sql(
                "SELECT bill_to FROM requisitions WHERE id = %s", (pending_requisition["id"],)
            )
            == 1
        )

    async def test_names_a_requisition_with_a_newer_version(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        first, second = [await world.save_requisition(nurse, patient) for _ in range(2)]
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": [first["id"], second["id"]],
                "versions": {first["id"]: first["version"], second["id"]: 99},
            },
        )
        assert answer.status_code == 412
        problem = parse_problem(answer)
        assert problem["detail"] == messages.REQUISITION_CHANGED.format(code=second["code"])
        assert [error["field"] for error in problem["errors"]] == [f"versions.{second['id']}"]
        assert "updatedBy" not in problem
        assert world.run_sql("SELECT bill_to FROM requisitions WHERE id = %s", (first["id"],)) == 1

    async def test_names_who_made_the_newer_version(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        await world.http.post(path, headers=nurse.headers, json={"comments": "call"})
        answer = await world.http.put(
            f"{BASE}/change-bill-to",
            headers=nurse.headers,
            json={
                "billTo": "Patient",
                "ids": [requisition["id"]],
                "versions": {requisition["id"]: 1},
            },
        )
        problem = parse_problem(answer)
        assert problem["detail"] == messages.REQUISITION_CHANGED.format(code=requisition["code"])
        assert problem["updatedBy"] == "Ada Tester"

    async def test_names_all_requisitions_that_changed(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisitions = [await world.save_requisition(nurse, patient) for _ in range(7)]
        codes = [row["code"] for row in requisitions]
        ids = [row["id"] for row in requisitions]
        versions = {row["id"]: row["version"] for row in requisitions}
        for changed_count, names in (
            (2, f"{codes[0]}, {codes[1]}"),
            (7, f"{', '.join(codes[:5])} and 2 more"),
        ):
            world.run_sql(
                "UPDATE requisitions SET version = version + 1 WHERE id = ANY(%s)",
                (ids[:changed_count],),
            )
            answer = await world.http.put(
                f"{BASE}/change-bill-to",
                headers=nurse.headers,
                json={"billTo": "Patient", "ids": ids, "versions": versions},
            )
            problem = parse_problem(answer)
            assert answer.status_code == 412
            assert problem["detail"] == messages.REQUISITIONS_CHANGED.format(codes=names)
            assert [error["field"] for error in problem["errors"]] == [
                f"versions.{i}" for i in ids[:changed_count]
            ]
        rows = world.fetch_rows(
            "SELECT DISTINCT bill_to FROM requisitions WHERE id = ANY(%s)", (ids,)
        )
        assert rows == [(1,)]

    async def test_other_clients_requisitions_look_nonexistent(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        other_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[other_client])
        foreign_requisition = await world.save_requisition(
            stranger, world.create_patient(other_client)
        )
        answers = [
            await world.http.put(
                f"{BASE}/change-bill-to",
                headers=nurse.headers,
                json={"billTo": "Patient", "ids": [requisition["id"], foreign_id]},
            )
            for foreign_id in (foreign_requisition["id"], 999_999_999)
        ]
        assert [answer.status_code for answer in answers] == [404, 404]
        assert answers[0].content == answers[1].content
        ids = [requisition["id"], foreign_requisition["id"]]
        rows = world.fetch_rows(
            "SELECT DISTINCT bill_to FROM requisitions WHERE id = ANY(%s)", (ids,)
        )
        assert rows == [(1,)]

    @pytest.mark.parametrize(
        "body",
        [{"billTo": "Patient", "ids": []}, {"ids": [1]}, {"billTo": "None", "ids": [1]}, {}],
    )
    async def test_rejects_incomplete_bodies(self, world: World, nurse, body) -> None:
        answer = await world.http.put(f"{BASE}/change-bill-to", headers=nurse.headers, json=body)
        assert answer.status_code == 400


class TestWithoutInsurance:
    """GET without-insurance: what Update Bill To asks before it bills insurance."""

    async def test_returns_the_requisitions_without_insurance(
        self, world: World, nurse, patient, insure
    ) -> None:
        uninsured_id, insured_id = [
            (await world.save_requisition(nurse, patient))["id"] for _ in range(2)
        ]
        insurance_id = insure(patient)
        save_answer = await world.http.post(
            f"{BASE}/{insured_id}/save-billing-info",
            headers=nurse.headers,
            json=[{"patientBillingInformationId": insurance_id, "position": 1}],
        )
        assert save_answer.status_code == 200, save_answer.text
        answer = await world.http.get(
            f"{BASE}/without-insurance",
            headers=nurse.headers,
            params={"ids": [insured_id, uninsured_id, uninsured_id]},
        )
        assert (answer.status_code, answer.json()) == (200, [uninsured_id])

    async def test_requires_ids(self, world: World, nurse) -> None:
        answer = await world.http.get(f"{BASE}/without-insurance", headers=nurse.headers)
        assert answer.status_code == 400
