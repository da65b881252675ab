"""Errors between the window, the workstation, and the hosted portal."""

import os
import shutil
import subprocess
import sys
from enum import StrEnum

from app.basics.errors import Forbidden, NotFound, Unavailable
from app.desktop.programs import build_environment

_MB_ICONERROR = 0x10
# Programs of Linux desktops that show a message; the text follows.
_MESSAGE_PROGRAMS = (
    ("zenity", "--error", "--no-markup", "--title=Lab Portal", "--text"),
    ("kdialog", "--title", "Lab Portal", "--error"),
    ("notify-send", "Lab Portal"),
)


class ForeignCaller(Forbidden):
    """403: the request does not come from a page of this sidecar."""

    code = "foreign_caller"


class LaunchRequired(Forbidden):
    """403: the request has no launch cookie, so it does not come from one of our windows."""

    code = "launch_required"


class Cause(StrEnum):
    """The reason why no portal answers; each has its own sentence."""

    NOT_CHOSEN = "not_chosen"
    SETTINGS = "settings"
    NOT_LISTENING = "not_listening"
    UNKNOWN_HOST = "unknown_host"
    NO_ROUTE = "no_route"
    TIMEOUT = "timeout"
    UNTRUSTED = "untrusted"
    WRONG_NAME = "wrong_name"
    EXPIRED = "expired"
    TLS = "tls"
    PROXY = "proxy"
    PROXY_TIMEOUT = "proxy_timeout"
    PROXY_REJECTS = "proxy_rejects"
    PROXY_SIGN_IN = "proxy_sign_in"
    PROXY_UNTRUSTED = "proxy_untrusted"
    PROXY_WRONG_NAME = "proxy_wrong_name"
    PROXY_EXPIRED = "proxy_expired"
    PROXY_TLS = "proxy_tls"
    BROKEN = "broken"
    STARTING = "starting"
    REDIRECTS = "redirects"
    WRONG_PRODUCT = "wrong_product"


class PortalUnreachable(Unavailable):
    """503: the hosted portal did not answer, or its answer broke off."""

    code = "portal_unreachable"

    def __init__(self, detail: str, *, cause: Cause | None = None) -> None:
        super().__init__(detail)
        self.cause = cause


class DocumentUnavailable(Unavailable):
    """503: the portal's document could not be fetched or opened."""

    code = "document_unavailable"


class NoViewer(Unavailable):
    """503: no program of this workstation opens the document; the text says where it is saved."""

    code = "no_viewer"


class PrinterUnknown(NotFound):
    """404: this workstation has no printer with this id."""

    code = "printer_unknown"


class PrinterUnreachable(Unavailable):
    """503: the printer did not accept the connection; nothing was printed."""

    code = "printer_unreachable"


class PrinterTimedOut(Unavailable):
    """503: the printer did not accept all of the data; labels may be incomplete."""

    code = "printer_timed_out"


class PrinterRefused(Unavailable):
    """503: the print system abandoned the job; nothing more will be printed."""

    code = "printer_refused"


class PrinterNotReady(Unavailable):
    """503: the printer said before the job that it cannot print; nothing was printed."""

    code = "printer_not_ready"


class PrinterStopped(Unavailable):
    """503: the printer stopped during the job; the text contains its message."""

    code = "printer_stopped"


class SettingsError(Exception):
    """The desktop app cannot start with its settings; the text is for the user."""


def show_error(text: str) -> None:
    """Show why the app does not start, on standard error or in a message window.

    The standard error of an app that was started from a menu is in a log, or does not exist.
    """
    if sys.platform == "win32" and sys.stderr is None:
        import ctypes  # noqa: PLC0415 - the message box exists on Windows only

        ctypes.windll.user32.MessageBoxW(None, text, "Lab Portal", _MB_ICONERROR)
        return
    sys.stderr.write(f"{text}\n")
    has_screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if sys.platform == "linux" and has_screen and not sys.stderr.isatty():
        _show_message(text)


def _show_message(text: str) -> None:
    """Show a message with the first program that this desktop has, without waiting."""
    for name, *arguments in _MESSAGE_PROGRAMS:
        program = shutil.which(name)
        if program is not None:
            subprocess.Popen(
                [program, *arguments, text],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=build_environment(),
                start_new_session=True,
            )
            return
