"""Composition root of the desktop host: arguments, the sidecar's process, and windows."""

import contextlib
import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import FrameType

import structlog

from app.basics.version import VERSION
from app.contract import messages
from app.desktop.errors import SettingsError, show_error
from app.desktop.files import get_config_dir, make_private_dir
from app.desktop.instance import Instance, parse_link
from app.desktop.launch import FIRST_SCREEN, Launch
from app.desktop.logs import APP_LOG, configure_logs
from app.desktop.settings import find_bundled_file, find_interface, parse_arguments
from app.desktop.supervisor import SIDECAR_ARGUMENT, Supervisor, open_socket

_ICON = "packaging/icons/lab-portal.png"
_HAND_OVER_SECONDS = 15.0
_RETRY_SECONDS = 0.1
_log = structlog.get_logger("portal.desktop")


def run_app(argv: list[str]) -> int:
    """Run the desktop app until its last window closes, and return the exit code.

    0: ended by the user, or handed over to the app that already runs; 1: the sidecar failed;
    2: the settings are invalid; 3: the app already runs, and shows nothing.
    """
    if argv == [SIDECAR_ARGUMENT]:
        # Imported here, because the app's process does not need the sidecar's libraries.
        from app.desktop.sidecar import run_sidecar  # noqa: PLC0415

        return run_sidecar()
    arguments = parse_arguments(argv)
    configure_logs(APP_LOG)
    try:
        path = parse_link(arguments.link) if arguments.link else None
        folder = get_config_dir()
        with _explain_unusable_folder(folder):
            instance = Instance(make_private_dir(folder))
            code = _claim(instance, path, is_headless=arguments.headless)
        if code is not None:
            return code
        try:
            find_interface()
            _log.info("desktop app started", version=VERSION)
            if arguments.headless:
                return _run_headless(argv)
            return _run_window(argv, instance, folder, path or FIRST_SCREEN)
        finally:
            instance.close()
    except SettingsError as error:
        show_error(str(error))
        return 2


@contextlib.contextmanager
def _explain_unusable_folder(folder: Path) -> Iterator[None]:
    """Raise ``SettingsError`` with the reason if a file of the folder cannot be written."""
    try:
        yield
    except OSError as error:
        text = messages.SETTINGS_FOLDER_UNUSABLE.format(folder=folder, reason=error.strerror)
        raise SettingsError(text) from error


def _claim(instance: Instance, path: str | None, *, is_headless: bool) -> int | None:
    """Become the running app and return None, or hand over to it and return the exit code.

    An app that has no window yet, or none any more, cannot show anything. Then this start waits.
    """
    deadline = time.monotonic() + _HAND_OVER_SECONDS
    while not instance.claim():
        if not is_headless and instance.hand_over(path):
            _log.info("handed_over_to_running_app")
            return 0
        if is_headless or time.monotonic() >= deadline:
            show_error(messages.APP_RUNS_ALREADY)
            return 3
        time.sleep(_RETRY_SECONDS)
    return None


class _NoWindows:
    """The host of a sidecar without windows; ``has_ended`` is set by ``close_all``."""

    def __init__(self) -> None:
        self.has_ended = threading.Event()

    def open(self, path: str) -> None:
        """Open nothing."""

    def change(self, name: str, act: str | None, title: str | None) -> None:
        """Change nothing."""

    def choose_file(self, name: str) -> Path | None:
        """Return nothing: there is nobody to ask."""
        return None

    def copy(self, text: str) -> bool:
        """Return False: there is no clipboard."""
        return False

    def start_over(self) -> None:
        """Load nothing."""

    def ask_to_try_again(self, question: str) -> bool:
        """Return False: there is nobody to ask."""
        return False

    def close_all(self) -> None:
        """End the host."""
        self.has_ended.set()


def _run_headless(argv: list[str]) -> int:
    """Run the sidecar without a window.

    Prints one line of JSON for the parent process, ``{"url", "code"}``. The code can be exchanged
    for a cookie once, within a minute.
    """
    host = _NoWindows()

    def stop(_: int, __: FrameType | None) -> None:
        host.close_all()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    launch = Launch()
    listener = open_socket()
    supervisor = Supervisor(listener, launch, argv, host)
    supervisor.start()
    try:
        if supervisor.wait_until_ready():
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            code = launch.issue_code(FIRST_SCREEN, "headless")
            sys.stdout.write(json.dumps({"url": url, "code": code}) + "\n")
            sys.stdout.flush()
            host.has_ended.wait()
        return supervisor.exit_code or 0
    finally:
        supervisor.stop()


def _run_window(argv: list[str], instance: Instance, folder: Path, path: str) -> int:
    """Run the windows in this thread, and the sidecar until the last window closes."""
    # Imported here, so that the slow window library does not delay the headless start.
    from app.desktop.window.host import AppWindows, prepare_environment  # noqa: PLC0415
    from app.desktop.window.places import RememberedPlace  # noqa: PLC0415

    prepare_environment()
    launch = Launch()
    listener = open_socket()
    windows = AppWindows(
        f"http://127.0.0.1:{listener.getsockname()[1]}",
        launch,
        RememberedPlace(folder / "window.json"),
        find_bundled_file(_ICON),
    )
    supervisor = Supervisor(listener, launch, argv, windows)
    windows.attach(lambda: supervisor.is_answering, supervisor.close_window)

    def stop(_: int, __: FrameType | None) -> None:
        windows.close_all()

    signal.signal(signal.SIGTERM, stop)
    # The sidecar's libraries load while the window's do. Requests wait until it answers.
    supervisor.start()
    try:
        windows.open(path)
        with _explain_unusable_folder(folder):
            instance.listen(windows.show)
        if supervisor.exit_code is not None:  # it has ended before there was a window to close
            windows.close_all()
        with contextlib.suppress(KeyboardInterrupt):
            windows.run()
        return supervisor.exit_code or 0
    finally:
        instance.stop_listening()
        supervisor.stop()
