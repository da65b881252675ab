"""Runs a background worker: beside a portal as its child, or alone on another machine."""

import argparse
import asyncio
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import suppress

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException
from sqlalchemy.engine import make_url

from app.basics.version import VERSION
from app.server import logs
from app.server.database.embedded import find_running_port
from app.server.jobs.worker import SchemaNotReadyError, WorkerStoppedError, work
from app.server.keys import KeyFolder
from app.server.main import portal_of
from app.server.schema.migrate import APP_LOGIN
from app.server.serve import GivenDatabaseError, given_database, say
from app.server.settings import Settings
from app.server.slices import SLICES

TASKS = tuple(task for each in SLICES for task in each.tasks)
"""What this worker can do."""
PERIODIC = tuple(work for each in SLICES for work in each.periodic)
"""What it does by the clock."""


_log = structlog.get_logger("portal.jobs")


class NoPortalError(RuntimeError):
    """There is no database to work for."""


def run(arguments: list[str]) -> int:
    """The ``work`` command. Returns the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m app work")
    parser.add_argument(
        "--until-end-of-input", action="store_true", help="end when standard input does"
    )
    options = parser.parse_args(arguments)
    settings = Settings()
    logs.configure(settings.log_level)
    # What the library logs of errors holds their texts; what matters of them is logged by us.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    _log.info("worker started", version=VERSION)
    try:
        asyncio.run(_work(settings, app_url(settings), options.until_end_of_input))
    except (GivenDatabaseError, NoPortalError, SchemaNotReadyError, WorkerStoppedError) as error:
        say(str(error))
        return 1
    except (ConnectorException, psycopg.Error):
        say("The database does not answer any more; the background worker ends.")
        return 1
    return 0


def app_url(settings: Settings) -> str:
    """The application login's URL of the given database, or of the portal on this data folder.

    Raises:
        GivenDatabaseError: DATABASE_URL names a database that can not be used.
        NoPortalError: no portal runs on the data folder.
    """
    password = KeyFolder(settings.data_dir / "keys").password("database-app")
    if settings.database_url:
        url = make_url(given_database(settings.database_url))
        found = url.set(username=APP_LOGIN, password=password)
        return found.render_as_string(hide_password=False)
    port = find_running_port(settings.data_dir)
    if port is None:
        raise NoPortalError(
            f"No portal runs on {settings.data_dir}. Start `serve` (it brings a worker along), "
            "or set DATABASE_URL."
        )
    return f"postgresql://{APP_LOGIN}:{password}@127.0.0.1:{port}/portal"


async def _work(settings: Settings, url: str, until_end_of_input: bool) -> None:
    portal = portal_of(settings, url)
    await portal.database.open()
    try:
        working = asyncio.create_task(
            work(
                url,
                TASKS,
                portal,
                poll_seconds=settings.worker_poll_seconds,
                periodic=PERIODIC,
            )
        )
        _when_asked_to_end(working.cancel, until_end_of_input)
        with suppress(asyncio.CancelledError):
            await working
    finally:
        await portal.senders.close()
        await portal.addresses.close()
        await portal.database.close()


def _when_asked_to_end(end: Callable[[], object], until_end_of_input: bool) -> None:
    """Call ``end`` on Ctrl-C, on SIGTERM, and at the end of the input."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
        else:
            loop.add_signal_handler(number, end)

    def watch() -> None:
        # Not by sys.stdin, whose lock this thread would still hold when Python ends.
        while os.read(0, 1024):
            pass
        with suppress(RuntimeError):  # it has ended already
            loop.call_soon_threadsafe(end)

    if until_end_of_input:
        threading.Thread(target=watch, name="end-of-input", daemon=True).start()
