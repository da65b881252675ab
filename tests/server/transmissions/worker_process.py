"""A worker process that a test may kill."""

import argparse
import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from app.server import logs
from app.server.settings import Settings
from app.server.worker import run_worker_process
from tests.server.transmissions.conftest import Office
from tests.standins.processes import CopiedProcess


def work(settings: Settings, app_url: str) -> None:
    """Run a worker until its input ends, as the command does."""
    logs.configure_logs("DEBUG")
    options = argparse.Namespace(until_end_of_input=True, heartbeat=None)
    asyncio.run(run_worker_process(settings, app_url, options))


@contextmanager
def run_process(office: Office, log: Path) -> Iterator[CopiedProcess]:
    """Run a worker process, which ends when its input closes."""
    worker = CopiedProcess(log, work, office.settings, office.app_url)
    try:
        yield worker
    finally:
        worker.close_input()
        try:
            worker.wait(60)
        finally:
            worker.kill()
            worker.wait()


def expire_workers(owner_url: str) -> None:
    """Make killed workers look silent for an hour, instead of waiting."""
    with psycopg.connect(owner_url, options="-c search_path=jobs,public") as connection:
        connection.execute(
            "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'"
        )
