"""Runs the real app, prints its page as a person does, and uses the menu of its tray icon.

It opens the print dialog with the keyboard and prints to a file, then lets the page ask for the
dialog, opens a second window from the tray's menu, and quits the app from the same menu. The
program's arguments are a folder and the arguments of the app.
"""

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import webview
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtPrintSupport import QPrintDialog
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu

from app.contract import messages
from app.desktop.files import JsonFile
from app.desktop.main import run_app
from app.desktop.window.native import run_on_gui_thread
from app.desktop.window.print_dialog import PRINT_KEYS

FOLDER = Path(sys.argv[1])
_preferences = JsonFile(FOLDER / "preferences.json")


def _wait_until(condition: Callable[[], object]) -> None:
    while not condition():
        time.sleep(0.05)


def _find_dialogs() -> list[QPrintDialog]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QPrintDialog)]


def press_print_keys(native: Any) -> None:
    """Press the keys; the virtual screen has no window manager that passes keys on."""
    [shortcut] = [s for s in native.findChildren(QShortcut) if s.key().toString() == PRINT_KEYS]
    shortcut.activated.emit()


def print_to_file() -> None:
    """Choose a file as the printer, and press Print."""
    [dialog] = _find_dialogs()
    # The computer has no printer, so the dialog offers a file.
    [name] = [f for f in dialog.findChildren(QLineEdit) if f.objectName() == "filename"]
    name.setText(str(FOLDER / "page.pdf"))
    dialog.accept()


def choose_in_tray(text: str) -> None:
    """Choose an entry of the tray's menu."""
    menus = [w for w in QApplication.topLevelWidgets() if isinstance(w, QMenu)]
    [entry] = [a for m in menus for a in m.actions() if isinstance(a, QAction) and a.text() == text]
    entry.trigger()


def play_person() -> None:
    """Play the person's part."""
    _wait_until(lambda: "seen." in _preferences.read())
    [window] = webview.windows
    native: Any = window.native
    run_on_gui_thread(window, lambda: press_print_keys(native))
    _wait_until(_find_dialogs)
    run_on_gui_thread(window, print_to_file)
    _wait_until(lambda: (FOLDER / "page.pdf").exists() and not _find_dialogs())
    _wait_until(lambda: (FOLDER / "page.pdf").read_bytes().rstrip().endswith(b"%%EOF"))
    window.run_js("window.print()")
    _wait_until(_find_dialogs)
    run_on_gui_thread(window, _find_dialogs()[0].reject)
    _wait_until(lambda: not _find_dialogs())
    run_on_gui_thread(window, lambda: choose_in_tray(messages.TRAY_NEW_WINDOW))
    _wait_until(lambda: len(webview.windows) == 2)
    (FOLDER / "two-windows").touch()
    run_on_gui_thread(window, lambda: choose_in_tray(messages.TRAY_QUIT))


threading.Thread(target=play_person, daemon=True).start()
sys.exit(run_app(sys.argv[2:]))
