"""``python -m app serve`` with DATABASE_URL, and its shutdown."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from app.server.database.embedded import EmbeddedPostgres
from tests.standins import demo_lab
from tests.standins.ports import bind_port, reserve_port

ROOT = Path(__file__).parents[2]
# Loading the demo lab takes minutes on a busy machine.
pytestmark = pytest.mark.timeout(600)


@pytest.fixture(scope="module")
def cluster_url() -> Iterator[str]:
    """A cluster for this file only.

    The portal sets the password of the application's login, which all databases of a cluster share.
    """
    folder = Path(tempfile.mkdtemp(prefix="portal-given-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-given")
    cluster.start()
    yield cluster.url.rsplit("/", 1)[0]
    cluster.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def empty_database(cluster_url: str) -> Iterator[str]:
    """An empty database."""
    name = f"given_{os.getpid()}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    yield f"{cluster_url}/{name}"
    with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)".encode())


@contextmanager
def run_portal(
    database_url: str, data_dir: Path, **more: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start the portal and wait until it is ready, and yield its address and process."""
    with reserve_port() as port:
        process = subprocess.Popen(
            [sys.executable, "-m", "app", "serve"],
            cwd=ROOT,
            env={
                **os.environ,
                "DATABASE_URL": database_url,
                "PORTAL_PORT": str(port),
                "PORTAL_DATA_DIR": str(data_dir),
                "PORTAL_LOG_LEVEL": "WARNING",
                **more,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        base = f"http://127.0.0.1:{port}"
        try:
            deadline = time.monotonic() + 300
            while time.monotonic() < deadline and process.poll() is None:
                with suppress(httpx.TransportError):
                    if httpx.get(f"{base}/health/ready", timeout=20).status_code == 200:
                        break
                time.sleep(0.1)
            yield base, process
        finally:
            process.kill()
            process.wait()


class TestDatabaseUrl:
    """DATABASE_URL instead of the embedded cluster."""

    def test_migrates_and_fills_the_database_and_leaves_it_running(
        self, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        load = demo_lab.load_demo_lab(tmp_path_factory)
        assert load.sign_in_status == 200
        assert "clientbasic@demo.lab" in load.output
        assert "keys" in load.portal_files
        assert not [name for name in load.portal_files if name.startswith("postgres")], (
            "the portal created its own cluster"
        )
        assert load.requisition_count > 2_000

    @pytest.mark.parametrize("url", ["not an address", "postgresql://%zz@host/lab"])
    def test_reports_an_invalid_url(self, url: str, tmp_path: Path) -> None:
        with run_portal(url, tmp_path) as (_, process):
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert output.strip().startswith("DATABASE_URL is not an address such as")

    def test_reports_a_time_zone_that_the_database_does_not_know(
        self, empty_database: str, tmp_path: Path
    ) -> None:
        with run_portal(empty_database, tmp_path, PORTAL_TIME_ZONE="Mars/Olympus") as (_, process):
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "The database does not know the time zone Mars/Olympus." in output
        assert "Traceback" not in output
        with psycopg.connect(empty_database) as connection:
            tables = connection.execute("SELECT FROM pg_tables WHERE schemaname = 'public'")
            assert tables.rowcount == 0

    def test_reports_a_login_that_may_not_create_roles(
        self, cluster_url: str, empty_database: str, tmp_path: Path
    ) -> None:
        with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
            connection.execute("CREATE ROLE powerless LOGIN PASSWORD 'powerless'")
        try:
            url = re.sub(r"//[^@]*@", "//powerless:powerless@", empty_database)
            with run_portal(url, tmp_path) as (_, process):
                output, _ = process.communicate(timeout=60)
        finally:
            with psycopg.connect(f"{cluster_url}/postgres", autocommit=True) as connection:
                connection.execute("DROP ROLE powerless")
        assert process.returncode == 1
        assert "must be allowed to create roles" in output

    def test_reports_an_unreachable_database_without_the_password(
        self, cluster_url: str, tmp_path: Path
    ) -> None:
        with reserve_port() as unused_port:
            url = re.sub(r"@[^/]*", f"@127.0.0.1:{unused_port}", cluster_url)
            with run_portal(f"{url}/lab", tmp_path) as (_, process):
                output, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "Traceback" not in output
        assert "The database of DATABASE_URL does not answer" in output
        password = re.search(r":([^:@/]+)@", cluster_url)
        assert password
        assert password.group(1) not in output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder that tests share, because filling it takes most of the time of a start."""
    parent = Path(tempfile.mkdtemp(prefix="portal-end-"))
    parent.chmod(0o755)
    demo_lab.copy_data(tmp_path_factory, parent / "data")
    yield parent / "data"
    shutil.rmtree(parent)


class TestShutdown:
    """Shutdown by a person or a service manager."""

    def test_a_service_manager_stops_the_database_too(self, folder: Path) -> None:
        with run_portal("", folder, PORTAL_DEMO="false", PORTAL_PROCESSES="1") as (base, process):
            assert httpx.get(f"{base}/health/ready", timeout=60).status_code == 200
            marker = next(folder.rglob("postmaster.pid"))
            process.send_signal(signal.SIGTERM)
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, output
        assert output.rstrip().endswith("Stopped.")
        assert not marker.exists(), "PostgreSQL was not shut down cleanly"


class TestProcesses:
    """Several processes that answer requests as one portal."""

    def test_processes_act_as_one_portal_and_are_restarted_or_replaced(self, folder: Path) -> None:
        settings = {
            "PORTAL_DEMO": "false",
            "PORTAL_PROCESSES": "2",
            "PORTAL_METRICS_TOKEN": "token",
            "PORTAL_HANG_SECONDS": "10",
        }
        with run_portal("", folder, **settings) as (base, process):
            first, second = wait_for_listeners(process)
            count_files = [folder / f"metrics/counter_{pid}.db" for pid in (first, second)]
            request_count = 0
            while request_count == 0 or not all(count.exists() for count in count_files):
                assert request_count < 1_000, "all connections go to one process"
                assert httpx.get(f"{base}/capabilities", timeout=60).status_code == 200
                request_count += 1
            metrics = httpx.get(f"{base}/metrics", headers={"Authorization": "Bearer token"}).text
            assert f'route="/capabilities",status="200"}} {request_count}.0' in metrics

            victim = psutil.Process(first)
            victim.kill()
            victim.wait(60)
            assert httpx.get(f"{base}/capabilities", timeout=60).status_code == 200
            hung_pid, _ = listeners = wait_for_listeners(process, without=first)
            assert second in listeners

            worker = wait_for_worker(process)
            for pid in (hung_pid, worker):
                os.kill(pid, signal.SIGSTOP)
            wait_for_listeners(process, without=hung_pid)
            wait_for_worker(process, without=worker)
            for _ in range(20):  # the kernel gives no request to the process that hung
                assert httpx.get(f"{base}/capabilities", timeout=60).status_code == 200
            marker = next(folder.rglob("postmaster.pid"))
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, output
        assert re.search(r"Process [12] of 2 ended unexpectedly; starting it again", output)
        assert re.search(r"Process [12] of 2 no longer responds; replacing it", output)
        assert "The background worker no longer responds; replacing it" in output
        assert output.rstrip().endswith("Stopped.")
        assert not marker.exists(), "PostgreSQL was not shut down cleanly"

    def test_a_process_reports_that_no_portal_runs(self, tmp_path: Path) -> None:
        process = subprocess.run(
            [sys.executable, "-m", "app", "api", "--until-end-of-input"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": "", "PORTAL_DATA_DIR": str(tmp_path)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert process.returncode == 1
        assert f"No portal runs on {tmp_path}" in process.stdout
        assert "Traceback" not in process.stderr

    def test_a_port_in_use_is_not_shared(self, tmp_path: Path) -> None:
        with bind_port() as other:
            other.listen()
            process = subprocess.run(
                [sys.executable, "-m", "app", "serve"],
                cwd=ROOT,
                env={
                    **os.environ,
                    "PORTAL_PORT": str(other.getsockname()[1]),
                    "PORTAL_DATA_DIR": str(tmp_path),
                    "PORTAL_PROCESSES": "2",
                },
                capture_output=True,
                text=True,
                check=False,
            )
        assert process.returncode == 1
        assert "cannot be used (Address already in use)" in process.stdout


def wait_for_listeners(portal: subprocess.Popen[str], without: int | None = None) -> list[int]:
    """Wait until two processes of the portal listen, and return their ids."""
    deadline = time.monotonic() + 120
    while True:
        listeners = [
            child.pid
            for child in psutil.Process(portal.pid).children()
            if child.pid != without and is_listener(child)
        ]
        if len(listeners) == 2:
            return listeners
        assert time.monotonic() < deadline
        time.sleep(0.1)


def wait_for_worker(portal: subprocess.Popen[str], without: int | None = None) -> int:
    """Wait until the worker of the portal has connected to the database, and return its id."""
    deadline = time.monotonic() + 120
    while True:
        for child in psutil.Process(portal.pid).children():
            if child.pid != without and is_worker(child):
                return child.pid
        assert time.monotonic() < deadline
        time.sleep(0.1)


def is_worker(process: psutil.Process) -> bool:
    """Whether the process is a worker that has connected to the database."""
    with suppress(psutil.Error):
        return "work" in process.cmdline() and any(
            connection.status == psutil.CONN_ESTABLISHED for connection in process.net_connections()
        )
    return False


def is_listener(process: psutil.Process) -> bool:
    """Whether the process answers requests."""
    with suppress(psutil.Error):
        return "api" in process.cmdline() and any(
            connection.status == psutil.CONN_LISTEN for connection in process.net_connections()
        )
    return False
