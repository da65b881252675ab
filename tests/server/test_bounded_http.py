"""Connections whose requests do not get past their heads."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from app.basics import bounded_http
from app.server.api import build_server
from app.server.http_protocol import PortalHttp
from app.server.settings import Settings
from tests.server.protocol_server import run_protocol_server

_Connect = Callable[[], asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]]
_REJECTION = b"HTTP/1.1 400 Bad Request\r\n"
_OK = b"HTTP/1.1 200 OK\r\n"
_REQUEST = b"GET / HTTP/1.1\r\nHost: portal\r\n"


@pytest.fixture
async def connect() -> AsyncIterator[_Connect]:
    """A function that connects to a server whose application answers 'ok'."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method == "POST":
            await request.body()
        text = request.headers.get("x-late", "ok")
        await PlainTextResponse(text, headers={"x-path": scope["path"]})(scope, receive, send)

    async with run_protocol_server(answer) as port:
        yield lambda: asyncio.ensure_future(asyncio.open_connection("127.0.0.1", port))


async def send_without_end(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, piece: bytes
) -> bytes:
    """Send a piece repeatedly, up to 4 MB, until the server answers; return the first line."""
    answer = asyncio.ensure_future(reader.readline())
    sent_bytes = 0
    while not answer.done() and sent_bytes < 4_000_000:
        writer.write(piece)
        sent_bytes += len(piece)
        await asyncio.sleep(0)
    writer.write_eof()
    return await answer


class TestLength:
    """The length of a head."""

    @pytest.mark.parametrize(
        "piece", [b"a" * 1_024, b"a: b\r\n" * 128], ids=["one header", "many headers"]
    )
    async def test_a_head_without_an_end_is_rejected(self, connect: _Connect, piece: bytes) -> None:
        reader, writer = await connect()
        writer.write(_REQUEST + b"x-start: 1")
        assert await send_without_end(reader, writer, piece) == _REJECTION
        writer.close()

    async def test_requests_of_one_connection_are_counted_one_by_one(
        self, connect: _Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bounded_http, "_HEAD_BYTES", 200)
        reader, writer = await connect()
        for _ in range(5):
            writer.write(_REQUEST)
            await writer.drain()
            writer.write(b"x: y\r\n\r\n")
            assert b"200 OK" in await reader.readuntil(b"ok")
        writer.close()


class TestHost:
    """The host that a request names (RFC 9112, 3.2)."""

    @pytest.mark.parametrize(
        ("head", "first_line"),
        [
            (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", _REJECTION),
            (b"GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n", _REJECTION),
            (b"GET / HTTP/1.1\r\n", _REJECTION),
            (b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n", _REJECTION),
            (b"GET / HTTP/1.0\r\n", _OK),
            (b"GET / HTTP/1.1\r\nHost: a\r\n", _OK),
        ],
    )
    async def test_requires_exactly_one_host(
        self, connect: _Connect, head: bytes, first_line: bytes
    ) -> None:
        reader, writer = await connect()
        writer.write(head + b"\r\n")
        assert await reader.readline() == first_line
        writer.close()

    @pytest.mark.parametrize(
        ("target", "path"),
        [
            (b"https://portal/a?b", b"/a"),
            (b"HTTPS://Portal:443/a", b"/a"),
            (b"HTTPS://portal", b"/"),
            (b"https://portal?b", b"/"),
        ],
    )
    async def test_accepts_a_host_in_the_target(
        self, connect: _Connect, target: bytes, path: bytes
    ) -> None:
        reader, writer = await connect()
        writer.write(b"GET %b HTTP/1.1\r\nHost: portal\r\n\r\n" % target)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.startswith(_OK)
        assert b"\r\nx-path: %b\r\n" % path in answer
        writer.close()


class TestTrailers:
    """Headers after a chunked body."""

    START = b"POST / HTTP/1.1\r\nHost: portal\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n"

    @pytest.mark.parametrize(
        "piece", [b"a" * 1_024, b"a: b\r\n" * 128], ids=["one trailer", "many trailers"]
    )
    async def test_trailers_without_an_end_are_rejected(
        self, connect: _Connect, piece: bytes
    ) -> None:
        reader, writer = await connect()
        writer.write(self.START + b"x-start: 1")
        assert await send_without_end(reader, writer, piece) == _REJECTION
        writer.close()

    async def test_endless_lines_between_chunks_are_rejected(self, connect: _Connect) -> None:
        reader, writer = await connect()
        writer.write(self.START.removesuffix(b"0\r\n") + b"1;x=")
        assert await send_without_end(reader, writer, b"a" * 1_024) == _REJECTION
        writer.close()

    async def test_a_trailer_is_not_a_header(self, connect: _Connect) -> None:
        reader, writer = await connect()
        writer.write(self.START + b"x-late: forged\r\n\r\n")
        assert b"200 OK" in await reader.readuntil(b"ok")
        writer.close()


class TestTime:
    """The time that a head may take."""

    @pytest.mark.parametrize("start", [b"", b"GET", _REQUEST, b"\r\n"])
    async def test_a_connection_without_a_request_is_closed(
        self, connect: _Connect, monkeypatch: pytest.MonkeyPatch, start: bytes
    ) -> None:
        monkeypatch.setattr(bounded_http, "_HEAD_SECONDS", 0.05)
        reader, writer = await connect()
        writer.write(start)
        assert await reader.read() == b""
        writer.close()

    async def test_a_connection_that_stops_after_an_answer_is_closed(
        self, connect: _Connect, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(bounded_http, "_HEAD_SECONDS", 0.05)
        reader, writer = await connect()
        writer.write(_REQUEST + b"\r\n")
        await reader.readuntil(b"ok")
        writer.write(b"\r\n")
        assert await reader.read() == b""
        writer.close()


class TestUpgrade:
    """Requests for another protocol."""

    UPGRADE = (
        b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )

    async def test_a_websocket_is_rejected_before_the_handshake(self, connect: _Connect) -> None:
        reader, writer = await connect()
        writer.write(_REQUEST + self.UPGRADE + b"Upgrade: websocket\r\n\r\n")
        answer = await reader.read()
        assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        writer.close()

    async def test_other_upgrades_are_ignored(self, connect: _Connect) -> None:
        reader, writer = await connect()
        writer.write(_REQUEST + self.UPGRADE + b"Upgrade: h2c\r\n\r\n")
        assert b"200 OK" in await reader.readuntil(b"ok")
        writer.close()


def test_the_portal_uses_the_bounded_protocol(app_url: str) -> None:
    server = build_server(Settings(), app_url)
    assert server.config.http is PortalHttp
