"""One window of the app: hand-over, guard against lost work, and the page's process."""

import contextlib
import html
import threading
from collections.abc import Callable
from typing import Any

import structlog

from app.contract import messages
from app.desktop.crashes import CrashCounter
from app.desktop.launch import HAND_OVER_PATH, Launch, build_script
from app.desktop.window import native
from app.desktop.window.places import RememberedPlace

CLOSING_EVENT = "portal:closing"
"""The event that asks a page whether its window may close."""

_ANSWER_SECONDS = 3.0
_ASK = f"window.dispatchEvent(new Event('{CLOSING_EVENT}'))"
_log = structlog.get_logger("portal.window")


class AppWindow:
    """A window that gets its code once, and closes when its page agrees.

    ``is_answering`` returns whether the sidecar answers now.
    """

    def __init__(
        self,
        window: Any,
        origin: str,
        launch: Launch,
        path: str,
        name: str,
        zoom: float,
        is_answering: Callable[[], bool],
    ) -> None:
        self._is_answering = is_answering
        self.name = name
        self.window = window
        self._origin = origin
        self._launch = launch
        self._path = path
        self._zoom = zoom
        self._once = threading.Lock()
        self._is_guarded = False
        self._may_close = False
        self._answer_timer: threading.Timer | None = None
        self._is_running = False
        self._crashes = CrashCounter()

    def start(self, last_place: RememberedPlace, on_closed: Callable[["AppWindow"], None]) -> None:
        """Listen for events; a window that another thread has opened may have loaded already."""
        self._last_place = last_place
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
        # A code is sent to the page once; ``start_over`` allows another.
        native.prepare_window(self.window, self._origin, self._zoom, self._handle_dead_page)
        code = self._launch.issue_code(self._path, self.name)
        self.window.run_js(build_script(self._origin, code))

    def _handle_closed(self) -> None:
        self._cancel_timer()
        self._on_closed(self)

    def read_corner(self) -> tuple[int, int] | None:
        """Return the corner of the window; None before it is shown."""
        with contextlib.suppress(KeyError, TypeError, AttributeError):  # the window is closing
            if self.window.native is not None:
                return int(self.window.x), int(self.window.y)
        return None

    def start_over(self) -> None:
        """Hand over again if the page was still loading when the sidecar died."""
        if not self._is_running and self._once.locked():
            self._once.release()
            self.window.load_url(self._origin + HAND_OVER_PATH)

    # Closing: the page is asked, unless it guards nothing or does not answer.

    def change(self, act: str | None, title: str | None) -> None:
        """Do what the page asks for; see ``WindowState``."""
        self._is_running = True
        if title is not None:
            self.window.set_title(title)
        if act == "guards":
            self._is_guarded = True
        elif act == "holds":
            self._cancel_timer()
        elif act == "closes":
            self.close()

    def ask_to_close(self) -> None:
        """Close the window if its page agrees; never call it on the GUI thread."""
        self.window.destroy()

    def close(self) -> None:
        """Close the window without asking its page; callable from any thread."""
        self._may_close = True
        self._cancel_timer()
        threading.Thread(target=self.window.destroy, daemon=True).start()

    def _handle_closing(self) -> bool | None:
        """Return False to leave the window open until its page agrees."""
        if self._may_close or not self._is_guarded:
            self._last_place.write(native.read_place(self.window))
            return None
        if self._answer_timer is None:
            self._start_timer()
            # In another thread, because run_js waits for this one, the GUI thread.
            threading.Thread(target=self.window.run_js, args=(_ASK,), daemon=True).start()
        return False

    def _start_timer(self) -> None:
        self._answer_timer = threading.Timer(_ANSWER_SECONDS, self._give_up)
        self._answer_timer.daemon = True
        self._answer_timer.start()

    def _give_up(self) -> None:
        """Close the window, because its page hangs; wait on if no answer could have arrived."""
        if self._is_answering():
            self.close()
        else:
            self._start_timer()

    def _cancel_timer(self) -> None:
        if self._answer_timer is not None:
            self._answer_timer.cancel()
            self._answer_timer = None

    # When the page's process dies, Qt leaves a blank window.

    def _handle_dead_page(self) -> None:
        """Load the page again; show a message instead of a page that keeps crashing."""
        self._is_guarded = self._is_running = False
        if self._crashes.count_crash():
            _log.error("page_dies_repeatedly")
            native.show_html(self.window, f"<p>{html.escape(messages.PAGE_DIES)}</p>")
            return
        _log.warning("page_restarted")
        native.reload_page(self.window)
