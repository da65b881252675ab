"""HTTP connections whose heads (request line and headers) are bounded in length and in time.

uvicorn reads a head of any length into memory, and waits for its end forever. A stranger could fill
the memory with one header, or use up the portal's connections with beginnings of requests.

A request for a websocket is rejected by its head, too.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_HEAD_SECONDS = 20.0
_HEAD_BYTES = 256 * 1024
"""About as much as a socket delivers at once, so most heads need not be counted."""


class BoundedHttp(HttpToolsProtocol):
    """Closes a connection whose head is too long, not complete in time, or for a websocket."""

    _head_timer: asyncio.TimerHandle | None = None
    _head_bytes = 0
    _is_in_head = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._is_in_head:
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self.send_400_response("The request's head is too long.")
                return
        if self._is_in_head or self._is_unobserved():
            self._start_timer()

    def on_message_begin(self) -> None:
        self._is_in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._forget_head()
        super().on_headers_complete()

    def _should_upgrade(self) -> bool:
        """Whether the request asks for a websocket, which a library may or may not serve."""
        return self._get_upgrade() == b"websocket"

    def handle_websocket_upgrade(self) -> None:
        # The portal has none. The application would not see the request before the handshake.
        self.send_400_response("There are no websockets here.")

    def _is_unobserved(self) -> bool:
        """Whether no request is being answered, and uvicorn does not wait for the next one."""
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
