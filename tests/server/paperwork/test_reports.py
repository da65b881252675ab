"""The requisition log, streamed reports, and labels of several requisitions."""

import asyncio
import base64
import io
import json
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from contextvars import ContextVar
from typing import Any

import pytest
from fastapi import FastAPI
from pypdf import PdfReader
from sqlalchemy import event
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from app.basics.errors import NotFound
from app.contract import messages
from app.server.drawing_pool import DrawingProcess
from app.server.paperwork.service import labels
from app.server.paperwork.service.report import ReportSteps, stream_events
from tests.server.accounts.builders import Person
from tests.server.paperwork.reading import extract_text
from tests.server.world import World

LOG = "/api/v2/reports/requisition/log"
REPORTS = [("requisition", "requisition"), ("requisition/log", "requisition-log")]


@pytest.fixture
async def nurse(world: World) -> Person:
    """A nurse with 30 requisitions, which are more than one batch."""
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client])
    patients = [world.create_patient(client, last_name=f"LAST{i}") for i in range(3)]
    person.codes, person.ids = [], []
    for i in range(30):
        requisition = await world.save_requisition(person, patients[i % 3], "CBC", "WBC", "HGB")
        person.codes.append(requisition["code"])
        person.ids.append(requisition["id"])
    return person


def parse_events(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Parse the events of a stream as (name, data)."""
    events = []
    for block in text.strip().split("\n\n"):
        name, data = block.split("\n")
        events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events


_is_of_test: ContextVar[bool] = ContextVar("is_of_test", default=False)
"""Whether a task belongs to the test; the portal's own tasks also read the database."""


@contextmanager
def record_connections_while_drawing(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, drawing: Any, name: str
) -> Iterator[list[int]]:
    """Record how many write connections the test's requests hold at each call of a function.

    Requests of the test must take at least one connection in the block.
    """
    pool = app.state.portal.database.engine.sync_engine.pool
    draw = getattr(drawing, name)
    checkouts: list[Any] = []
    held: list[Any] = []
    in_use: list[int] = []

    def add(_connection: Any, record: Any, _proxy: Any) -> None:
        if _is_of_test.get():
            checkouts.append(record)
            held.append(record)

    def remove(_connection: Any, record: Any) -> None:
        if record in held:
            held.remove(record)

    def draw_and_count(*arguments: Any) -> Any:
        in_use.append(len(held))
        return draw(*arguments)

    monkeypatch.setattr(drawing, name, draw_and_count)
    token = _is_of_test.set(True)
    event.listen(pool, "checkout", add)
    event.listen(pool, "checkin", remove)
    try:
        yield in_use
    finally:
        event.remove(pool, "checkout", add)
        event.remove(pool, "checkin", remove)
        _is_of_test.reset(token)
    assert checkouts


def _count_prints(world: World, ids: list[int]) -> int:
    """Return the number of audit events that record a print of exactly these requisitions."""
    return int(
        world.run_sql(
            "SELECT count(*) FROM audit_events WHERE kind = 'requisition' AND action = 'print'"
            " AND record_ids = %s::bigint[]",
            (ids,),
        )
    )


class TestRequisitionLog:
    """The requisition log, with one line for each requisition in the order of the ids."""

    async def test_lists_code_patient_tests_and_status(self, world: World, nurse: Person) -> None:
        ids = [nurse.ids[2], nurse.ids[0]]
        answer = await world.http.get(LOG, headers=nurse.headers, params={"ids": ids})
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == 'inline; filename="requisition-log.pdf"'
        text = extract_text(answer.content)
        assert "2 requisitions" in text
        assert text.index(nurse.codes[2]) < text.index(nurse.codes[0])
        assert "LAST2," in text and "PENDING" in text
        assert nurse.codes[1] not in text

    async def test_does_not_break_words(self, world: World) -> None:
        client = world.create_client()
        person = await world.create_person("Client Basic", client_ids=[client])
        patient = world.create_patient(client, last_name="WOLFESCHLEGELSTEINHAUSEN")
        requisition = await world.save_requisition(person, patient, "CBC", "GLU")
        answer = await world.http.get(
            LOG, headers=person.headers, params={"ids": requisition["id"]}
        )
        page = PdfReader(io.BytesIO(answer.content)).pages[0]
        assert page.mediabox.width > page.mediabox.height
        text = page.extract_text()
        assert "WOLFESCHLEGELSTEINHAUSEN," in text
        # The codes of the tests come first, then their names.
        assert text.index("CBC, GLU") < text.index("COMPLETE BLOOD COUNT")

    async def test_spans_several_pages(self, world: World, nurse: Person) -> None:
        answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": nurse.ids})
        text = extract_text(answer.content)
        assert all(code in text for code in nurse.codes)
        assert text.count("REQUISITION LOG") + text.count("Requisition log") >= 2

    async def test_is_audited(self, world: World, nurse: Person) -> None:
        await world.http.get(LOG, headers=nurse.headers, params={"ids": nurse.ids[:1]})
        rows = world.fetch_rows(
            "SELECT record_ids, detail->>'report' FROM audit_events"
            " WHERE kind = 'requisition' AND action = 'print' AND record_ids = %s::bigint[]",
            (nurse.ids[:1],),
        )
        assert rows == [(nurse.ids[:1], "log")]

    async def test_other_clients_requisitions_are_not_found(
        self, world: World, nurse: Person
    ) -> None:
        other_client = world.create_client()
        stranger = await world.create_person("Client Basic", client_ids=[other_client])
        foreign = await world.save_requisition(stranger, world.create_patient(other_client))
        for ids in ([*nurse.ids[:2], foreign["id"]], [9_007_199_254_740_000]):
            answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": ids})
            assert answer.status_code == 404
            assert answer.json()["detail"] == messages.NOT_FOUND

    @pytest.mark.parametrize("ids", [[], list(range(1, 1_002)), ["x"], None])
    async def test_rejects_missing_and_too_many_ids(
        self, world: World, nurse: Person, ids: Any
    ) -> None:
        answer = await world.http.post(LOG, headers=nurse.headers, json={"ids": ids})
        assert answer.status_code == 400


class TestProgress:
    """Reports streamed with their progress."""

    @pytest.mark.parametrize(("report", "name"), REPORTS)
    async def test_streams_progress_and_then_the_document(
        self, world: World, nurse: Person, report: str, name: str
    ) -> None:
        answer = await world.http.post(
            f"/api/v2/reports/{report}/stream", headers=nurse.headers, json={"ids": nurse.ids}
        )
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = parse_events(answer.text)
        progress = [data["done"] for name, data in events if name == "progress"]
        assert progress == sorted(progress) and (progress[0], progress[-1]) == (0, 30)
        parts = [base64.b64decode(data["content"]) for name, data in events if name == "part"]
        text = extract_text(b"".join(parts))
        assert all(code in text for code in nurse.codes)
        assert events[-1] == ("done", {"name": f"{name}.pdf", "mediaType": "application/pdf"})

    async def test_reports_progress_after_each_batch(
        self, world: World, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("app.server.paperwork.service.report.BATCH", 25)
        answer = await world.http.post(
            "/api/v2/reports/requisition/stream", headers=nurse.headers, json={"ids": nurse.ids}
        )
        counts = [data["done"] for name, data in parse_events(answer.text) if name == "progress"]
        assert counts == [0, 25, 30]

    @pytest.mark.parametrize(("report", "_name"), REPORTS)
    async def test_other_clients_requisitions_are_not_found_before_the_stream(
        self, world: World, nurse: Person, report: str, _name: str
    ) -> None:
        answer = await world.http.post(
            f"/api/v2/reports/{report}/stream",
            headers=nurse.headers,
            json={"ids": [*nurse.ids, 9_007_199_254_740_000]},
        )
        assert answer.status_code == 404

    @pytest.mark.parametrize(("report", "_name"), REPORTS)
    async def test_is_audited_before_the_first_part_is_sent(
        self, world: World, portal_app: FastAPI, nurse: Person, report: str, _name: str
    ) -> None:
        """The reader disconnects after the first part."""
        ids = nurse.ids[:2]
        print_counts: list[Any] = []
        is_request_sent = False

        async def receive() -> dict[str, Any]:
            nonlocal is_request_sent
            if is_request_sent:
                await asyncio.sleep(60)
            is_request_sent = True
            return {"type": "http.request", "body": json.dumps({"ids": ids}).encode()}

        async def send(message: dict[str, Any]) -> None:
            if b"event: part" in message.get("body", b""):
                print_counts.append(_count_prints(world, ids))
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
        assert print_counts == [1]
        assert _count_prints(world, ids) == 1

    @pytest.mark.parametrize(
        ("error", "status"),
        [
            (NotFound(messages.NOT_FOUND), 404),
            (OperationalError("SELECT", {}, Exception("the database is gone")), 503),
            (PoolTimeoutError("all connections are in use"), 503),
            (ValueError("a fault of ours"), 500),
        ],
    )
    async def test_streams_the_problem_of_a_later_error(
        self, error: Exception, status: int
    ) -> None:
        async def fail() -> ReportSteps:
            yield 0
            raise error

        text = "".join([event async for event in stream_events(fail(), 1, "x.pdf")])
        [_, (name, problem)] = parse_events(text)
        assert (name, problem["status"]) == ("failed", status)


@pytest.mark.parametrize(
    "path",
    ["reports/requisition", "reports/requisition/log", "requisitions/labels", "reports/labels"],
)
async def test_drawing_holds_no_connection(
    world: World, portal_app: FastAPI, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    client = world.create_client()
    person = await world.create_person("Client Basic", client_ids=[client])
    requisition = await world.save_requisition(person, world.create_patient(client), "CBC")
    # The labels of one requisition are drawn in a thread.
    in_thread = {"requisitions/labels": "draw_labels", "reports/labels": "draw_labels_pdf"}
    drawing = (labels, in_thread[path]) if path in in_thread else (DrawingProcess, "ask")
    with record_connections_while_drawing(portal_app, monkeypatch, *drawing) as in_use:
        answer = await world.http.get(
            f"/api/v2/{path}", headers=person.headers, params={"ids": [requisition["id"]]}
        )
    assert answer.status_code == 200
    assert set(in_use) == {0}


class TestLabels:
    """Labels of several requisitions, in the order of the ids."""

    async def test_returns_labels_in_the_order_of_ids(self, world: World, nurse: Person) -> None:
        ids = [nurse.ids[1], nurse.ids[0]]
        answer = await world.http.get(
            "/api/v2/requisitions/labels", headers=nurse.headers, params={"ids": ids}
        )
        labels = answer.json()
        assert [nurse.codes[1] in label["zpl"] for label in labels] == [True, True, False, False]

    async def test_other_clients_requisitions_are_not_found(
        self, world: World, nurse: Person
    ) -> None:
        answer = await world.http.get(
            "/api/v2/requisitions/labels",
            headers=nurse.headers,
            params={"ids": [nurse.ids[0], 9_007_199_254_740_000]},
        )
        assert answer.status_code == 404

    @pytest.mark.parametrize("path", ["requisitions/labels", "reports/labels"])
    async def test_a_request_over_the_limit_of_the_queue_loads_nothing(
        self, world: World, nurse: Person, path: str
    ) -> None:
        queue = world.app.state.portal.drawing_pool._queue
        async with AsyncExitStack() as places:
            for _ in range(4):
                await places.enter_async_context(queue.hold_place(str(nurse.user_id)))
            answer = await world.http.get(
                f"/api/v2/{path}", headers=nurse.headers, params={"ids": nurse.ids}
            )
        assert answer.status_code == 429
        # Loading a label would write an audit row.
        audit_rows = world.fetch_rows(
            "SELECT action FROM audit_events WHERE user_id = %s AND action LIKE '%%-labels'",
            (nurse.user_id,),
        )
        assert audit_rows == []

    async def test_a_pdf_of_many_takes_one_turn(
        self, world: World, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        queue = world.app.state.portal.drawing_pool._queue
        turns: list[str] = []
        join = queue.join

        def count_turn(person: str) -> Any:
            turns.append(person)
            return join(person)

        monkeypatch.setattr(queue, "join", count_turn)
        answer = await world.http.get(
            "/api/v2/reports/labels", headers=nurse.headers, params={"ids": nurse.ids}
        )
        assert answer.status_code == 200
        assert turns == [str(nurse.user_id)]

    async def test_returns_labels_as_pdf(self, world: World, nurse: Person) -> None:
        answer = await world.http.get(
            "/api/v2/reports/labels", headers=nurse.headers, params={"ids": nurse.ids[:2]}
        )
        assert answer.headers["content-type"] == "application/pdf"
        assert len(PdfReader(io.BytesIO(answer.content)).pages) == 4
