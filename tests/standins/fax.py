"""A stand-in for a fax provider with the part of Telnyx's API v2 that the portal uses.

https://developers.telnyx.com/api-reference/programmable-fax-commands/send-a-fax
"""

import asyncio
import base64
import re
import threading
import time
import uuid
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tests.standins.ports import bind_port

KEY, CONNECTION, NUMBER = "KEY-of-the-tests", "234423", "+13125550100"
_STEPS = ("queued", "media.processed", "originated", "sending", "delivered")
_E164 = re.compile(r"\+[1-9][0-9]{7,14}")


@dataclass
class Trouble:
    """A failure of the next call."""

    status: int = 500
    body: dict[str, Any] | None = None
    raw: bytes | None = None
    """The text of the answer, if it is not JSON."""
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False
    """Whether the answer comes only when the stand-in closes."""
    takes_effect: bool = False
    """Whether the call succeeds, and only its answer fails."""


@dataclass
class FaxStandIn:
    """A server that listens inside its context.

    Attributes:
        faxes: the faxes that were dialed.
        media: the documents that are still stored, by name.
        documents: all documents that were ever uploaded, by name.
        trouble: the failures, by 'METHOD /path'.
        ends: the failure reasons of the next faxes (None: delivered).
        is_frozen: while it is set, no fax progresses.
        loses_faxes: whether accepted faxes are unknown afterwards.
        idempotency_keys: the keys of the calls that dial.
    """

    faxes: list[dict[str, Any]] = field(default_factory=list)
    media: dict[str, bytes] = field(default_factory=dict)
    documents: dict[str, bytes] = field(default_factory=dict)
    trouble: dict[str, list[Trouble]] = field(default_factory=dict)
    ends: list[str | None] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    is_frozen: bool = False
    loses_faxes: bool = False
    idempotency_keys: list[str | None] = field(default_factory=list)
    url: str = ""
    closing: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> "FaxStandIn":
        self._socket = bind_port()
        # Calls wait until the server's thread has started, instead of being refused.
        self._socket.listen()
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}/v2"
        app = Starlette(
            routes=[
                Route("/v2/media", self._wrap(self._upload), methods=["POST"]),
                Route("/v2/media/{name}", self._wrap(self._remove), methods=["DELETE"]),
                Route("/v2/faxes", self._wrap(self._send), methods=["POST"]),
                Route("/v2/faxes", self._wrap(self._list), methods=["GET"]),
                Route("/v2/faxes/{id}", self._wrap(self._view), methods=["GET"]),
            ]
        )
        self._server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.should_exit = True
        self._thread.join(20)
        self._socket.close()

    def wait_for(self, count: int, seconds: float = 60) -> list[dict[str, Any]]:
        """Wait until ``count`` faxes have been dialed."""
        deadline = time.monotonic() + seconds
        while len(self.faxes) < count:
            assert time.monotonic() < deadline, f"{len(self.faxes)} of {count} faxes"
            time.sleep(0.02)
        return self.faxes

    def _wrap(self, handle: Any) -> Any:
        async def answer(request: Request) -> Response:
            name = f"{request.method} {request.url.path.removeprefix('/v2')}"
            self.calls.append(name)
            if name == "POST /faxes":
                self.idempotency_keys.append(request.headers.get("idempotency-key"))
            next_failures = self.trouble.get(name)
            trouble = next_failures.pop(0) if next_failures else None
            if trouble is not None and not trouble.takes_effect:
                return await self._fail(trouble)
            if request.headers.get("authorization") != f"Bearer {KEY}":
                return _build_error(401, "10009", "Authentication failed")
            response: Response = await handle(request)
            return response if trouble is None else await self._fail(trouble)

        return answer

    async def _fail(self, trouble: Trouble) -> Response:
        while trouble.hangs and not self.closing.is_set():
            await asyncio.sleep(0.05)
        if trouble.raw is not None:
            return Response(trouble.raw, trouble.status, trouble.headers)
        return JSONResponse(trouble.body or {"errors": []}, trouble.status, trouble.headers)

    async def _upload(self, request: Request) -> Response:
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        parts = {
            str(part.get_param("name", header="content-disposition")): part
            for part in message_from_bytes(head + await request.body()).get_payload()
        }
        content = parts["media"].get_payload(decode=True)
        if not content.startswith(b"%PDF"):
            return _build_error(422, "10015", "Unsupported media", "/media")
        name = parts["media_name"].get_payload() if "media_name" in parts else str(uuid.uuid4())
        if name in self.media:
            return _build_error(422, "10015", "Name is taken", "/media_name")
        self.media[name] = self.documents[name] = content
        return JSONResponse({"data": {"media_name": name}}, 201)

    async def _remove(self, request: Request) -> Response:
        removed_document = self.media.pop(request.path_params["name"], None)
        return (
            Response(status_code=204)
            if removed_document
            else _build_error(404, "10005", "Not found")
        )

    async def _send(self, request: Request) -> Response:
        body = await request.json()
        for name in ("connection_id", "from", "to"):
            if not body.get(name):
                return _build_error(422, "10004", "Missing required parameter", f"/{name}")
        if body["connection_id"] != CONNECTION:
            return _build_error(422, "10015", "Invalid connection", "/connection_id")
        for name in ("to", "from"):
            if not _E164.fullmatch(body[name]):
                return _build_error(422, "10016", "Phone number must be in +E.164", f"/{name}")
        if body.get("media_name") not in self.media:
            return _build_error(422, "10015", "Media not found", "/media_name")
        if "client_state" in body:
            base64.b64decode(body["client_state"], validate=True)
        fax = {
            "record_type": "fax",
            "id": str(uuid.uuid4()),
            "direction": "outbound",
            "status": _STEPS[0],
            "created_at": datetime.now(UTC).isoformat(),
            **{
                name: body.get(name)
                for name in ("connection_id", "from", "to", "media_name", "client_state", "quality")
            },
        }
        fax["_end"] = self.ends.pop(0) if self.ends else None
        if not self.loses_faxes:
            self.faxes.append(fax)
        return JSONResponse({"data": _to_wire(fax)}, 202)

    async def _list(self, request: Request) -> Response:
        query = request.query_params
        since = query.get("filter[created_at][gte]")
        faxes = [
            _to_wire(fax)
            for fax in reversed(self.faxes)
            if query.get("filter[to][eq]") in (None, fax["to"])
            and query.get("filter[direction][eq]") in (None, fax["direction"])
            and (since is None or _parse_time(fax["created_at"]) >= _parse_time(since))
        ]
        size = int(query.get("page[size]", 250))
        meta = {"total_results": len(faxes), "page_number": 1, "page_size": size}
        return JSONResponse({"data": faxes[:size], "meta": meta})

    async def _view(self, request: Request) -> Response:
        for fax in self.faxes:
            if fax["id"] == request.path_params["id"]:
                self._advance(fax)
                return JSONResponse({"data": _to_wire(fax)})
        return _build_error(404, "10005", "Resource not found")

    def _advance(self, fax: dict[str, Any]) -> None:
        """Advance the fax by one step with every query."""
        if self.is_frozen or fax["status"] in ("delivered", "failed"):
            return
        step = _STEPS[_STEPS.index(fax["status"]) + 1]
        if step == "delivered" and fax["_end"]:
            fax["status"], fax["failure_reason"] = "failed", fax["_end"]
        else:
            fax["status"] = step


def _to_wire(fax: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fax.items() if not name.startswith("_")}


def _parse_time(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def _build_error(status: int, code: str, title: str, pointer: str | None = None) -> Response:
    error: dict[str, Any] = {"code": code, "title": title, "detail": title}
    if pointer:
        error["source"] = {"pointer": pointer}
    return JSONResponse({"errors": [error]}, status)
