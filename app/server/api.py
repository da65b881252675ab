"""Processes that answer requests, several of which share a port (ADR 79).

A portal on one core answers in its first process. On more cores, the first process starts one
``python -m app api`` for each, and restarts those that die. The kernel spreads connections over
the sockets that listen, so a process that died gets no more of them.
"""

import argparse
import asyncio
import os
import shutil
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress

import structlog
import uvicorn

from app.basics.terminal import say
from app.basics.version import VERSION
from app.server import logs
from app.server.child_process import UNTIL_END_OF_INPUT, ChildProcess, call_at_end_of_input
from app.server.http_protocol import PortalHttp
from app.server.main import build_app
from app.server.open_database import DatabaseUrlError, NoPortalError, build_app_url
from app.server.portal import Portal
from app.server.settings import Settings
from app.server.trusted_proxies import TrustedProxies

_log = structlog.get_logger("portal")
_START_SECONDS = 120.0


class Server(uvicorn.Server):
    """Prepares what the first requests would wait for, and closes open streams on shutdown."""

    @property
    def _portal(self) -> Portal:
        portal: Portal = self.config.app.state.portal  # type: ignore[union-attr]
        return portal

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._starting = asyncio.create_task(self._portal.drawing_pool.start())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._portal.changes.end()
        await super().shutdown(sockets)


class _Config(uvicorn.Config):
    """uvicorn's configuration, with the portal's own reading of what proxies forward."""

    def load(self) -> None:
        super().load()
        if self.forwarded_allow_ips:
            self.loaded_app = TrustedProxies(self.loaded_app, str(self.forwarded_allow_ips))


def build_server(settings: Settings, app_url: str) -> Server:
    """Build the application over a migrated database, and the server that runs it."""
    return Server(
        _Config(
            build_app(settings, app_url),
            http=PortalHttp,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=10,
            proxy_headers=False,
            forwarded_allow_ips=settings.trusted_proxies,
            server_header=False,
        )
    )


def bind(settings: Settings, *, shares_port: bool = False) -> socket.socket:
    """Bind a socket to the portal's address.

    Args:
        shares_port: whether other processes of the portal bind to the same port.

    Raises:
        OSError: the port cannot be used.
    """
    # asyncio disables Nagle's delay (40 ms per call) only if the protocol is explicit.
    bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shares_port:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        bound.bind((settings.host, settings.port))
    except OSError:
        bound.close()
        raise
    return bound


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
        ChildProcess("api", f"Process {number} of {count}", report, environment)
        for number in range(1, count + 1)
    ]


def wait_until_open(settings: Settings) -> None:
    """Wait until a process listens; a slower portal is announced anyway."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        with suppress(OSError), socket.create_connection((settings.host, settings.port), 1):
            return
        time.sleep(0.05)


def interrupt_on_signals() -> None:
    """Raise KeyboardInterrupt for a service manager's signal, as for a person's.

    A shell makes processes in the background ignore interrupts, unless they install a handler.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)


def run(arguments: list[str]) -> int:
    """Answer requests until the end of standard input, and return the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m app api")
    parser.add_argument(
        UNTIL_END_OF_INPUT, action="store_true", required=True, help="end when standard input does"
    )
    parser.parse_args(arguments)
    settings = Settings()
    logs.configure_logs(settings.log_level)
    _log.info("process started", version=VERSION)
    # uvicorn raises the signal again after its own shutdown.
    interrupt_on_signals()
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve_requests(settings, build_app_url(settings)))
    except (DatabaseUrlError, NoPortalError) as error:
        say(str(error))
        return 1
    return 0


async def _serve_requests(settings: Settings, app_url: str) -> None:
    server = build_server(settings, app_url)

    def stop() -> None:
        server.should_exit = True

    call_at_end_of_input(stop)
    await server.serve(sockets=[bind(settings, shares_port=True)])
