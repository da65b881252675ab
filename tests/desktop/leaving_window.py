"""Runs the real app, and makes its page go elsewhere: ``FOLDER ARGUMENTS``.

Then it writes the address that the window shows to ``FOLDER/address``, and closes the window.
"""

import sys
import threading
import time
from pathlib import Path
from typing import Any

import webview

from app.desktop.files import JsonFile
from app.desktop.main import run_app
from app.desktop.window.native import run_on_gui_thread

FOLDER = Path(sys.argv[1])
_LINK = "https://elsewhere.example/"
_preferences = JsonFile(FOLDER / "preferences.json")


def _play_person() -> None:
    while "seen." not in _preferences.read():
        time.sleep(0.05)
    [window] = webview.windows
    native: Any = window.native
    window.run_js(f"location.href = '{_LINK}'; null")
    while _LINK not in _read_opened():
        time.sleep(0.05)
    run_on_gui_thread(
        window, lambda: (FOLDER / "address").write_text(native.webview.url().toString())
    )
    while not (FOLDER / "address").exists():
        time.sleep(0.05)
    window.destroy()


def _read_opened() -> str:
    file = FOLDER / "opened"
    return file.read_text() if file.exists() else ""


threading.Thread(target=_play_person, daemon=True).start()
sys.exit(run_app(sys.argv[2:]))
