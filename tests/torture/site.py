"""A site as in production: two machines behind nginx, a database, mail server, and bucket.

Each machine is ``python -m app serve`` with two processes that answer requests, and a worker.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil

from app.server.database.embedded import EmbeddedPostgres
from app.server.keys import KeyFolder
from app.server.schema.migrate import migrate_database
from tests.server.reference import load_reference
from tests.standins.certificates import Certificate, create_certificate
from tests.standins.mail import PASSWORD, USER, MailStandIn
from tests.standins.ports import ADDRESS, bind_port
from tests.standins.s3 import Bucket, run_bucket

_ROOT = Path(__file__).parents[2]
_START_SECONDS = 240.0
_STOP_SECONDS = 60.0
TOKEN = "collector"
"""The bearer token of the machines' metrics."""


@dataclass
class Machine:
    """A portal with its own data folder and port."""

    name: str
    folder: Path
    environment: dict[str, str]
    port: int = 0
    _process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address at which the machine itself answers."""
        return f"http://{ADDRESS}:{self.port}"

    def start(self) -> None:
        """Start the portal, without waiting until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "app", "serve"],
                cwd=_ROOT,
                env={**os.environ, **self.environment},
                stdout=log,
                stderr=log,
            )

    def wait_until_ready(self) -> None:
        """Wait until the machine answers requests."""
        deadline = time.monotonic() + _START_SECONDS
        while True:
            with suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/health/ready", timeout=5).is_success:
                    return
            assert time.monotonic() < deadline, f"{self.name} does not answer\n{self.read_log()}"
            time.sleep(0.1)

    def list_children(self, command: str) -> list[psutil.Process]:
        """List the processes of ``python -m app COMMAND`` that the portal runs."""
        assert self._process is not None
        children = []
        for child in psutil.Process(self._process.pid).children():
            with suppress(psutil.Error):
                if command in child.cmdline():
                    children.append(child)
        return children

    def kill(self) -> None:
        """Kill the portal's first process; the others end when they notice it."""
        assert self._process is not None
        children = psutil.Process(self._process.pid).children(recursive=True)
        self._process.kill()
        self._process.wait()
        psutil.wait_procs(children, _STOP_SECONDS)

    def ask_to_stop(self) -> None:
        """Ask the portal to stop as a service manager does, without waiting."""
        if self._process is not None:
            self._process.terminate()

    def wait_until_stopped(self) -> None:
        """Wait until the portal has stopped."""
        if self._process is not None:
            try:
                self._process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()

    def read_log(self) -> str:
        """Return the end of what the portal printed and logged."""
        return (self.folder / "log").read_text(errors="replace")[-4000:]


@dataclass
class Proxy:
    """nginx in one process, with a folder that contains its configuration."""

    folder: Path
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start nginx, without waiting until it answers."""
        program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "nginx is missing; tests/tools/system_packages.sh installs it"
        log = str(self.folder / "log")
        settings = str(self.folder / "nginx.conf")
        self._process = subprocess.Popen(
            [program, "-p", str(self.folder), "-c", settings, "-e", log]
        )

    def kill(self) -> None:
        """Kill nginx, which cuts all connections."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(_STOP_SECONDS)


@dataclass
class Site:
    """The parts of a running site. ``url`` is the address of the proxy."""

    url: str
    certificate: Certificate
    database: EmbeddedPostgres
    keys: KeyFolder
    mail: MailStandIn
    bucket: Bucket
    proxy: Proxy
    machines: list[Machine] = field(default_factory=list)


@contextmanager
def run_site(folder: Path) -> Iterator[Site]:
    """Run a site in an empty folder that the user of PostgreSQL may enter."""
    with ExitStack() as stack:
        database = EmbeddedPostgres(folder, "owner-of-the-site")
        database.start()
        stack.callback(database.stop)
        first, second = folder / "first", folder / "second"
        keys = KeyFolder(first / "keys")
        migrate_database(database.url, keys.load_password("database-app"))
        load_reference(database.url)
        certificate = create_certificate(folder)
        mail = stack.enter_context(MailStandIn(certificate.build_server_context()))
        bucket = stack.enter_context(run_bucket())
        ports = [stack.enter_context(bind_port()).getsockname()[1] for _ in range(3)]
        url = f"https://{ADDRESS}:{ports[2]}"
        proxy = Proxy(folder / "nginx")
        _write_proxy_settings(proxy.folder, certificate, ports)
        site = Site(url, certificate, database, keys, mail, bucket, proxy)
        for name, data, port in (("first", first, ports[0]), ("second", second, ports[1])):
            environment = _build_environment(site, data, port)
            site.machines.append(Machine(name, data, environment, port))
        stack.callback(_stop_all, site.machines)
        site.machines[0].start()
        site.machines[0].wait_until_ready()
        # As docs/deployment.md says: further portals get a copy of the first one's keys.
        shutil.copytree(first / "keys", second / "keys")
        site.machines[1].start()
        proxy.start()
        stack.callback(proxy.kill)
        site.machines[1].wait_until_ready()
        yield site


def _stop_all(machines: list[Machine]) -> None:
    for machine in machines:
        machine.ask_to_stop()
    for machine in machines:
        machine.wait_until_stopped()


def _build_environment(site: Site, data: Path, port: int) -> dict[str, str]:
    return {
        "DATABASE_URL": site.database.url,
        "PORTAL_PORT": str(port),
        "PORTAL_DATA_DIR": str(data),
        "PORTAL_DEMO": "false",
        "PORTAL_PROCESSES": "2",
        "PORTAL_LOG_LEVEL": "WARNING",
        "PORTAL_PUBLIC_URL": site.url,
        "PORTAL_TRUSTED_PROXIES": ADDRESS,
        "PORTAL_METRICS_TOKEN": TOKEN,
        "PORTAL_FILES_URL": "s3://documents/portal",
        **site.bucket.variables,
        "PORTAL_SMTP_HOST": ADDRESS,
        "PORTAL_SMTP_PORT": str(site.mail.port),
        "PORTAL_SMTP_USER": USER,
        "PORTAL_SMTP_PASSWORD": PASSWORD,
        "PORTAL_SMTP_CA_FILE": str(site.certificate.authority),
        "PORTAL_EMAIL_FROM": "Test Lab <noreply@lab.example>",
        "PORTAL_SEND_WAIT_SECONDS": "1",
        "PORTAL_WORKER_POLL_SECONDS": "0.5",
    }


def _write_proxy_settings(folder: Path, certificate: Certificate, ports: list[int]) -> None:
    """Write the shipped configuration, with portals at the first two ports."""
    folder.mkdir()
    settings = (_ROOT / "packaging/server/nginx.conf").read_text()
    machines = "".join(f"server {ADDRESS}:{port}; " for port in ports[:2])
    settings = settings.replace(f"server {ADDRESS}:8000;", machines)
    # Only the ports and the paths of files differ from the shipped configuration.
    settings = re.sub(r"server \{\s+listen 80;.*?\n\}", "", settings, count=1, flags=re.DOTALL)
    settings = settings.replace("listen 443", f"listen {ADDRESS}:{ports[2]}")
    settings = re.sub(
        r"ssl_certificate \S+;", f"ssl_certificate {certificate.authority};", settings
    )
    settings = re.sub(
        r"ssl_certificate_key \S+;", f"ssl_certificate_key {certificate.key};", settings
    )
    temporary_paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\nmaster_process off;\npid {folder}/pid;\nerror_log {folder}/log warn;\n"
        f"events {{ worker_connections 512; }}\nhttp {{\n{temporary_paths}{settings}\n}}\n"
    )
