"""Compares list pages of the portal with the bare statement, and many rows with few.

Counts have no bare statement to compare with; only their times are measured.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import psycopg

from app.contract.enumerations import ScopeKind
from app.server.database.embedded import EmbeddedPostgres
from app.server.lists.parsing import SortKey, format_cursor
from app.server.lists.spec import ListSpec
from app.server.orders.lists import orders
from app.server.requisitions.lists import requisitions
from app.server.schema.migrate import migrate_database
from tests.bench.load import Figures, send_gets
from tests.bench.rows import fill_orders, insert_rows
from tests.bench.servers import (
    CONNECTIONS,
    Page,
    build_bare_arguments,
    create_people,
    measure_page,
    run_bare,
    run_portal,
    sign_in,
)

_BY_ID = (SortKey(requisitions.columns[0], is_descending=True),)
SCREENS = {
    "default": "?startDate=2027-06-01&endDate=2027-06-01&status=1",
    "a month": "?startDate=2027-06-01&endDate=2027-06-30&status=7",
    "signed, a month": "?startDate=2027-06-01&endDate=2027-06-30&signature=signed",
    "a year": "?startDate=2026-01-01&endDate=2026-12-31",
    "part of a name, a year": "?startDate=2026-01-01&endDate=2026-12-31&column.patientLastName=abc",
    "two years": "",
    "a name": "?startDate=2027-06-01&endDate=2027-06-07&column.patientLastName=abc",
    "three letters anywhere": "?column.patientLastName=abc",
    "part of a code": "?column.code=999",
    "a client, a year": "?startDate=2026-01-01&endDate=2026-12-31&column.clientName=117",
    "a test, a year": "?startDate=2026-01-01&endDate=2026-12-31&column.tests=t377",
    "frequent tests": "?column.tests=t12",
    "a place": "?startDate=2027-06-01&endDate=2027-06-30&column.roomAndBed=101",
    "by client": "?startDate=2027-06-01&endDate=2027-06-01&sort=clientName",
    "by tests": "?startDate=2027-06-01&endDate=2027-06-01&sort=tests",
    "page 501": "?skip=10000",
    "half-way down": f"?after={format_cursor(_BY_ID, '[500000]')}",
}
ORDER_SCREENS = {
    "default": "?startDate=2027-06-01&endDate=2027-06-01&status=127",
    "a month": "?startDate=2027-06-01&endDate=2027-06-30",
    "pending, two years": "?startDate=2026-01-01&endDate=2027-12-31&status=1",
    "canceled, a year": "?startDate=2026-01-01&endDate=2026-12-31&status=32",
    "critical, a year": "?startDate=2026-01-01&endDate=2026-12-31&criticalResults=true",
    "missing information, a year": ("?startDate=2026-01-01&endDate=2026-12-31&missingInfo=true"),
    "two years": "",
    "a name": "?startDate=2027-06-01&endDate=2027-06-07&column.patientLastName=abc",
    "three letters anywhere": "?column.patientLastName=abc",
    "part of a code": "?column.codeValue=999",
    "a birth date": "?column.patientDoB=1961-03-04",
    "a test, a year": "?startDate=2026-01-01&endDate=2026-12-31&column.testNames=t377",
    "by client": "?startDate=2027-06-01&endDate=2027-06-01&sort=client",
}
LISTS: tuple[tuple[ListSpec, dict[str, str]], ...] = (
    (requisitions, SCREENS),
    (orders, ORDER_SCREENS),
)
_MONTH = "?startDate=2027-06-01&endDate=2027-06-30"
COUNTS = {
    "waiting work": "/api/v2/waiting",
    "requisitions of a month by status": f"/api/v2/requisitions/status-counts{_MONTH}",
    "orders of a month by status": f"/api/v2/orders/status-counts{_MONTH}",
}
PEOPLE = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [3, 50, 120]),
    "Physician": ("Physician", ScopeKind.PHYSICIAN, [7]),
    "Patient": ("Patient", ScopeKind.PATIENT, [5]),
}


@dataclass(frozen=True)
class Count:
    """The figures of a count of one person at one size."""

    rows: int
    person: str
    name: str
    ours: Figures


def measure_lists(
    sizes: list[int], requests: int, report: Callable[[str], None]
) -> tuple[list[Page], list[Count]]:
    """Measure every screen and count at the largest size, and default screens at every size."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    pages: list[Page] = []
    counts: list[Count] = []
    try:
        base = cluster.url.rsplit("/", 1)[0]
        for size in sizes:
            report(f"Making {size:,} requisitions and orders")
            with psycopg.connect(f"{base}/postgres", autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE bench_{size}".encode())
            owner = f"{base}/bench_{size}"
            app_url = migrate_database(owner, "application-of-the-bench")
            insert_rows(owner, size)
            fill_orders(owner, size)
            create_people(owner, PEOPLE)
            with run_portal(app_url, folder / "data") as port:
                is_largest = size == max(sizes)
                pages += _measure_pages(app_url, port, size, is_largest, requests, report)
                if is_largest:
                    counts = _measure_counts(port, size, requests, report)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return pages, counts


def _measure_pages(
    app_url: str,
    port: int,
    size: int,
    has_all_screens: bool,
    requests: int,
    report: Callable[[str], None],
) -> list[Page]:
    pages = []
    for spec, screens in LISTS:
        path = f"/api/v2/{spec.name}/remote-operations"
        for person, (_, kind, ids) in PEOPLE.items():
            for screen, query in screens.items():
                if screen != "default" and not has_all_screens:
                    continue
                # A token expires after five minutes, before the last screen.
                ours = (port, path + query, sign_in(port, person))
                name = f"{spec.name}, {screen}"
                report(f"{size:,} rows, {person}, {name}")
                arguments = build_bare_arguments(app_url, spec, kind, ids, query, ours)
                with run_bare(arguments) as bare_port:
                    page = asyncio.run(measure_page(size, person, name, ours, bare_port, requests))
                report(f"  {page.ours.p50:.0f} ms, ratio {page.ratio:.2f}")
                pages.append(page)
    return pages


def _measure_counts(
    port: int, size: int, requests: int, report: Callable[[str], None]
) -> list[Count]:
    counts = []
    for person, (name, path) in product(PEOPLE, COUNTS.items()):
        report(f"{size:,} rows, {person}, {name}")
        headers = sign_in(port, person)
        asyncio.run(send_gets(port, path, headers, CONNECTIONS, CONNECTIONS * 6))  # Warm up.
        figures = asyncio.run(send_gets(port, path, headers, CONNECTIONS, requests))
        counts.append(Count(size, person, name, figures))
    return counts
