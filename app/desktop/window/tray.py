"""The app's icon in the system tray, with a menu (Qt only)."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path

Act = Callable[[], None]


class TrayIcon:
    """An icon that runs an act when clicked, and has a menu with other acts by their labels.

    Each act runs in a thread, because acts wait for the GUI thread, which is this one.
    """

    def __init__(self, title: str, icon: Path, on_click: Act, entries: Mapping[str, Act]) -> None:
        from PySide6.QtGui import QIcon  # noqa: PLC0415 - the headless mode has no Qt
        from PySide6.QtWidgets import QMenu, QSystemTrayIcon  # noqa: PLC0415

        self._menu = QMenu()  # the icon does not own it
        for text, act in entries.items():
            self._menu.addAction(text).triggered.connect(_run_in_thread(act))
        self._icon = QSystemTrayIcon(QIcon(str(icon)))
        self._icon.setToolTip(title)
        self._icon.setContextMenu(self._menu)
        click = _run_in_thread(on_click)
        reason = QSystemTrayIcon.ActivationReason

        def handle_activation(activated_by: object) -> None:
            if activated_by in (reason.Trigger, reason.DoubleClick):
                click()

        self._icon.activated.connect(handle_activation)
        # On a desktop whose tray starts later, Qt shows the icon then.
        self._icon.show()

    def remove(self) -> None:
        """Remove the icon; GUI thread only."""
        self._icon.hide()


def _run_in_thread(act: Act) -> Callable[..., None]:
    def run(*_: object) -> None:
        threading.Thread(target=act, daemon=True).start()

    return run
