"""Processes that answer requests; several processes can share a port (ADR 79).

A portal on one core answers in its first process. On more cores, the first process starts one
``python -m app api`` for each core, and restarts those that die. The kernel spreads connections
over the sockets that listen, so a process that died gets no more of them.
"""

import argparse
import asyncio
import socket
from contextlib import suppress

import structlog
import uvicorn

from app.basics.terminal import say
from app.basics.version import VERSION
from app.server import logs
from app.server.api_processes import bind_socket, interrupt_on_signals
from app.server.child_process import UNTIL_END_OF_INPUT, call_at_end_of_input
from app.server.heartbeat import HEARTBEAT, send_beats
from app.server.http_protocol import PortalHttp
from app.server.main import build_app
from app.server.memory import release_freed_memory
from app.server.open_database import DatabaseUrlError, NoPortalError, build_app_url
from app.server.portal import Portal
from app.server.settings import Settings
from app.server.trusted_proxies import TrustedProxies

_log = structlog.get_logger("portal")


class Server(uvicorn.Server):
    """Prepares what the first requests would wait for, and closes open streams on shutdown."""

    @property
    def _portal(self) -> Portal:
        portal: Portal = self.config.app.state.portal  # type: ignore[union-attr]
        return portal

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._start_task = asyncio.create_task(self._portal.drawing_pool.start())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._portal.changes.end()
        await super().shutdown(sockets)


class _Config(uvicorn.Config):
    """uvicorn's configuration; ``TrustedProxies`` reads the headers that proxies add."""

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


def run(arguments: list[str]) -> int:
    """Answer requests until the end of standard input, and return the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m app api")
    parser.add_argument(
        UNTIL_END_OF_INPUT, action="store_true", required=True, help="end when standard input does"
    )
    parser.add_argument(HEARTBEAT, type=int, help="the descriptor of the parent's pipe")
    options = parser.parse_args(arguments)
    release_freed_memory()
    settings = Settings()
    logs.configure_logs(settings.log_level)
    _log.info("process started", version=VERSION)
    # uvicorn raises the signal again after its own shutdown.
    interrupt_on_signals()
    try:
        with suppress(KeyboardInterrupt):
            asyncio.run(_serve_requests(settings, build_app_url(settings), options.heartbeat))
    except (DatabaseUrlError, NoPortalError) as error:
        say(str(error))
        return 1
    return 0


async def _serve_requests(settings: Settings, app_url: str, heartbeat: int | None) -> None:
    send_beats(heartbeat)
    server = build_server(settings, app_url)

    def stop() -> None:
        server.should_exit = True

    call_at_end_of_input(stop)
    await server.serve(sockets=[bind_socket(settings, shares_port=True)])
