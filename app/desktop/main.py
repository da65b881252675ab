"""Composition root of the desktop host: settings, sidecar, window."""

import contextlib
import json
import logging
import signal
import sys
import threading
from types import FrameType

import structlog

from app.basics.version import VERSION
from app.desktop.application import Sidecar, Workstation, device_openapi
from app.desktop.errors import SettingsError
from app.desktop.files import private_dir
from app.desktop.launch import Launch
from app.desktop.server import SidecarServer, bound_socket
from app.desktop.settings import Settings, bundled, from_arguments

__all__ = ["device_openapi", "run"]
_FIRST_SCREEN = "/"
_ICON = "packaging/icons/lab-portal.png"
_log = structlog.get_logger("portal.desktop")


def run(argv: list[str]) -> int:
    """Run the desktop app until its last window closes; returns the exit code.

    0: ended by the user; 1: the sidecar failed; 2: it can not start as it is set up.
    """
    _configure_logs()
    try:
        settings = from_arguments(argv)
        _log.info("desktop app started", version=VERSION)
        private_dir(settings.config_dir)
        return _run_headless(settings) if settings.headless else _run_window(settings)
    except SettingsError as error:
        _tell(str(error))
        return 2


def _configure_logs() -> None:
    """One JSON object a line on standard error; never a path's parameters, never a person."""
    stream = sys.stderr
    if stream is None:  # a packaged app on Windows has no console
        structlog.configure(
            logger_factory=structlog.ReturnLoggerFactory(), cache_logger_on_first_use=True
        )
        return
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )


def _tell(text: str) -> None:
    """Say why the app does not start, where the person who started it looks."""
    if sys.platform == "win32" and sys.stderr is None:
        import ctypes  # noqa: PLC0415 - the message box exists on Windows only

        ctypes.windll.user32.MessageBoxW(None, text, "Lab Portal", 0x10)
        return
    sys.stderr.write(f"{text}\n")


def _run_headless(settings: Settings) -> int:
    """No window: the hand-over goes to whoever started the process, on its standard output.

    One line of JSON: ``{"url", "code"}``. The code is worth one cookie within a minute.
    """
    ended = threading.Event()

    def end(_: int, __: FrameType | None) -> None:
        ended.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    launch = Launch()
    listener = bound_socket()
    port = listener.getsockname()[1]
    server = SidecarServer(listener, Sidecar(settings, port, launch, Workstation()).asgi)
    server.start()
    try:
        server.wait_until_ready()
        code = launch.issue(_FIRST_SCREEN, "headless")
        sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{port}", "code": code}) + "\n")
        sys.stdout.flush()
        while server.alive and not ended.wait(0.5):
            pass
        return 0 if ended.is_set() else 1
    finally:
        server.stop()


def _run_window(settings: Settings) -> int:
    """The window in this thread, the sidecar in another; the last window's end ends both."""
    # The window library takes its time to load and the sidecar its own: they start side by side.
    from app.desktop.window.host import AppWindows, prepare_environment  # noqa: PLC0415

    prepare_environment()
    launch = Launch()
    listener = bound_socket()
    port = listener.getsockname()[1]
    windows = AppWindows(f"http://127.0.0.1:{port}", launch, bundled(_ICON))
    sidecar = Sidecar(settings, port, launch, Workstation(windows=windows))
    server = SidecarServer(listener, sidecar.asgi)
    server.start()
    failed = threading.Event()

    def watch() -> None:
        """Without its sidecar a window is dead: close it rather than let it look alive."""
        server.join()
        failed.set()
        windows.close_all()

    def end(_: int, __: FrameType | None) -> None:
        windows.close_all()

    signal.signal(signal.SIGTERM, end)
    try:
        server.wait_until_ready()
        windows.open(_FIRST_SCREEN)
        threading.Thread(target=watch, daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            windows.run()
        return 1 if failed.is_set() else 0
    finally:
        server.stop()
