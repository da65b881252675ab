"""Builds the API processes; their parent does not load their libraries (ADR 79)."""

import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress

from app.server.child_process import ChildProcess
from app.server.settings import Settings

_START_SECONDS = 120.0


def bind_socket(settings: Settings, *, shares_port: bool = False) -> socket.socket:
    """Bind a socket to the portal's address.

    Args:
        shares_port: whether other processes of the portal bind to the same port.

    Raises:
        OSError: the port cannot be used.
    """
    # asyncio disables Nagle's delay (40 ms per call) only if the protocol is explicit.
    server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shares_port:
        server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        server_socket.bind((settings.host, settings.port))
    except OSError:
        server_socket.close()
        raise
    return server_socket


def build_api_processes(
    settings: Settings, count: int, report: Callable[[str], None]
) -> list[ChildProcess]:
    """Build the processes that answer requests; they count their metrics in a common folder."""
    metrics = settings.data_dir / "metrics"
    shutil.rmtree(metrics, ignore_errors=True)
    metrics.mkdir(mode=0o700)
    environment = {
        "PROMETHEUS_MULTIPROC_DIR": str(metrics.resolve()),
        "PORTAL_DRAWING_PROCESSES": str(max(1, settings.drawing_processes // count)),
    }
    return [
        ChildProcess(
            "api", f"Process {number} of {count}", report, settings.hang_seconds, environment
        )
        for number in range(1, count + 1)
    ]


def wait_until_open(settings: Settings) -> None:
    """Wait until a process listens, or for two minutes; then the portal is announced anyway."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((settings.host, settings.port), 1):
            return
        time.sleep(0.05)


def interrupt_on_signals() -> None:
    """Raise KeyboardInterrupt for the signal of a service manager, too, not only for Ctrl-C.

    A shell makes processes in the background ignore interrupts, unless they install a handler.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
