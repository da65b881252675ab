"""What one greedy person costs everybody else: the response times of another person's list.

A client user does one costly thing as fast as possible, on several connections, while a nurse of
another client reads a list without pauses.
"""

import asyncio
import base64
import json
import multiprocessing
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from tests.bench.acts import build_full_body, create_scratch_database
from tests.bench.load import Figures, send_gets
from tests.bench.servers import People, create_people, run_portal_process, sign_in

_LIST = "/api/v2/requisitions/remote-operations?take=20"
_CALM_REQUESTS = 1_500
_RETRY_SECONDS = 0.1
"""A rejected connection tries again ten times a second."""
_MIB = 1024 * 1024
_DOCUMENT = b"%PDF-1.7\n" + bytes(24 * _MIB)
_LIST_ITEMS = "<ul>" + "<li>a</li>" * 9_000 + "</ul>"

_JSON = {"Content-Type": "application/json"}
_SPAWN = multiprocessing.get_context("spawn")

BEFORE: dict[str, tuple[float, int]] = {
    "reports of 1,000 forms": (44, 249),
    "labels of 100": (8, 272),
    "uploads of 24 MB": (31, 1388),
    "comments of 9,000 list items": (34, 645),
    "sign-ins of 39 MB": (1, 665),
}
"""Ratio and megabytes by the name of the act, at 44ecdb6d, which had no fair shares (ADR 54)."""

Act = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


@dataclass(frozen=True)
class Target:
    """The portal, and what the greedy person may use of it."""

    port: int
    headers: dict[str, str]
    ids: list[int]
    patient: int


@dataclass(frozen=True)
class GreedyFigures:
    """The list's times while somebody is greedy, the acts that succeeded, and the memory in MB."""

    others: Figures
    ratio: float
    done: int
    rejected: int
    megabytes: float


@dataclass(frozen=True)
class ListTimes:
    """The list's times in a calm portal, and those beside each act, by its name."""

    calm: Figures
    acts: dict[str, GreedyFigures]


def measure_list(total: int, report: Callable[[str], None]) -> ListTimes:
    """Measure the list in a calm portal, then beside each greedy act."""
    with create_scratch_database(total, report) as (owner, app_url, folder):
        clients, ids, patient = _choose_clients(owner)
        people: People = {
            "Greedy": ("Client Basic", ScopeKind.CLIENT, [clients[0]]),
            "Nurse": ("Client Basic", ScopeKind.CLIENT, [clients[1]]),
        }
        create_people(owner, people)
        with run_portal_process(app_url, folder / "data") as (port, process_id):
            target = Target(port, sign_in(port, "Greedy"), ids, patient)
            return asyncio.run(_measure_all(target, process_id, report))


async def _measure_all(target: Target, process_id: int, report: Callable[[str], None]) -> ListTimes:
    await _read_list(target.port)
    calm = await _read_list(target.port)
    figures = {}
    for name in ACTS:
        report(name)
        figures[name] = await _measure_beside(name, target, process_id, calm)
    return ListTimes(calm, figures)


async def _measure_beside(
    name: str, target: Target, process_id: int, calm: Figures
) -> GreedyFigures:
    target = replace(target, headers=sign_in(target.port, "Greedy"))
    is_over, counts = _SPAWN.Event(), _SPAWN.Queue()
    # A separate process: the greedy person's computer is not the nurse's.
    greedy = _SPAWN.Process(target=_be_greedy, args=(name, target, is_over, counts), daemon=True)
    greedy.start()
    peak = 0.0

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, _measure_memory(process_id))
            await asyncio.sleep(0.05)

    watching = asyncio.create_task(watch())
    await asyncio.to_thread(counts.get)  # the first answer: every connection is busy
    others = await _read_list(target.port)
    is_over.set()
    done, rejected = await asyncio.to_thread(counts.get)
    watching.cancel()
    greedy.join()
    return GreedyFigures(others, others.p95 / calm.p95, done, rejected, peak)


def _be_greedy(name: str, target: Target, is_over: Any, counts: Any) -> None:
    # The processors of the greedy person's computer are not the portal's.
    os.setpriority(os.PRIO_PROCESS, 0, 19)
    asyncio.run(_act_until(name, target, is_over, counts))


async def _act_until(name: str, target: Target, is_over: Any, counts: Any) -> None:
    """Repeat the act on all connections; report the first answer, and at the end all of them."""
    connections, build_act = ACTS[name]
    act = build_act(target)
    done = rejected = 0

    async def repeat(number: int) -> None:
        nonlocal done, rejected
        base = f"http://127.0.0.1:{target.port}"
        async with httpx.AsyncClient(base_url=base, headers=target.headers, timeout=120) as person:
            while not is_over.is_set():
                answer = await act(person, number)
                if done + rejected == 0:
                    counts.put("first")
                done += answer.is_success
                rejected += not answer.is_success
                if not answer.is_success:
                    await asyncio.sleep(_RETRY_SECONDS)

    await asyncio.gather(*(repeat(number) for number in range(connections)))
    counts.put((done, rejected))


async def _read_list(port: int) -> Figures:
    return await send_gets(port, _LIST, sign_in(port, "Nurse"), 1, _CALM_REQUESTS)


def _measure_memory(process_id: int) -> float:
    """Return the memory of the portal and its processes, in MB."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    pages = 0
    for pid in (str(process_id), *children):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def _build_reports(target: Target) -> Act:
    return lambda person, _: person.post(
        "/api/v2/reports/requisition", json={"ids": target.ids[:1000]}
    )


def _build_labels(target: Target) -> Act:
    return lambda person, _: person.get(
        "/api/v2/requisitions/labels", params={"ids": target.ids[:100]}
    )


def _build_uploads(target: Target) -> Act:
    content = base64.b64encode(_DOCUMENT).decode()
    body = json.dumps({"fileName": "scan.pdf", "content": content}).encode()
    return lambda person, number: person.post(
        f"/api/v2/requisitions/{target.ids[number]}/documents", content=body, headers=_JSON
    )


def _build_comments(target: Target) -> Act:
    body = json.dumps({**build_full_body(target.patient, [1]), "comments": _LIST_ITEMS}).encode()
    return lambda person, _: person.post("/api/v2/requisitions", content=body, headers=_JSON)


def _build_sign_ins(_target: Target) -> Act:
    body = json.dumps({"loginId": "x" * 39 * _MIB}).encode()

    async def act(person: httpx.AsyncClient, _: int) -> httpx.Response:
        try:
            return await person.post("/auth/login", content=body, headers=_JSON)
        except httpx.TransportError:  # the portal closes the connection without reading on
            return httpx.Response(413)

    return act


ACTS: dict[str, tuple[int, Callable[[Target], Act]]] = {
    "reports of 1,000 forms": (8, _build_reports),
    "labels of 100": (8, _build_labels),
    "uploads of 24 MB": (12, _build_uploads),
    "comments of 9,000 list items": (8, _build_comments),
    "sign-ins of 39 MB": (8, _build_sign_ins),
}
"""Each act, with its number of connections."""


def _choose_clients(owner: str) -> tuple[list[int], list[int], int]:
    """Return two clients with pending requisitions, the first one's, and one of its patients."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "SELECT client_id FROM requisitions WHERE status = 1 GROUP BY 1"
            " ORDER BY count(*) DESC LIMIT 2"
        ).fetchall()
        clients = [client for (client,) in rows]
        pending = connection.execute(
            "SELECT id, patient_id FROM requisitions WHERE client_id = %s AND status = 1"
            " LIMIT 1000",
            clients[:1],
        ).fetchall()
    return clients, [requisition_id for requisition_id, _ in pending], pending[0][1]
