"""One window of the app: its hand-over, its guard against lost work, and its page's process."""

import contextlib
import html
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import structlog

from app.contract import messages
from app.desktop.hand_over import build_script
from app.desktop.launch import Launch
from app.desktop.window import native
from app.desktop.window.places import RememberedPlace

CLOSING_EVENT = "portal:closing"
"""The event that asks a page whether its window may close."""

_ANSWER_SECONDS = 3.0
_DEATHS_MAX = 3
_DEATHS_SECONDS = 60.0
_ASK = f"window.dispatchEvent(new Event('{CLOSING_EVENT}'))"
_log = structlog.get_logger("portal.window")


class AppWindow:
    """A window that gets its code once, and closes when its page agrees."""

    def __init__(
        self, window: Any, origin: str, launch: Launch, path: str, name: str, zoom: float
    ) -> None:
        self.name = name
        self.window = window
        self._origin = origin
        self._launch = launch
        self._path = path
        self._zoom = zoom
        self._once = threading.Lock()
        self._is_guarded = False
        self._may_close = False
        self._answer: threading.Timer | None = None
        self._deaths: deque[float] = deque(maxlen=_DEATHS_MAX)

    def start(self, remembered: RememberedPlace, on_closed: Callable[["AppWindow"], None]) -> None:
        """Listen for events; a window that another thread has opened may have loaded already."""
        self._remembered = remembered
        self._on_closed = on_closed
        events = self.window.events
        events.closing += self._handle_closing
        events.closed += self._handle_closed
        events.loaded += self._handle_loaded
        if events.loaded.is_set():
            self._handle_loaded()

    def _handle_loaded(self) -> None:
        if not self._once.acquire(blocking=False):
            return
        native.prepare(self.window, self._zoom, self._handle_dead_page)
        code = self._launch.issue_code(self._path, self.name)
        self.window.run_js(build_script(self._origin, code))

    def _handle_closed(self) -> None:
        self._cancel_timer()
        self._launch.close_window(self.name)
        self._on_closed(self)

    def read_corner(self) -> tuple[int, int] | None:
        """Return the corner of the window; None before it is shown."""
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # it closes just now
            if self.window.native is not None:
                return int(self.window.x), int(self.window.y)
        return None

    # Closing: the page is asked, unless it guards nothing or does not answer.

    def guard(self) -> None:
        """Ask the page before the window closes."""
        self._is_guarded = True

    def hold(self) -> None:
        """Keep the window open while its page asks the person."""
        self._cancel_timer()

    def close(self) -> None:
        """Close the window without asking its page; callable from any thread."""
        self._may_close = True
        self._cancel_timer()
        threading.Thread(target=self.window.destroy, daemon=True).start()

    def _handle_closing(self) -> bool | None:
        """Return False to leave the window open until its page agrees."""
        if self._may_close or not self._is_guarded:
            self._remembered.write(native.read_place(self.window))
            return None
        if self._answer is None:
            # A page that hangs cannot keep its window open.
            self._answer = threading.Timer(_ANSWER_SECONDS, self.close)
            self._answer.daemon = True
            self._answer.start()
            # Not here: the thread of the windows would wait for itself.
            threading.Thread(target=self.window.run_js, args=(_ASK,), daemon=True).start()
        return False

    def _cancel_timer(self) -> None:
        if self._answer is not None:
            self._answer.cancel()
            self._answer = None

    def set_title(self, title: str) -> None:
        """Show the name of the screen in the title bar."""
        self.window.set_title(title)

    # The page's process: Qt leaves a blank window when it dies.

    def _handle_dead_page(self) -> None:
        """Load the page again; a page that keeps crashing is replaced by a message."""
        self._is_guarded = False
        now = time.monotonic()
        self._deaths.append(now)
        if len(self._deaths) == _DEATHS_MAX and now - self._deaths[0] < _DEATHS_SECONDS:
            _log.error("page_dies_repeatedly")
            native.show_text(self.window, f"<p>{html.escape(messages.PAGE_DIES)}</p>")
            return
        _log.warning("page_restarted")
        native.reload(self.window)
