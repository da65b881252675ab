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
import psycopg
import pytest

from app.server.database.embedded import EmbeddedPostgres
from tests.standins.ports import reserve_port

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
    """Start the portal and wait until it is ready; yields its address and process."""
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
        self, empty_database: str, tmp_path: Path
    ) -> None:
        with run_portal(empty_database, tmp_path) as (base, process):
            signed_in = httpx.post(
                f"{base}/auth/login",
                json={"loginId": "clientbasic@demo.lab", "password": "Portal-2026!"},
                timeout=60,
            )
            assert signed_in.status_code == 200, signed_in.text
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
            assert process.returncode == 0, output
            assert "clientbasic@demo.lab" in output
            assert not list(tmp_path.glob("postgres*")), "the portal created no cluster"
        with psycopg.connect(empty_database) as connection:
            count = connection.execute("SELECT count(*) FROM requisitions").fetchone()
            assert count is not None
            assert count[0] > 2_000

    @pytest.mark.parametrize("url", ["not an address", "postgresql://%zz@host/lab"])
    def test_reports_an_invalid_url(self, url: str, tmp_path: Path) -> None:
        with run_portal(url, tmp_path) as (_, process):
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert output.strip().startswith("DATABASE_URL is not an address such as")

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
        with reserve_port() as unused:
            url = re.sub(r"@[^/]*", f"@127.0.0.1:{unused}", cluster_url)
            with run_portal(f"{url}/lab", tmp_path) as (_, process):
                output, _ = process.communicate(timeout=60)
        assert process.returncode == 1
        assert "Traceback" not in output
        assert "The database of DATABASE_URL does not answer" in output
        password = re.search(r":([^:@/]+)@", cluster_url)
        assert password
        assert password.group(1) not in output


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """A data folder of the shutdown tests: filling it takes most of the time of a start."""
    folder = Path(tempfile.mkdtemp(prefix="portal-end-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


class TestShutdown:
    """Shutdown by a person or a service manager."""

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["person", "service"])
    def test_stops_its_database(self, folder: Path, number: signal.Signals) -> None:
        with run_portal("", folder, PORTAL_DEMO="false") as (base, process):
            assert httpx.get(f"{base}/health/ready", timeout=60).status_code == 200
            marker = next(folder.rglob("postmaster.pid"))
            process.send_signal(number)
            output, _ = process.communicate(timeout=60)
        assert process.returncode == 0, output
        assert output.rstrip().endswith("Stopped.")
        assert not marker.exists(), "PostgreSQL shut down cleanly"
