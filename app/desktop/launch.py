"""The hand-over between the app and its windows.

Each window is given a one-time code, which it exchanges for a cookie of its own (in private mode
every window has its own cookie jar). Codes and cookies are 256 random bits; neither is ever part
of an address. Only digests are kept, so a look-up tells nothing through its timing.
"""

import hashlib
import secrets
import threading
import time
from dataclasses import dataclass

CODE_SECONDS = 60


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


@dataclass(frozen=True)
class _Code:
    path: str
    window: str
    expires: float


class Launch:
    """Gives out one-time codes and knows the live windows' cookies; safe between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: dict[bytes, _Code] = {}
        self._windows: dict[bytes, str] = {}

    def issue(self, path: str, window: str) -> str:
        """A code that opens ``path`` once, within ``CODE_SECONDS``, for the window of that name."""
        code = secrets.token_urlsafe(32)
        now = time.monotonic()
        with self._lock:
            self._codes = {k: c for k, c in self._codes.items() if c.expires > now}
            self._codes[_digest(code)] = _Code(path, window, now + CODE_SECONDS)
        return code

    def redeem(self, code: str) -> tuple[str, str] | None:
        """The cookie's value and the path to show; ``None`` for a spent, old or wrong code."""
        with self._lock:
            found = self._codes.pop(_digest(code), None)
            if found is None or found.expires <= time.monotonic():
                return None
            cookie = secrets.token_urlsafe(32)
            self._windows[_digest(cookie)] = found.window
        return cookie, found.path

    def knows(self, cookie: str) -> bool:
        """Whether the cookie belongs to a window that is open."""
        return _digest(cookie) in self._windows

    def close(self, window: str) -> None:
        """Forget a closed window's cookies and codes."""
        with self._lock:
            self._windows = {k: w for k, w in self._windows.items() if w != window}
            self._codes = {k: c for k, c in self._codes.items() if c.window != window}
