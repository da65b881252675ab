"""What pywebview cannot do to a window; Qt's parts run on the GUI thread."""

import queue
import sys
import threading
import weakref
import webbrowser
from collections.abc import Callable
from functools import partial
from typing import Any

from app.desktop.window.places import ZOOM_MAX, ZOOM_MIN, Area, Place
from app.desktop.window.print_dialog import add_print_dialog

IS_QT = sys.platform == "linux"
_SCREENS_SECONDS = 2.0


def run_on_gui_thread(window: Any, act: Callable[[], None]) -> None:
    """Run a function on the GUI thread without waiting for it; Qt only."""
    from PySide6.QtCore import QTimer  # noqa: PLC0415 - the headless mode has no Qt

    QTimer.singleShot(0, window.native, act)


def bring_forward(window: Any) -> None:
    """Show a window in front of all others; callable from any thread."""
    if not IS_QT:
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

    run_on_gui_thread(window, raise_window)


def copy_text(window: Any, text: str) -> bool:
    """Put a text into the clipboard, and return whether this window system supports it."""
    if not IS_QT:
        return False
    from PySide6.QtGui import QGuiApplication  # noqa: PLC0415 - the headless mode has no Qt

    run_on_gui_thread(window, lambda: QGuiApplication.clipboard().setText(text))
    return True


def list_screens(webview: Any) -> list[Area]:
    """List the connected screens, the main one first; empty if that takes too long.

    Any thread may call it, once the main thread has.
    """
    if not IS_QT:
        return [Area(s.x, s.y, s.width, s.height) for s in webview.screens]
    if threading.current_thread() is threading.main_thread():
        return _list_qt_screens()
    from PySide6.QtCore import QCoreApplication, QTimer  # noqa: PLC0415 - headless mode has no Qt

    application = QCoreApplication.instance()
    assert application is not None
    answers: queue.SimpleQueue[list[Area]] = queue.SimpleQueue()
    # In the GUI thread, because a screen can be unplugged while another thread reads it.
    QTimer.singleShot(0, application, lambda: answers.put(_list_qt_screens()))
    try:
        return answers.get(timeout=_SCREENS_SECONDS)
    except queue.Empty:
        return []


def _list_qt_screens() -> list[Area]:
    from PySide6.QtGui import QGuiApplication  # noqa: PLC0415 - the headless mode has no Qt
    from webview.platforms import qt  # noqa: PLC0415

    qt.setup_app()  # type: ignore[no-untyped-call]  # screens belong to the application
    areas = [screen.availableGeometry() for screen in QGuiApplication.screens()]
    return [Area(a.x(), a.y(), a.width(), a.height()) for a in areas]


def read_place(window: Any) -> Place:
    """Return the position of a window; on Qt, on the GUI thread only."""
    if not IS_QT:
        return Place(window.width, window.height, window.x, window.y)
    native = window.native
    geometry = native.normalGeometry() if native.isMaximized() else native.geometry()
    return Place(
        geometry.width(),
        geometry.height(),
        native.x(),
        native.y(),
        maximized=native.isMaximized(),
        zoom=native.webview.zoomFactor(),
    )


def prepare_window(window: Any, origin: str, zoom: float, on_page_died: Callable[[], None]) -> None:
    """Add the zoom, its keys, and printing, and keep the window on pages of ``origin``.

    It reports when the page's process dies. It may be called from any thread, and does nothing
    without Qt.

    ``on_page_died`` is a method, referenced weakly: otherwise Qt would keep its object, and with it
    the closed window, alive.
    """
    if not IS_QT:
        return
    weak_callback = weakref.WeakMethod(on_page_died)

    def report_termination(*_: object) -> None:
        callback = weak_callback()
        if callback is not None:
            callback()

    def connect() -> None:
        native = window.native
        native.webview.setZoomFactor(zoom)
        _add_zoom_keys(native)
        add_print_dialog(native)
        page = native.webview.page()
        page.renderProcessTerminated.connect(report_termination)
        page.navigationRequested.connect(partial(_stay_on_own_pages, origin))

    run_on_gui_thread(window, connect)


def _stay_on_own_pages(origin: str, request: Any) -> None:
    """Open a link to another place in the user's browser or mail program instead of the window.

    Without an address bar, nobody could see whose page a window shows. Qt would start the mail
    program in the environment of the package.
    """
    url = request.url().toString()
    # Pages cannot navigate to "data:", but ``show_html`` does.
    if not request.isMainFrame() or url.startswith((f"{origin}/", "data:")):
        return
    request.reject()
    webbrowser.open(url, 2)


def _add_zoom_keys(native: Any) -> None:
    """Zoom with the keys of browsers; Ctrl with the mouse wheel works without this."""
    from PySide6.QtGui import QKeySequence, QShortcut  # noqa: PLC0415 - headless mode has no Qt

    window = weakref.ref(native)

    def zoom_by(step: float) -> None:
        if (open_window := window()) is not None:
            factor = open_window.webview.zoomFactor() + step if step else 1.0
            open_window.webview.setZoomFactor(min(max(factor, ZOOM_MIN), ZOOM_MAX))

    # A step of 0 restores the normal size.
    for keys, step in (("Ctrl++", 0.1), ("Ctrl+=", 0.1), ("Ctrl+-", -0.1), ("Ctrl+0", 0.0)):
        QShortcut(QKeySequence(keys), native).activated.connect(partial(zoom_by, step))


def reload_page(window: Any) -> None:
    """Load the page of a window again; callable from any thread, only with Qt."""
    run_on_gui_thread(window, window.native.webview.reload)


def show_html(window: Any, content: str) -> None:
    """Show HTML instead of the portal; callable from any thread, only with Qt."""
    run_on_gui_thread(window, lambda: window.native.webview.setHtml(content))
