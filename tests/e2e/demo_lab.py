"""Portals with the demo lab, which is loaded once per run."""

import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.standins.ports import reserve_port

ROOT = Path(__file__).parents[2]
_START_SECONDS = 300


def copy_data(tmp_path_factory: pytest.TempPathFactory, target: Path) -> None:
    """Copy a data folder with the demo lab to ``target``.

    The first caller of a run starts a portal that loads it, while the run's other workers wait.
    """
    name = os.environ.get("PYTEST_XDIST_TESTRUNUID", "alone")
    shared_folder = _open_to_all(tmp_path_factory.getbasetemp().parent / f"demo-lab-{name}")
    with (shared_folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (shared_folder / "loaded").exists():
            with run_portal(
                shared_folder / "data", shared_folder / "portal.log", PORTAL_PROCESSES="1"
            ):
                pass
            # An interrupted run is repeated, so no commit needs to reach the disk.
            with (shared_folder / "data/postgres/postgresql.auto.conf").open("a") as settings:
                settings.write("fsync = off\n")
            (shared_folder / "loaded").touch()
    _open_to_all(target.parent)
    # The database's files belong to another user where the tests run as root.
    subprocess.run(["cp", "--archive", shared_folder / "data", target], check=True)


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
