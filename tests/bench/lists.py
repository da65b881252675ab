"""List pages: ours against the bare statement, and small data against large."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from app.server.accounts.passwords import Passwords
from app.server.actor import Actor
from app.server.database.embedded import EmbeddedPostgres
from app.server.lists.parsing import parse_query
from app.server.lists.service import prepared
from app.server.requisitions.lists import requisitions
from app.server.schema.migrate import migrate
from tests.bench.load import Figures, ask
from tests.bench.rows import fill

_PORTAL = """
import asyncio, socket, sys, uvicorn
from pathlib import Path
from app.server import logs
from app.server.main import build
from app.server.settings import Settings
logs.configure("INFO")
app = build(Settings(data_dir=Path(sys.argv[2])), sys.argv[3])
listening = socket.socket(fileno=int(sys.argv[1]))
config = uvicorn.Config(app, log_config=None, access_log=False)
asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
"""
_LIST = "/api/v2/requisitions/remote-operations"
_CLIENTS = 16
_PASSWORD = "Bench-2026!"
SCREENS = {
    "default": "?startDate=2027-06-01&endDate=2027-06-01&status=1",
    "a month": "?startDate=2027-06-01&endDate=2027-06-30&status=7",
    "two years": "",
    "a name": "?startDate=2027-06-01&endDate=2027-06-07&column.patientLastName=abc",
}
PEOPLE = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [3, 50, 120]),
    "Physician": ("Physician", ScopeKind.PHYSICIAN, [7]),
}


@dataclass(frozen=True)
class Page:
    """One screen of one person at one size: our figures and the bare ones."""

    rows: int
    person: str
    screen: str
    ours: Figures
    bare: Figures

    @property
    def ratio(self) -> float:
        """Our rate as a share of the bare rate."""
        return self.ours.rate / self.bare.rate


def measure(sizes: list[int], requests: int, report: Callable[[str], None]) -> list[Page]:
    """Every screen of every person at every size."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    pages: list[Page] = []
    try:
        base = cluster.url.rsplit("/", 1)[0]
        for size in sizes:
            report(f"Making {size:,} requisitions")
            with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE bench_{size}".encode())
            owner = f"{base}/bench_{size}"
            app_url = migrate(owner, "application-of-the-bench")
            fill(owner, size)
            pages += _measure_size(owner, app_url, size, requests, folder, report)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return pages


def _measure_size(
    owner: str,
    app_url: str,
    size: int,
    requests: int,
    folder: Path,
    report: Callable[[str], None],
) -> list[Page]:
    pages = []
    _make_people(owner)
    with _portal(app_url, folder / "data") as port:
        for person, (_, kind, ids) in PEOPLE.items():
            headers = _sign_in(port, person)
            for screen, query in SCREENS.items():
                report(f"{size:,} rows, {person}, {screen}")
                given = _bare_statement(app_url, kind, ids, query)
                with _bare(given) as bare_port:
                    pages.append(
                        asyncio.run(
                            _compare(
                                size,
                                person,
                                screen,
                                (port, _LIST + query, headers),
                                bare_port,
                                requests,
                            )
                        )
                    )
    return pages


async def _compare(
    size: int,
    person: str,
    screen: str,
    ours: tuple[int, str, dict[str, str]],
    bare_port: int,
    requests: int,
) -> Page:
    port, path, headers = ours
    for _ in range(2):  # warm both
        await ask(port, path, headers, _CLIENTS, _CLIENTS * 6)
        await ask(bare_port, "/page", {}, _CLIENTS, _CLIENTS * 6)
    rounds = []
    for _ in range(3):  # taken in turns, so that whatever else the machine does hits both
        rounds.append(
            (
                await ask(port, path, headers, _CLIENTS, requests),
                await ask(bare_port, "/page", {}, _CLIENTS, requests),
            )
        )
    rounds.sort(key=lambda pair: pair[0].rate / pair[1].rate)
    return Page(size, person, screen, *rounds[1])


def _bare_statement(app_url: str, kind: ScopeKind, ids: list[int], query: str) -> dict[str, object]:
    pairs = [tuple(part.split("=", 1)) for part in query.lstrip("?").split("&") if part]
    asked = parse_query(requisitions, pairs)  # type: ignore[arg-type]
    actor = Actor(kind=kind, ids=tuple(ids))
    text, values = prepared(actor, requisitions, asked)
    setup = (
        f"SET ROLE {actor.database_role}; SET app.ids = '{actor.ids_text}'; "
        "SET synchronous_commit = off"
    )
    plain = json.loads(json.dumps(values, default=str))
    return {"url": app_url, "setup": setup, "text": text, "values": plain, "size": 8}


def _make_people(owner: str) -> None:
    password_hash = Passwords().hash_now(_PASSWORD)
    with psycopg.connect(owner) as connection:
        for person, (role, kind, ids) in PEOPLE.items():
            connection.execute(
                "WITH made AS (INSERT INTO users (email, username, password_hash, first_name,"
                " last_name, client_ids, physician_ids) VALUES (%s, %s, %s, 'B', 'B', %s, %s)"
                " RETURNING id) INSERT INTO registrations (user_id, application_id, roles)"
                " SELECT id, 'portal', %s FROM made",
                (
                    f"{person.lower()}@bench.lab",
                    person,
                    password_hash,
                    ids if kind is ScopeKind.CLIENT else [],
                    ids if kind is ScopeKind.PHYSICIAN else [],
                    [role],
                ),
            )


def _sign_in(port: int, person: str) -> dict[str, str]:
    answer = httpx.post(
        f"http://127.0.0.1:{port}/auth/login",
        json={"loginId": f"{person.lower()}@bench.lab", "password": _PASSWORD},
    )
    answer.raise_for_status()
    return {"Authorization": f"JWT {answer.json()['token']}"}


@contextmanager
def _portal(app_url: str, data: Path) -> Iterator[int]:
    with _listening() as (fd, port):
        process = subprocess.Popen(
            [sys.executable, "-c", _PORTAL, str(fd), str(data), app_url],
            pass_fds=[fd],
            stderr=subprocess.DEVNULL,
        )
        with _until_ready(process, port, "/health/ready"):
            yield port


@contextmanager
def _bare(given: dict[str, object]) -> Iterator[int]:
    with _listening() as (fd, port):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.bare", str(fd)],
            pass_fds=[fd],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(given).encode())
        process.stdin.close()
        with _until_ready(process, port, "/page"):
            yield port


@contextmanager
def _listening() -> Iterator[tuple[int, int]]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as found:
        found.bind(("127.0.0.1", 0))
        os.set_inheritable(found.fileno(), True)
        yield found.fileno(), found.getsockname()[1]


@contextmanager
def _until_ready(process: subprocess.Popen[bytes], port: int, path: str) -> Iterator[None]:
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                if httpx.get(f"http://127.0.0.1:{port}{path}", timeout=30).status_code == 200:
                    break
            except httpx.TransportError:
                pass
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("a server of the benchmark did not start")
            time.sleep(0.1)
        yield
    finally:
        process.kill()
        process.wait()
