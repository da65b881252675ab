"""Canceling and receiving requisitions."""

import asyncio
from datetime import datetime, timedelta

from app.basics.clock import get_utc_now
from app.contract import messages
from app.contract.enumerations import RequisitionStatus
from tests.server.requisitions.steps import BASE, change_status_meanwhile, sign_requisitions
from tests.server.world import World


class TestStatus:
    """Cancel and receive along the transition table."""

    async def test_cancel_needs_a_comment(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        answer = await world.http.post(
            f"{BASE}/{requisition['id']}/cancel", headers=nurse.headers, json={"comment": "  "}
        )
        assert answer.status_code == 400
        assert parse_problem(answer)["errors"][0]["message"] == messages.CANCEL_COMMENT_REQUIRED

    async def test_canceled_requisitions_cannot_be_changed_signed_or_received(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        lab = await world.create_person("Laboratory")
        path = f"{BASE}/{requisition['id']}"
        cancel_answer = await world.http.post(
            f"{path}/cancel", headers=nurse.headers, json={"comment": "wrong patient"}
        )
        assert cancel_answer.json()["status"] == 2
        change_answer = await world.http.post(path, headers=nurse.headers, json={"comments": "x"})
        receive_answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
        )
        sign_answer = await sign_requisitions(world, nurse, requisition["id"])
        assert [a.status_code for a in (change_answer, receive_answer, sign_answer)] == [
            409,
            409,
            409,
        ]

    async def test_canceled_requisitions_say_when_and_by_whom(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        cancel_answer = await world.http.post(
            f"{path}/cancel", headers=nurse.headers, json={"comment": "wrong patient"}
        )
        read_answer = await world.http.get(path, headers=nurse.headers)
        for record in (cancel_answer.json(), read_answer.json()):
            assert record["canceledByName"] == "Ada Tester"
            assert abs(datetime.fromisoformat(record["canceledAt"]) - get_utc_now()) < timedelta(
                hours=1
            )

    async def test_patients_do_not_see_who_canceled(self, world: World, nurse, patient) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        await world.http.post(f"{path}/cancel", headers=nurse.headers, json={"comment": "twice"})
        person = await world.create_person("Patient", patient_ids=[patient])
        record = (await world.http.get(path, headers=person.headers)).json()
        assert record["canceledAt"] is not None
        assert record["canceledByName"] is None

    async def test_cannot_cancel_a_requisition_received_meanwhile(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        path = f"{BASE}/{requisition['id']}"
        cancel_request = world.http.post(
            f"{path}/cancel", headers=nurse.headers, json={"comment": "late"}
        )
        answer = await change_status_meanwhile(
            world, requisition["id"], RequisitionStatus.DONE, cancel_request
        )
        assert answer.status_code == 409
        latest_answer = await world.http.get(path, headers=nurse.headers)
        assert latest_answer.json()["status"] == RequisitionStatus.DONE

    async def test_done_requisitions_can_be_signed_but_not_canceled(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        lab = await world.create_person("Laboratory")
        await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"code": requisition["code"]}
        )
        cancel_answer = await world.http.post(
            f"{BASE}/{requisition['id']}/cancel", headers=nurse.headers, json={"comment": "late"}
        )
        assert cancel_answer.status_code == 409
        assert (await sign_requisitions(world, nurse, requisition["id"])).status_code == 200

    async def test_concurrent_receiving_creates_one_order(
        self, world: World, nurse, patient
    ) -> None:
        requisition = await world.save_requisition(nurse, patient)
        lab = await world.create_person("Laboratory")
        answers = await asyncio.gather(
            *(
                world.http.post(
                    f"{BASE}/receive", headers=lab.headers, json={"ids": [requisition["id"]]}
                )
                for _ in range(3)
            )
        )
        assert sorted(a.status_code for a in answers) == [200, 409, 409]
        assert (
            world.run_sql(
                "SELECT count(*) FROM orders WHERE requisition_id = %s", (requisition["id"],)
            )
            == 1
        )

    async def test_receiving_many_is_all_or_nothing(
        self, world: World, parse_problem, nurse, patient
    ) -> None:
        pending_requisition, canceled_requisition = [
            (await world.save_requisition(nurse, patient)) for _ in range(2)
        ]
        await world.http.post(
            f"{BASE}/{canceled_requisition['id']}/cancel",
            headers=nurse.headers,
            json={"comment": "no"},
        )
        lab = await world.create_person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive",
            headers=lab.headers,
            json={"ids": [pending_requisition["id"], canceled_requisition["id"]]},
        )
        assert answer.status_code == 409
        assert canceled_requisition["code"] in parse_problem(answer)["detail"]
        assert (
            world.run_sql(
                "SELECT status FROM requisitions WHERE id = %s", (pending_requisition["id"],)
            )
            == 1
        )

    async def test_receiving_an_unknown_code_is_not_found(self, world: World) -> None:
        lab = await world.create_person("Laboratory")
        answer = await world.http.post(
            f"{BASE}/receive", headers=lab.headers, json={"code": "R990000000"}
        )
        assert answer.status_code == 404
