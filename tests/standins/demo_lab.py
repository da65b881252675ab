"""Portals with the demo lab, which is loaded once per run."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
import psycopg
import pytest

from app.server.database.embedded import EmbeddedPostgres
from app.server.keys import KeyFolder
from app.server.seeding import DEMO_PASSWORD
from tests.standins.ports import reserve_port

ROOT = Path(__file__).parents[2]
_START_SECONDS = 300


@dataclass(frozen=True)
class Load:
    """What loading the demo lab did.

    Attributes:
        data_dir: the data folder, which portals with their own database can copy and use.
        output: what the portal printed.
        portal_files: the names in its data folder while it ran.
        sign_in_status: the status of signing in.
        requisition_count: the requisitions in the database after the portal had stopped.
    """

    data_dir: Path
    output: str
    portal_files: list[str]
    sign_in_status: int
    requisition_count: int


def copy_data(tmp_path_factory: pytest.TempPathFactory, target: Path) -> None:
    """Copy a data folder with the demo lab to ``target``."""
    load = load_demo_lab(tmp_path_factory)
    _open_to_all(target.parent)
    # The database's files belong to another user where the tests run as root.
    subprocess.run(["cp", "--archive", load.data_dir, target], check=True)


def load_demo_lab(tmp_path_factory: pytest.TempPathFactory) -> Load:
    """Return how a portal loaded the demo lab into an empty database.

    The first caller of a run starts the portal, while the run's other workers wait.
    """
    name = os.environ.get("PYTEST_XDIST_TESTRUNUID", "alone")
    shared_folder = _open_to_all(tmp_path_factory.getbasetemp().parent / f"demo-lab-{name}")
    record = shared_folder / "loaded"
    with (shared_folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not record.exists():
            load = _fill_database(shared_folder)
            record.write_text(json.dumps(asdict(load), default=str))
    values = json.loads(record.read_text())
    return Load(**{**values, "data_dir": Path(values["data_dir"])})


def _fill_database(folder: Path) -> Load:
    """Run a portal on an empty database of another program, and adopt its cluster."""
    data, log = folder / "data", folder / "portal.log"
    cluster_folder = _open_to_all(folder / "cluster")
    cluster = EmbeddedPostgres(
        cluster_folder, KeyFolder(data / "keys").load_password("database-owner")
    )
    cluster.start()
    try:
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            # An interrupted run is repeated, so no commit needs to reach the disk.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("ALTER SYSTEM SET full_page_writes = off")
            connection.execute("SELECT pg_reload_conf()")
        with run_portal(data, log, DATABASE_URL=cluster.url, PORTAL_PROCESSES="1") as base:
            account = {"loginId": "clientbasic@demo.lab", "password": DEMO_PASSWORD}
            answer = httpx.post(f"{base}/auth/login", json=account, timeout=60)
            portal_files = [path.name for path in data.iterdir()]
        with psycopg.connect(cluster.url) as connection:
            row = connection.execute("SELECT count(*) FROM requisitions").fetchone()
    finally:
        cluster.stop()
    assert row is not None
    for path in list(cluster_folder.iterdir()):
        path.rename(data / path.name)
    return Load(data, log.read_text(), portal_files, answer.status_code, int(row[0]))


@contextmanager
def run_portal(data: Path, log: Path, **settings: str) -> Iterator[str]:
    """Run ``python -m app serve`` on a data folder, and yield its address once it is ready."""
    with reserve_port() as port, log.open("w") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "serve"],
            cwd=ROOT,
            env={
                **os.environ,
                "PORTAL_PORT": str(port),
                "PORTAL_DATA_DIR": str(data),
                "PORTAL_LOG_LEVEL": "WARNING",
                "PYTHONUNBUFFERED": "1",
                **settings,
            },
            # A pipe that nobody reads would stop the portal once it is full.
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        base = f"http://127.0.0.1:{port}"
        try:
            _wait_until_ready(process, base, log)
            yield base
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)
        assert process.returncode == 0, log.read_text()
        assert "Stopped." in log.read_text()


def _wait_until_ready(process: subprocess.Popen[bytes], base: str, log: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            if httpx.get(f"{base}/health/ready", timeout=20).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, "the portal did not become ready"
        time.sleep(0.2)


def _open_to_all(folder: Path) -> Path:
    """Make a folder that the database's own user can enter."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in (folder, *folder.parents):
        if "pytest" in str(part):
            part.chmod(0o755)
    return folder
