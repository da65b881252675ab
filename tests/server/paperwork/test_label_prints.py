"""Prints of labels: who printed what where and when, and which labels are copies."""

import asyncio
import uuid
from contextlib import AsyncExitStack
from typing import Any

import httpx
import pytest

from app.contract import messages
from tests.server.accounts.builders import Person
from tests.server.world import World

PRINTS = "/api/v2/requisitions/label-prints"


class Desk:
    """A person who prints labels."""

    def __init__(self, world: World, person: Person) -> None:
        self._world = world
        self.person = person

    async def start(self, *ids: int, **more: Any) -> httpx.Response:
        """Start a print and return the answer."""
        body = {"job": str(uuid.uuid4()), "ids": list(ids), "printer": "Zebra bench", **more}
        return await self._world.http.post(PRINTS, headers=self.person.headers, json=body)

    async def end(self, job: str, **outcome: Any) -> int:
        """Report an outcome and return the status."""
        body = {"state": "confirmed", "unknown": 0, **outcome}
        path = f"{PRINTS}/{job}/outcome"
        answer = await self._world.http.put(path, headers=self.person.headers, json=body)
        return answer.status_code

    async def print(self, *ids: int, **outcome: Any) -> list[int]:
        """Print labels and return their copy numbers."""
        print_job = (await self.start(*ids)).json()
        labels = print_job["labels"]
        result = {"labels": len(labels), "printed": len(labels), **outcome}
        assert await self.end(print_job["job"], **result) == 204
        return [label["copyNumber"] for label in labels]

    async def list_prints(self, requisition_id: int) -> list[dict[str, Any]]:
        """List the prints of a requisition."""
        path = f"/api/v2/requisitions/{requisition_id}/label-prints"
        answer = await self._world.http.get(path, headers=self.person.headers)
        assert answer.status_code == 200
        return list(answer.json())


@pytest.fixture
def desk(world: World, nurse: Person) -> Desk:
    return Desk(world, nurse)


@pytest.fixture
async def saved_requisition(world: World, nurse: Person) -> Any:
    """A requisition with one tube and the form: two labels."""
    return await world.save_requisition(nurse, nurse.patient, "CBC")


class TestCopies:
    async def test_marks_copies_from_the_second_print_on(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        assert await desk.print(saved_requisition["id"]) == [1, 1]
        assert await desk.print(saved_requisition["id"]) == [2, 2]
        third_labels = (await desk.start(saved_requisition["id"])).json()["labels"]
        assert all("COPY 3" in label["zpl"] and "COPY 3" in label["epl"] for label in third_labels)

    async def test_unprinted_labels_do_not_count_as_copies(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        assert await desk.print(saved_requisition["id"], state="failed", printed=1, code="x") == [
            1,
            1,
        ]
        assert await desk.print(saved_requisition["id"]) == [2, 1]

    async def test_labels_that_may_have_been_printed_count_as_copies(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        await desk.print(saved_requisition["id"], state="failed", printed=0, unknown=1)
        assert await desk.print(saved_requisition["id"]) == [2, 1]

    async def test_one_label_is_printed_again_by_its_key(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        first = (await desk.start(saved_requisition["id"])).json()["labels"]
        only = [{"requisitionId": saved_requisition["id"], "key": first[0]["key"]}]
        reprinted_labels = (await desk.start(saved_requisition["id"], only=only)).json()["labels"]
        assert [(label["key"], label["copyNumber"]) for label in reprinted_labels] == [
            (first[0]["key"], 2)
        ]

    async def test_counts_copies_of_each_requisition_of_a_job(
        self, world: World, nurse: Person, desk: Desk, saved_requisition: Any
    ) -> None:
        other = await world.save_requisition(nurse, nurse.patient, "CBC")
        await desk.print(other["id"])
        print_job = (await desk.start(saved_requisition["id"], other["id"], copies=2)).json()
        assert [label["copyNumber"] for label in print_job["labels"]] == [1, 1, 2, 2]
        # Two sets of four labels. Six were printed: four of the first requisition and two of the
        # other. The seventh, also of the other, may have been printed.
        await desk.end(print_job["job"], state="failed", labels=8, printed=6, unknown=1)
        ours = (await desk.list_prints(saved_requisition["id"]))[0]
        theirs = (await desk.list_prints(other["id"]))[0]
        assert (ours["printed"], ours["unknown"], ours["copies"]) == (4, 0, 2)
        assert (theirs["printed"], theirs["unknown"], theirs["copyNumber"]) == (2, 1, 2)

    async def test_two_desks_at_once_print_two_copies(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        answers = await asyncio.gather(*(desk.start(saved_requisition["id"]) for _ in range(4)))
        numbers = sorted(answer.json()["labels"][0]["copyNumber"] for answer in answers)
        assert numbers == [1, 2, 3, 4]

    async def test_viewing_labels_does_not_count_as_printing(
        self, world: World, nurse: Person, desk: Desk, saved_requisition: Any
    ) -> None:
        path = f"/api/v2/requisitions/labels?ids={saved_requisition['id']}&dpi=300&size=3x1"
        labels = (await world.http.get(path, headers=nurse.headers)).json()
        assert [label["copyNumber"] for label in labels] == [1, 1]
        assert all("^PW900^LL300" in label["zpl"] for label in labels)
        assert await desk.list_prints(saved_requisition["id"]) == []


class TestJobs:
    """A job is one click on Print: one request for labels, and one report of the outcome."""

    async def test_a_repeated_request_counts_once(self, desk: Desk, saved_requisition: Any) -> None:
        job = str(uuid.uuid4())
        for _ in range(2):
            answer = await desk.start(saved_requisition["id"], job=job)
            assert [label["copyNumber"] for label in answer.json()["labels"]] == [1, 1]
        assert len(await desk.list_prints(saved_requisition["id"])) == 1

    async def test_a_job_prints_no_other_labels(
        self, desk: Desk, saved_requisition: Any, world: World
    ) -> None:
        job = str(uuid.uuid4())
        assert (await desk.start(saved_requisition["id"], job=job)).status_code == 200
        other = await world.save_requisition(desk.person, desk.person.patient, "CBC")
        for ids, more in (
            ((other["id"],), {}),
            ((saved_requisition["id"], other["id"]), {}),
            ((saved_requisition["id"],), {"copies": 2}),
        ):
            answer = await desk.start(*ids, job=job, **more)
            assert (answer.status_code, answer.json()["code"]) == (409, "labels_changed")
        assert await desk.list_prints(other["id"]) == []

    async def test_a_second_report_changes_nothing(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        job = (await desk.start(saved_requisition["id"])).json()["job"]
        assert await desk.end(job, labels=2, printed=2) == 204
        assert await desk.end(job, state="failed", labels=2, printed=0) == 204
        assert (await desk.list_prints(saved_requisition["id"]))[0]["state"] == "confirmed"

    async def test_a_report_of_other_labels_is_rejected(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        job = (await desk.start(saved_requisition["id"])).json()["job"]
        assert await desk.end(job, labels=3, printed=3) == 400
        assert await desk.end(job, labels=2, printed=2, unknown=1) == 400

    async def test_labels_that_no_longer_exist_are_a_conflict(
        self, desk: Desk, saved_requisition: Any
    ) -> None:
        only = [{"requisitionId": saved_requisition["id"], "key": "GOLD TOP 1"}]
        answer = await desk.start(saved_requisition["id"], only=only)
        assert answer.status_code == 409
        assert answer.json()["detail"] == messages.LABELS_CHANGED


class TestTurns:
    """Labels of many requisitions, for which people take turns."""

    async def test_a_rejected_request_leaves_no_print(
        self, world: World, desk: Desk, nurse: Person
    ) -> None:
        requisitions = [await world.save_requisition(nurse, nurse.patient, "CBC") for _ in range(6)]
        ids = [requisition["id"] for requisition in requisitions]
        queue = world.app.state.portal.drawing_pool._queue
        async with AsyncExitStack() as places:
            for _ in range(4):
                await places.enter_async_context(queue.hold_place(str(nurse.user_id)))
            rejected_answer = await desk.start(*ids)
            accepted_answer = await desk.start(*ids[:5])
        assert (rejected_answer.status_code, accepted_answer.status_code) == (429, 200)
        assert await desk.list_prints(ids[5]) == []
        labels = (await desk.start(*ids)).json()["labels"]
        assert {label["copyNumber"] for label in labels[-2:]} == {1}


class TestHistory:
    async def test_names_who_printed_where_and_when(
        self, desk: Desk, nurse: Person, saved_requisition: Any
    ) -> None:
        answer = await desk.start(saved_requisition["id"], workstation="FRONT-1")
        assert answer.json()["codes"] == [saved_requisition["code"]]
        (entry,) = await desk.list_prints(saved_requisition["id"])
        assert (entry["printer"], entry["workstation"]) == ("Zebra bench", "FRONT-1")
        assert (entry["state"], entry["labels"]) == ("started", 2)
        assert entry["printedByName"] and entry["createdAt"]

    async def test_is_audited_as_read_printed_and_ended(
        self, world: World, nurse: Person, desk: Desk, saved_requisition: Any
    ) -> None:
        path = f"/api/v2/requisitions/{saved_requisition['id']}/labels"
        await world.http.get(path, headers=nurse.headers)
        await desk.print(saved_requisition["id"], state="sent")
        rows = world.fetch_rows(
            "SELECT action, detail FROM audit_events"
            " WHERE kind = 'requisition' AND record_ids && %s::bigint[]"
            " AND action LIKE '%%label%%' ORDER BY id",
            ([saved_requisition["id"]],),
        )
        assert [action for action, _ in rows] == ["read-labels", "print-labels", "end-label-print"]
        assert rows[1][1]["printer"] == "Zebra bench"
        assert rows[2][1]["state"] == "sent"

    async def test_is_out_of_scope_for_others(
        self, world: World, desk: Desk, saved_requisition: Any
    ) -> None:
        job = (await desk.start(saved_requisition["id"])).json()["job"]
        stranger = Desk(
            world, await world.create_person("Client Basic", client_ids=[world.create_client()])
        )
        assert (await stranger.start(saved_requisition["id"])).status_code == 404
        assert await stranger.end(job, labels=2, printed=2) == 404
