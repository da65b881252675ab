"""The sidecar's process: serves the app's windows until the app ends (ADR 77)."""

import argparse
import asyncio
import base64
import functools
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import structlog
import uvicorn
from starlette.types import ASGIApp

from app.basics.bounded_http import BoundedHttp
from app.desktop.application import Sidecar, Workstation
from app.desktop.channel import Start, decode_start
from app.desktop.errors import SettingsError, show_error
from app.desktop.files import FileLock, get_config_dir
from app.desktop.launch import Launch
from app.desktop.logs import SIDECAR_LOG, configure_logs
from app.desktop.relay.portal import require_usable_network
from app.desktop.relay.session import SessionState
from app.desktop.settings import (
    Settings,
    build_unusable_settings,
    parse_arguments,
    read_settings,
)
from app.desktop.window.document_folder import remove_documents
from app.desktop.window.endpoints import NoWindows
from app.desktop.window.remote import RemoteWindows

_STOP_SECONDS = 10.0
_log = structlog.get_logger("portal.desktop")


def run_sidecar() -> int:
    """Run the sidecar that the app has started, and return the exit code.

    0: the app has ended; 1: the previous sidecar does not end; 2: the settings are invalid.
    """
    start = decode_start(sys.stdin.buffer.readline())
    configure_logs(SIDECAR_LOG)
    # The sidecar of an app that was killed may still be ending; its files are in use until then.
    lock = FileLock(get_config_dir() / "sidecar.lock")
    if not lock.acquire(waits=True):
        return 1
    try:
        settings = _load_settings(parse_arguments(start.arguments))
    except SettingsError as error:
        show_error(str(error))
        return 2
    asyncio.run(_serve_requests(start, settings))
    lock.release()
    return 0


def _load_settings(arguments: argparse.Namespace) -> Settings:
    """Read and check the settings; a window shows mistakes, otherwise they are raised."""
    try:
        return _read_checked_settings(arguments)
    except SettingsError as error:
        if arguments.headless:
            raise
        show_error(str(error))
        return build_unusable_settings(str(error))


def _read_checked_settings(arguments: argparse.Namespace) -> Settings:
    """Read the settings, or raise ``SettingsError`` if one is missing or unusable."""
    settings = read_settings(arguments)
    require_usable_network(settings.portal_url, settings.network)
    return settings


async def _serve_requests(start: Start, settings: Settings) -> None:
    """Answer requests until the channel to the app ends."""
    listener = _open_socket(start.listener)
    launch = Launch(bytes.fromhex(start.secret), start.closed)
    remote = RemoteWindows(on_closed=launch.close_window)
    sidecar = Sidecar(
        settings,
        listener.getsockname()[1],
        launch,
        Workstation(
            windows=NoWindows() if settings.headless else remote,
            # A window shows what is wrong with the settings, and tries the corrected ones.
            reload_settings=functools.partial(
                _read_checked_settings, parse_arguments(start.arguments)
            ),
            store_state=remote.store_state,
            temporary=Path(start.documents),
            previous_state=SessionState(**start.state) if start.state else None,  # type: ignore[arg-type]
        ),
    )
    server = SidecarServer(sidecar.asgi, remote.notify_ready)
    serving_task = asyncio.create_task(server.serve(sockets=[listener]))
    channel_task = asyncio.create_task(remote.run(_open_socket(start.channel)))
    await asyncio.wait((serving_task, channel_task), return_when=asyncio.FIRST_COMPLETED)
    _end_in_time()
    server.should_exit = True
    await serving_task
    if channel_task.done():  # the app has ended, and may have been killed
        remove_documents(Path(start.documents))


class SidecarServer(uvicorn.Server):
    """uvicorn that says when it answers."""

    def __init__(self, app: ASGIApp, on_ready: Callable[[], None] = lambda: None) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=BoundedHttp,
                access_log=False,  # paths may name records
                log_config=None,
                lifespan="on",
                proxy_headers=False,
                server_header=False,
                timeout_keep_alive=60,
                timeout_graceful_shutdown=2,  # event streams never end on their own
            )
        )
        self._on_ready = on_ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to accept connections."""
        await super().startup(sockets)
        if self.started:
            self._on_ready()


def _open_socket(shared: int | str) -> socket.socket:
    """Return a socket of the app: inherited, or on Windows a duplicate."""
    if isinstance(shared, int):
        return socket.socket(fileno=shared)
    duplicate: socket.socket = socket.fromshare(base64.b64decode(shared))  # type: ignore[attr-defined]
    return duplicate


def _end_in_time() -> None:
    """End this process even if a thread or a library never returns."""

    def end() -> None:
        _log.error("sidecar_stops_late")
        os._exit(1)

    timer = threading.Timer(_STOP_SECONDS, end)
    timer.daemon = True
    timer.start()
