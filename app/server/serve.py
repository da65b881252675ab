"""Runs the hosted portal: database, migrations, data, server, and an orderly end."""

import argparse
import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import psycopg
import structlog
import uvicorn

from app.basics.version import VERSION
from app.server import logs
from app.server.database.embedded import EmbeddedPostgres, EmbeddedPostgresError
from app.server.jobs.process import WorkerProcess, worker_command
from app.server.keys import KeyFolder
from app.server.main import build, portal_of
from app.server.schema.migrate import BusyTableError, UnsupportedDatabaseError, migrate
from app.server.seeding import DEMO_PASSWORD, load
from app.server.seeding.showcase import dress
from app.server.settings import Settings

_log = structlog.get_logger("portal")


def say(text: str) -> None:
    """A line of progress for the person at the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@contextmanager
def owner_database(settings: Settings, report: Callable[[str], None]) -> Iterator[str]:
    """The owner's URL of the database: the given one, or the embedded one while it is needed."""
    if settings.database_url:
        yield given_database(settings.database_url)
        return
    keys = KeyFolder(settings.data_dir / "keys")
    cluster = EmbeddedPostgres(settings.data_dir, keys.password("database-owner"), report)
    cluster.start()
    try:
        yield cluster.url
    finally:
        cluster.stop()


class GivenDatabaseError(RuntimeError):
    """DATABASE_URL names a database that can not be used."""


def given_database(url: str) -> str:
    """The URL, once its database has answered and its login is known to suffice.

    Raises:
        GivenDatabaseError: with what is wrong, and never with the password.
    """
    url = url.replace("postgres://", "postgresql://", 1)
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.OperationalError as error:
        raise GivenDatabaseError(
            f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}"
        ) from error
    except psycopg.ProgrammingError as error:
        raise GivenDatabaseError(
            "DATABASE_URL is not an address such as postgresql://owner:password@host:5432/name"
        ) from error
    if not row or not row[0]:
        raise GivenDatabaseError(
            "The login of DATABASE_URL must be allowed to create roles (ALTER ROLE ... CREATEROLE)."
        )
    return url


def prepare(settings: Settings, owner_url: str) -> str:
    """Migrate, and answer the application login's URL."""
    keys = KeyFolder(settings.data_dir / "keys")
    return migrate(owner_url, keys.password("database-app"))


def run(arguments: list[str]) -> int:
    """The ``serve`` command: the portal and a worker beside it. Returns the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m app serve")
    parser.add_argument("--no-demo", action="store_true", help="do not load the demo lab")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.no_demo:
        settings = settings.model_copy(update={"demo": False})
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    logs.configure(settings.log_level)
    try:
        listening = _listen(settings)
    except OSError as error:
        say(f"Port {settings.port} can not be used ({error.strerror}). Set PORTAL_PORT to another.")
        return 1
    # A service manager's end is as orderly as a person's.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # uvicorn hands the signal on after its own orderly end.
        with (
            suppress(KeyboardInterrupt),
            owner_database(settings, lambda text: say(f"  {text} ...")) as owner_url,
        ):
            _serve(settings, owner_url, listening)
    except (
        BusyTableError,
        EmbeddedPostgresError,
        GivenDatabaseError,
        UnsupportedDatabaseError,
    ) as error:
        say(str(error))
        return 1
    say("Stopped.")
    return 0


class _Server(uvicorn.Server):
    """Lets those who listen for changes go first: their answers would never end by themselves."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.config.app.state.portal.changes.end()  # type: ignore[union-attr]
        await super().shutdown(sockets)


def _serve(settings: Settings, owner_url: str, listening: socket.socket) -> None:
    started = time.monotonic()
    say("  Database is up; bringing the schema up to date ...")
    app_url = prepare(settings, owner_url)
    accounts = _load(settings, owner_url)
    if accounts:
        asyncio.run(_dress_demo(settings, app_url))
    app = build(settings, app_url)
    server = _Server(
        uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=10)
    )
    _log.info("portal started", version=VERSION)
    _announce(settings, accounts, time.monotonic() - started)
    with WorkerProcess(worker_command(), say):
        asyncio.run(server.serve(sockets=[listening]))


def _load(settings: Settings, owner_url: str) -> list[tuple[str, str]]:
    keys = KeyFolder(settings.data_dir / "keys")
    return load(
        owner_url,
        keys,
        demo=settings.demo,
        time_zone=settings.time_zone,
        report=lambda text: say(f"  {text} ..."),
    )


async def _dress_demo(settings: Settings, app_url: str) -> None:
    portal = portal_of(settings, app_url)
    await portal.database.open()
    try:
        await dress(portal)
    finally:
        await portal.addresses.close()
        await portal.senders.close()
        await portal.database.close()


def _listen(settings: Settings) -> socket.socket:
    # With the protocol named, asyncio switches Nagle's delay off (40 ms a call otherwise).
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind((settings.host, settings.port))
    return found


def _announce(settings: Settings, accounts: list[tuple[str, str]], seconds: float) -> None:
    say("")
    if accounts:
        width = max(len(email) for _, email in accounts)
        say(f"  {'Role':<14} {'E-mail':<{width}}  Password")
        for role, email in accounts:
            say(f"  {role:<14} {email:<{width}}  {DEMO_PASSWORD}")
        say("")
    say(f"  The lab portal is at http://{settings.host}:{settings.port}  ({seconds:.1f} s)")
    say(f"  Version {VERSION}")
    say("  Ctrl-C ends it.")
