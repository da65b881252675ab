"""The lab receives requisitions: many at once, and while others are at work on them."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.contract.enumerations import RequisitionStatus
from tests.server.requisitions.steps import change_status_meanwhile
from tests.server.wire import wire
from tests.server.world import Person, World

PATH = "/api/v2/requisitions/receive"


class TestReceivingMany:
    """POST receive."""

    async def test_sixty_take_no_more_statements_than_three(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        patient = world.patient(nurse.client)
        lab = await world.person("Laboratory")
        taken = []
        for count in (3, 60):
            ids = [
                (await world.requisition(nurse, patient, "CBC", "GLU"))["id"] for _ in range(count)
            ]
            with wire(portal_app.state.portal.database) as sent:
                answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids[::-1]})
            assert answer.status_code == 200, answer.text
            assert [each["requisitionId"] for each in answer.json()] == ids[::-1]
            taken.append(sent.statements)
        of_three, of_sixty = taken
        assert 0 < of_sixty <= of_three

    async def test_each_order_has_the_tests_of_its_requisition_under_their_panels(
        self, world: World, nurse: Person
    ) -> None:
        patient = world.patient(nurse.client)
        lab = await world.person("Laboratory")
        sent = [("CBC", "GLU"), ("GLU",), ("CBC",)]
        ids = [(await world.requisition(nurse, patient, *codes))["id"] for codes in sent]
        answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids})
        tests = (
            "SELECT t.level, t.position, t.test_id, p.test_id FROM {0}_tests t"
            " LEFT JOIN {0}_tests p ON p.id = t.parent_id AND p.{0}_id = t.{0}_id"
            " WHERE t.{0}_id = %s ORDER BY t.position"
        )
        for each in answer.json():
            ordered = world.rows(tests.format("requisition"), (each["requisitionId"],))
            assert world.rows(tests.format("order"), (each["orderId"],)) == ordered

    async def test_by_ids_and_a_code_takes_all(self, world: World, nurse: Person) -> None:
        patient = world.patient(nurse.client)
        lab = await world.person("Laboratory")
        one, two = [await world.requisition(nurse, patient) for _ in range(2)]
        body = {"ids": [one["id"]], "code": two["code"]}
        answer = await world.http.post(PATH, headers=lab.headers, json=body)
        assert [each["requisitionId"] for each in answer.json()] == [one["id"], two["id"]]

    async def test_a_collection_time_that_is_still_to_come_is_told(
        self, world: World, nurse: Person
    ) -> None:
        patient = world.patient(nurse.client)
        lab = await world.person("Laboratory")
        to_come = datetime.now(UTC).date() + timedelta(days=2)
        times = [f"{to_come}T15:50:00", "2026-03-04T08:00:00"]
        ids = [
            (await world.requisition(nurse, patient, collectionDate=time))["id"] for time in times
        ]
        answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids})
        assert [each["collectionToCome"] for each in answer.json()] == [times[0], None]


class TestWhileOthersAreAtWork:
    """What somebody else commits during the wait for the requisition counts."""

    @pytest.mark.parametrize("how", ["code", "ids"])
    async def test_one_that_is_canceled_meanwhile_stays_canceled(
        self, world: World, nurse: Person, how: str
    ) -> None:
        lab = await world.person("Laboratory")
        saved = await world.requisition(nurse, world.patient(nurse.client))
        body = {"code": saved["code"]} if how == "code" else {"ids": [saved["id"]]}
        answer = await change_status_meanwhile(
            world,
            saved["id"],
            RequisitionStatus.CANCELED,
            world.http.post(PATH, headers=lab.headers, json=body),
        )
        assert answer.status_code == 409
        [now] = world.rows("SELECT status, version FROM requisitions WHERE id = %s", (saved["id"],))
        assert now == (RequisitionStatus.CANCELED, saved["version"] + 1)

    async def test_of_scans_at_the_same_moment_one_receives_it(
        self, world: World, nurse: Person
    ) -> None:
        lab = await world.person("Laboratory")
        saved = await world.requisition(nurse, world.patient(nurse.client))
        answers = await asyncio.gather(
            *(
                world.http.post(PATH, headers=lab.headers, json={"code": saved["code"]})
                for _ in range(4)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        refused = [answer.text for answer in answers if answer.status_code == 409]
        assert all("was already received" in text for text in refused)
