"""Requests of ambiguous length, which a proxy may split differently than the portal."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from tests.server.protocol_server import run_protocol_server

_HIDDEN_REQUEST = b"GET /hidden HTTP/1.1\r\nHost: portal\r\n\r\n"
_AMBIGUOUS = {
    "both lengths": b"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: %d\r\n\r\n",
    "a list of lengths": b"Content-Length: 0, %d\r\n\r\n",
    "a signed length": b"Content-Length: +%d\r\n\r\n",
    "a folded encoding": b"Content-Length: %d\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "a space before the colon": (
        b"Content-Length: %d\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n"
    ),
    "chunked before another encoding": b"Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
    "a chunk with a sign": b"Transfer-Encoding: chunked\r\n\r\n+0\r\n\r\n",
    "a chunk with a prefix": b"Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
    "a chunk that ends with a bare line feed": (
        b"Transfer-Encoding: chunked\r\n\r\n1\r\na\n0\r\n\r\n"
    ),
}


@pytest.fixture
async def server() -> AsyncIterator[tuple[int, list[str]]]:
    """The port of a server, and the paths of the requests that its application answered."""
    paths: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        paths.append(scope["path"])
        await PlainTextResponse("ok")(scope, receive, send)

    async with run_protocol_server(app) as port:
        yield port, paths


@pytest.mark.parametrize("head", _AMBIGUOUS.values(), ids=_AMBIGUOUS)
async def test_no_second_request_is_hidden_in_an_ambiguous_one(
    server: tuple[int, list[str]], head: bytes
) -> None:
    port, paths = server
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    text = head.replace(b"%d", str(len(_HIDDEN_REQUEST)).encode())
    writer.write(b"POST /open HTTP/1.1\r\nHost: portal\r\n" + text + _HIDDEN_REQUEST)
    writer.write_eof()
    await reader.read()
    writer.close()
    assert "/hidden" not in paths


async def test_two_plain_requests_of_a_connection_are_both_answered(
    server: tuple[int, list[str]],
) -> None:
    """Without this, the test above would also pass if the server answered nothing."""
    port, paths = server
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"POST /open HTTP/1.1\r\nHost: portal\r\nContent-Length: 0\r\n\r\n" + _HIDDEN_REQUEST
    )
    for _ in range(2):
        assert b"200 OK" in await reader.readuntil(b"ok")
    writer.close()
    assert paths == ["/open", "/hidden"]
