"""Measures the audit log: its searches, the cost of a row, and sealing and verifying."""

import asyncio
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import psycopg

from app.contract.enumerations import ScopeKind
from app.server.audit_seals.anchor import FileAnchor
from app.server.audit_seals.keys import SealKeys
from app.server.audit_seals.service.seal import seal_rows
from app.server.audit_seals.service.verify import verify_log
from app.server.audit_viewer.lists import audit_events
from app.server.database.embedded import EmbeddedPostgres
from app.server.schema.migrate import migrate_database
from tests.bench.load import send_gets
from tests.bench.servers import (
    People,
    build_bare_arguments,
    create_people,
    run_bare,
    run_portal,
    sign_in,
)

_LIST = "/api/v2/audit-events"
_BATCH = 250_000
_RECORDS = 100_000
_SEALED_ROWS = 200_000
_INSERTED_ROWS = 2_000
_DAYS = 730
_ROUNDS = 5
_REQUESTS = 20
SEARCHES = {
    "today": "?startDate={today}&endDate={today}",
    "two years": "",
    "a person, two years": "?user={user}",
    "a person's changes": "?user={user}&group=changed",
    "a patient, two years": "?patient=777",
    "a patient, denied": "?patient=777&outcome=denied",
    "a requisition": "?code=R260000777",
    "denied, two years": "?outcome=denied",
    "signatures, two years": "?group=signed",
}
_PEOPLE: People = {"Superuser": ("Superuser", ScopeKind.STAFF, [])}
_RECORD_ROWS = f"""
INSERT INTO clients (code, name) VALUES ('C1', 'CLIENT');
INSERT INTO physicians (npi, first_name, last_name) VALUES ('2000000001', 'A', 'B');
INSERT INTO patients (code, client_id, last_name, first_name, birth_date, gender)
  SELECT 'P' || lpad(n::text, 7, '0'), 1, 'LAST' || n, 'FIRST', '1961-03-04', 'FEMALE'
  FROM generate_series(1, {_RECORDS}) n;
INSERT INTO requisitions (code, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, collection_date, status, fasting,
    bill_to, priority)
  SELECT 'R26' || lpad(n::text, 7, '0'), 1, 1, n, 'LAST' || n, 'FIRST', '1961-03-04', 'FEMALE',
    '2026-03-04', 1, 0, 2, 'ROUTINE' FROM generate_series(1, {_RECORDS}) n;
"""
# Half of the rows are pages of 20 records, as in a day of a lab; one in 500 was denied.
_ROWS = f"""
INSERT INTO audit_events (at, user_id, role, action, kind, record_ids, request_id)
SELECT now() - interval '{_DAYS} days' * (1 - n::float8 / %(total)s),
  md5((n %% 200)::text)::uuid, 'Client Basic',
  CASE WHEN n %% 500 = 0 THEN 'refuse' WHEN n %% 2 = 0 THEN 'list' WHEN n %% 40 = 1 THEN 'sign'
    WHEN n %% 10 = 3 THEN 'change' ELSE 'read' END,
  CASE WHEN n %% 500 = 0 THEN 'request' WHEN n %% 2 = 0 THEN 'requisitions'
    WHEN n %% 3 = 0 THEN 'patient' ELSE 'requisition' END,
  CASE WHEN n %% 2 = 0 THEN ARRAY(SELECT 1 + (n * 7919 + i * 104729) %% {_RECORDS}
    FROM generate_series(1, 20) i) ELSE ARRAY[1 + (n * 7919) %% {_RECORDS}] END, md5(n::text)
FROM generate_series(%(first)s::bigint, %(last)s::bigint) n
"""
_INSERT = (
    "INSERT INTO audit_events (role, action, kind, record_ids, request_id)"
    f" SELECT 'x', 'list', 'patients', ARRAY(SELECT 1 + (%s::bigint * 7919 + i) %% {_RECORDS}"
    " FROM generate_series(1, 20) i), ''"
)


@dataclass(frozen=True)
class Search:
    """Milliseconds of a search, and its rate divided by that of the bare server."""

    p50: float
    p95: float
    ratio: float


@dataclass
class AuditFigures:
    """Figures by search, microseconds of an inserted row, and rows a second."""

    searches: dict[str, Search] = field(default_factory=dict)
    insert: float = 0.0
    sealed: float = 0.0
    verified: float = 0.0
    fill_seconds: float = 0.0


def measure_audit_log(total: int, report: Callable[[str], None]) -> AuditFigures:
    """Measure with ``total`` audit rows of two years."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    figures = AuditFigures()
    try:
        report(f"Making {total:,} audit rows")
        started_at = time.perf_counter()
        app_url = migrate_database(cluster.url, "application-of-the-bench")
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            _insert_rows(connection, total)
            figures.fill_seconds = time.perf_counter() - started_at
            create_people(cluster.url, _PEOPLE)
            with run_portal(app_url, folder / "data") as port:
                for name, query in SEARCHES.items():
                    report(name)
                    figures.searches[name] = _measure_search(connection, app_url, port, query)
            report("Inserting, sealing, and verifying")
            _measure_rows(connection, folder, figures)
        return figures
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _insert_rows(connection: psycopg.Connection, total: int) -> None:
    connection.execute(_RECORD_ROWS.encode())
    for first in range(1, total + 1, _BATCH):
        last = min(first + _BATCH - 1, total)
        connection.execute(_ROWS.encode(), {"first": first, "last": last, "total": total})
    connection.execute("VACUUM ANALYZE audit_events")


def _measure_search(connection: psycopg.Connection, app_url: str, port: int, query: str) -> Search:
    """Measure one person's searches, and those of the bare server, in turns."""
    row = connection.execute("SELECT md5('7')::uuid::text, current_date::text").fetchone()
    assert row is not None
    query = query.format(user=row[0], today=row[1])
    ours = (port, _LIST + query, sign_in(port, "Superuser"))
    arguments = build_bare_arguments(app_url, audit_events, ScopeKind.STAFF, [], query, ours)
    with run_bare(arguments) as bare_port:
        turns = [(port, ours[1], ours[2]), (bare_port, "/page", {})]
        rounds = [
            [asyncio.run(send_gets(*target, 1, _REQUESTS)) for target in turns]
            for _ in range(_ROUNDS)
        ]
    return Search(
        median(portal.p50 for portal, _ in rounds),
        median(portal.p95 for portal, _ in rounds),
        median(portal.rate / bare_figures.rate for portal, bare_figures in rounds),
    )


def _measure_rows(connection: psycopg.Connection, folder: Path, figures: AuditFigures) -> None:
    started_at = time.perf_counter()
    with connection.transaction():
        for n in range(_INSERTED_ROWS):
            connection.execute(_INSERT, (n,))
    figures.insert = 1_000_000 * (time.perf_counter() - started_at) / _INSERTED_ROWS
    connection.execute(
        "DELETE FROM audit_events WHERE id > %s",
        (_SEALED_ROWS,),
    )
    keys, anchor = SealKeys(folder / "seal-keys"), FileAnchor(folder / "anchor.jsonl")
    started_at = time.perf_counter()
    sealed_rows = seal_rows(connection, keys, anchor)
    figures.sealed = sealed_rows / (time.perf_counter() - started_at)
    started_at = time.perf_counter()
    assert verify_log(connection, keys, anchor).trouble is None
    figures.verified = sealed_rows / (time.perf_counter() - started_at)
