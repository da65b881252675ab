"""Bodies are limited by their route, before they are parsed."""

import asyncio
import base64
import json
import os
import uuid
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from app.contract import messages
from app.contract.enumerations import Role
from app.server.access import bodies
from app.server.access.body_places import BodyPlaces
from app.server.access.policy import (
    BODY,
    DOCUMENT_BODY,
    IMAGE_BODY,
    IMPORT_BODY,
    LAB_DATA_BODY,
    LOGO_BODY,
    SIGNING_BODY,
    SMALL_BODY,
    BodyLimit,
)
from app.server.access.routing import PortalRoute
from tests.server.accounts.builders import Person
from tests.server.world import World


def list_writes(app: FastAPI) -> Iterator[PortalRoute]:
    """Return every route that takes a body."""
    for route in app.routes:
        if isinstance(route, PortalRoute) and not route.methods <= {"GET", "HEAD"}:
            yield route


def find_limit(route: PortalRoute) -> BodyLimit:
    """Return the largest body that the route's purpose needs."""
    is_about_sign_in = route.path.startswith(("/auth/second-factor", "/auth/user/change-password"))
    if route.policy.roles is None or is_about_sign_in:
        return SMALL_BODY
    if route.path.endswith("/documents"):
        return DOCUMENT_BODY
    if route.path.endswith("/sign-multiple"):
        return SIGNING_BODY
    if route.path == "/auth/user/{user_id}":
        return IMAGE_BODY
    if route.path.startswith("/api/system/users/import"):
        return IMPORT_BODY
    if route.path.startswith("/api/v2/lab-data/{kind}/csv"):
        return LAB_DATA_BODY
    if route.path == "/api/system/lab-settings":
        return LOGO_BODY
    return BODY


def test_every_route_has_the_limit_of_its_purpose(portal_app: FastAPI) -> None:
    limits = {(r.path, *r.methods): r.policy.body for r in list_writes(portal_app)}
    assert limits == {(r.path, *r.methods): find_limit(r) for r in list_writes(portal_app)}


async def send_body(
    world: World, path: str, pieces: AsyncIterator[bytes], headers: dict[str, str] | None = None
):
    """Send a body whose length is not declared."""
    headers = {"content-type": "application/json", **(headers or {})}
    return await world.http.post(path, content=pieces, headers=headers)


class Pieces:
    """A body of spaces in pieces of 64 KB that counts the pieces that were not read yet."""

    def __init__(self, count: int) -> None:
        self.remaining = count

    def __aiter__(self) -> "Pieces":
        return self

    async def __anext__(self) -> bytes:
        if not self.remaining:
            raise StopAsyncIteration
        self.remaining -= 1
        return b" " * 65_536


class TestBytes:
    """The length of a body."""

    @pytest.mark.parametrize("path", ["/auth/login", "/auth/jwt/refresh", "/auth/logout"])
    async def test_limits_bodies_of_people_without_a_sign_in(
        self, world: World, parse_problem, path: str
    ) -> None:
        body = json.dumps({"loginId": "x" * 20_000})
        answer = await world.http.post(path, content=body)
        assert answer.status_code == 413
        assert parse_problem(answer)["detail"] == messages.BODY_TOO_LARGE
        assert answer.headers["connection"] == "close"

    async def test_stops_reading_at_the_limit(self, world: World, nurse: Person) -> None:
        body = Pieces(count=1_000)
        answer = await send_body(world, "/api/v2/requisitions", body, nurse.headers)
        assert answer.status_code == 413
        assert body.remaining > 950

    async def test_reads_nothing_from_people_without_a_sign_in(self, world: World) -> None:
        body = Pieces(count=10)
        answer = await send_body(world, "/api/v2/requisitions", body)
        assert answer.status_code == 401
        assert body.remaining == 10
        # The browser renews the sign-in and sends the document again. A proxy that is still sending
        # the body would turn a closed connection into 502.
        assert "connection" not in answer.headers

    @pytest.mark.parametrize("length", ["-1", "1e3", "9" * 40, "٣"])
    async def test_rejects_impossible_lengths(self, portal_app: FastAPI, length: str) -> None:
        answers = []

        async def receive() -> dict:
            return {"type": "http.request", "body": b"{}"}

        async def note(message: dict) -> None:
            answers.append(message)

        scope = {
            "type": "http",
            "method": "POST",
            "path": "/auth/login",
            "raw_path": b"/auth/login",
            "query_string": b"",
            "root_path": "",
            "scheme": "http",
            "server": ("portal.test", 80),
            "client": ("127.0.0.1", 1),
            "headers": [(b"content-length", length.encode())],
        }
        await portal_app(scope, receive, note)
        assert answers[0]["status"] == 413


class TestTime:
    """How long a body may take."""

    @pytest.mark.parametrize("path", ["/auth/login", "/api/v2/requisitions"])
    async def test_gives_up_on_a_body_that_does_not_end(
        self,
        world: World,
        nurse: Person,
        parse_problem,
        monkeypatch: pytest.MonkeyPatch,
        path: str,
    ) -> None:
        monkeypatch.setattr(bodies, "_PATIENCE_SECONDS", 0.05)

        async def stall() -> AsyncIterator[bytes]:
            yield b"{"
            await asyncio.Event().wait()

        answer = await send_body(world, path, stall(), nurse.headers)
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"] == messages.BODY_NOT_JSON
        assert answer.headers["connection"] == "close"

    async def test_gives_long_bodies_more_time(
        self, world: World, nurse: Person, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        deadlines: list[float] = []
        timeout_at = asyncio.timeout_at

        def note(deadline: float) -> asyncio.Timeout:
            deadlines.append(deadline)
            return timeout_at(deadline)

        monkeypatch.setattr("app.server.access.bodies.asyncio.timeout_at", note)
        await send_body(world, "/api/v2/requisitions", aiter(Pieces(count=2)), nurse.headers)
        assert deadlines[1] - deadlines[0] == pytest.approx(8)
        assert deadlines[2] - deadlines[1] == pytest.approx(8)


class TestParts:
    """How much a parser would have to do."""

    @pytest.mark.parametrize(
        "body",
        [
            "[" * 1_000 + "]" * 1_000,
            '{"a":' * 1_000 + "1" + "}" * 1_000,
            '{"a": [' + "[]," * 60_000 + "[]]}",
            '{"a": [' + "1," * 110_000 + "1]}",
            '{"a": [' + '"",' * 60_000 + '""]}',
        ],
        ids=["deep list", "deep object", "lists", "numbers", "strings"],
    )
    async def test_rejects_heavy_bodies(
        self, world: World, nurse: Person, parse_problem, body: str
    ) -> None:
        answer = await world.http.post("/api/v2/requisitions", content=body, headers=nurse.headers)
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"] == messages.BODY_TOO_COMPLEX


class SlowBody:
    """A body of two pieces. It notes when the first was read, and sends the second if allowed."""

    def __init__(self, name: str, events: list[str], *, is_complete: bool = False) -> None:
        self._name, self._events = name, events
        self.began, self.may_end = asyncio.Event(), asyncio.Event()
        if is_complete:
            self.may_end.set()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        self.began.set()
        yield b" " * 20_000
        self._events.append(f"{self._name} was read")
        await self.may_end.wait()
        yield b" "


class TestPlaces:
    """How many bodies of one person are in memory at once."""

    async def test_does_not_read_bodies_beyond_the_available_places(
        self, world: World, nurse: Person, monkeypatch
    ) -> None:
        monkeypatch.setattr(bodies, "_PLACES", BodyPlaces(2))
        colleague = await world.create_person(Role.CLIENT_BASIC, client_ids=[nurse.client])
        events: list[str] = []

        async def send(person: Person, body: SlowBody) -> int:
            answer = await send_body(world, "/api/v2/patients", aiter(body), person.headers)
            return answer.status_code

        first, second = (SlowBody(name, events) for name in ("first", "second"))
        third = SlowBody("third", events, is_complete=True)
        other_body = SlowBody("other_body", events, is_complete=True)
        async with asyncio.TaskGroup() as group:
            uploads = [group.create_task(send(nurse, body)) for body in (first, second)]
            for body in (first, second):
                await body.began.wait()
            uploads.append(group.create_task(send(nurse, third)))
            await third.began.wait()
            # Other people do not wait.
            assert await send(colleague, other_body) == 400
            events.append("the first ends")
            first.may_end.set()
            await uploads[0]
            await uploads[2]
            second.may_end.set()
        assert [task.result() for task in uploads] == [400] * 3, "spaces are not JSON"
        assert events.index("the first ends") < events.index("third was read"), events


class TestLargeBodies:
    """Bodies over a megabyte, which wait on disk for their turn."""

    async def test_limits_the_large_bodies_that_a_person_sends_at_once(
        self, world: World, nurse: Person, parse_problem, monkeypatch
    ) -> None:
        others_are_rejected = asyncio.Event()

        async def decode_slowly(_body):
            await others_are_rejected.wait()
            raise AssertionError("not needed")

        patient = world.create_patient(nurse.client)
        requisition = await world.save_requisition(nurse, patient)
        monkeypatch.setattr("app.server.attachments.service.decode_upload", decode_slowly)
        body = json.dumps({"fileName": "a.pdf", "content": "A" * 2_000_000})
        path = f"/api/v2/requisitions/{requisition['id']}/documents"
        headers = {**nurse.headers, "Content-Type": "application/json"}
        uploads_in_progress = {
            asyncio.create_task(world.http.post(path, content=body, headers=headers))
            for _ in range(7)
        }
        rejected_answers: list[Any] = []
        while len(rejected_answers) < 3:
            finished_tasks, uploads_in_progress = await asyncio.wait(
                uploads_in_progress, return_when=asyncio.FIRST_COMPLETED
            )
            rejected_answers += [task.result() for task in finished_tasks]
        assert [a.text for a in rejected_answers if a.status_code != 429] == []
        assert parse_problem(rejected_answers[0])["detail"] == messages.TOO_MANY_AT_ONCE
        assert int(rejected_answers[0].headers["retry-after"]) > 0
        others_are_rejected.set()
        await asyncio.gather(*uploads_in_progress)

    async def test_large_bodies_are_complete_after_waiting_on_disk(
        self, world: World, nurse: Person, monkeypatch
    ) -> None:
        monkeypatch.setattr(bodies, "_LARGE_BYTES", 1_000)
        name = "M" * 60
        patient = world.create_patient(nurse.client)
        requisition = await world.save_requisition(nurse, patient, comments=name * 40)
        assert requisition["comments"] == name * 40


class TestLongText:
    """The content of a document, which stays in a file."""

    @pytest.fixture
    async def requisition(self, world: World, nurse: Person) -> dict[str, Any]:
        """A requisition of the nurse's client."""
        return await world.save_requisition(nurse, world.create_patient(nurse.client))

    @staticmethod
    def build_body(content: bytes, prefix: str = "") -> dict[str, str]:
        """Build an upload."""
        return {"fileName": "scan.pdf", "content": prefix + base64.b64encode(content).decode()}

    @pytest.mark.parametrize("prefix", ["", "data:application/pdf;base64,"])
    async def test_long_text_arrives_unchanged(
        self, world: World, nurse: Person, requisition: dict[str, Any], prefix: str
    ) -> None:
        content = b"%PDF-1.4\n" + os.urandom(2_000_000)
        path = f"/api/v2/requisitions/{requisition['id']}/documents"
        body = self.build_body(content, prefix)
        answer = await world.http.post(path, headers=nurse.headers, json=body)
        assert answer.status_code == 201, answer.text
        stored_document_answer = await world.http.get(
            f"{path}/download?name=scan.pdf", headers=nurse.headers
        )
        assert stored_document_answer.content == content

    async def test_distinguishes_two_bodies_with_one_key(
        self, world: World, nurse: Person, requisition: dict[str, Any]
    ) -> None:
        path = f"/api/v2/requisitions/{requisition['id']}/documents"
        headers = {**nurse.headers, "Idempotency-Key": uuid.uuid4().hex}
        first, second = (b"%PDF-1.4\n" + bytes([number]) * 2_000_000 for number in (1, 2))

        async def upload(content: bytes) -> httpx.Response:
            return await world.http.post(path, headers=headers, json=self.build_body(content))

        assert (await upload(first)).status_code == 201
        assert (await upload(first)).headers["idempotent-replayed"] == "true"
        assert (await upload(second)).status_code == 409

    @pytest.mark.parametrize(
        "body",
        [
            {"content": {"text": "A" * 2_000_000}},
            {"content": ["A" * 2_000_000]},
            {"A" * 2_000_000: "content"},
            ["A" * 2_000_000],
            "A" * 2_000_000,
            {"fileName": "A" * 2_000_000, "content": "JVBERi0xLjQK"},
            {"content": "\u00e9" * 1_000_000},
        ],
        ids=["object", "list", "key", "whole list", "whole text", "name", "not base64"],
    )
    async def test_rejects_long_text_in_other_fields(
        self, world: World, nurse: Person, parse_problem, requisition: dict[str, Any], body: Any
    ) -> None:
        path = f"/api/v2/requisitions/{requisition['id']}/documents"
        answer = await world.http.post(path, headers=nurse.headers, json=body)
        assert answer.status_code == 400
        assert parse_problem(answer)["detail"]
