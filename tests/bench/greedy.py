"""What one greedy person costs everybody else: the response times of another person's list.

A person does one costly thing as fast as possible, on several connections, while a nurse of another
client reads a list without pauses. On a real site, both use other computers than the
portal's. Here they share its processors, so the measurement keeps their own costs small:

- The greedy person's program has a low priority. It sends long bodies in short pieces, because a
  program is not interrupted while the system copies a piece.
- The program that measures has a raised priority, if the system permits it.
- The list is measured alone and beside the act in turns, so that other load on the machine affects
  both.
- As a control, the same uploads go to a bare server that discards them. The time of the list beside
  these uploads shows what sending bytes costs on this machine, whatever the portal does with them.
"""

import asyncio
import base64
import json
import multiprocessing
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from app.server.memory import measure_memory
from tests.bench.acts import build_full_body, create_scratch_database
from tests.bench.load import Figures, send_gets
from tests.bench.rows import CLIENTS, fill_orders, fill_results
from tests.bench.servers import (
    People,
    create_people,
    run_bare,
    run_portal_process,
    run_worker_process,
    sign_in,
)

_CLIENT_USER, _LAB_USER = "Greedy", "Lab"
_LIST = "/api/v2/requisitions/remote-operations?take=20"
_ROUNDS = 5
_ROUND_REQUESTS = 400
_PIECE_BYTES = 64 * 1024
_RAISED_PRIORITY = -15
_LOW_PRIORITY = 10
"""Relative to the portal's."""
_PATIENCE_SECONDS = 120.0
_RETRY_SECONDS = 0.1
"""A rejected connection tries again, and an export is checked, ten times a second."""
_UPLOAD_CONNECTIONS = 12
LEAST_ROWS = _UPLOAD_CONNECTIONS * CLIENTS
"""Each connection uploads to a pending requisition of its own."""
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
"""Ratio and megabytes by the name of the act, at 44ecdb6d, which had no fair shares (ADR 54).

That commit had neither result reports nor exports.
"""

Act = Callable[[httpx.AsyncClient, int], Awaitable[httpx.Response]]


@dataclass(frozen=True)
class Target:
    """The portal, and what the greedy person may use of it.

    Attributes:
        ids: pending requisitions.
        order_ids: final orders.
    """

    port: int
    ids: list[int]
    order_ids: list[int]
    patient: int
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class GreedyFigures:
    """The list's 95th percentiles in milliseconds, alone and while somebody is greedy.

    Also has the number of acts that succeeded, and the portal's memory in MB.
    """

    calm: float
    beside: float
    done: int
    rejected: int
    megabytes: float

    @property
    def ratio(self) -> float:
        """How much longer the list takes beside the act."""
        return self.beside / self.calm


def measure_list(total: int, report: Callable[[str], None]) -> dict[str, GreedyFigures]:
    """Measure the list beside each greedy act, and return the figures by the act's name."""
    with create_scratch_database(total, report) as (owner, app_url, folder):
        report("Making their orders with results")
        fill_orders(owner, total)
        fill_results(owner, total)
        clients, ids, patient = _choose_clients(owner)
        people: People = {
            _CLIENT_USER: ("Client Basic", ScopeKind.CLIENT, [clients[0]]),
            _LAB_USER: ("Laboratory", ScopeKind.STAFF, []),
            "Nurse": ("Client Basic", ScopeKind.CLIENT, [clients[1]]),
        }
        create_people(owner, people)
        with (
            run_portal_process(app_url, folder / "data") as (port, portal_id),
            run_worker_process(app_url, folder / "data") as worker_id,
        ):
            with suppress(PermissionError):
                # The priority is raised after the processes start, because they would inherit it.
                os.setpriority(os.PRIO_PROCESS, 0, _RAISED_PRIORITY)
            target = Target(port, ids, _choose_orders(owner, clients[0]), patient)
            return asyncio.run(_measure_all(target, [portal_id, worker_id], report))


async def _measure_all(
    target: Target, process_ids: list[int], report: Callable[[str], None]
) -> dict[str, GreedyFigures]:
    await _read_list(target.port)
    await _read_list(target.port)
    figures = {}
    for name in ACTS:
        report(name)
        figures[name] = await _measure_beside(name, target, target.port, process_ids)
    report(CONTROL)
    with run_bare({"discards": True}) as port:
        figures[CONTROL] = await _measure_beside(_UPLOADS, target, port, process_ids)
    return figures


async def _measure_beside(
    name: str, target: Target, port: int, process_ids: list[int]
) -> GreedyFigures:
    """Measure the list of the target's portal, alone and beside the act at ``port``, in turns."""
    person = ACTS[name].person
    calm, beside = [], []
    done = rejected = 0
    peak = 0.0

    async def watch() -> None:
        nonlocal peak
        while True:
            peak = max(peak, sum(map(_measure_memory, process_ids)))
            await asyncio.sleep(0.05)

    watch_task = asyncio.create_task(watch())
    for _ in range(_ROUNDS):
        calm.append((await _read_list(target.port)).p95)
        headers = sign_in(target.port, person)
        with _run_greedy(name, replace(target, port=port, headers=headers)) as (counts, stop):
            await asyncio.to_thread(
                counts.get, timeout=_PATIENCE_SECONDS
            )  # the first answer: every connection is busy
            beside.append((await _read_list(target.port)).p95)
            stop()
            done_now, rejected_now = await asyncio.to_thread(counts.get, timeout=_PATIENCE_SECONDS)
        done, rejected = done + done_now, rejected + rejected_now
    watch_task.cancel()
    return GreedyFigures(median(calm), median(beside), done, rejected, peak)


@contextmanager
def _run_greedy(name: str, target: Target) -> Iterator[tuple[Any, Callable[[], None]]]:
    """Run the greedy person's program; yield its queue of answers and a function to stop it."""
    is_over, counts = _SPAWN.Event(), _SPAWN.Queue()
    # A separate process: the greedy person's computer is not the nurse's.
    process = _SPAWN.Process(target=_be_greedy, args=(name, target, is_over, counts), daemon=True)
    process.start()
    try:
        yield counts, is_over.set
    finally:
        is_over.set()
        process.join()


def _be_greedy(name: str, target: Target, is_over: Any, counts: Any) -> None:
    os.nice(_LOW_PRIORITY)
    asyncio.run(_act_until(name, target, is_over, counts))


async def _act_until(name: str, target: Target, is_over: Any, counts: Any) -> None:
    """Repeat the act on all connections; report the first answer, and at the end all of them."""
    greedy = ACTS[name]
    act = greedy.build(target)
    done = rejected = 0

    async def repeat(number: int) -> None:
        nonlocal done, rejected
        base = f"http://127.0.0.1:{target.port}"
        async with httpx.AsyncClient(base_url=base, headers=target.headers, timeout=120) as person:
            while not is_over.is_set():
                is_done = await _is_success(act(person, number))
                if done + rejected == 0:
                    counts.put("first")
                done += is_done
                rejected += not is_done
                if not is_done:
                    await asyncio.sleep(_RETRY_SECONDS)

    await asyncio.gather(*(repeat(number) for number in range(greedy.connections)))
    counts.put((done, rejected))


async def _is_success(answer: Awaitable[httpx.Response]) -> bool:
    try:
        return (await answer).is_success
    except httpx.TransportError:  # the portal closes the connection without reading the rest
        return False


async def _read_list(port: int) -> Figures:
    return await send_gets(port, _LIST, sign_in(port, "Nurse"), 1, _ROUND_REQUESTS)


def _measure_memory(process_id: int) -> float:
    """Return the memory of a process and its children, in MB."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    # A process that has ended counts as 0.
    return sum(map(measure_memory, (process_id, *map(int, children)))) / 1_000_000


def _build_reports(target: Target) -> Act:
    return lambda person, _: person.post(
        "/api/v2/reports/requisition", json={"ids": target.ids[:1000]}
    )


def _build_result_reports(target: Target) -> Act:
    return lambda person, _: person.post(
        "/api/v2/reports/order/results", json={"ids": target.order_ids}
    )


def _build_exports(target: Target) -> Act:
    path = "/api/v2/result-exports"
    body = {"startDate": "2026-06-01", "endDate": "2026-06-30", "format": "csv"}

    async def export(person: httpx.AsyncClient, _: int) -> httpx.Response:
        answer = await person.post(path, json=body)
        while answer.is_success and answer.json()["state"] in ("queued", "running"):
            await asyncio.sleep(_RETRY_SECONDS)
            answer = await person.get(f"{path}/{answer.json()['id']}")
        return answer

    return export


def _build_labels(target: Target) -> Act:
    return lambda person, _: person.get(
        "/api/v2/requisitions/labels", params={"ids": target.ids[:100]}
    )


def _build_uploads(target: Target) -> Act:
    content = base64.b64encode(_DOCUMENT).decode()
    body = json.dumps({"fileName": "scan.pdf", "content": content}).encode()
    return lambda person, number: _post_long(
        person, f"/api/v2/requisitions/{target.ids[number]}/documents", body
    )


def _build_comments(target: Target) -> Act:
    body = json.dumps({**build_full_body(target.patient, [1]), "comments": _LIST_ITEMS}).encode()
    return lambda person, _: person.post("/api/v2/requisitions", content=body, headers=_JSON)


def _build_sign_ins(_target: Target) -> Act:
    body = json.dumps({"loginId": "x" * 39 * _MIB}).encode()
    return lambda person, _: _post_long(person, "/auth/login", body)


async def _post_long(person: httpx.AsyncClient, path: str, body: bytes) -> httpx.Response:
    """Send the body in short pieces."""

    async def cut() -> AsyncIterator[bytes]:
        for start in range(0, len(body), _PIECE_BYTES):
            yield body[start : start + _PIECE_BYTES]

    headers = {**_JSON, "Content-Length": str(len(body))}
    return await person.post(path, content=cut(), headers=headers)


@dataclass(frozen=True)
class GreedyAct:
    """An act that one person repeats on several connections at once."""

    connections: int
    build: Callable[[Target], Act]
    person: str = _CLIENT_USER


_UPLOADS = "uploads of 24 MB"
CONTROL = f"{_UPLOADS} to a server that discards them"
ACTS = {
    "reports of 1,000 forms": GreedyAct(8, _build_reports),
    "reports of the results of 400 orders": GreedyAct(8, _build_result_reports),
    "exports of the results of a month": GreedyAct(2, _build_exports, _LAB_USER),
    "labels of 100": GreedyAct(8, _build_labels),
    _UPLOADS: GreedyAct(_UPLOAD_CONNECTIONS, _build_uploads),
    "comments of 9,000 list items": GreedyAct(8, _build_comments),
    "sign-ins of 39 MB": GreedyAct(8, _build_sign_ins),
}


def _choose_clients(owner: str) -> tuple[list[int], list[int], int]:
    """Return two clients, pending requisitions of the first client, and one of its patients."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "SELECT client_id FROM requisitions WHERE status = 1 GROUP BY 1"
            " ORDER BY count(*) DESC LIMIT 2"
        ).fetchall()
        clients = [client for (client,) in rows]
        pending_rows = connection.execute(
            "SELECT id, patient_id FROM requisitions WHERE client_id = %s AND status = 1"
            " LIMIT 1000",
            clients[:1],
        ).fetchall()
    return clients, [requisition_id for requisition_id, _ in pending_rows], pending_rows[0][1]


def _choose_orders(owner: str, client: int) -> list[int]:
    """Return up to 400 final orders of the client."""
    with psycopg.connect(owner) as connection:
        rows = connection.execute(
            "SELECT id FROM orders WHERE client_id = %s AND status = 16 LIMIT 400", [client]
        ).fetchall()
    return [order_id for (order_id,) in rows]
