"""One-time codes and cookies of the app's windows.

Each window exchanges a one-time code for its own cookie (in private mode every window has its own
cookie jar). Both are signed with the secret of this run of the app, so that a restarted sidecar
accepts them (ADR 77), and neither is ever part of an address.
"""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Iterable

HAND_OVER_PATH = "/device/launch"
FIRST_SCREEN = "/"
"""The screen of a window that nobody opened on another one."""
CODE_SECONDS = 60
_SECRET_BYTES = 32


def _sign_text(secret: bytes, purpose: str, text: str) -> str:
    """Return the signature of a text for one purpose only."""
    return hmac.digest(secret, f"{purpose}:{text}".encode(), hashlib.sha256).hex()


def _join_signature(secret: bytes, purpose: str, text: str) -> str:
    return f"{text}.{_sign_text(secret, purpose, text)}"


def _split_signature(secret: bytes, purpose: str, signed_text: str) -> str | None:
    """Return the text if its signature is ours."""
    text, _, signature = signed_text.rpartition(".")
    expected_signature = _sign_text(secret, purpose, text)
    return text if hmac.compare_digest(signature.encode(), expected_signature.encode()) else None


class Launch:
    """Issues and redeems codes, and knows the cookies of open windows; thread-safe.

    The app issues codes and the sidecar redeems them, each with its own object and the same secret.
    ``closed_windows`` lists the windows that have closed. The clock is the system's, so a code
    expires in both processes.
    """

    def __init__(self, secret: bytes | None = None, closed_windows: Iterable[str] = ()) -> None:
        self.secret = secret or secrets.token_bytes(_SECRET_BYTES)
        self.closed_windows = set(closed_windows)
        self._lock = threading.Lock()
        self._spent_codes: set[str] = set()

    def issue_code(self, path: str, window: str) -> str:
        """Return a code that opens ``path`` once in that window, within ``CODE_SECONDS``."""
        content = json.dumps([window, path, time.monotonic() + CODE_SECONDS]).encode()
        return _join_signature(self.secret, "code", base64.urlsafe_b64encode(content).decode())

    def redeem_code(self, code: str) -> tuple[str, str] | None:
        """Return a cookie and the path to show; ``None`` for an invalid or spent code."""
        text = _split_signature(self.secret, "code", code)
        if text is None:
            return None
        window, path, expires = json.loads(base64.urlsafe_b64decode(text))
        with self._lock:
            is_expired = expires <= time.monotonic()
            if text in self._spent_codes or window in self.closed_windows or is_expired:
                return None
            self._spent_codes.add(text)
        return _join_signature(self.secret, "cookie", window), path

    def find_window(self, cookie: str) -> str | None:
        """Return the open window that a cookie belongs to."""
        window = _split_signature(self.secret, "cookie", cookie)
        return None if window in self.closed_windows else window

    def close_window(self, window: str) -> None:
        """Revoke the cookies and codes of a closed window."""
        self.closed_windows.add(window)


def build_script(origin: str, code: str) -> str:
    """Return JavaScript that submits the code from our page and does nothing on any other.

    It submits the form asynchronously, so that the call that runs the script can return first.
    """
    return f"""(function () {{
  if (location.origin !== {json.dumps(origin)}) return;
  if (location.pathname !== {json.dumps(HAND_OVER_PATH)}) return;
  var form = document.createElement('form');
  form.method = 'post';
  form.action = {json.dumps(HAND_OVER_PATH)};
  var field = document.createElement('input');
  field.type = 'hidden';
  field.name = 'code';
  field.value = {json.dumps(code)};
  form.appendChild(field);
  document.body.appendChild(form);
  setTimeout(function () {{ form.submit(); }}, 0);
}})();"""
