"""Exports of many rows: how fast a worker writes them, and how much memory it takes.

Each export runs in a separate process, whose highest use of memory is that of the worker.
"""

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import psycopg

from app.contract.enumerations import ScopeKind
from tests.bench.acts import create_scratch_database
from tests.bench.rows import fill_orders
from tests.bench.servers import WORKER_PORTAL, create_people, die_with_parent

FEW_ROWS = 10_000
_ROWS_PER_ORDER = 2
_RESULTS = b"""
INSERT INTO results (order_id, order_test_id, revision, value, number, flag, unit, reference_range,
    entered_at, released_at)
  SELECT t.order_id, t.id, 1, (t.id % 90)::text, t.id % 90, 'N', 'mmol/L', '3.5 - 5.1', now(), now()
  FROM order_tests t;
UPDATE orders SET status = 16;
ANALYZE;
"""
_EXPORT = """
import json, sys, time
import psycopg
from app.server.exports.service.run import run_export
owner, app_url, data, user, extension, last = sys.argv[1:]
filters = {"startDate": "2026-01-01", "endDate": last, "clientIds": [], "testIds": [],
    "status": 127}
with psycopg.connect(owner) as connection:
    (export_id,) = connection.execute(
        "INSERT INTO exports (user_id, kind, name, format, parameters, state) VALUES"
        " (%s, 'results', 'Results', %s, %s, 'queued') RETURNING id",
        (user, extension, json.dumps(filters))).fetchone()
async def run():
    async with open_portal(data, app_url) as portal:
        started = time.monotonic()
        await run_export(portal, export_id)
        return time.monotonic() - started
seconds = asyncio.run(run())
with psycopg.connect(owner) as connection:
    state, rows, size = connection.execute(
        "SELECT state, rows_written, size FROM exports WHERE id = %s", (export_id,)).fetchone()
assert state == "done", state
# The resource usage would begin with that of the parent process.
status = Path("/proc/self/status").read_text()
peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
print(json.dumps({"rows": rows, "seconds": seconds, "megabytes": peak, "size": size / 1e6}))
"""


@dataclass(frozen=True)
class ExportFigures:
    """An export: its rows, its time, the highest use of memory, and the size of the file in MB."""

    format: str
    rows: int
    seconds: float
    megabytes: float
    size: float

    @property
    def rate(self) -> float:
        """Rows a second."""
        return self.rows / self.seconds


def measure_exports(rows: int, report: Callable[[str], None]) -> list[ExportFigures]:
    """Measure exports of few and of ``rows`` rows, as a laboratory user."""
    total = rows // _ROWS_PER_ORDER
    figures = []
    with create_scratch_database(total, report) as (owner, app_url, folder):
        report("Making orders with results")
        fill_orders(owner, total)
        create_people(owner, {"Lab": ("Laboratory", ScopeKind.STAFF, [])})
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(_RESULTS)
            row = connection.execute("SELECT id FROM users LIMIT 1").fetchone()
            assert row is not None
            last_of_few = connection.execute(
                "SELECT max(collection_date)::date::text FROM (SELECT collection_date FROM orders"
                " ORDER BY collection_date LIMIT %s) o",
                (FEW_ROWS // _ROWS_PER_ORDER,),
            ).fetchone()
            assert last_of_few is not None
        for extension in ("csv", "xlsx"):
            for last in (last_of_few[0], "2100-01-01"):
                report(f"Exporting as {extension}")
                arguments = [owner, app_url, str(folder / "data"), str(row[0]), extension, last]
                process = subprocess.run(
                    [sys.executable, "-c", WORKER_PORTAL + _EXPORT, *arguments],
                    check=True,
                    capture_output=True,
                    text=True,
                    preexec_fn=die_with_parent,
                )
                figures.append(ExportFigures(extension, **json.loads(process.stdout)))
    return figures
