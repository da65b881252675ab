"""Servers of the benchmark: the portal, and a bare server with the same statement."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from uuid import UUID

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from app.server.access.reader import build_request_parameters
from app.server.accounts.passwords import Passwords
from app.server.actor import Actor
from app.server.lists.parsing import ListQuery, parse_query
from app.server.lists.rows import build_rows_statement
from app.server.lists.service import prepare_shape
from app.server.lists.spec import ListSpec
from app.server.lists.statement import build_statement
from app.server.lists.strategy import is_unscoped
from tests.bench.load import Figures, send_gets

_PORTAL = """
import asyncio, socket, sys, uvicorn
from pathlib import Path
from app.server import logs
from app.server.main import build_app
from app.server.settings import Settings
logs.configure_logs("INFO")
app = build_app(Settings(data_dir=Path(sys.argv[2])), sys.argv[3])
listening = socket.socket(fileno=int(sys.argv[1]))
config = uvicorn.Config(app, log_config=None, access_log=False)
asyncio.run(uvicorn.Server(config).serve(sockets=[listening]))
"""
WORKER_PORTAL = """
import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from app.server import logs
from app.server.main import build_portal
from app.server.settings import Settings
@asynccontextmanager
async def open_portal(data, app_url):
    logs.configure_logs("ERROR")
    portal = build_portal(Settings(data_dir=Path(data)), app_url)
    await portal.database.open()
    yield portal
    await portal.database.close()
"""
"""The beginning of programs of worker processes; ``open_portal`` opens a portal's parts."""
_WORKER = f"""{WORKER_PORTAL}
import sys
from app.server.jobs.worker import run_worker
from app.server.worker import PERIODIC, TASKS
async def run(data, app_url):
    async with open_portal(data, app_url) as portal:
        wait = portal.settings.worker_poll_seconds
        await run_worker(app_url, TASKS, portal, poll_seconds=wait, periodic=PERIODIC)
asyncio.run(run(*sys.argv[1:]))
"""
_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)
CONNECTIONS = 16
_ROUNDS = 9
_ROUND_SECONDS = 0.7
PASSWORD = "Bench-2026!"
People = dict[str, tuple[str, ScopeKind, list[int]]]
"""Name -> role, kind of scope, and the ids of that kind."""


@dataclass(frozen=True)
class Page:
    """Figures of the portal and the bare server for one screen, person, and database size.

    ``ratio`` is the portal's rate divided by the bare server's.
    """

    rows: int
    person: str
    screen: str
    ours: Figures
    bare: Figures
    ratio: float


async def measure_page(
    size: int,
    person: str,
    screen: str,
    ours: tuple[int, str, dict[str, str]],
    bare_port: int,
    requests: int,
) -> Page:
    """Measure a page of the portal and of the bare server over 16 connections.

    Each round has a third of the requests. The result is the median over all rounds, so that a
    short pause of the machine does not count.
    """
    port, path, headers = ours
    for _ in range(2):  # Warm up both.
        warm = await send_gets(port, path, headers, CONNECTIONS, CONNECTIONS * 6)
        await send_gets(bare_port, "/page", {}, CONNECTIONS, CONNECTIONS * 6)
    # Slow pages get fewer requests, because a full round would outlive the sign-in.
    requests = max(CONNECTIONS * 4, min(requests // 3, int(warm.rate * _ROUND_SECONDS)))
    ours_by_round: list[Figures] = []
    bare_by_round: list[Figures] = []
    turns = [(ours_by_round, port, path, headers), (bare_by_round, bare_port, "/page", {})]
    for _ in range(_ROUNDS):  # Alternate, so that other load on the machine affects both.
        for figures, server_port, target, target_headers in turns:
            figures.append(
                await send_gets(server_port, target, target_headers, CONNECTIONS, requests)
            )
        turns.reverse()  # Otherwise, one server would always read pages that the other has cached.
    ratio = median(a.rate / b.rate for a, b in zip(ours_by_round, bare_by_round, strict=True))
    return Page(
        size, person, screen, _compute_median(ours_by_round), _compute_median(bare_by_round), ratio
    )


def _compute_median(rounds: list[Figures]) -> Figures:
    columns = zip(*(astuple(figures) for figures in rounds), strict=True)
    return Figures(*(median(column) for column in columns))


def build_bare_arguments(
    app_url: str,
    spec: ListSpec,
    kind: ScopeKind,
    ids: list[int],
    query: str,
    ours: tuple[int, str, dict[str, str]],
    user_id: UUID | None = None,
) -> dict[str, object]:
    """Return the arguments of a bare server that serves this page's statements.

    The portal does not count a capped total twice within a minute (ADR 20), so neither does the
    bare server.
    """
    pairs = [tuple(part.split("=", 1)) for part in query.lstrip("?").split("&") if part]
    list_query = parse_query(spec, pairs)
    actor = Actor(kind=kind, ids=tuple(ids), user_id=user_id)
    return build_bare_page(app_url, spec, actor, list_query, ours)


def build_bare_page(
    app_url: str,
    spec: ListSpec,
    actor: Actor,
    query: ListQuery,
    ours: tuple[int, str, dict[str, str]],
) -> dict[str, object]:
    """Return the arguments of a bare server that serves the page of a parsed query."""
    port, path, headers = ours
    answer = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers, timeout=60)
    if answer.status_code != 200:
        raise RuntimeError(f"the portal answered {answer.status_code}: {answer.text}")
    page = answer.json()
    is_capped = is_unscoped(actor.kind) and page["totalIsCapped"]
    shape, values = prepare_shape(actor, spec, query)
    texts = [
        build_statement(shape._replace(is_capped=is_capped)),
        build_rows_statement(spec, actor.kind),
    ]
    setup = (
        f"SET ROLE {actor.database_role}; SET app.ids = '{actor.ids_text}'; "
        # Quoted, because USER is a word of SQL.
        f"SET app.\"user\" = '{actor.user_text}'; "
        "SET synchronous_commit = off"
    )
    parameters = {**build_request_parameters(actor, ""), **values}
    plain_parameters = json.loads(json.dumps(parameters, default=format_value))
    return {
        "url": app_url,
        "setup": setup,
        "page": texts,
        "values": plain_parameters,
        "size": 8,
    }


def format_value(value: object) -> str:
    """Format a value that JSON cannot represent; bytes in PostgreSQL's hex form."""
    return f"\\x{value.hex()}" if isinstance(value, bytes) else str(value)


def create_people(owner: str, people: People) -> None:
    """Create accounts for these people."""
    password_hash = Passwords().hash_now(PASSWORD)
    with psycopg.connect(owner) as connection:
        for person, (role, kind, ids) in people.items():
            connection.execute(
                "WITH made AS (INSERT INTO users (email, username, password_hash, first_name,"
                " last_name, client_ids, physician_ids, patient_ids)"
                " VALUES (%s, %s, %s, 'B', 'B', %s, %s, %s)"
                " RETURNING id) INSERT INTO registrations (user_id, application_id, roles)"
                " SELECT id, 'portal', %s FROM made",
                (
                    f"{person.lower()}@bench.lab",
                    person,
                    password_hash,
                    ids if kind is ScopeKind.CLIENT else [],
                    ids if kind is ScopeKind.PHYSICIAN else [],
                    ids if kind is ScopeKind.PATIENT else [],
                    [role],
                ),
            )


def sign_in(port: int, person: str) -> dict[str, str]:
    """Sign in and return the headers."""
    answer = httpx.post(
        f"http://127.0.0.1:{port}/auth/login",
        json={"loginId": f"{person.lower()}@bench.lab", "password": PASSWORD},
    )
    answer.raise_for_status()
    return {"Authorization": f"JWT {answer.json()['token']}"}


@contextmanager
def run_portal(app_url: str, data: Path) -> Iterator[int]:
    """Run the portal, and yield its port."""
    with run_portal_process(app_url, data) as (port, _pid):
        yield port


@contextmanager
def run_portal_process(app_url: str, data: Path) -> Iterator[tuple[int, int]]:
    """Run the portal, and yield its port and its process id."""
    with _open_listener() as (fd, port):
        process = subprocess.Popen(
            [sys.executable, "-c", _PORTAL, str(fd), str(data), app_url],
            pass_fds=[fd],
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,  # noqa: PLW1509
        )
        with _wait_until_ready(process, port, "/health/ready"):
            yield port, process.pid


@contextmanager
def run_worker_process(app_url: str, data: Path) -> Iterator[int]:
    """Run a background worker, and yield its process id."""
    process = subprocess.Popen(
        [sys.executable, "-c", _WORKER, str(data), app_url],
        stderr=subprocess.DEVNULL,
        preexec_fn=die_with_parent,  # noqa: PLW1509
    )
    try:
        yield process.pid
    finally:
        process.kill()
        process.wait()


def die_with_parent() -> None:
    """End this process together with the benchmark, whatever ends the benchmark.

    The signal comes when the thread that started the server ends, so the benchmark starts its
    servers in its main thread.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def run_bare_writes(arguments: dict[str, object]) -> AbstractContextManager[int]:
    """Run the bare server of writes, and yield its port."""
    return run_bare(arguments, "/write")


@contextmanager
def run_bare(arguments: dict[str, object], path: str = "/page") -> Iterator[int]:
    """Run a bare server, and yield its port."""
    with _open_listener() as (fd, port):
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.bare", str(fd)],
            pass_fds=[fd],
            stdin=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            preexec_fn=die_with_parent,  # noqa: PLW1509
        )
        assert process.stdin is not None
        process.stdin.write(json.dumps(arguments).encode())
        process.stdin.close()
        with _wait_until_ready(process, port, path):
            yield port


@contextmanager
def _open_listener() -> Iterator[tuple[int, int]]:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        os.set_inheritable(listener.fileno(), True)
        yield listener.fileno(), listener.getsockname()[1]


@contextmanager
def _wait_until_ready(process: subprocess.Popen[bytes], port: int, path: str) -> Iterator[None]:
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
