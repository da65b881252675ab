"""The app's windows: pywebview, with Qt on Linux and WebView2 on Windows."""

import os
import secrets
import sys
import threading
from pathlib import Path
from typing import Any

import structlog

from app.desktop.errors import SettingsError
from app.desktop.guard import HAND_OVER_PATH
from app.desktop.hand_over import script
from app.desktop.launch import Launch

TITLE = "Lab Portal"
BACKGROUND = "#f6f7f9"
_SIZE = (1280, 860)
_SMALLEST = (360, 480)
_GUI = {"linux": "qt", "win32": "edgechromium", "darwin": "cocoa"}
_log = structlog.get_logger("portal.window")


def prepare_environment() -> None:
    """What has to be set before the window library is loaded; raises without a screen."""
    if sys.platform != "linux":
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise SettingsError("There is no screen to open a window on (DISPLAY is not set).")
    os.environ["QT_API"] = "pyside6"
    if os.geteuid() == 0:
        # Chromium's sandbox can not be set up by root, and Qt refuses to start without one or
        # this word. Lab workstations run as an ordinary user and keep the sandbox; containers
        # and test machines run as root.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"


class AppWindows:
    """Opens windows, hands each its own cookie, and ends when the last one closes."""

    can_open = True

    def __init__(self, origin: str, launch: Launch, icon: Path | None = None) -> None:
        import webview  # noqa: PLC0415 - loads the window system; headless never needs it

        self._webview: Any = webview
        self._origin = origin
        self._launch = launch
        self._icon = icon
        settings = webview.settings
        settings["ALLOW_DOWNLOADS"] = False  # documents leave through /device/documents
        settings["ALLOW_FILE_URLS"] = False
        settings["OPEN_EXTERNAL_LINKS_IN_BROWSER"] = True
        settings["OPEN_DEVTOOLS_IN_DEBUG"] = False

    def open(self, path: str) -> None:
        """Open a window on a checked path of the user interface; from any thread."""
        name = secrets.token_hex(8)
        window = self._webview.create_window(
            TITLE,
            url=self._origin + HAND_OVER_PATH,
            width=_SIZE[0],
            height=_SIZE[1],
            min_size=_SMALLEST,
            background_color=BACKGROUND,
            text_select=True,
            zoomable=True,
            draggable=True,
        )
        _Hand(window, self._origin, self._launch, path, name).begin()

    def run(self) -> None:
        """Show the windows; returns when the last one has closed. Main thread only."""
        self._webview.start(
            gui=_GUI.get(sys.platform),
            private_mode=True,
            debug=False,
            icon=str(self._icon) if self._icon else None,
        )

    def close_all(self) -> None:
        """Close every window, so that ``run`` returns; from any thread."""
        for window in list(self._webview.windows):
            threading.Thread(target=window.destroy, daemon=True).start()


class _Hand:
    """Hands one window its code, once, when it shows our hand-over page."""

    def __init__(self, window: Any, origin: str, launch: Launch, path: str, name: str) -> None:
        self._window = window
        self._origin = origin
        self._launch = launch
        self._path = path
        self._name = name
        self._once = threading.Lock()

    def begin(self) -> None:
        """Listen; a window opened by another thread may already show its page."""
        events = self._window.events
        events.closed += self._closed
        events.loaded += self._loaded
        if events.loaded.is_set():
            self._loaded()

    def _loaded(self) -> None:
        if not self._once.acquire(blocking=False):
            return
        code = self._launch.issue(self._path, self._name)
        self._window.run_js(script(self._origin, code))

    def _closed(self) -> None:
        self._launch.close(self._name)
