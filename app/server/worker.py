"""The ``work`` command: a background worker beside a portal, or alone on another machine."""

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
from app.server.jobs.worker import SchemaNotReadyError, WorkerStoppedError, run_worker
from app.server.keys import KeyFolder
from app.server.lab_settings.zone import apply_time_zone, follow_time_zone
from app.server.main import build_portal
from app.server.schema.migrate import APP_LOGIN
from app.server.serve import DatabaseUrlError, check_database_url, say
from app.server.settings import Settings
from app.server.slices import SLICES

TASKS = tuple(task for slice_ in SLICES for task in slice_.tasks)
"""The tasks of all slices."""
PERIODIC = tuple(periodic for slice_ in SLICES for periodic in slice_.periodic)
"""The periodic jobs of all slices."""


_log = structlog.get_logger("portal.jobs")


class NoPortalError(RuntimeError):
    """No portal runs, so there is no database to work on."""


def run(arguments: list[str]) -> int:
    """Run a worker, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app work")
    parser.add_argument(
        "--until-end-of-input", action="store_true", help="end when standard input does"
    )
    options = parser.parse_args(arguments)
    settings = Settings()
    logs.configure(settings.log_level)
    # The library would log the texts of errors; the worker logs errors itself.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    _log.info("worker started", version=VERSION)
    try:
        asyncio.run(_run(settings, build_app_url(settings), options.until_end_of_input))
    except (DatabaseUrlError, NoPortalError, SchemaNotReadyError, WorkerStoppedError) as error:
        say(str(error))
        return 1
    except (ConnectorException, psycopg.Error):
        say("The database no longer answers. The background worker stops.")
        return 1
    return 0


def build_app_url(settings: Settings) -> str:
    """Build the application login's URL of DATABASE_URL, or of the portal on this data folder.

    Raises:
        DatabaseUrlError: the database of DATABASE_URL cannot be used.
        NoPortalError: no portal runs on the data folder.
    """
    password = KeyFolder(settings.data_dir / "keys").load_password("database-app")
    if settings.database_url:
        owner_url = make_url(check_database_url(settings.database_url))
        url = owner_url.set(username=APP_LOGIN, password=password)
        return url.render_as_string(hide_password=False)
    port = find_running_port(settings.data_dir)
    if port is None:
        raise NoPortalError(
            f"No portal runs on {settings.data_dir}. Start `serve`, which includes a worker, "
            "or set DATABASE_URL."
        )
    return f"postgresql://{APP_LOGIN}:{password}@127.0.0.1:{port}/portal"


async def _run(settings: Settings, url: str, until_end_of_input: bool) -> None:
    portal = build_portal(settings, url)
    await portal.database.open()
    await apply_time_zone(portal)
    zone = asyncio.create_task(follow_time_zone(portal))
    try:
        worker = asyncio.create_task(
            run_worker(
                url,
                TASKS,
                portal,
                poll_seconds=settings.worker_poll_seconds,
                periodic=PERIODIC,
            )
        )
        _call_on_stop(worker.cancel, until_end_of_input)
        with suppress(asyncio.CancelledError):
            await worker
    finally:
        zone.cancel()
        await portal.senders.close()
        await portal.addresses.close()
        await portal.database.close()


def _call_on_stop(stop: Callable[[], object], until_end_of_input: bool) -> None:
    """Call ``stop`` on Ctrl-C, on SIGTERM, and optionally at the end of the input."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        else:
            loop.add_signal_handler(number, stop)

    def watch_input() -> None:
        # Read without sys.stdin, whose lock this thread would still hold when Python exits.
        while os.read(0, 1024):
            pass
        with suppress(RuntimeError):  # the loop has already ended
            loop.call_soon_threadsafe(stop)

    if until_end_of_input:
        threading.Thread(target=watch_input, name="end-of-input", daemon=True).start()
