"""Compares list pages of the portal with the bare statement, and many rows with few."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import psycopg

from app.contract.enumerations import ScopeKind
from app.server.database.embedded import EmbeddedPostgres
from app.server.lists.parsing import SortKey, format_cursor
from app.server.requisitions.lists import requisitions
from app.server.schema.migrate import migrate
from tests.bench.rows import fill
from tests.bench.servers import (
    Page,
    bare,
    build_bare_arguments,
    compare,
    create_people,
    portal,
    sign_in,
)

_LIST = "/api/v2/requisitions/remote-operations"
_BY_ID = (SortKey(requisitions.columns[0], descending=True),)
SCREENS = {
    "default": "?startDate=2027-06-01&endDate=2027-06-01&status=1",
    "a month": "?startDate=2027-06-01&endDate=2027-06-30&status=7",
    "signed, of a month": "?startDate=2027-06-01&endDate=2027-06-30&signature=signed",
    "a year": "?startDate=2026-01-01&endDate=2026-12-31",
    "letters of a year": "?startDate=2026-01-01&endDate=2026-12-31&column.patientLastName=abc",
    "two years": "",
    "a name": "?startDate=2027-06-01&endDate=2027-06-07&column.patientLastName=abc",
    "three letters anywhere": "?column.patientLastName=abc",
    "letters of a code": "?column.code=999",
    "a client of a year": "?startDate=2026-01-01&endDate=2026-12-31&column.clientName=117",
    "a test of a year": "?startDate=2026-01-01&endDate=2026-12-31&column.tests=t377",
    "frequent tests": "?column.tests=t12",
    "a place": "?startDate=2027-06-01&endDate=2027-06-30&column.roomAndBed=101",
    "by client": "?startDate=2027-06-01&endDate=2027-06-01&sort=clientName",
    "by tests": "?startDate=2027-06-01&endDate=2027-06-01&sort=tests",
    "page 501": "?skip=10000",
    "half-way down": f"?after={format_cursor(_BY_ID, [500_000])}",
}
PEOPLE = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [3, 50, 120]),
    "Physician": ("Physician", ScopeKind.PHYSICIAN, [7]),
    "Patient": ("Patient", ScopeKind.PATIENT, [5]),
}


def measure(sizes: list[int], requests: int, report: Callable[[str], None]) -> list[Page]:
    """Measure every screen at the largest size, and default screens at every size."""
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
            screens = SCREENS if size == max(sizes) else {"default": SCREENS["default"]}
            pages += _measure_size(owner, app_url, size, screens, requests, folder, report)
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
    return pages


def _measure_size(
    owner: str,
    app_url: str,
    size: int,
    screens: dict[str, str],
    requests: int,
    folder: Path,
    report: Callable[[str], None],
) -> list[Page]:
    pages = []
    create_people(owner, PEOPLE)
    with portal(app_url, folder / "data") as port:
        for person, (_, kind, ids) in PEOPLE.items():
            for screen, query in screens.items():
                headers = sign_in(
                    port, person
                )  # a token expires after five minutes, before the last screen
                report(f"{size:,} rows, {person}, {screen}")
                arguments = build_bare_arguments(app_url, requisitions, kind, ids, query)
                with bare(arguments) as bare_port:
                    pages.append(
                        asyncio.run(
                            compare(
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
