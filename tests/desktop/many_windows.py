"""Opens and closes windows of the real app, one after another: ``FOLDER COUNT ARGUMENTS``.

Writes the memory of all its processes in MB, once for each window, to ``FOLDER/memory``. Another
thread produces garbage all the time, so that a garbage collection is soon due in that thread.
"""

import gc
import os
import sys
import threading
import time
from pathlib import Path

import webview

from app.desktop.files import JsonFile
from app.desktop.main import run_app
from app.desktop.window import host
from tests.desktop.grid import measure_memory

FOLDER, COUNT = Path(sys.argv[1]), int(sys.argv[2])
_SECONDS = 0.02
_NODES = 50_000
_preferences = JsonFile(FOLDER / "preferences.json")


class _Node:
    """A reference cycle, which only a garbage collection frees."""

    def __init__(self) -> None:
        self.next = self


def _make_garbage() -> None:
    """Make a full collection due in this thread, many times a second."""
    gc.set_threshold(700, 1, 1)
    while True:
        # A full collection runs once enough new objects have survived the smaller collections.
        nodes = [_Node() for _ in range(_NODES)]
        time.sleep(_SECONDS)
        del nodes


def _read_memory() -> int:
    """Return the memory of all processes of the app in MB."""
    return sum(measure_memory(os.getpid()).values())


def _build_name(number: int) -> str:
    return "window" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


class _CountingWindows(host.AppWindows):
    """The app's windows, and a thread that opens and closes more of them."""

    def run(self) -> None:
        for task in (self._open_and_close, _make_garbage):
            threading.Thread(target=task, daemon=True).start()
        super().run()

    def _open_and_close(self) -> None:
        while "seen." not in _preferences.read():
            time.sleep(_SECONDS)
        for number in range(COUNT):
            self.open(f"/{_build_name(number)}")
            while f"seen.{_build_name(number)}" not in _preferences.read():
                time.sleep(_SECONDS)
            webview.windows[-1].destroy()
            while len(webview.windows) > 1:
                time.sleep(_SECONDS)
            with (FOLDER / "memory").open("a") as file:
                file.write(f"{_read_memory()}\n")
        webview.windows[0].destroy()


host.AppWindows = _CountingWindows
sys.exit(run_app(sys.argv[3:]))
