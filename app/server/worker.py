"""The ``work`` command: a background worker beside a portal, or alone on another machine."""

import argparse
import asyncio
import logging
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

import psycopg
import structlog
from procrastinate.exceptions import ConnectorException

from app.basics.terminal import say
from app.basics.version import VERSION
from app.server import logs
from app.server.child_process import UNTIL_END_OF_INPUT, call_at_end_of_input
from app.server.heartbeat import HEARTBEAT, send_beats
from app.server.jobs.worker import SchemaNotReadyError, WorkerStoppedError, run_worker
from app.server.lab_settings.zone import apply_time_zone, follow_time_zone
from app.server.main import build_portal
from app.server.memory import release_freed_memory
from app.server.open_database import DatabaseUrlError, NoPortalError, build_app_url
from app.server.settings import Settings
from app.server.slices import SLICES

TASKS = tuple(task for slice_ in SLICES for task in slice_.tasks)
"""The tasks of all slices."""
PERIODIC = tuple(periodic for slice_ in SLICES for periodic in slice_.periodic)
"""The periodic jobs of all slices."""


_log = structlog.get_logger("portal.jobs")


def run(arguments: list[str]) -> int:
    """Run a worker, and return the exit code of the process."""
    parser = argparse.ArgumentParser(prog="python -m app work")
    parser.add_argument(
        UNTIL_END_OF_INPUT, action="store_true", help="end when standard input does"
    )
    parser.add_argument(HEARTBEAT, type=int, help="the descriptor of the parent's pipe")
    options = parser.parse_args(arguments)
    release_freed_memory()
    settings = Settings()
    logs.configure_logs(settings.log_level)
    # The library would log the texts of errors; the worker logs errors itself.
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    _log.info("worker started", version=VERSION)
    try:
        asyncio.run(run_worker_process(settings, build_app_url(settings), options))
    except (DatabaseUrlError, NoPortalError, SchemaNotReadyError, WorkerStoppedError) as error:
        say(str(error))
        return 1
    except (ConnectorException, psycopg.Error):
        say("The database no longer answers. The background worker stops.")
        return 1
    return 0


async def run_worker_process(settings: Settings, url: str, options: argparse.Namespace) -> None:
    """Run the worker of a portal with this database until a signal stops it, or its input ends."""
    send_beats(options.heartbeat)
    portal = build_portal(settings, url)
    await portal.database.open()
    await apply_time_zone(portal)
    zone_task = asyncio.create_task(follow_time_zone(portal))
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
        _call_on_signal(worker.cancel)
        if options.until_end_of_input:
            call_at_end_of_input(worker.cancel)
        with suppress(asyncio.CancelledError):
            await worker
    finally:
        zone_task.cancel()
        await portal.senders.close()
        await portal.addresses.close()
        await portal.database.close()


def _call_on_signal(stop: Callable[[], object]) -> None:
    """Call ``stop`` on Ctrl-C and on SIGTERM."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stop))
        else:
            loop.add_signal_handler(number, stop)
