"""Composition root of the desktop host: settings, sidecar, and windows."""

import argparse
import contextlib
import functools
import json
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType

import structlog

from app.basics.version import VERSION
from app.contract import messages
from app.desktop.application import Sidecar, Workstation, build_device_openapi
from app.desktop.errors import SettingsError
from app.desktop.files import get_config_dir, make_private_dir
from app.desktop.instance import Instance, parse_link
from app.desktop.launch import Launch
from app.desktop.logs import configure_logs
from app.desktop.relay.portal import require_usable_network
from app.desktop.server import SidecarServer, open_socket
from app.desktop.settings import (
    Settings,
    build_unusable_settings,
    find_bundled_file,
    parse_arguments,
    read_settings,
)

__all__ = ["build_device_openapi", "run"]
_FIRST_SCREEN = "/"
_ICON = "packaging/icons/lab-portal.png"
_log = structlog.get_logger("portal.desktop")


def run(argv: list[str]) -> int:
    """Run the desktop app until its last window closes, and return the exit code.

    0: ended by the user, or handed over to the app that already runs; 1: the sidecar failed;
    2: the settings are invalid; 3: the app already runs, and shows nothing.
    """
    arguments = parse_arguments(argv)
    configure_logs()
    try:
        path = parse_link(arguments.link) if arguments.link else None
        instance = Instance(make_private_dir(get_config_dir()))
        if not instance.claim():
            return _hand_over(instance, path, is_headless=arguments.headless)
        try:
            settings = _load_settings(arguments)
            _log.info("desktop app started", version=VERSION)
            if settings.headless:
                return _run_headless(settings)
            # A window shows what is wrong with the settings, and tries the corrected ones.
            reload = functools.partial(_read_checked, arguments)
            return _run_window(settings, reload, instance, path or _FIRST_SCREEN)
        finally:
            instance.close()
    except SettingsError as error:
        _show_error(str(error))
        return 2


def _hand_over(instance: Instance, path: str | None, *, is_headless: bool) -> int:
    """Bring the running app to the front instead of starting this one."""
    if not is_headless and instance.hand_over(path):
        _log.info("handed_over_to_running_app")
        return 0
    _show_error(messages.APP_RUNS_ALREADY)
    return 3


def _load_settings(arguments: argparse.Namespace) -> Settings:
    """Read and check the settings; with a window, it shows mistakes, otherwise they are raised."""
    try:
        settings = _read_checked(arguments)
    except SettingsError as error:
        if arguments.headless:
            raise
        settings = build_unusable_settings(str(error))
        _show_error(str(error))
    return settings


def _read_checked(arguments: argparse.Namespace) -> Settings:
    """Read the settings; raises ``SettingsError`` also for unusable ones."""
    settings = read_settings(arguments)
    require_usable_network(settings.portal_url, settings.network)
    return settings


def _show_error(text: str) -> None:
    """Show why the app does not start: in a message box on Windows, else on standard error."""
    if sys.platform == "win32" and sys.stderr is None:
        import ctypes  # noqa: PLC0415 - the message box exists on Windows only

        ctypes.windll.user32.MessageBoxW(None, text, "Lab Portal", 0x10)
        return
    sys.stderr.write(f"{text}\n")


def _run_headless(settings: Settings) -> int:
    """Run the sidecar without a window.

    Prints one line of JSON for the parent process, ``{"url", "code"}``. The code can be exchanged
    for a cookie once, within a minute.
    """
    stopped = threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        stopped.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    launch = Launch()
    listener = open_socket()
    port = listener.getsockname()[1]
    server = SidecarServer(listener, Sidecar(settings, port, launch, Workstation()).asgi)
    server.start()
    try:
        server.wait_until_ready()
        code = launch.issue_code(_FIRST_SCREEN, "headless")
        sys.stdout.write(json.dumps({"url": f"http://127.0.0.1:{port}", "code": code}) + "\n")
        sys.stdout.flush()
        while server.is_alive and not stopped.wait(0.5):
            pass
        return 0 if stopped.is_set() else 1
    finally:
        server.stop()


def _run_window(
    settings: Settings, reload: Callable[[], Settings], instance: Instance, path: str
) -> int:
    """Run the windows in this thread and the sidecar in another until the last window closes."""
    # Imported here, so that the slow window library does not delay the headless start.
    from app.desktop.window.host import AppWindows, prepare_environment  # noqa: PLC0415
    from app.desktop.window.places import RememberedPlace  # noqa: PLC0415

    prepare_environment()
    launch = Launch()
    listener = open_socket()
    port = listener.getsockname()[1]
    remembered = RememberedPlace(settings.config_dir / "window.json")
    windows = AppWindows(f"http://127.0.0.1:{port}", launch, remembered, find_bundled_file(_ICON))
    sidecar = Sidecar(settings, port, launch, Workstation(windows=windows, reload_settings=reload))
    server = SidecarServer(listener, sidecar.asgi)
    server.start()
    failed = threading.Event()

    def close_after_failure() -> None:
        """Close the windows when the sidecar ends, since they cannot work without it."""
        server.join()
        failed.set()
        windows.close_all()

    def stop(_: int, __: FrameType | None) -> None:
        windows.close_all()

    signal.signal(signal.SIGTERM, stop)
    try:
        server.wait_until_ready()
        windows.open(path)
        instance.listen(windows.show)
        threading.Thread(target=close_after_failure, daemon=True).start()
        with contextlib.suppress(KeyboardInterrupt):
            windows.run()
        return 1 if failed.is_set() else 0
    finally:
        server.stop()
