"""One running app per person: a second start hands over to the first and ends (ADR 72).

Two apps would overwrite each other's printers and preferences. The first one holds a lock and
listens on loopback. A file that only this person can read contains a secret. A process that knows
the secret can make the first app show a screen, and nothing else.
"""

import contextlib
import hmac
import json
import re
import secrets
import socket
import threading
from collections.abc import Callable
from pathlib import Path

import structlog

from app.desktop.errors import SettingsError
from app.desktop.files import FileLock, write_atomically

_TIMEOUT_SECONDS = 5.0
_LINE_BYTES = 4_096
_ANSWER = b"shown\n"
_LINK = re.compile(r"labportal:(?://)?(?:requisition|order)/([RL]\d{9})/?", re.IGNORECASE)
_CODE_PATH = "/secured/results/lab;openCode={code}"
_log = structlog.get_logger("portal.desktop")

Show = Callable[[str | None], bool]
"""Shows a screen in a new window, or brings the app forward for None.

Returns False if it shows nothing, because the last window has just closed.
"""


def parse_link(link: str) -> str:
    """Return the screen that a ``labportal://`` link opens, or raise ``SettingsError``."""
    match = _LINK.fullmatch(link.strip())
    if match is None:
        raise SettingsError("This is not a link to the portal, like labportal://requisition/CODE")
    return _CODE_PATH.format(code=match.group(1).upper())


class Instance:
    """The single running app of one person, registered in their folder."""

    def __init__(self, folder: Path) -> None:
        self._lock = FileLock(folder / "instance.lock")
        self._file = folder / "instance.json"
        self._listener: socket.socket | None = None

    def claim(self) -> bool:
        """Become the running app, and return True; return False if another one is running."""
        return self._lock.acquire()

    def listen(self, show: Show) -> None:
        """Show what later starts hand over, until ``stop_listening``."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        secret = secrets.token_urlsafe(32)
        endpoint = {"port": self._listener.getsockname()[1], "secret": secret}
        write_atomically(self._file, json.dumps(endpoint).encode())
        thread = threading.Thread(
            target=self._accept, args=(self._listener, secret, show), name="instance", daemon=True
        )
        thread.start()

    def _accept(self, listener: socket.socket, secret: str, show: Show) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:  # closed
                return
            try:
                with connection:
                    connection.settimeout(_TIMEOUT_SECONDS)
                    _answer_start(connection, secret, show)
            except Exception as error:  # a failed start must not prevent later ones
                _log.warning("later_start_failed", reason=type(error).__name__)

    def hand_over(self, path: str | None) -> bool:
        """Make the running app show a screen, and return whether it did."""
        with contextlib.suppress(OSError, ValueError, KeyError):
            endpoint = json.loads(self._file.read_bytes())
            request = json.dumps({"secret": endpoint["secret"], "path": path}).encode() + b"\n"
            address = ("127.0.0.1", int(endpoint["port"]))
            with socket.create_connection(address, _TIMEOUT_SECONDS) as connection:
                connection.sendall(request)
                return _read_line(connection) == _ANSWER
        return False

    def stop_listening(self) -> None:
        """Show nothing more, because the app ends; later starts wait until they can start."""
        if self._listener is not None:
            with contextlib.suppress(OSError):
                # close() alone would let the waiting accept() accept one more connection.
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
            self._file.unlink(missing_ok=True)

    def close(self) -> None:
        """Release the lock, so that the next start can become the running app."""
        self.stop_listening()
        self._lock.release()


def _answer_start(connection: socket.socket, secret: str, show: Show) -> None:
    """Show what a later start asks for, if it knows the secret."""
    request = json.loads(_read_line(connection))
    path = request.get("path") if isinstance(request, dict) else None
    secret_sent = str(request.get("secret", "")) if isinstance(request, dict) else ""
    if not hmac.compare_digest(secret_sent.encode(), secret.encode()):
        raise ValueError("secret")
    if show(path if isinstance(path, str) else None):
        connection.sendall(_ANSWER)


def _read_line(connection: socket.socket) -> bytes:
    line = b""
    while not line.endswith(b"\n") and len(line) < _LINE_BYTES:
        part = connection.recv(_LINE_BYTES)
        if not part:
            break
        line += part
    return line
