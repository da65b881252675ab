"""The app's windows: pywebview, with Qt on Linux and WebView2 on Windows."""

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.contract import messages
from app.desktop.errors import SettingsError
from app.desktop.launch import FIRST_SCREEN, HAND_OVER_PATH, Launch
from app.desktop.programs import open_links_in_user_environment
from app.desktop.window.app_window import AppWindow
from app.desktop.window.collection import WindowCollector
from app.desktop.window.libraries import require_libraries
from app.desktop.window.native import IS_QT, bring_forward, copy_text, list_screens
from app.desktop.window.paths import validate_screen_path
from app.desktop.window.places import SMALLEST, RememberedPlace, choose_place
from app.desktop.window.qt_names import register_qt_names
from app.desktop.window.tray import TrayIcon

TITLE = "Lab Portal"
BACKGROUND = "#f6f7f9"
_FIRST_COLLECTION_MB = 16
_GUI = {"linux": "qt", "win32": "edgechromium", "darwin": "cocoa"}


def prepare_environment() -> None:
    """Set the environment for the window library, or raise ``SettingsError`` without a screen."""
    if sys.platform != "linux":
        return
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise SettingsError("There is no screen to open a window on (DISPLAY is not set).")
    require_libraries()
    open_links_in_user_environment()
    _draw_without_graphics_card()
    _collect_garbage_early()
    register_qt_names()
    if os.geteuid() == 0:
        # Chromium's sandbox does not support root, and Qt does not start without the sandbox or
        # this variable. Workstations run as an ordinary user with the sandbox; containers and
        # test machines run as root.
        os.environ["QTWEBENGINE_DISABLE_SANDBOX"] = "1"


def _draw_without_graphics_card() -> None:
    """Make Qt draw pages with the processor only, unless the environment says otherwise.

    OpenGL takes 105 MB where it is emulated, delays the start, and can fail with its driver. Forms
    and grids do not need it.
    """
    os.environ.setdefault("QT_QUICK_BACKEND", "software")
    os.environ.setdefault("QT_XCB_GL_INTEGRATION", "none")


def _collect_garbage_early() -> None:
    """Let pages free memory before they have taken much of it (ADR 85).

    V8 starts its first full garbage collection at a heap size that depends on the computer's
    memory. With 24 GB, a page keeps the screens that the user has left until it uses 1.4 GB.
    """
    flags = os.environ.get("QTWEBENGINE_CHROMIUM_FLAGS", "")
    if "--js-flags" not in flags:
        flags = f"{flags} --js-flags=--initial-old-space-size={_FIRST_COLLECTION_MB}"
        os.environ["QTWEBENGINE_CHROMIUM_FLAGS"] = flags.strip()


class AppWindows:
    """Opens windows, each with its own cookie."""

    def __init__(
        self, origin: str, launch: Launch, last_place: RememberedPlace, icon: Path | None = None
    ) -> None:
        import webview  # noqa: PLC0415 - loads the window system; headless mode does not need it

        self._webview: Any = webview
        self._origin = origin
        self._launch = launch
        self._last_place = last_place
        self._is_answering: Callable[[], bool] = lambda: True
        self._on_closed: Callable[[str], None] = launch.close_window
        self._icon = icon
        self._collector = WindowCollector()
        self._open_windows: dict[str, AppWindow] = {}
        settings = webview.settings
        settings["ALLOW_DOWNLOADS"] = False  # documents are opened by /device/documents
        settings["ALLOW_FILE_URLS"] = False
        settings["OPEN_EXTERNAL_LINKS_IN_BROWSER"] = True
        settings["OPEN_DEVTOOLS_IN_DEBUG"] = False

    def open(self, path: str) -> None:
        """Open a window on a valid path of the user interface; callable from any thread.

        The first one is opened by the main thread.
        """
        screens = list_screens(self._webview)  # one may have been unplugged meanwhile
        corners = [corner for w in list(self._open_windows.values()) if (corner := w.read_corner())]
        place = choose_place(self._last_place.read(), corners, screens)
        name = secrets.token_hex(8)
        window = self._webview.create_window(
            TITLE,
            url=self._origin + HAND_OVER_PATH,
            width=place.width,
            height=place.height,
            x=place.x,
            y=place.y,
            maximized=place.maximized,
            min_size=SMALLEST,
            background_color=BACKGROUND,
            text_select=True,
            zoomable=True,
            draggable=True,
        )
        self._collector.watch(window)
        app_window = AppWindow(
            window, self._origin, self._launch, path, name, place.zoom, self._is_answering
        )
        self._open_windows[name] = app_window
        app_window.start(self._last_place, self._forget)

    def _forget(self, closed_window: AppWindow) -> None:
        self._open_windows.pop(closed_window.name, None)
        self._on_closed(closed_window.name)

    def attach(self, is_answering: Callable[[], bool], on_closed: Callable[[str], None]) -> None:
        """Set two callbacks: whether the sidecar answers, and what to call when a window closes."""
        self._is_answering, self._on_closed = is_answering, on_closed

    def change(self, name: str, act: str | None, title: str | None) -> None:
        """Change a window as its page asks; harmless if it has closed."""
        window = self._open_windows.get(name)
        if window is not None:
            window.change(act, title)

    def start_over(self) -> None:
        """Reload the pages that were still loading when the sidecar died."""
        for window in list(self._open_windows.values()):
            window.start_over()

    def ask_to_try_again(self, question: str) -> bool:
        """Ask the user and wait for the answer; never call it on the GUI thread."""
        windows = list(self._webview.windows)
        return bool(windows) and bool(windows[-1].create_confirmation_dialog(TITLE, question))

    def choose_file(self, name: str) -> Path | None:
        """Ask where to save a file and wait for the answer; never call it on the GUI thread."""
        windows = list(self._webview.windows)
        if not windows:
            return None
        choice = (self._webview.active_window() or windows[-1]).create_file_dialog(
            self._webview.FileDialog.SAVE,
            directory=str(Path.home()),
            save_filename=name,
        )
        path = choice[0] if isinstance(choice, list | tuple) and choice else choice
        return Path(path) if path else None

    def copy(self, text: str) -> bool:
        """Put a text into the clipboard, and return whether this window system supports it."""
        windows = list(self._webview.windows)
        return bool(windows) and copy_text(windows[-1], text)

    def show(self, path: str | None) -> bool:
        """Open a window on a screen, or bring one forward; callable from any thread.

        Returns False if the last window has closed, so that the app ends.
        """
        windows = list(self._webview.windows)
        if not windows:
            return False
        if path is not None:
            self.open(validate_screen_path(path))
        else:
            bring_forward(self._webview.active_window() or windows[-1])
        return True

    def run(self) -> None:
        """Show the windows until the last one closes; main thread only."""
        self._collector.start()
        tray = self._add_tray_icon()
        self._webview.start(
            gui=_GUI.get(sys.platform),
            private_mode=True,
            debug=False,
            icon=str(self._icon) if self._icon else None,
        )
        if tray is not None:
            tray.remove()

    def _add_tray_icon(self) -> TrayIcon | None:
        """Add the app's icon to the system tray, where the window system is Qt."""
        if not IS_QT or self._icon is None:
            return None

        def show() -> None:
            self.show(None)

        return TrayIcon(
            TITLE,
            self._icon,
            show,
            {
                messages.TRAY_SHOW.format(app=TITLE): show,
                messages.TRAY_NEW_WINDOW: lambda: self.open(FIRST_SCREEN),
                messages.TRAY_QUIT: self.ask_to_close_all,
            },
        )

    def ask_to_close_all(self) -> None:
        """Close each window as a user does; never call it on the GUI thread."""
        for window in list(self._open_windows.values()):
            window.ask_to_close()

    def close_all(self) -> None:
        """Close every window without asking, so that ``run`` returns; callable from any thread."""
        for window in list(self._open_windows.values()):
            window.close()
