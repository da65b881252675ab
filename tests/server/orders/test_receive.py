"""Receiving requisitions: many at once, and concurrently with other changes."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from fastapi import FastAPI

from app.contract.enumerations import RequisitionStatus
from tests.server.accounts.builders import Person
from tests.server.requisitions.steps import change_status_meanwhile
from tests.server.wire import trace_wire
from tests.server.world import World

PATH = "/api/v2/requisitions/receive"


class TestReceiving:
    """POST receive."""

    @pytest.mark.usefixtures("remembered_sessions")
    async def test_statement_count_does_not_depend_on_the_number_of_requisitions(
        self, world: World, portal_app: FastAPI, nurse: Person
    ) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        statement_counts = []
        for count in (3, 60):
            ids = [
                (await world.save_requisition(nurse, patient, "CBC", "GLU"))["id"]
                for _ in range(count)
            ]
            with trace_wire(portal_app.state.portal.database) as traffic:
                answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids[::-1]})
            assert answer.status_code == 200, answer.text
            assert [row["requisitionId"] for row in answer.json()] == ids[::-1]
            statement_counts.append(traffic.statements)
        of_three, of_sixty = statement_counts
        assert 0 < of_sixty <= of_three

    async def test_each_order_has_the_test_tree_of_its_requisition(
        self, world: World, nurse: Person
    ) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        orders = [("CBC", "GLU"), ("GLU",), ("CBC",)]
        ids = [(await world.save_requisition(nurse, patient, *codes))["id"] for codes in orders]
        answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids})
        tests_query = (
            "SELECT t.level, t.position, t.test_id, p.test_id FROM {0}_tests t"
            " LEFT JOIN {0}_tests p ON p.id = t.parent_id AND p.{0}_id = t.{0}_id"
            " WHERE t.{0}_id = %s ORDER BY t.position"
        )
        for row in answer.json():
            ordered_tests = world.fetch_rows(
                tests_query.format("requisition"), (row["requisitionId"],)
            )
            assert world.fetch_rows(tests_query.format("order"), (row["orderId"],)) == ordered_tests

    async def test_receives_by_ids_and_code_together(self, world: World, nurse: Person) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        first, second = [await world.save_requisition(nurse, patient) for _ in range(2)]
        body = {"ids": [first["id"]], "code": second["code"]}
        answer = await world.http.post(PATH, headers=lab.headers, json=body)
        assert [row["requisitionId"] for row in answer.json()] == [first["id"], second["id"]]

    async def test_an_incomplete_code_receives_nothing(self, world: World, nurse: Person) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, patient)
        for body in (
            {"code": requisition["code"][:-1]},
            {"ids": [requisition["id"]], "code": "R26"},
        ):
            answer = await world.http.post(PATH, headers=lab.headers, json=body)
            assert answer.status_code == 404
        answer = await world.http.post(
            PATH, headers=lab.headers, json={"code": requisition["code"]}
        )
        assert [row["requisitionId"] for row in answer.json()] == [requisition["id"]]

    async def test_returns_collection_times_in_the_future(
        self, world: World, nurse: Person
    ) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        in_two_days = datetime.now(UTC).date() + timedelta(days=2)
        times = [f"{in_two_days}T15:50:00", "2026-03-04T08:00:00"]
        ids = [
            (await world.save_requisition(nurse, patient, collectionDate=time))["id"]
            for time in times
        ]
        answer = await world.http.post(PATH, headers=lab.headers, json={"ids": ids})
        assert [row["collectionToCome"] for row in answer.json()] == [times[0], None]

    async def test_rejects_collection_times_in_the_future_that_are_not_accepted(
        self, world: World, nurse: Person
    ) -> None:
        patient = world.create_patient(nurse.client)
        lab = await world.create_person("Laboratory")
        in_two_days = datetime.now(UTC).date() + timedelta(days=2)
        first_future, second_future, past = [
            await world.save_requisition(nurse, patient, collectionDate=time)
            for time in (
                f"{in_two_days}T15:50:00",
                f"{in_two_days}T16:50:00",
                "2026-03-04T08:00:00",
            )
        ]
        body = {
            "ids": [first_future["id"], second_future["id"], past["id"]],
            "acceptsFuture": False,
        }
        answer = await world.http.post(PATH, headers=lab.headers, json=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "collection_to_come")
        codes = f"{first_future['code']}, {second_future['code']}"
        detail = f"The collection time of {codes} is in the future"
        assert answer.json()["detail"] == detail
        statuses = world.fetch_rows(
            "SELECT status FROM requisitions WHERE id = ANY(%s)", (body["ids"],)
        )
        assert statuses == [(RequisitionStatus.PENDING,)] * 3
        accepted_body = {**body, "acceptsFuture": True}
        answer = await world.http.post(PATH, headers=lab.headers, json=accepted_body)
        assert answer.status_code == 200


class TestConcurrentChanges:
    """Changes committed while the request waits for the requisition's lock."""

    @pytest.mark.parametrize("key", ["code", "ids"])
    async def test_a_requisition_canceled_meanwhile_stays_canceled(
        self, world: World, nurse: Person, key: str
    ) -> None:
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        body = {"code": requisition["code"]} if key == "code" else {"ids": [requisition["id"]]}
        answer = await change_status_meanwhile(
            world,
            requisition["id"],
            RequisitionStatus.CANCELED,
            world.http.post(PATH, headers=lab.headers, json=body),
        )
        assert answer.status_code == 409
        [stored_row] = world.fetch_rows(
            "SELECT status, version FROM requisitions WHERE id = %s", (requisition["id"],)
        )
        assert stored_row == (RequisitionStatus.CANCELED, requisition["version"] + 1)

    async def test_only_one_of_concurrent_scans_receives(self, world: World, nurse: Person) -> None:
        lab = await world.create_person("Laboratory")
        requisition = await world.save_requisition(nurse, world.create_patient(nurse.client))
        answers = await asyncio.gather(
            *(
                world.http.post(PATH, headers=lab.headers, json={"code": requisition["code"]})
                for _ in range(4)
            )
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409, 409, 409]
        rejected_answers = [answer.text for answer in answers if answer.status_code == 409]
        assert all("was already received" in text for text in rejected_answers)
