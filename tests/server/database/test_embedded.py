"""The embedded PostgreSQL: starting, surviving kills, and refusing foreign data folders."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from app.server.database import embedded, service_user
from app.server.database.embedded import EmbeddedPostgres, EmbeddedPostgresError
from app.server.database.service_user import ServiceUser, choose_reachable_folder

PASSWORD = "a-password-of-the-tests"
_SUPERVISOR = """
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
    path = tmp_path_factory.mktemp("cluster")
    for part in (path, *path.parents):
        if part.owner() == path.owner() and part != Path("/") and "pytest" in str(part):
            part.chmod(0o755)
    return path


NOBODY = ServiceUser(uid=65_534, gid=65_534)


class TestFolder:
    """The folder of the cluster, when PostgreSQL's user is not the portal's."""

    def test_stays_the_same_after_its_permissions_changed(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        preferred_folder = folder / "data" / "postgres"
        monkeypatch.setattr(service_user, "_ROOT_HOME", folder / "root-home")
        assert choose_reachable_folder(preferred_folder, NOBODY) == preferred_folder
        preferred_folder.mkdir()
        folder.chmod(0o700)
        assert choose_reachable_folder(preferred_folder, NOBODY) == preferred_folder

    def test_stays_the_same_after_another_folder_became_reachable(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        home = folder / "root-home"
        monkeypatch.setattr(service_user, "_ROOT_HOME", home)
        (folder / "data").mkdir(mode=0o700)
        preferred_folder = folder / "data" / "postgres"
        chosen_folder = choose_reachable_folder(preferred_folder, NOBODY)
        assert chosen_folder.is_relative_to(home)
        (folder / "data").chmod(0o755)
        assert choose_reachable_folder(preferred_folder, NOBODY) == chosen_folder

    def test_names_the_folder_that_the_user_cannot_enter(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (folder / "postgres").mkdir()
        monkeypatch.setattr(embedded, "get_service_user", lambda: NOBODY)
        monkeypatch.setattr(embedded, "_find_programs", lambda *_: folder)
        cluster = EmbeddedPostgres(folder, PASSWORD)
        folder.chmod(0o700)
        with pytest.raises(EmbeddedPostgresError, match=f"cannot enter {folder}"):
            cluster.start()


def wait_until(condition, seconds: float = 30) -> None:
    """Wait until the condition is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "took too long"
        time.sleep(0.05)


def is_available(url: str) -> bool:
    """Whether the database answers a query."""
    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.OperationalError:
        return False


def is_alive(pid: int) -> bool:
    """Whether a process runs (a zombie does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def start_supervisor(folder: Path) -> tuple[subprocess.Popen[str], str, int]:
    """Start a supervisor in another process; return it, the URL, and PostgreSQL's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SUPERVISOR, str(folder), PASSWORD],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    url, pid = process.stdout.readline().split()
    return process, url, int(pid)


def start_orphan(folder: Path, programs: Path, port: int) -> int:
    """Start PostgreSQL on the folder from a process that ends, and return PostgreSQL's pid."""
    cluster_folder = folder / "postgres"
    subprocess.run(
        [
            "/bin/sh",
            "-c",
            'setsid "$0" "$@" > /dev/null 2>&1 &',
            str(programs / "bin" / "postgres"),
            "-D",
            str(cluster_folder),
            "-p",
            str(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=",
        ],
        check=True,
        cwd="/",
        **service_user.get_service_user().build_popen_arguments(),
    )
    lock = cluster_folder / "postmaster.pid"
    wait_until(lambda: lock.exists() and "ready" in lock.read_text())
    return int(lock.read_text().splitlines()[0])


def require_start(folder: Path) -> None:
    """Start a cluster on the folder, check that it answers, and stop it."""
    cluster = EmbeddedPostgres(folder, PASSWORD)
    cluster.start()
    try:
        assert is_available(cluster.url)
    finally:
        cluster.stop()


class TestStarting:
    """Starts, first and repeated."""

    def test_keeps_its_data_across_restarts(self, folder: Path) -> None:
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
        assert not is_available(second.url)

    def test_rejects_a_wrong_password(self, folder: Path) -> None:
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        try:
            with pytest.raises(psycopg.OperationalError, match="password"):
                psycopg.connect(cluster.url.replace(PASSWORD, "wrong"))
            with psycopg.connect(cluster.url) as connection:
                addresses = connection.execute("SHOW listen_addresses").fetchone()
                sockets = connection.execute("SHOW unix_socket_directories").fetchone()
            assert (addresses, sockets) == (("127.0.0.1",), ("",))
        finally:
            cluster.stop()

    def test_the_log_is_private_and_has_no_rows(self, folder: Path) -> None:
        log = folder / "postgres.log"
        log.touch(mode=0o644)
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        try:
            with psycopg.connect(cluster.url, autocommit=True) as connection:
                connection.execute("CREATE TABLE people (name text PRIMARY KEY CHECK (name <> ''))")
                connection.execute("INSERT INTO people VALUES ('JANE SECRET')")
                with pytest.raises(psycopg.errors.UniqueViolation):
                    connection.execute("INSERT INTO people VALUES ('JANE SECRET')")
        finally:
            cluster.stop()
        assert log.stat().st_mode & 0o777 == 0o600
        text = log.read_text()
        assert "duplicate key" in text
        assert "JANE SECRET" not in text

    def test_rejects_a_folder_of_another_version(self, folder: Path) -> None:
        first = EmbeddedPostgres(folder, PASSWORD)
        first.start()
        first.stop()
        cluster_folder = next(p.parent for p in (folder / "postgres").resolve().glob("PG_VERSION"))
        (cluster_folder / "PG_VERSION").write_text("14\n")
        with pytest.raises(EmbeddedPostgresError, match="made by PostgreSQL 14"):
            EmbeddedPostgres(folder, PASSWORD).start()
        assert (cluster_folder / "PG_VERSION").read_text() == "14\n"

    def test_rejects_a_folder_in_use_by_another_portal(self, folder: Path) -> None:
        process, url, _ = start_supervisor(folder)
        try:
            with pytest.raises(EmbeddedPostgresError, match="Another portal"):
                EmbeddedPostgres(folder, PASSWORD).start()
            assert is_available(url)
        finally:
            process.kill()
            process.wait()


class TestKills:
    """Kills (-9) of PostgreSQL and of its supervisor."""

    def test_restarts_a_killed_postgresql_at_the_same_address(self, folder: Path) -> None:
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        try:
            with psycopg.connect(cluster.url, autocommit=True) as connection:
                connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
            url, killed_pid = cluster.url, cluster.pid
            assert killed_pid is not None
            os.kill(killed_pid, signal.SIGKILL)
            wait_until(lambda: cluster.pid not in (None, killed_pid) and is_available(url))
            with psycopg.connect(url) as connection:
                assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
        finally:
            cluster.stop()

    def test_postgresql_does_not_outlive_its_supervisor(self, folder: Path) -> None:
        process, url, pid = start_supervisor(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 1 AS n")
        process.kill()
        process.wait()
        wait_until(lambda: not is_alive(pid))
        restarted_cluster = EmbeddedPostgres(folder, PASSWORD)
        restarted_cluster.start()
        try:
            with psycopg.connect(restarted_cluster.url) as connection:
                assert connection.execute("SELECT n FROM kept").fetchone() == (1,)
        finally:
            restarted_cluster.stop()

    def test_recovers_when_both_are_killed_at_once(self, folder: Path) -> None:
        process, url, pid = start_supervisor(folder)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept AS SELECT generate_series(1, 10000) AS n")
        os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        restarted_cluster = EmbeddedPostgres(folder, PASSWORD)
        restarted_cluster.start()
        try:
            with psycopg.connect(restarted_cluster.url) as connection:
                assert connection.execute("SELECT count(*) FROM kept").fetchone() == (10_000,)
        finally:
            restarted_cluster.stop()

    def test_stops_an_orphan_that_starts_meanwhile(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A killed portal may have started PostgreSQL just before, which has no lock yet."""
        cluster = EmbeddedPostgres(folder, PASSWORD)
        cluster.start()
        cluster.stop()
        find_free_port = embedded._find_free_port
        orphans: list[int] = []

        def start_orphan_first() -> int:
            if not orphans:
                orphans.append(start_orphan(folder, cluster._programs, find_free_port()))
            return find_free_port()

        monkeypatch.setattr(embedded, "_find_free_port", start_orphan_first)
        try:
            require_start(folder)
            assert not is_alive(orphans[0])
        finally:
            for orphan in filter(is_alive, orphans):
                os.kill(orphan, signal.SIGINT)

    def test_starts_when_another_process_has_the_pid_of_a_stale_lock(self, folder: Path) -> None:
        process, _, pid = start_supervisor(folder)
        os.kill(pid, signal.SIGKILL)
        process.kill()
        process.wait()
        other = subprocess.Popen(
            ["/bin/sleep", "600"],
            cwd="/",
            **service_user.get_service_user().build_popen_arguments(),
        )
        try:
            lock = folder / "postgres" / "postmaster.pid"
            lines = lock.read_text().splitlines(keepends=True)
            lock.write_text("".join([f"{other.pid}\n", *lines[1:]]))
            require_start(folder)
        finally:
            other.kill()
            other.wait()

    def test_takes_another_port_when_the_first_is_in_use(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            ports = iter([holder.getsockname()[1]])
            find_free_port = embedded._find_free_port
            monkeypatch.setattr(
                embedded, "_find_free_port", lambda: next(ports, None) or find_free_port()
            )
            require_start(folder)

    def test_a_kill_during_creation_leaves_no_partial_cluster(self, folder: Path) -> None:
        process = subprocess.Popen(
            [sys.executable, "-c", _SUPERVISOR, str(folder), PASSWORD],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        wait_until(lambda: any(folder.glob("postgres.new/*")) or process.poll() is not None)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        require_start(folder)


@pytest.mark.skipif(sys.platform != "linux", reason="page faults are read from /proc")
def test_a_backend_keeps_its_memory_between_statements(folder: Path) -> None:
    cluster = EmbeddedPostgres(folder, PASSWORD)
    cluster.start()
    try:
        with psycopg.connect(cluster.url, autocommit=True) as connection:

            def count_faults(statements: int) -> int:
                before = _count_page_faults(connection.info.backend_pid)
                for _ in range(statements):
                    connection.execute(
                        "SELECT count(DISTINCT md5(i::text)) FROM generate_series(1, 5000) i"
                    )
                return _count_page_faults(connection.info.backend_pid) - before

            count_faults(20)
            # A backend that returned its memory would fault many times in each statement.
            assert count_faults(50) < 50
    finally:
        cluster.stop()


def _count_page_faults(pid: int) -> int:
    """Return the number of a process's page faults that needed no disk."""
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[7])
