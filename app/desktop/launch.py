"""One-time codes and cookies of the app's windows.

Each window exchanges a one-time code for its own cookie (in private mode every window has its own
cookie jar). Codes and cookies are 256 random bits and never part of an address. Only their digests
are stored, so the timing of a lookup reveals nothing.
"""

import hashlib
import secrets
import threading
import time
from dataclasses import dataclass

CODE_SECONDS = 60


def _hash_secret(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


@dataclass(frozen=True)
class _Code:
    path: str
    window: str
    expires: float


class Launch:
    """Issues one-time codes and knows the cookies of open windows; thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: dict[bytes, _Code] = {}
        self._windows: dict[bytes, str] = {}

    def issue_code(self, path: str, window: str) -> str:
        """Return a code that opens ``path`` once in that window, within ``CODE_SECONDS``."""
        code = secrets.token_urlsafe(32)
        now = time.monotonic()
        with self._lock:
            self._codes = {k: c for k, c in self._codes.items() if c.expires > now}
            self._codes[_hash_secret(code)] = _Code(path, window, now + CODE_SECONDS)
        return code

    def redeem_code(self, code: str) -> tuple[str, str] | None:
        """Return a new cookie and the path to show; ``None`` for an invalid or spent code."""
        with self._lock:
            issued = self._codes.pop(_hash_secret(code), None)
            if issued is None or issued.expires <= time.monotonic():
                return None
            cookie = secrets.token_urlsafe(32)
            self._windows[_hash_secret(cookie)] = issued.window
        return cookie, issued.path

    def is_known(self, cookie: str) -> bool:
        """Whether the cookie belongs to an open window."""
        return _hash_secret(cookie) in self._windows

    def find_window(self, cookie: str) -> str | None:
        """Return the window that a cookie belongs to."""
        return self._windows.get(_hash_secret(cookie))

    def close_window(self, window: str) -> None:
        """Revoke the cookies and codes of a closed window."""
        with self._lock:
            self._windows = {k: w for k, w in self._windows.items() if w != window}
            self._codes = {k: c for k, c in self._codes.items() if c.window != window}
