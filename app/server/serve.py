"""The ``serve`` command: database, migrations, data, server, and an orderly shutdown."""

import argparse
import asyncio
import socket
import threading
import time
from contextlib import suppress

import structlog

from app.basics.terminal import say
from app.basics.version import VERSION
from app.server import logs
from app.server.api_processes import (
    bind_socket,
    build_api_processes,
    interrupt_on_signals,
    wait_until_open,
)
from app.server.child_process import ChildProcess, keep_running, run_in_process
from app.server.database.embedded import EmbeddedPostgresError
from app.server.exposure import PublishedPasswordError, find_exposing_host
from app.server.memory import pause_collections, release_freed_memory
from app.server.open_database import DatabaseUrlError, PreparedDatabase, open_owner_database
from app.server.schema.names import BusyTableError, UnsupportedDatabaseError
from app.server.settings import Settings

_log = structlog.get_logger("portal")


def run(arguments: list[str]) -> int:
    """Run the portal with a worker beside it, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app serve")
    parser.add_argument("--no-demo", action="store_true", help="do not load the demo lab")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.no_demo:
        settings = settings.model_copy(update={"demo": False})
    if settings.demo and (host := find_exposing_host(settings)):
        say(
            f"The demo lab has published passwords, and {host} can be reached from other "
            f"machines. Set PORTAL_DEMO=false, or PORTAL_DEMO_HOST={host} to show it."
        )
        return 1
    release_freed_memory()
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    logs.configure_logs(settings.log_level)
    try:
        server_socket = bind_socket(settings)
    except OSError as error:
        say(f"Port {settings.port} cannot be used ({error.strerror}). Set PORTAL_PORT to another.")
        return 1
    interrupt_on_signals()
    try:
        # uvicorn raises the signal again after its own shutdown.
        with (
            suppress(KeyboardInterrupt),
            open_owner_database(settings, lambda text: say(f"  {text} ...")) as owner_url,
        ):
            _serve_portal(settings, owner_url, server_socket)
    except (
        BusyTableError,
        EmbeddedPostgresError,
        DatabaseUrlError,
        PublishedPasswordError,
        UnsupportedDatabaseError,
    ) as error:
        say(str(error))
        return 1
    say("Stopped.")
    return 0


def _serve_portal(settings: Settings, owner_url: str, server_socket: socket.socket) -> None:
    started_at = time.monotonic()
    count = settings.api_processes
    if count == 1:
        database = _prepare_portal(settings, owner_url)
    else:
        # This process only watches the others, so it does not load what they need: 90 MB, and 250
        # more for the demo lab.
        database = run_in_process(_prepare_portal, settings, owner_url)
    children = build_api_processes(settings, count, _log.error) if count > 1 else []
    worker = ChildProcess("work", "The background worker", _log.error, settings.hang_seconds)
    with keep_running([*children, worker]):
        if children:
            wait_until_open(settings)
        _log.info("portal started", version=VERSION, processes=count)
        _announce_portal(settings, database.demo_accounts, time.monotonic() - started_at)
        if not database.has_accounts:
            say("  There is no account yet. Create one: python -m app admin create")
        if children:
            threading.Event().wait()  # until a signal interrupts it
        else:
            _answer_requests(settings, database.app_url, server_socket)


def _prepare_portal(settings: Settings, owner_url: str) -> PreparedDatabase:
    with pause_collections():
        from app.server.preparation import prepare_portal

    return prepare_portal(settings, owner_url)


def _answer_requests(settings: Settings, app_url: str, server_socket: socket.socket) -> None:
    with pause_collections():
        from app.server.api import build_server

    asyncio.run(build_server(settings, app_url).serve(sockets=[server_socket]))


def _announce_portal(
    settings: Settings, accounts: list[tuple[str, str, str]], seconds: float
) -> None:
    say("")
    if accounts:
        width = max(len(email) for _, email, _ in accounts)
        say(f"  {'Role':<14} {'E-mail':<{width}}  Password")
        for role, email, password in accounts:
            say(f"  {role:<14} {email:<{width}}  {password}")
        say("")
    say(f"  The lab portal is at http://{settings.host}:{settings.port}  ({seconds:.1f} s)")
    say(f"  Version {VERSION}")
    say("  Press Ctrl-C to stop.")
