"""The requisition log, and reports of many that tell how far they are."""

import asyncio
import base64
import io
import json
from contextlib import nullcontext
from typing import Any

import pytest
from fastapi import FastAPI
from pypdf import PdfReader
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.basics.errors import NotFound
from app.contract import messages
from app.server.paperwork.service.report import Making, as_events
from tests.server.paperwork.test_paperwork import text_of
from tests.server.world import Person, World

LOG = "/api/v2/reports/requisition/log"
REPORTS = [("requisition", "requisition"), ("requisition/log", "requisition-log")]


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse with 30 requisitions: more than one batch."""
    client = world.client()
    person = await world.person("Client Basic", client_ids=[client])
    patients = [world.patient(client, last_name=f"LAST{i}") for i in range(3)]
    person.codes, person.ids = [], []
    for i in range(30):
        saved = await world.requisition(person, patients[i % 3], "CBC")
        person.codes.append(saved["code"])
        person.ids.append(saved["id"])
    return person


def events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """The events of a stream: (name, data)."""
    found = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def _printed(world: World, ids: list[int]) -> int:
    """How often the journal says that somebody printed exactly these."""
    return int(
        world.sql(
            "SELECT count(*) FROM audit_events WHERE action = 'print'"
            " AND record_ids = %s::bigint[]",
            (ids,),
        )
    )


class TestTheLog:
    """One line a requisition, in the order of the ids."""

    async def test_names_each_with_patient_tests_and_state(
        self, world: World, nurse: Person
    ) -> None:
        ids = [nurse.ids[2], nurse.ids[0]]
        answer = await world.http.get(LOG, headers=nurse.headers, params={"ids": ids})
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == 'inline; filename="requisition-log.pdf"'
        text = text_of(answer.content)
        assert "2 requisitions" in text
        assert text.index(nurse.codes[2]) < text.index(nurse.codes[0])
        assert "LAST2," in text and "PENDING" in text
        assert nurse.codes[1] not in text

    async def test_of_many_is_posted_and_spans_pages(self, world: World, nurse: Person) -> None:
        answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": nurse.ids})
        text = text_of(answer.content)
        assert all(code in text for code in nurse.codes)
        assert text.count("REQUISITION LOG") + text.count("Requisition log") >= 2

    async def test_is_noted_in_the_journal(self, world: World, nurse: Person) -> None:
        await world.http.get(LOG, headers=nurse.headers, params={"ids": nurse.ids[:1]})
        rows = world.rows(
            "SELECT record_ids, detail->>'report' FROM audit_events"
            " WHERE action = 'print' AND record_ids = %s::bigint[]",
            (nurse.ids[:1],),
        )
        assert rows == [(nurse.ids[:1], "log")]

    async def test_one_foreign_id_gives_nothing(self, world: World, nurse: Person) -> None:
        other = world.client()
        stranger = await world.person("Client Basic", client_ids=[other])
        foreign = await world.requisition(stranger, world.patient(other))
        for ids in ([*nurse.ids[:2], foreign["id"]], [9_007_199_254_740_000]):
            answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": ids})
            assert answer.status_code == 404
            assert answer.json()["detail"] == messages.NOT_FOUND

    @pytest.mark.parametrize("ids", [[], list(range(1, 1_002)), ["x"], None])
    async def test_no_ids_too_many_or_none_at_all(
        self, world: World, nurse: Person, ids: Any
    ) -> None:
        answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": ids})
        assert answer.status_code == 400


class TestProgress:
    """A report tells how far it is, and then is there."""

    @pytest.mark.parametrize(("report", "name"), REPORTS)
    async def test_is_told_and_ends_in_the_document(
        self, world: World, nurse: Person, report: str, name: str
    ) -> None:
        answer = await world.http.post(
            f"/api/v2/reports/{report}/stream", headers=nurse.headers, json={"ids": nurse.ids}
        )
        assert answer.headers["content-type"].startswith("text/event-stream")
        found = events(answer.text)
        progress = [data["done"] for name, data in found if name == "progress"]
        assert progress == sorted(progress) and (progress[0], progress[-1]) == (0, 30)
        parts = [base64.b64decode(data["content"]) for name, data in found if name == "part"]
        text = text_of(b"".join(parts))
        assert all(code in text for code in nurse.codes)
        assert found[-1] == ("done", {"name": f"{name}.pdf", "mediaType": "application/pdf"})

    async def test_forms_are_told_batch_by_batch(self, world: World, nurse: Person) -> None:
        answer = await world.http.post(
            "/api/v2/reports/requisition/stream", headers=nurse.headers, json={"ids": nurse.ids}
        )
        done = [data["done"] for name, data in events(answer.text) if name == "progress"]
        assert done == [0, 25, 30]

    @pytest.mark.parametrize(("report", "_name"), REPORTS)
    async def test_one_foreign_id_is_said_before_it_begins(
        self, world: World, nurse: Person, report: str, _name: str
    ) -> None:
        answer = await world.http.post(
            f"/api/v2/reports/{report}/stream",
            headers=nurse.headers,
            json={"ids": [*nurse.ids, 9_007_199_254_740_000]},
        )
        assert answer.status_code == 404

    @pytest.mark.parametrize(("report", "_name"), REPORTS)
    async def test_it_is_on_record_before_its_first_page_leaves(
        self, world: World, portal_app: FastAPI, nurse: Person, report: str, _name: str
    ) -> None:
        """Somebody reads up to the first page and breaks off."""
        ids = nurse.ids[:2]
        seen: list[Any] = []
        asked = False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if asked:
                await asyncio.sleep(60)
            asked = True
            return {"type": "http.request", "body": json.dumps({"ids": ids}).encode()}

        async def send(message: dict[str, Any]) -> None:
            if b"event: part" in message.get("body", b""):
                seen.append(_printed(world, ids))
                raise OSError

        path = f"/api/v2/reports/{report}/stream"
        headers = {**nurse.headers, "Content-Type": "application/json"}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(k.lower().encode(), v.encode()) for k, v in headers.items()],
            "server": ("portal.test", 80),
            "client": ("127.0.0.1", 1),
        }
        await portal_app(scope, receive, send)
        assert seen == [1]
        assert _printed(world, ids) == 1

    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (NotFound(messages.NOT_FOUND), 404),
            (OperationalError("SELECT", {}, Exception("the database is gone")), 503),
            (PoolTimeoutError("all connections are in use"), 503),
            (ValueError("a fault of ours"), 500),
        ],
    )
    async def test_what_fails_later_is_told_with_its_problem(
        self, error: Exception, status: int
    ) -> None:
        async def making() -> Making:
            yield 0
            raise error

        text = "".join([event async for event in as_events(nullcontext(making()), 1, "x.pdf")])
        [_, (name, problem)] = events(text)
        assert (name, problem["status"]) == ("failed", status)


class TestLabelsOfMany:
    """The labels of several requisitions, in the order of the ids."""

    async def test_come_in_one_answer(self, world: World, nurse: Person) -> None:
        ids = [nurse.ids[1], nurse.ids[0]]
        answer = await world.http.get(
            "/api/v2/requisitions/labels", headers=nurse.headers, params={"ids": ids}
        )
        labels = answer.json()
        assert [nurse.codes[1] in label["zpl"] for label in labels] == [True, True, False, False]

    async def test_one_foreign_id_gives_nothing(self, world: World, nurse: Person) -> None:
        answer = await world.http.get(
            "/api/v2/requisitions/labels",
            headers=nurse.headers,
            params={"ids": [nurse.ids[0], 9_007_199_254_740_000]},
        )
        assert answer.status_code == 404

    async def test_come_as_pdf_for_a_browser(self, world: World, nurse: Person) -> None:
        answer = await world.http.get(
            "/api/v2/reports/labels", headers=nurse.headers, params={"ids": nurse.ids[:2]}
        )
        assert answer.headers["content-type"] == "application/pdf"
        assert len(PdfReader(io.BytesIO(answer.content)).pages) == 4
