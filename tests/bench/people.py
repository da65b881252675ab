"""Measures the grid of 100,000 users, and the cost of people who idle or sign in.

A Superuser sees all of them, and a Client Admin those of 250 clients. Other people's computers are
not the reader's, so a separate process plays these people: 200 whose open pages poll, or several
who sign in without pauses.
"""

import asyncio
import itertools
import multiprocessing
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg

from app.contract.enumerations import Role, ScopeKind
from app.contract.limits import KEEPALIVE_SECONDS, SETTINGS_REFRESH_SECONDS
from app.server.accounts.passwords import Passwords
from app.server.database.embedded import EmbeddedPostgres
from app.server.schema.migrate import migrate_database
from app.server.users.lists import users
from tests.bench.load import Figures, send_gets
from tests.bench.servers import (
    PASSWORD,
    Page,
    People,
    build_bare_arguments,
    create_people,
    measure_page,
    run_bare,
    run_portal,
    sign_in,
)

CLIENTS = 2_000
LEAST_PEOPLE = 20_000
"""Page 501 of the grid exists, and there are enough people who sign in once each."""
IDLE_PEOPLE = 200
_ADMIN_CLIENTS = 250
_SIGN_IN_CONNECTIONS = 4
_LIST = "/api/system/users"
_LIST_REQUESTS = 600
_BATCH = 10_000
_FIRST_BATCH = 200
SCREENS = {
    "default": "",
    "a role": "?role=Physician",
    "letters of a name": "?column.lastName=abc",
    "beginning of a name": "?column.lastName=ab",
    "by first name": "?sort=firstName",
    "page 501": "?skip=10000",
}
PEOPLE: People = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Admin": ("Client Admin", ScopeKind.CLIENT, list(range(1, _ADMIN_CLIENTS + 1))),
}
_POLLS = (
    (KEEPALIVE_SECONDS, "/auth/jwt/validate"),
    (SETTINGS_REFRESH_SECONDS, "/api/system/settings/result-entry"),
    (SETTINGS_REFRESH_SECONDS, "/capabilities"),
)
"""The requests that an unused open page repeats, each with its interval in seconds."""
_PLACES = f"""
INSERT INTO clients (code, name)
  SELECT 'C' || n, 'CLIENT ' || n FROM generate_series(1, {CLIENTS}) n;
INSERT INTO physicians (npi, first_name, last_name)
  SELECT '2' || lpad(n::text, 9, '0'), 'FIRST' || n, 'LAST' || n FROM generate_series(1, 400) n;
"""
# One in ten is a physician, and the others belong to one or two clients.
_USERS = f"""
WITH made AS (
  INSERT INTO users (email, username, password_hash, first_name, last_name, client_ids,
    physician_ids)
  SELECT 'person' || n || '@bench.lab', 'person' || n, %(password)s,
    left(translate(md5('f' || n), '0123456789', 'ghijklmnop'), 6),
    left(translate(md5('l' || n), '0123456789', 'ghijklmnop'), 8),
    CASE WHEN n %% 10 = 0 THEN '{{}}'::bigint[]
      WHEN n %% 10 = 1 THEN ARRAY[1 + n %% {CLIENTS}, 1 + (n + 7) %% {CLIENTS}]
      ELSE ARRAY[1 + n %% {CLIENTS}] END,
    CASE WHEN n %% 10 = 0 THEN ARRAY[1 + n %% 400] ELSE '{{}}'::bigint[] END
  FROM generate_series(%(first)s::bigint, %(last)s::bigint) n RETURNING id, physician_ids)
INSERT INTO registrations (user_id, application_id, roles)
SELECT id, 'portal', ARRAY[CASE WHEN physician_ids = '{{}}' THEN '{Role.CLIENT_BASIC}'
  ELSE '{Role.PHYSICIAN}' END] FROM made
"""
_SPAWN = multiprocessing.get_context("spawn")


@dataclass(frozen=True)
class CrowdFigures:
    """The list's times while other people act, and how often they acted per second."""

    others: Figures
    ratio: float
    rate: float


@dataclass(frozen=True)
class PeopleFigures:
    """The pages of the grid, and its times in a calm portal and beside other people."""

    pages: list[Page]
    calm: Figures
    beside: dict[str, CrowdFigures]


def measure_users(total: int, requests: int, report: Callable[[str], None]) -> PeopleFigures:
    """Measure the grid with ``total`` people, then a Superuser's grid beside others."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    try:
        report(f"Making {total:,} people")
        app_url = migrate_database(cluster.url, "application-of-the-bench")
        _insert_people(cluster.url, total)
        create_people(cluster.url, PEOPLE)
        with run_portal(app_url, folder / "data") as port:
            pages = _measure_pages(cluster.url, app_url, port, total, requests, report)
            return PeopleFigures(pages, *asyncio.run(_measure_beside(port, report)))
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _insert_people(owner: str, total: int) -> None:
    password = Passwords().hash_now(PASSWORD)
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("SET synchronous_commit = off")
        connection.execute(_PLACES.encode())
        # The triggers of many rows need statistics: without them each row reads the whole table.
        starts = [1, *range(_FIRST_BATCH + 1, total + 1, _BATCH)]
        for first, following in itertools.pairwise([*starts, total + 1]):
            values = {"first": first, "last": following - 1, "password": password}
            connection.execute(_USERS.encode(), values)
            connection.execute("ANALYZE users, registrations, user_directory")
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def _measure_pages(
    owner: str,
    app_url: str,
    port: int,
    total: int,
    requests: int,
    report: Callable[[str], None],
) -> list[Page]:
    pages = []
    for person, (_, kind, ids) in PEOPLE.items():
        for screen, query in SCREENS.items():
            report(f"{person}, {screen}")
            # A token expires after five minutes, before the last screen.
            ours = (port, _LIST + query, sign_in(port, person))
            user = _find_user(owner, person)
            arguments = build_bare_arguments(app_url, users, kind, ids, query, ours, user)
            with run_bare(arguments) as bare_port:
                pages.append(
                    asyncio.run(measure_page(total, person, screen, ours, bare_port, requests))
                )
    return pages


def _find_user(owner: str, person: str) -> UUID:
    with psycopg.connect(owner) as connection:
        row = connection.execute("SELECT id FROM users WHERE username = %s", (person,)).fetchone()
        assert row is not None
        return UUID(str(row[0]))


async def _measure_beside(
    port: int, report: Callable[[str], None]
) -> tuple[Figures, dict[str, CrowdFigures]]:
    await _read_list(port)
    calm = await _read_list(port)
    figures = {}
    for name in ACTS:
        report(name)
        is_over, counts = _SPAWN.Event(), _SPAWN.Queue()
        process = _SPAWN.Process(target=_run_act, args=(name, port, is_over, counts), daemon=True)
        process.start()
        await asyncio.to_thread(counts.get)  # Wait until everybody has begun.
        others = await _read_list(port)
        is_over.set()
        rate = await asyncio.to_thread(counts.get)
        process.join()
        figures[name] = CrowdFigures(others, others.p95 / calm.p95, rate)
    return calm, figures


async def _read_list(port: int) -> Figures:
    return await send_gets(port, _LIST, sign_in(port, "Superuser"), 1, _LIST_REQUESTS)


def _run_act(name: str, port: int, is_over: Any, counts: Any) -> None:
    asyncio.run(ACTS[name](port, is_over, counts))


async def _sign_in_again(http: httpx.AsyncClient, number: int) -> dict[str, str]:
    body = {"loginId": f"person{number}@bench.lab", "password": PASSWORD}
    answer = await http.post("/auth/login", json=body)
    answer.raise_for_status()
    return {"Authorization": f"JWT {answer.json()['token']}"}


async def _keep_pages_open(port: int, is_over: Any, counts: Any) -> None:
    """Keep the pages of 200 people open, and report their calls a second."""
    calls = 0

    async def poll(http: httpx.AsyncClient, headers: dict[str, str], number: int) -> None:
        nonlocal calls
        # Their pages were opened at different times.
        due_polls = [(number / IDLE_PEOPLE * seconds, seconds, path) for seconds, path in _POLLS]
        started_at = time.monotonic()
        while not is_over.is_set():
            at, seconds, path = min(due_polls)
            due_polls.remove((at, seconds, path))
            due_polls.append((at + seconds, seconds, path))
            while (wait := started_at + at - time.monotonic()) > 0 and not is_over.is_set():
                await asyncio.sleep(min(wait, 0.5))
            (await http.get(path, headers=headers)).raise_for_status()
            calls += 1

    async def follow_changes(http: httpx.AsyncClient, headers: dict[str, str]) -> None:
        async with http.stream("GET", "/api/v2/changes", headers=headers, timeout=None) as answer:
            async for _ in answer.aiter_raw():
                pass

    limits = httpx.Limits(max_connections=2 * IDLE_PEOPLE)
    base = f"http://127.0.0.1:{port}"
    async with httpx.AsyncClient(base_url=base, timeout=120, limits=limits) as http:
        people = [await _sign_in_again(http, n) for n in range(1, IDLE_PEOPLE + 1)]
        following = [asyncio.create_task(follow_changes(http, person)) for person in people]
        polling = [asyncio.create_task(poll(http, person, n)) for n, person in enumerate(people)]
        started_at = time.monotonic()
        counts.put("begun")
        await asyncio.gather(*polling)
        counts.put(calls / (time.monotonic() - started_at))
        for task in following:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


async def _sign_in_often(port: int, is_over: Any, counts: Any) -> None:
    """Sign people in on several connections without pauses, and report sign-ins a second."""
    numbers = itertools.count(IDLE_PEOPLE + 1)
    done = 0

    async def repeat(http: httpx.AsyncClient) -> None:
        nonlocal done
        while not is_over.is_set():
            await _sign_in_again(http, next(numbers))
            done += 1

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=120) as http:
        started_at = time.monotonic()
        counts.put("begun")
        await asyncio.gather(*(repeat(http) for _ in range(_SIGN_IN_CONNECTIONS)))
        counts.put(done / (time.monotonic() - started_at))


ACTS: dict[str, Callable[[int, Any, Any], Awaitable[None]]] = {
    f"{IDLE_PEOPLE} idle people": _keep_pages_open,
    "people who sign in": _sign_in_often,
}
"""What other people do while the list is measured, by name."""
