"""The system's print dialog for the page of a window; WebView2 and WebKit have their own."""

import weakref
from typing import Any

PRINT_KEYS = "Ctrl+P"


def add_print_dialog(native: Any) -> None:
    """Print the page of a Qt window when the user or the page asks; GUI thread only."""
    from PySide6.QtGui import QKeySequence, QShortcut  # noqa: PLC0415 - headless mode has no Qt

    window = weakref.ref(native)

    def show_dialog() -> None:
        if (open_window := window()) is not None:
            _show_dialog(open_window)

    QShortcut(QKeySequence(PRINT_KEYS), native).activated.connect(show_dialog)
    native.webview.printRequested.connect(show_dialog)  # the page called window.print()


def _show_dialog(native: Any) -> None:
    """Let the person choose a printer, copies, and pages, and print the page."""
    # Loaded when somebody prints, because it takes 2 MB.
    from PySide6.QtCore import Qt  # noqa: PLC0415
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter  # noqa: PLC0415

    # Qt draws the page after the dialog has closed, and needs the printer until then.
    native.page_printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    dialog = QPrintDialog(native.page_printer, native)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.accepted.connect(lambda: native.webview.print(native.page_printer))
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    dialog.show()
