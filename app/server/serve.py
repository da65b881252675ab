"""The ``serve`` command: database, migrations, data, server, and an orderly shutdown."""

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
from app.server.database.embedded import (
    EmbeddedPostgres,
    EmbeddedPostgresError,
    find_running_port,
)
from app.server.jobs.process import WorkerProcess, build_worker_command
from app.server.keys import KeyFolder
from app.server.main import build_app, build_portal
from app.server.portal import Portal
from app.server.schema.migrate import BusyTableError, UnsupportedDatabaseError, migrate
from app.server.seeding import DEMO_PASSWORD, has_accounts, load
from app.server.seeding.showcase import complete_demo_requisitions
from app.server.settings import Settings

_log = structlog.get_logger("portal")


def say(text: str) -> None:
    """Print a line of progress on the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@contextmanager
def open_owner_database(settings: Settings, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the owner's URL of the configured database; without one, run the embedded database."""
    if settings.database_url:
        yield check_database_url(settings.database_url)
        return
    keys = KeyFolder(settings.data_dir / "keys")
    cluster = EmbeddedPostgres(settings.data_dir, keys.load_password("database-owner"), report)
    cluster.start()
    try:
        yield cluster.url
    finally:
        cluster.stop()


@contextmanager
def open_any_database(settings: Settings, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the owner's URL as ``open_owner_database``, also while a portal runs on the folder."""
    port = None if settings.database_url else find_running_port(settings.data_dir)
    if port is None:
        with open_owner_database(settings, report) as url:
            yield url
        return
    password = KeyFolder(settings.data_dir / "keys").load_password("database-owner")
    yield f"postgresql://portal_owner:{password}@127.0.0.1:{port}/portal"


class DatabaseUrlError(RuntimeError):
    """The database of DATABASE_URL cannot be used."""


def check_database_url(url: str) -> str:
    """Check that the database answers and its login has the needed rights; return the URL.

    Raises:
        DatabaseUrlError: the text says what is wrong, without the password.
    """
    url = url.replace("postgres://", "postgresql://", 1)
    try:
        with psycopg.connect(url, connect_timeout=10) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.OperationalError as error:
        raise DatabaseUrlError(
            f"The database of DATABASE_URL does not answer: {str(error).splitlines()[0]}"
        ) from error
    except psycopg.ProgrammingError as error:
        raise DatabaseUrlError(
            "DATABASE_URL is not an address such as postgresql://owner:password@host:5432/name"
        ) from error
    if not row or not row[0]:
        raise DatabaseUrlError(
            "The login of DATABASE_URL must be allowed to create roles (ALTER ROLE ... CREATEROLE)."
        )
    return url


def prepare_database(settings: Settings, owner_url: str) -> str:
    """Migrate the database, and return the application login's URL."""
    keys = KeyFolder(settings.data_dir / "keys")
    return migrate(owner_url, keys.load_password("database-app"))


def run(arguments: list[str]) -> int:
    """Run the portal with a worker beside it, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app serve")
    parser.add_argument("--no-demo", action="store_true", help="do not load the demo lab")
    options = parser.parse_args(arguments)
    settings = Settings()
    if options.no_demo:
        settings = settings.model_copy(update={"demo": False})
    if settings.demo and not _may_show_demo(settings):
        say(
            f"The demo lab has published passwords, and {settings.host} can be reached from other "
            f"machines. Set PORTAL_DEMO=false, or PORTAL_DEMO_HOST={settings.host} to show it."
        )
        return 1
    settings.data_dir.mkdir(parents=True, exist_ok=True, mode=0o711)
    logs.configure(settings.log_level)
    try:
        listening = _listen(settings)
    except OSError as error:
        say(f"Port {settings.port} cannot be used ({error.strerror}). Set PORTAL_PORT to another.")
        return 1
    # Shut down as orderly for a service manager as for a person.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # uvicorn raises the signal again after its own shutdown.
        with (
            suppress(KeyboardInterrupt),
            open_owner_database(settings, lambda text: say(f"  {text} ...")) as owner_url,
        ):
            _serve(settings, owner_url, listening)
    except (
        BusyTableError,
        EmbeddedPostgresError,
        DatabaseUrlError,
        UnsupportedDatabaseError,
    ) as error:
        say(str(error))
        return 1
    say("Stopped.")
    return 0


class _Server(uvicorn.Server):
    """Starts what the first requests would wait for, and ends streams that never end."""

    @property
    def _portal(self) -> Portal:
        portal: Portal = self.config.app.state.portal  # type: ignore[union-attr]
        return portal

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._starting = asyncio.create_task(self._portal.drawers.start())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._portal.changes.end()
        await super().shutdown(sockets)


def _serve(settings: Settings, owner_url: str, listening: socket.socket) -> None:
    started = time.monotonic()
    say("  Database is up; bringing the schema up to date ...")
    app_url = prepare_database(settings, owner_url)
    accounts = _load_data(settings, owner_url)
    if accounts:
        asyncio.run(_complete_demo(settings, app_url))
    app = build_app(settings, app_url)
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=10,
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=settings.trusted_proxies,
            server_header=False,
        )
    )
    _log.info("portal started", version=VERSION)
    _announce(settings, accounts, time.monotonic() - started)
    if not accounts and not has_accounts(owner_url):
        say("  There is no account yet. Create one: python -m app admin create")
    with WorkerProcess(build_worker_command(), say):
        asyncio.run(server.serve(sockets=[listening]))


def _may_show_demo(settings: Settings) -> bool:
    """Whether the demo lab is on this machine alone, or shown on purpose."""
    return settings.host in ("127.0.0.1", "localhost") or settings.host == settings.demo_host


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


def _listen(settings: Settings) -> socket.socket:
    # asyncio disables Nagle's delay (40 ms per call) only if the protocol is explicit.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if os.name == "posix":
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    return listening


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
    say("  Press Ctrl-C to stop.")
