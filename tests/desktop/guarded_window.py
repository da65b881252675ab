"""Runs the real app, closes its window as a person does, and kills its processes.

It closes a window whose page keeps it open, kills the sidecar, closes the window again, kills the
page's process, and closes the window once more; the new page allows it. The program's arguments are
a folder and the arguments of the app.
"""

import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import webview
from PySide6.QtGui import QShortcut

from app.desktop.files import JsonFile
from app.desktop.main import run_app
from app.desktop.supervisor import SIDECAR_ARGUMENT
from app.desktop.window import native as native_window

ZOOM = 1.2
FOLDER = Path(sys.argv[1])
_preferences = JsonFile(FOLDER / "preferences.json")


def _wait_for(key: str, value: object) -> None:
    while _preferences.read().get(key) != value:
        time.sleep(0.05)


def press_zoom_keys(native: Any) -> None:
    """Zoom as the keys do; the virtual screen has no window manager that passes keys on."""
    shortcuts = {shortcut.key().toString(): shortcut for shortcut in native.findChildren(QShortcut)}
    for keys in ("Ctrl++", "Ctrl+-", "Ctrl+-", "Ctrl+0", "Ctrl++", "Ctrl+="):
        shortcuts[keys].activated.emit()


def play_person() -> None:
    """Play the person's part."""
    _wait_for("loads", 1)
    [window] = webview.windows
    native: Any = window.native
    window.destroy()
    _wait_for("held", 1)
    [sidecar] = [p for p in psutil.Process().children() if SIDECAR_ARGUMENT in p.cmdline()]
    sidecar.kill()
    window.destroy()
    _wait_for("held", 2)  # the page has kept its state, and the next sidecar knows its cookie
    assert len(webview.windows) == 1
    window.resize(900, 700)
    while window.width != 900:
        time.sleep(0.05)
    (FOLDER / "maps").write_text(Path("/proc/self/maps").read_text())
    native_window.run_on_gui_thread(window, lambda: press_zoom_keys(native))
    while round(native.webview.zoomFactor(), 3) != ZOOM:
        time.sleep(0.05)
    (FOLDER / "title").write_text(native.windowTitle())
    os.kill(native.webview.page().renderProcessPid(), signal.SIGKILL)
    _wait_for("loads", 2)
    window.destroy()


threading.Thread(target=play_person, daemon=True).start()
sys.exit(run_app(sys.argv[2:]))
