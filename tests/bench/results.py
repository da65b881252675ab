"""Measures results: searches with result columns, an order's screens, releases, reports.

Each screen is compared with its bare statement for each kind of scope. The portal sets the scope
and loads a record in one round trip. That round trip is recorded once; the bare server repeats it
and answers with what it loaded.
"""

import asyncio
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from unittest.mock import patch

import httpx
import psycopg

from app.contract.enumerations import ResultKind, ScopeKind
from app.server import logs
from app.server.access.reader import build_request_parameters
from app.server.actor import Actor
from app.server.database import pools
from app.server.database.embedded import EmbeddedPostgres
from app.server.database.pools import READ_OPTIONS
from app.server.database.round_trip import PreparingConnection, fetch_rows
from app.server.main import build_app
from app.server.orders.lists import orders
from app.server.results.cumulative.repository import build_days_statement
from app.server.results.cumulative.rules import Period
from app.server.results.cumulative.service import CumulativeQuery
from app.server.schema.migrate import migrate_database
from app.server.settings import Settings
from tests.bench.result_rows import (
    CLIENT,
    PATIENT,
    PHYSICIAN,
    TESTS_PER_ORDER,
    fill_history,
    fill_many_results,
)
from tests.bench.rows import fill_orders, insert_rows
from tests.bench.servers import (
    PASSWORD,
    Page,
    People,
    build_bare_arguments,
    create_people,
    measure_page,
    run_bare,
    run_portal_process,
    sign_in,
)

PEOPLE: People = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [CLIENT, 50, 120]),
    "Physician": ("Physician", ScopeKind.PHYSICIAN, [PHYSICIAN]),
    "Patient": ("Patient", ScopeKind.PATIENT, [PATIENT]),
}
_LAB: People = {"Lab": ("Laboratory", ScopeKind.STAFF, [])}
DEFAULT = "search, default, five result columns"
LISTS = {
    DEFAULT: "?startDate=2027-06-01&endDate=2027-06-01&status=127",
    "search, a month": "?startDate=2027-06-01&endDate=2027-06-30&status=127",
    "search, alerts, 90 days": "?startDate=2027-03-01&endDate=2027-05-30&alertResults=true",
    "search, missing information, a year": (
        "?startDate=2026-01-01&endDate=2026-12-31&missingInfo=true"
    ),
}
RECORDS = {
    "open an order": "",
    "its result types": "/results-types",
    "its clinical results": "/clinical-results",
    "its culture, 10 organisms with 12 antibiotics each": "/microbiology-results",
}
CUMULATIVE = "cumulative, 2,000 results"
_PERIOD = Period(date(2000, 1, 1), date(2100, 1, 1))
_CUMULATIVE_QUERY = "?startDate=2000-01-01&endDate=2100-01-01&records=0"
SCREENS_THAT_GROW = (DEFAULT, *RECORDS, CUMULATIVE)
"""Screens that everybody opens, and whose time must not depend on the number of orders."""
_RELEASED_AT_ONCE = 100
_RELEASES = 5
_REPORTS = 500
Trip = list[tuple[str, dict[str, Any]]]
Recorded = dict[tuple[str, str], Trip]
"""The statements of a screen with their values, by person and screen."""


@dataclass
class Acts:
    """The acts of the lab: milliseconds of each release, and the stream of reports."""

    release: float
    """The median time of one release of a hundred orders, in milliseconds."""
    reports_per_second: float
    megabytes_before: float
    """The portal's use of memory before the reports."""
    megabytes: float
    """The highest use of memory of the portal while it makes the reports."""


@dataclass
class Figures:
    """All figures of this part."""

    pages: list[Page] = field(default_factory=list)
    acts: Acts | None = None
    fill_seconds: float = 0.0
    """Seconds that filling the largest database took."""


def measure_results(sizes: list[int], requests: int, report: Callable[[str], None]) -> Figures:
    """Measure everything at the largest size, and the screens that everybody opens at each."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    figures = Figures()
    try:
        base = cluster.url.rsplit("/", 1)[0]
        for size in sizes:
            is_largest = size == max(sizes)
            report(f"Making {size:,} orders with {size * TESTS_PER_ORDER:,} results")
            started_at = time.monotonic()
            with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE results_{size}".encode())
            owner = f"{base}/results_{size}"
            app_url = migrate_database(owner, "application-of-the-bench")
            insert_rows(owner, size)
            fill_orders(owner, size)
            fill_many_results(owner, size)
            order, unreleased_ids = fill_history(owner, _RELEASED_AT_ONCE * _RELEASES)
            create_people(owner, PEOPLE | _LAB)
            figures.fill_seconds = time.monotonic() - started_at
            report(f"  {figures.fill_seconds:.0f} s")
            # Only one process may use the data folder's keys, so record first.
            recorded = asyncio.run(_record_statements(order, app_url, folder / "data"))
            with run_portal_process(app_url, folder / "data") as (port, pid):
                bench = _Bench(app_url, port, size, requests, order, recorded, report)
                figures.pages += bench.measure_lists(LISTS if is_largest else [DEFAULT])
                figures.pages += bench.measure_records()
                figures.pages += bench.measure_cumulative()
                if is_largest:
                    figures.acts = _measure_acts(owner, port, pid, unreleased_ids, report)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return figures


@dataclass
class _Bench:
    """Measures the screens at one size."""

    app_url: str
    port: int
    size: int
    requests: int
    order: int
    recorded: Recorded
    report: Callable[[str], None]

    def measure_lists(self, names: Iterable[str]) -> list[Page]:
        """Measure these screens of the order search, by their names in ``LISTS``."""
        pages = []
        for person, (_, kind, ids) in PEOPLE.items():
            for name in names:
                query = LISTS[name]
                ours = self._sign_in(person, f"/api/v2/orders/remote-operations{query}")
                arguments = build_bare_arguments(self.app_url, orders, kind, ids, query, ours)
                pages.append(self._measure(person, name, ours, arguments))
        return pages

    def measure_records(self) -> list[Page]:
        """Measure the requests that open an order."""
        pages = []
        for person in PEOPLE:
            for name, part in RECORDS.items():
                arguments = {
                    "url": self.app_url,
                    "options": READ_OPTIONS,
                    "trip": self.recorded[person, name],
                    "size": 8,
                }
                ours = self._sign_in(person, f"/api/v2/orders/{self.order}{part}")
                pages.append(self._measure(person, name, ours, arguments))
        return pages

    def measure_cumulative(self) -> list[Page]:
        """Measure all results of a patient over time."""
        pages = []
        path = f"/api/v2/orders/{self.order}/clinical-cumulative-results{_CUMULATIVE_QUERY}"
        for person, (_, kind, ids) in PEOPLE.items():
            actor = Actor(kind=kind, ids=tuple(ids))
            values = {"order": self.order, **CumulativeQuery(_PERIOD, 0).build_values()}
            arguments = {
                "url": self.app_url,
                "setup": f"SET ROLE {actor.database_role}; SET app.ids = '{actor.ids_text}'",
                "text": build_days_statement(ResultKind.CLINICAL, kind),
                "values": _to_json({**build_request_parameters(actor, ""), **values}),
                "size": 8,
            }
            pages.append(self._measure(person, CUMULATIVE, self._sign_in(person, path), arguments))
        return pages

    def _sign_in(self, person: str, path: str) -> tuple[int, str, dict[str, str]]:
        # A token expires after five minutes, before the last screen.
        return self.port, path, sign_in(self.port, person)

    def _measure(
        self,
        person: str,
        name: str,
        ours: tuple[int, str, dict[str, str]],
        arguments: dict[str, Any],
    ) -> Page:
        self.report(f"{self.size:,} orders, {person}, {name}")
        with run_bare(arguments) as bare_port:
            page = asyncio.run(
                measure_page(self.size, person, name, ours, bare_port, self.requests)
            )
        self.report(f"  {page.ours.p50:.0f} ms, ratio {page.ratio:.2f}")
        return page


async def _record_statements(order: int, app_url: str, data: Path) -> Recorded:
    """Read each part of the order once as each person, and return the statements."""
    logs.configure_logs("ERROR")
    app = build_app(Settings(data_dir=data), app_url)
    records: Recorded = {}
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://bench") as http:
            for person in PEOPLE:
                login = {"loginId": f"{person.lower()}@bench.lab", "password": PASSWORD}
                token = (await http.post("/auth/login", json=login)).json()["token"]
                headers = {"Authorization": f"JWT {token}"}
                for name, part in RECORDS.items():
                    with _record_reads() as reads:
                        path = f"/api/v2/orders/{order}{part}"
                        answer = await http.get(path, headers=headers)
                    answer.raise_for_status()
                    # Fails if a screen takes more than one round trip.
                    (records[person, name],) = reads
    return records


@contextmanager
def _record_reads() -> Iterator[list[Trip]]:
    """Record the round trips of the read connections."""
    trips: list[Trip] = []

    async def record(
        connection: PreparingConnection,
        statements: Sequence[tuple[str, dict[str, Any]]],
        **options: Any,
    ) -> list[tuple[Any, ...]]:
        trips.append([(text, _to_json(values)) for text, values in statements])
        return await fetch_rows(connection, statements, **options)

    with patch.object(pools, "fetch_rows", record):
        yield trips


def _to_json(values: Any) -> Any:
    return json.loads(json.dumps(values, default=str))


def _measure_acts(
    owner: str, port: int, pid: int, unreleased_ids: list[int], report: Callable[[str], None]
) -> Acts:
    headers = sign_in(port, "Lab")
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=300) as lab:
        report(f"Releasing {_RELEASED_AT_ONCE} orders at once")
        times = []
        for first in range(0, len(unreleased_ids), _RELEASED_AT_ONCE):
            ids = unreleased_ids[first : first + _RELEASED_AT_ONCE]
            started_at = time.perf_counter()
            answer = lab.post("/api/v2/orders/release-results", json={"ids": ids})
            times.append(1000 * (time.perf_counter() - started_at))
            answer.raise_for_status()
        report(f"Reports of {_REPORTS} orders as one stream")
        with psycopg.connect(owner) as connection:
            rows = connection.execute(
                "SELECT id FROM orders WHERE status = 16 ORDER BY id DESC LIMIT %s", (_REPORTS,)
            ).fetchall()
        ids = [order_id for (order_id,) in rows]
        before = _start_peak(pid)
        started_at = time.perf_counter()
        with lab.stream(
            "POST", "/api/v2/reports/order/results/stream", json={"ids": ids}
        ) as events:
            events.raise_for_status()
            last = [line for line in events.iter_lines() if line.startswith("event:")][-1]
        seconds = time.perf_counter() - started_at
        if last != "event: done":
            raise RuntimeError(f"the reports ended with '{last}'")
    return Acts(statistics.median(times), len(ids) / seconds, before, _read_memory(pid, "VmHWM"))


def _start_peak(pid: int) -> float:
    """Start the measurement of the peak memory use, and return the current use in MB."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return _read_memory(pid, "VmRSS")


def _read_memory(pid: int, name: str) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition(f"{name}:")[2].split()[0]) / 1024
