"""What one greedy person costs everybody else: the response times of another person's list.

A client user does one costly thing as fast as possible, on several connections, while a nurse of
another client reads a list without pauses.
"""

import asyncio
import base64
import json
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from tests.bench.acts import build_full_body, create_scratch_database
from tests.bench.load import Figures, send_gets
from tests.bench.servers import People, create_people, run_portal_process, sign_in

_LIST = "/api/v2/requisitions/remote-operations?take=20"
_CALM_REQUESTS = 400
_CONNECTIONS = 8
_MIB = 1024 * 1024
_DOCUMENT = b"%PDF-1.7\n" + bytes(24 * _MIB)
_LIST_ITEMS = "<ul>" + "<li>a</li>" * 9_000 + "</ul>"

Act = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


@dataclass(frozen=True)
class GreedyFigures:
    """The list's times while somebody is greedy, the acts that succeeded, and the memory in MB."""

    others: Figures
    ratio: float
    done: int
    rejected: int
    megabytes: float


@dataclass(frozen=True)
class Measured:
    """The list's times in a calm portal, and those beside each act, by its name."""

    calm: Figures
    acts: dict[str, GreedyFigures]


def measure(total: int, report: Callable[[str], None]) -> Measured:
    """Measure the list in a calm portal, then beside each greedy act."""
    with create_scratch_database(total, report) as (owner, app_url, folder):
        clients, ids, patient = _choose_clients(owner)
        people: People = {
            "Greedy": ("Client Basic", ScopeKind.CLIENT, [clients[0]]),
            "Nurse": ("Client Basic", ScopeKind.CLIENT, [clients[1]]),
        }
        create_people(owner, people)
        acts = _build_acts(ids, patient)
        with run_portal_process(app_url, folder / "data") as (port, process_id):
            return asyncio.run(_measure_all(port, process_id, acts, report))


async def _measure_all(
    port: int, process_id: int, acts: dict[str, tuple[int, Act]], report: Callable[[str], None]
) -> Measured:
    await _read_list(port)
    calm = await _read_list(port)
    figures = {}
    for name, (connections, act) in acts.items():
        report(name)
        figures[name] = await _measure_beside(port, process_id, calm, connections, act)
    return Measured(calm, figures)


async def _measure_beside(
    port: int, process_id: int, calm: Figures, connections: int, act: Act
) -> GreedyFigures:
    headers = sign_in(port, "Greedy")
    counts = {True: 0, False: 0}
    is_over = asyncio.Event()
    peak = 0.0

    async def be_greedy(number: int) -> None:
        base = f"http://127.0.0.1:{port}"
        async with httpx.AsyncClient(base_url=base, headers=headers, timeout=120) as greedy:
            while not is_over.is_set():
                answer = await act(greedy, number)
                counts[answer.is_success] += 1

    async def watch() -> None:
        nonlocal peak
        while not is_over.is_set():
            peak = max(peak, _measure_memory(process_id))
            await asyncio.sleep(0.05)

    acting = [asyncio.create_task(be_greedy(number)) for number in range(connections)]
    acting.append(asyncio.create_task(watch()))
    await asyncio.sleep(1)  # until every connection is busy
    others = await _read_list(port)
    is_over.set()
    await asyncio.gather(*acting)
    return GreedyFigures(others, others.p95 / calm.p95, counts[True], counts[False], peak)


async def _read_list(port: int) -> Figures:
    return await send_gets(port, _LIST, sign_in(port, "Nurse"), 1, _CALM_REQUESTS)


def _measure_memory(process_id: int) -> float:
    """Return the memory of the portal and its processes, in MB."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    pages = 0
    for each in (str(process_id), *children):
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            pages += int(Path(f"/proc/{each}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


def _build_acts(ids: list[int], patient: int) -> dict[str, tuple[int, Act]]:
    """Return each act with its number of connections."""
    document = json.dumps(
        {"fileName": "scan.pdf", "content": base64.b64encode(_DOCUMENT).decode()}
    ).encode()
    comment = json.dumps({**build_full_body(patient, [1]), "comments": _LIST_ITEMS}).encode()
    huge = json.dumps({"loginId": "x" * 39 * _MIB}).encode()
    json_type = {"Content-Type": "application/json"}

    def report(greedy: httpx.AsyncClient, _number: int) -> Awaitable[httpx.Response]:
        return greedy.post("/api/v2/reports/requisition", json={"ids": ids[:1000]})

    def label(greedy: httpx.AsyncClient, _number: int) -> Awaitable[httpx.Response]:
        return greedy.get("/api/v2/requisitions/labels", params={"ids": ids[:100]})

    def upload(greedy: httpx.AsyncClient, number: int) -> Awaitable[httpx.Response]:
        path = f"/api/v2/requisitions/{ids[number]}/documents"
        return greedy.post(path, content=document, headers=json_type)

    def save(greedy: httpx.AsyncClient, _number: int) -> Awaitable[httpx.Response]:
        return greedy.post("/api/v2/requisitions", content=comment, headers=json_type)

    async def overload(greedy: httpx.AsyncClient, _number: int) -> httpx.Response:
        try:
            return await greedy.post("/auth/login", content=huge, headers=json_type)
        except httpx.TransportError:  # the portal closes the connection without reading on
            return httpx.Response(413)

    return {
        "reports of 1,000 forms": (_CONNECTIONS, report),
        "labels of 100": (_CONNECTIONS, label),
        "uploads of 24 MB": (12, upload),
        "comments of 9,000 list items": (_CONNECTIONS, save),
        "sign-ins of 39 MB": (_CONNECTIONS, overload),
    }


def _choose_clients(owner: str) -> tuple[list[int], list[int], int]:
    """Return two clients with pending requisitions, the first one's, and one of its patients."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "SELECT client_id FROM requisitions WHERE status = 1 GROUP BY 1"
            " ORDER BY count(*) DESC LIMIT 2"
        ).fetchall()
        clients = [client for (client,) in rows]
        found = connection.execute(
            "SELECT id, patient_id FROM requisitions WHERE client_id = %s AND status = 1"
            " LIMIT 1000",
            clients[:1],
        ).fetchall()
    return clients, [requisition_id for requisition_id, _ in found], found[0][1]
