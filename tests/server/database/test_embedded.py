"""The embedded PostgreSQL: starts, survives being killed, refuses what it must not touch."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from app.server.database.embedded import EmbeddedPostgres, EmbeddedPostgresError

PASSWORD = "a-password-of-the-tests"
_KEEPER = """
import sys, time
from pathlib import Path
from app.server.database.embedded import EmbeddedPostgres
cluster = EmbeddedPostgres(Path(sys.argv[1]), sys.argv[2])
cluster.start()
print(cluster.url, cluster.pid, flush=True)
time.sleep(600)
"""


@pytest.fixture
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that an unprivileged PostgreSQL user can reach."""
    found = tmp_path_factory.mktemp("cluster")
    for part in (found, *found.parents):
        if part.owner() == found.owner() and part != Path("/") and "pytest" in str(part):
            part.chmod(0o755)
    return found


def until(condition, seconds: float = 30) -> None:
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "took too long"
        time.sleep(0.05)


def answers(url: str) -> bool:
    """Whether the database takes a query."""
    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def keeper(folder: Path) -> tuple[subprocess.Popen[str], str, int]:
    """A portal's supervisor in a process of its own: process, URL, PostgreSQL's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", _KEEPER, str(folder), PASSWORD], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    url, pid = process.stdout.readline().split()
    return process, url, int(pid)


class TestStarting:
    """First start, second start, wrong password."""

    def test_keeps_its_data_and_starts_again(self, folder: Path) -> None:
        first = EmbeddedPostgres(folder, PASSWORD)
        first.start()
        with psycopg.connect(first.url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        first.stop()
        second = EmbeddedPostgres(folder, PASSWORD)
        second.start()
        try:
            with psycopg.connect(second.url) as connection:
                assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
        finally:
            second.stop()
        assert not answers(second.url)

    def test_takes_nobody_without_the_password(self, folder: Path) -> None:
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        try:
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(cluster.url.replace(PASSWORD, "wrong"))
            with psycopg.connect(cluster.url) as connection:
                listening = connection.execute("SHOW listen_addresses").fetchone()
                sockets = connection.execute("SHOW unix_socket_directories").fetchone()
            assert (listening, sockets) == (("127.0.0.1",), ("",))
        finally:
            cluster.stop()

    def test_refuses_a_folder_of_another_version(self, folder: Path) -> None:
        first = EmbeddedPostgres(folder, PASSWORD)
        first.start()
        first.stop()
        cluster_folder = next(p.parent for p in (folder / "postgres").resolve().glob("PG_VERSION"))
        (cluster_folder / "PG_VERSION").write_text("14\n")
        with pytest.raises(EmbeddedPostgresError, match="made by PostgreSQL 14"):
            EmbeddedPostgres(folder, PASSWORD).start()
        assert (cluster_folder / "PG_VERSION").read_text() == "14\n"

    def test_refuses_a_folder_that_another_portal_uses(self, folder: Path) -> None:
        process, url, _ = keeper(folder)
        try:
            with pytest.raises(EmbeddedPostgresError, match="Another portal"):
                EmbeddedPostgres(folder, PASSWORD).start()
            assert answers(url)
        finally:
            process.kill()
            process.wait()


class TestBeingKilled:
    """kill -9, of PostgreSQL and of its supervisor."""

    def test_postgresql_comes_back_on_the_same_address_with_its_data(self, folder: Path) -> None:
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        try:
            with psycopg.connect(cluster.url, autocommit=True) as connection:
                connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
            url, before = cluster.url, cluster.pid
            assert before is not None
            os.kill(before, signal.SIGKILL)
            until(lambda: cluster.pid not in (None, before) and answers(url))
            with psycopg.connect(url) as connection:
                assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
        finally:
            cluster.stop()

    def test_postgresql_does_not_outlive_its_supervisor(self, folder: Path) -> None:
        process, url, pid = keeper(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        process.kill()
        process.wait()
        until(lambda: not alive(pid))
        again = EmbeddedPostgres(folder, PASSWORD)
        again.start()
        try:
            with psycopg.connect(again.url) as connection:
                assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
        finally:
            again.stop()

    def test_both_killed_at_once_is_recovered_from(self, folder: Path) -> None:
        process, url, pid = keeper(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 10000) AS n")
        os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        again = EmbeddedPostgres(folder, PASSWORD)
        again.start()
        try:
            with psycopg.connect(again.url) as connection:
                assert connection.execute("SELECT count(*) FROM kept").fetchone() == (10_000,)
        finally:
            again.stop()

    def test_killed_while_it_is_made_leaves_no_half_cluster(self, folder: Path) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", _KEEPER, str(folder), PASSWORD],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(lambda: any(folder.glob("postgres.new/*")) or process.poll() is not None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        again = EmbeddedPostgres(folder, PASSWORD)
        again.start()
        try:
            assert answers(again.url)
        finally:
            again.stop()


@pytest.mark.skipif(sys.platform != "linux", reason="page faults are read from /proc")
def test_a_backend_keeps_its_memory_from_statement_to_statement(folder: Path) -> None:
    cluster = EmbeddedPostgres(folder, PASSWORD)
    cluster.start()
    try:
        with psycopg.connect(cluster.url, autocommit=True) as connection:

            def faults_of(times: int) -> int:
                before = _page_faults(connection.info.backend_pid)
                for _ in range(times):
                    connection.execute(
                        "SELECT count(DISTINCT md5(i::text)) FROM generate_series(1, 5000) i"
                    )
                return _page_faults(connection.info.backend_pid) - before

            faults_of(20)
            assert faults_of(50) < 50
    finally:
        cluster.stop()


def _page_faults(pid: int) -> int:
    """Page faults of a process so far that needed no disk."""
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[7])
