"""Relays requests to the portal and answers to the window, streaming both ways."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator

import httpx
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from app.basics.errors import NotFound, PortalError, TooLarge, Unauthenticated
from app.contract import messages
from app.desktop.errors import PortalUnreachable
from app.desktop.guard import build_problem_response
from app.desktop.relay.paths import PREFIXES, is_plain_path
from app.desktop.relay.portal import Portal
from app.desktop.relay.session import Session

_AUTH = "/auth/"
_LOGIN, _REFRESH, _LOGOUT = "/auth/login", "/auth/jwt/refresh", "/auth/logout"
_TRANSPORT = b"x-refresh-transport"
_WITHOUT_TOKEN = frozenset({_LOGIN, _REFRESH, _LOGOUT})

# A body up to this size is read completely first, so that it can be sent again after a 401.
_REPLAYABLE_BYTES = 1024 * 1024
# An answer up to this size is sent in one piece.
_ONE_PIECE_BYTES = 256 * 1024
_SIGN_IN_BYTES = 64 * 1024

_HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
# Headers between the browser and this sidecar, and headers that only the relay may set.
_NOT_SENT = _HOP_BY_HOP | {
    b"host",
    b"cookie",
    b"authorization",
    b"origin",
    b"referer",
    b"x-refresh-transport",
    b"forwarded",
    b"expect",
}
_NOT_SENT_PREFIXES = (b"sec-", b"x-forwarded-", b"access-control-")
_NOT_RETURNED = _HOP_BY_HOP | {
    b"set-cookie",
    b"server",
    b"date",
    b"alt-svc",
    b"clear-site-data",
    b"refresh",
}


def _list_hop_by_hop(headers: list[tuple[bytes, bytes]]) -> set[bytes]:
    """Return the header names that a ``Connection`` header declares as hop-by-hop."""
    values = [value for name, value in headers if name.lower() == b"connection"]
    return {item.strip().lower() for value in values for item in value.split(b",")}


def filter_request_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the page's headers that the portal may see."""
    hop_by_hop = _list_hop_by_hop(headers)
    return [
        (name, value)
        for name, value in headers
        if name not in _NOT_SENT
        and name not in hop_by_hop
        and not name.startswith(_NOT_SENT_PREFIXES)
    ]


def filter_response_headers(headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """Return the portal's headers that the page may see, with names in lower case."""
    hop_by_hop = _list_hop_by_hop(headers)
    return [
        (name.lower(), value)
        for name, value in headers
        if name.lower() not in _NOT_RETURNED and name.lower() not in hop_by_hop
    ]


class _Body:
    """A request body; ``content`` is set if it was small enough to be read completely."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.content: bytes | None = None

    async def read(self, limit: int, headers: list[tuple[bytes, bytes]]) -> bytes | None:
        """Read the whole body if its declared length is within ``limit``; else return None."""
        declared_length = dict(headers).get(b"content-length")
        if declared_length is None and b"transfer-encoding" not in dict(headers):
            declared_length = b"0"
        if declared_length is None or not declared_length.isdigit() or int(declared_length) > limit:
            return None
        self.content = b"".join([chunk async for chunk in self])
        return self.content

    async def __aiter__(self) -> AsyncIterator[bytes]:
        has_more = True
        while has_more:
            message = await self._receive()
            if message["type"] == "http.disconnect":
                raise _PageClosed
            has_more = message.get("more_body", False)
            if message.get("body"):
                yield message["body"]


class _PageClosed(Exception):
    """The window closed or aborted before its request was complete."""


class Relay:
    """ASGI application for everything below ``PREFIXES``."""

    def __init__(self, portal: Portal, session: Session) -> None:
        self._portal = portal
        self._session = session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; an error before the first byte is a problem document."""
        try:
            await self._relay(scope, receive, send)
        except PortalError as error:
            await build_problem_response(error)(scope, receive, send)
        except _PageClosed:
            return

    async def _relay(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, raw_path = scope["path"], scope["raw_path"].split(b"?", 1)[0]
        if not is_plain_path(raw_path) or not path.startswith(PREFIXES):
            raise NotFound(messages.NOT_FOUND)
        body = _Body(receive)
        if path == _REFRESH:
            response = await self._refresh(scope, body)
            await response(scope, receive, send)
        elif path == _LOGOUT:
            response = await self._sign_out(scope, body)
            await response(scope, receive, send)
        else:
            await self._forward(scope, raw_path, body, receive, send)

    async def _refresh(self, scope: Scope, body: _Body) -> Response:
        """Renew the session; the tokens stay here, and the page gets the profile."""
        await body.read(_SIGN_IN_BYTES, scope["headers"])
        if scope["method"] != "POST":
            raise NotFound(messages.NOT_FOUND)
        if not self._session.has_tokens and (_TRANSPORT, b"cookie") in scope["headers"]:
            # Our screens ask for a session at every first visit: a missing one is not an error.
            return Response(status_code=204)
        renewal = await self._session.renew()
        if renewal.status == httpx.codes.CONFLICT:  # A sign-in overtook this renewal.
            renewal = await self._session.renew()
        if renewal.status != httpx.codes.OK:
            raise Unauthenticated(messages.SESSION_EXPIRED)
        return Response(renewal.body, media_type="application/json")

    async def _sign_out(self, scope: Scope, body: _Body) -> Response:
        """Forget the tokens here first, then end the session at the portal if it can be reached."""
        await body.read(_SIGN_IN_BYTES, scope["headers"])
        refresh_token = await self._session.forget()
        if refresh_token is not None:
            # An unreachable portal's session expires by itself. Its token is no longer stored here.
            with contextlib.suppress(PortalUnreachable):
                await self._portal.fetch(
                    "POST",
                    _LOGOUT.encode(),
                    [(b"content-type", b"application/json")],
                    json.dumps({"refreshToken": refresh_token}).encode(),
                    seconds=5.0,
                )
        return Response(status_code=204)

    async def _forward(
        self, scope: Scope, raw_path: bytes, body: _Body, receive: Receive, send: Send
    ) -> None:
        path, method = scope["path"], scope["method"]
        is_auth_path = path.startswith(_AUTH)
        headers = filter_request_headers(scope["headers"])
        if is_auth_path:
            # This answer is parsed here, so it must not be compressed.
            headers = [(n, v) for n, v in headers if n != b"accept-encoding"]
            headers.append((b"accept-encoding", b"identity"))
        content = await body.read(_REPLAYABLE_BYTES, scope["headers"])
        if path == _LOGIN and content is None:
            raise TooLarge(messages.BODY_TOO_LARGE)
        target = raw_path + (b"?" + scope["query_string"] if scope["query_string"] else b"")
        token = None if path in _WITHOUT_TOKEN else await self._session.get_token()
        answer = await self._send(method, target, headers, token, body, content)
        if answer.status_code == httpx.codes.UNAUTHORIZED and path not in _WITHOUT_TOKEN:
            answer = await self._retry(method, target, headers, token, body, content, answer)
        try:
            await self._answer(answer, method, is_auth_path, receive, send)
        finally:
            await answer.aclose()

    async def _send(
        self,
        method: str,
        target: bytes,
        headers: list[tuple[bytes, bytes]],
        token: str | None,
        body: _Body,
        content: bytes | None,
    ) -> httpx.Response:
        if token is not None:
            headers = [*headers, (b"authorization", b"JWT " + token.encode())]
        data: bytes | AsyncIterator[bytes] | None = aiter(body) if content is None else content
        if content == b"" and method in ("GET", "HEAD", "DELETE", "OPTIONS"):
            data = None
        return await self._portal.send(method, target, headers, data)

    async def _retry(
        self,
        method: str,
        target: bytes,
        headers: list[tuple[bytes, bytes]],
        token: str | None,
        body: _Body,
        content: bytes | None,
        rejected_answer: httpx.Response,
    ) -> httpx.Response:
        """Renew the token after a 401 and repeat the request, unless its body was streamed."""
        try:
            renewed_token = await self._session.renew_after_401(token)
        except PortalError:
            await rejected_answer.aclose()
            raise
        if renewed_token is None or content is None:
            return rejected_answer
        await rejected_answer.aclose()
        # Reread: the app may use another portal by now, with another token.
        current = await self._session.get_token()
        return await self._send(method, target, headers, current, body, content)

    async def _answer(
        self,
        answer: httpx.Response,
        method: str,
        is_auth_path: bool,
        receive: Receive,
        send: Send,
    ) -> None:
        headers = self._portal.rewrite_location(filter_response_headers(answer.headers.raw))
        length = answer.headers.get("content-length", "")
        is_small = length.isdigit() and int(length) <= _ONE_PIECE_BYTES
        if is_small or is_auth_path or method == "HEAD":
            try:
                content = b"".join([chunk async for chunk in answer.aiter_raw()])
            except (httpx.HTTPError, OSError) as error:
                raise PortalUnreachable(messages.PORTAL_UNREACHABLE) from error
            if is_auth_path and method != "HEAD":
                if answer.headers.get("content-encoding", "identity") != "identity":
                    # The relay cannot remove tokens from an encoded body.
                    raise PortalUnreachable(messages.PORTAL_UNREACHABLE)
                content = await self._session.adopt_tokens(content)
                headers = [(n, v) for n, v in headers if n != b"content-length"]
                if answer.status_code not in (204, 304):
                    headers.append((b"content-length", str(len(content)).encode()))
            await send(
                {"type": "http.response.start", "status": answer.status_code, "headers": headers}
            )
            await send({"type": "http.response.body", "body": content})
            return
        await send(
            {"type": "http.response.start", "status": answer.status_code, "headers": headers}
        )
        await _stream_answer(answer, receive, send)


async def _stream_answer(answer: httpx.Response, receive: Receive, send: Send) -> None:
    """Send a long answer in pieces until it ends, breaks, or the page closes.

    A broken answer is not finished: the server then closes the connection, and the page sees an
    error instead of half a document.
    """

    async def send_pieces() -> bool:
        try:
            async for chunk in answer.aiter_raw():
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
        except (httpx.HTTPError, OSError):
            return False
        return True

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    sending_task = asyncio.create_task(send_pieces())
    disconnect = asyncio.create_task(wait_for_disconnect())
    try:
        await asyncio.wait((sending_task, disconnect), return_when=asyncio.FIRST_COMPLETED)
        if sending_task.done() and sending_task.result():
            await send({"type": "http.response.body", "body": b""})
    finally:
        for task in (sending_task, disconnect):
            task.cancel()
        await asyncio.gather(sending_task, disconnect, return_exceptions=True)
