"""Garbage collection on the GUI thread.

Closed windows of Qt are parts of cycles, so Python's garbage collection destroys them, in whichever
thread it happens to run. Qt ends the process if that is not the GUI thread.
"""

import ctypes
import gc
import sys
import threading
from typing import Any

_INTERVAL_MS = 500
_START_MS = 8_000
"""After this time the first page is shown, and memory that only the start needed is free."""


class WindowCollector:
    """Collects garbage, but only on the GUI thread, which is the main one."""

    def __init__(self) -> None:
        self._has_closed_window = threading.Event()
        self._timer: Any = None

    def start(self) -> None:
        """Take over from automatic collection; main thread only, before the windows start."""
        if sys.platform != "linux":
            return  # Windows on other systems are not Qt objects.
        from PySide6.QtCore import QTimer  # noqa: PLC0415 - the headless mode has no Qt
        from webview.platforms import qt  # noqa: PLC0415

        gc.disable()
        gc.freeze()  # objects loaded at the start stay, so collections can skip them
        qt.setup_app()  # type: ignore[no-untyped-call]  # a timer needs the application
        self._timer = QTimer()
        self._timer.timeout.connect(self.collect)
        self._timer.start(_INTERVAL_MS)
        QTimer.singleShot(_START_MS, return_free_memory)

    def watch(self, window: Any) -> None:
        """Free what a window holds when it closes; callable from any thread."""
        if sys.platform == "linux":
            window.events.closing += _release_profile  # runs on the main thread
        window.events.closed += self._note_closed_window

    def _note_closed_window(self) -> None:
        """Make the next run collect all generations."""
        self._has_closed_window.set()

    def collect(self) -> None:
        """Collect the generation that is due, and everything after a window has closed."""
        if self._has_closed_window.is_set():
            self._has_closed_window.clear()
            gc.collect()
            return_free_memory()
            return
        counts, thresholds = gc.get_count(), gc.get_threshold()
        generations = [n for n in range(3) if counts[n] > thresholds[n] > 0]
        if generations:
            gc.collect(generations[-1])


def return_free_memory() -> None:
    """Return unused memory of the C library to the system; only glibc can do so."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)


def _release_profile(window: Any) -> None:
    """Let Qt delete the window's browser profile after its page; pywebview keeps it."""
    native = window.native
    native.webview.page().destroyed.connect(native.profile.deleteLater)
