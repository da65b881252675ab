"""HTTP connections with bounded heads and trailers, and with one host for each request.

uvicorn reads a head (request line and headers) of any length into memory, and waits for its end
forever. A stranger could fill the memory with one header, or use up the portal's connections with
unfinished requests. The same applies to trailers, the headers after a chunked body. Nothing
needs trailers, so they are not stored: no header can appear after the headers were checked.
"""

import asyncio
import re

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD_SECONDS = 20.0
_HEAD_BYTES = 256 * 1024
"""About as much as one read from a socket returns, so most heads need not be counted."""
_ORIGIN_WITHOUT_PATH = re.compile(rb"^[a-z][a-z0-9+.-]*://[^/?#]*(?!/)(?=[?#]|$)", re.IGNORECASE)


class InvalidHeadError(ValueError):
    """The head of a request is not valid HTTP; the answer is 400."""


class BoundedHttp(HttpToolsProtocol):
    """Closes a connection whose head is too long or not complete in time, or has long trailers.

    A request of HTTP/1.1 must have exactly one Host header (RFC 9112, 3.2). If it had two, a proxy
    in front and the portal might use different ones.
    """

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _is_in_head = False
    _is_in_body = False
    _has_body_bytes = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_body_bytes = False
        super().data_received(data)
        if self.transport.is_closing():
            return
        # Bytes that add nothing to a body are its trailers, or lines between its chunks.
        if self._is_in_head or (self._is_in_body and not self._has_body_bytes):
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self._reject_head()
                return
        if self._is_in_head or self._is_idle_without_timeout():
            self._start_timer()

    def on_message_begin(self) -> None:
        self._is_in_head = True
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._is_in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._forget_head()
        self._is_in_body = True
        self._require_one_host()
        # The path of 'https://portal' is '/' (RFC 9110, 4.2.3); uvicorn expects it in the request.
        self.url = _ORIGIN_WITHOUT_PATH.sub(rb"\g<0>/", self.url)
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._has_body_bytes, self._head_bytes = True, 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._is_in_body, self._head_bytes = False, 0
        super().on_message_complete()

    def _require_one_host(self) -> None:
        count = sum(name == b"host" for name, _ in self.headers)
        if count > 1 or (count == 0 and self.parser.get_http_version() == "1.1"):
            raise InvalidHeadError  # uvicorn answers 400 to an error of its parser

    def _reject_head(self) -> None:
        if self._is_in_body and self.cycle.response_started:
            self.transport.close()
        else:
            self.send_400_response("The request's head is too long.")

    def _is_idle_without_timeout(self) -> bool:
        """Whether the connection is idle, and uvicorn's keep-alive timeout does not watch it."""
        is_idle = self.cycle is None or self.cycle.response_complete
        return is_idle and self.timeout_keep_alive_task is None

    def _start_timer(self) -> None:
        if self._head_timer is None:
            self._head_timer = self.loop.call_later(_HEAD_SECONDS, self.transport.close)

    def _forget_head(self) -> None:
        self._is_in_head, self._head_bytes = False, 0
        if self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
