"""The ``serve`` command: database, migrations, data, server, and an orderly shutdown."""

import argparse
import asyncio
import socket
import threading
import time
from contextlib import suppress
from urllib.parse import urlsplit

import structlog

from app.basics.terminal import say
from app.basics.version import VERSION
from app.server import logs
from app.server.api import (
    bind,
    build_api_processes,
    build_server,
    interrupt_on_signals,
    wait_until_open,
)
from app.server.audit_seals.keys import SealKeys
from app.server.child_process import ChildProcess, keep_running
from app.server.database.embedded import EmbeddedPostgresError
from app.server.keys import KeyFolder
from app.server.main import build_portal
from app.server.open_database import DatabaseUrlError, open_owner_database, prepare_database
from app.server.schema.migrate import BusyTableError, UnsupportedDatabaseError
from app.server.seeding import DEMO_PASSWORD, has_accounts, list_published_accounts, load
from app.server.seeding.showcase import complete_demo_requisitions
from app.server.settings import Settings

_log = structlog.get_logger("portal")
_LOOPBACK = ("127.0.0.1", "localhost")


class PublishedPasswordError(Exception):
    """Other machines could sign in with the published password of the demo lab."""


def run(arguments: list[str]) -> int:
    """Run the portal with a worker beside it, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app serve")
    parser.add_argument("--no-demo", action="store_true", help="do not load the demo lab")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.no_demo:
        settings = settings.model_copy(update={"demo": False})
    if settings.demo and (host := _find_exposing_host(settings)):
        say(
            f"The demo lab has published passwords, and {host} can be reached from other "
            f"machines. Set PORTAL_DEMO=false, or PORTAL_DEMO_HOST={host} to show it."
        )
        return 1
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    logs.configure_logs(settings.log_level)
    try:
        bound = bind(settings)
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
            _serve_portal(settings, owner_url, bound)
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


def _serve_portal(settings: Settings, owner_url: str, bound: socket.socket) -> None:
    started = time.monotonic()
    say("  Database is up; bringing the schema up to date ...")
    app_url = prepare_database(settings, owner_url)
    # Create the key that a worker would create later, so that copies of the folder have all keys.
    SealKeys(settings.data_dir / "keys").load_current()
    accounts = _load_data(settings, owner_url)
    _require_unpublished_passwords(settings, owner_url)
    if accounts:
        asyncio.run(_complete_demo(settings, app_url))
    count = settings.api_processes
    children = build_api_processes(settings, count, say) if count > 1 else []
    worker = ChildProcess("work", "The background worker", say)
    with keep_running([*children, worker]):
        if children:
            wait_until_open(settings)
        _log.info("portal started", version=VERSION, processes=count)
        _announce_portal(settings, accounts, time.monotonic() - started)
        if not accounts and not has_accounts(owner_url):
            say("  There is no account yet. Create one: python -m app admin create")
        if children:
            threading.Event().wait()  # until a signal interrupts it
        else:
            asyncio.run(build_server(settings, app_url).serve(sockets=[bound]))


def _find_exposing_host(settings: Settings) -> str | None:
    """Find the host under which other machines reach the portal, unless it is public on purpose.

    A proxy on this machine lets others in under the host of ``public_url``.
    """
    public = (urlsplit(settings.public_url).hostname or "") if settings.public_url else ""
    hosts = [host for host in (settings.host, public) if host and host not in _LOOPBACK]
    return None if settings.demo_host in hosts else next(iter(hosts), None)


def _require_unpublished_passwords(settings: Settings, owner_url: str) -> None:
    """Raise PublishedPasswordError if a portal for other machines once had the demo lab."""
    host = _find_exposing_host(settings)
    if host is None:
        return
    if emails := list_published_accounts(owner_url):
        raise PublishedPasswordError(
            "This database has the demo lab, whose passwords are published: "
            f"{', '.join(emails)}. Use another database (PORTAL_DATA_DIR or DATABASE_URL), or set "
            f"PORTAL_DEMO_HOST={host} to show the demo lab to other machines."
        )


def _load_data(settings: Settings, owner_url: str) -> list[tuple[str, str]]:
    keys = KeyFolder(settings.data_dir / "keys")
    return load(
        owner_url,
        keys,
        demo=settings.demo,
        time_zone=settings.time_zone,
        report=lambda text: say(f"  {text} ..."),
    )


async def _complete_demo(settings: Settings, app_url: str) -> None:
    portal = build_portal(settings, app_url)
    await portal.database.open()
    try:
        await complete_demo_requisitions(portal)
    finally:
        await portal.addresses.close()
        await portal.senders.close()
        await portal.database.close()


def _announce_portal(settings: Settings, accounts: list[tuple[str, str]], seconds: float) -> None:
    say("")
    if accounts:
        width = max(len(email) for _, email in accounts)
        say(f"  {'Role':<14} {'E-mail':<{width}}  Password")
        for role, email in accounts:
            say(f"  {role:<14} {email:<{width}}  {DEMO_PASSWORD}")
        say("")
    say(f"  The lab portal is at http://{settings.host}:{settings.port}  ({seconds:.1f} s)")
    say(f"  Version {VERSION}")
    say("  Press Ctrl-C to stop.")
