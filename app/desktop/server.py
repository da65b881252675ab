"""Runs the sidecar on a loopback port that the system chooses."""

import http.client
import socket
import sys
import threading
import time

import structlog
import uvicorn
from starlette.types import ASGIApp

from app.desktop.errors import SettingsError
from app.desktop.guard import HAND_OVER_PATH

_READY_SECONDS = 20.0
_STOP_SECONDS = 5.0
_log = structlog.get_logger("portal.desktop")


def open_socket() -> socket.socket:
    """Return a listening socket on 127.0.0.1.

    The server uses this socket, so no other process can take the port in between.
    """
    # asyncio disables Nagle's algorithm only if the protocol is named. Otherwise an answer in two
    # pieces waits 40 ms for a delayed acknowledgment.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform == "win32":
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(128)
    return listener


class SidecarServer:
    """uvicorn in its own thread; the main thread belongs to the windows."""

    def __init__(self, listener: socket.socket, app: ASGIApp) -> None:
        self._listener = listener
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                access_log=False,  # paths may name records
                log_config=None,
                lifespan="on",
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=60,
                timeout_graceful_shutdown=2,  # event streams never end on their own
            )
        )
        self._thread = threading.Thread(target=self._run, name="sidecar", daemon=True)

    def start(self) -> None:
        """Start the thread; ``wait_until_ready`` returns when the sidecar answers."""
        self._thread.start()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._listener])
        except BaseException as error:  # uvicorn raises SystemExit if its start fails
            _log.error("sidecar_failed", reason=type(error).__name__)

    @property
    def is_alive(self) -> bool:
        """Whether the sidecar still runs."""
        return self._thread.is_alive()

    def join(self) -> None:
        """Wait until the sidecar has ended."""
        self._thread.join()

    def wait_until_ready(self) -> None:
        """Wait until the sidecar answers; raises ``SettingsError`` if it does not start."""
        host, port = self._listener.getsockname()
        end = time.monotonic() + _READY_SECONDS
        while self.is_alive and time.monotonic() < end:
            if not self._server.started:
                time.sleep(0.01)
                continue
            connection = http.client.HTTPConnection(host, port, timeout=5)
            try:
                connection.request("GET", HAND_OVER_PATH)
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.05)
            finally:
                connection.close()
        raise SettingsError("The app's local server did not start.")

    def stop(self) -> None:
        """Stop the sidecar; requests in progress get two seconds."""
        self._server.should_exit = True
        self._thread.join(_STOP_SECONDS)
        self._listener.close()
