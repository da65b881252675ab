"""What pywebview cannot do with a window; Qt's parts run on the thread of the windows."""

import sys
from collections.abc import Callable
from typing import Any


def run_on_windows_thread(window: Any, act: Callable[[], None]) -> None:
    """Run an act on the thread of the windows, and do not wait for it; Linux only."""
    from PySide6.QtCore import QTimer  # noqa: PLC0415 - the headless mode has no Qt

    QTimer.singleShot(0, window.native, act)


def bring_forward(window: Any) -> None:
    """Show a window in front of all others; callable from any thread."""
    if sys.platform != "linux":
        window.restore()
        window.show()
        return

    def raise_window() -> None:
        native = window.native
        if native.isMinimized():
            native.showNormal()
        native.show()
        native.raise_()
        native.activateWindow()

    run_on_windows_thread(window, raise_window)
