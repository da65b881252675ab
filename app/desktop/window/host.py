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
from app.desktop.hand_over import build_script
from app.desktop.launch import Launch
from app.desktop.window.collection import WindowCollector
from app.desktop.window.native import bring_forward
from app.desktop.window.paths import validate_screen_path

TITLE = "Lab Portal"
BACKGROUND = "#f6f7f9"
_SIZE = (1280, 860)
_SMALLEST = (360, 480)
_GUI = {"linux": "qt", "win32": "edgechromium", "darwin": "cocoa"}
_log = structlog.get_logger("portal.window")


def prepare_environment() -> None:
    """Set the environment for the window library; raises ``SettingsError`` without a screen."""
    if sys.platform != "linux":
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise SettingsError("There is no screen to open a window on (DISPLAY is not set).")
    os.environ["QT_API"] = "pyside6"
    if os.geteuid() == 0:
        # Chromium's sandbox does not support root, and Qt does not start without the sandbox or
        # this variable. Workstations run as an ordinary user with the sandbox; containers and
        # test machines run as root.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"


class AppWindows:
    """Opens windows, each with its own cookie."""

    can_open = True

    def __init__(self, origin: str, launch: Launch, icon: Path | None = None) -> None:
        import webview  # noqa: PLC0415 - loads the window system; headless mode does not need it

        self._webview: Any = webview
        self._origin = origin
        self._launch = launch
        self._icon = icon
        self._collector = WindowCollector()
        settings = webview.settings
        settings["ALLOW_DOWNLOADS"] = False  # documents are opened by /device/documents
        settings["ALLOW_FILE_URLS"] = False
        settings["OPEN_EXTERNAL_LINKS_IN_BROWSER"] = True
        settings["OPEN_DEVTOOLS_IN_DEBUG"] = False

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface; callable from any thread."""
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
        self._collector.watch(window)
        _HandOver(window, self._origin, self._launch, path, name).start()

    def show(self, path: str | None) -> None:
        """Open a window on a screen, or bring one forward; callable from any thread."""
        if path is not None:
            self.open(validate_screen_path(path))
            return
        windows = list(self._webview.windows)
        if windows:
            bring_forward(self._webview.active_window() or windows[-1])

    def run(self) -> None:
        """Show the windows until the last one closes; main thread only."""
        self._collector.start()
        self._webview.start(
            gui=_GUI.get(sys.platform),
            private_mode=True,
            debug=False,
            icon=str(self._icon) if self._icon else None,
        )

    def close_all(self) -> None:
        """Close every window, so that ``run`` returns; callable from any thread."""
        for window in list(self._webview.windows):
            threading.Thread(target=window.destroy, daemon=True).start()


class _HandOver:
    """Gives one window its code, once, when it shows the hand-over page."""

    def __init__(self, window: Any, origin: str, launch: Launch, path: str, name: str) -> None:
        self._window = window
        self._origin = origin
        self._launch = launch
        self._path = path
        self._name = name
        self._once = threading.Lock()

    def start(self) -> None:
        """Listen for events; a window opened by another thread may have loaded already."""
        events = self._window.events
        events.closed += self._handle_closed
        events.loaded += self._handle_loaded
        if events.loaded.is_set():
            self._handle_loaded()

    def _handle_loaded(self) -> None:
        if not self._once.acquire(blocking=False):
            return
        code = self._launch.issue_code(self._path, self._name)
        self._window.run_js(build_script(self._origin, code))

    def _handle_closed(self) -> None:
        self._launch.close_window(self._name)
