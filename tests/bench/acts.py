"""The time of each act on requisitions, in a database with a million of them.

A single person acts, so this measures how long people wait, not the load that a portal can serve.
"""

import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from app.server.database.embedded import EmbeddedPostgres
from app.server.schema.migrate import migrate_database
from tests.bench.rows import CLIENTS, insert_rows
from tests.bench.servers import PASSWORD, People, create_people, run_portal

_API = "/api/v2"
_ROUNDS = 7
_PENDING = 1_100
"""The pending requisitions of one client that the acts use."""
LEAST_ROWS = _PENDING * CLIENTS
"""All requisitions of a client have the same status."""
# A single dot, because the drawing does not influence the measured time.
_IMAGE = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEklEQVR4nGNgYGD4DwQMDAwMDAAe"
    "8AP9c1mQ3wAAAABJRU5ErkJggg=="
)


_CATALOG = b"""
INSERT INTO diagnoses (code, description, search_text, valid_from, release) VALUES
  ('I10', 'ESSENTIAL (PRIMARY) HYPERTENSION', 'I10', '2015-10-01', 'bench'),
  ('E119', 'TYPE 2 DIABETES MELLITUS WITHOUT COMPLICATIONS', 'E119', '2015-10-01', 'bench');
UPDATE lab_tests SET container = 'Tube ' || id % 3, specimen = 'BLOOD';
SELECT setval('requisition_codes', 9000000);
"""


def measure_acts(total: int, report: Callable[[str], None]) -> dict[str, float]:
    """Measure every act, and return the median of seven runs in milliseconds by name."""
    with create_scratch_database(total, report) as (owner, app_url, folder):
        client, patient, ids = choose_client(owner)
        people: People = {"Nurse": ("Client Basic", ScopeKind.CLIENT, [client])}
        create_people(owner, people)
        with run_portal(app_url, folder / "data") as port, _open_session(port) as nurse:
            acts: dict[str, Callable[[int], httpx.Response]] = {
                "full save of a new requisition": lambda _: _save_requisition(nurse, patient),
                "sign 100": lambda n: _sign_requisitions(nurse, ids[n * 100 : n * 100 + 100]),
                "bill 100 to somebody else": lambda n: nurse.put(
                    f"{_API}/requisitions/change-bill-to",
                    json={"billTo": ("Client", "Patient")[n % 2], "ids": ids[1000:_PENDING]},
                ),
                "labels of 100": lambda _: nurse.get(
                    f"{_API}/requisitions/labels", params={"ids": ids[:100]}
                ),
                "forms of 100": lambda _: nurse.post(
                    f"{_API}/reports/requisition", json={"ids": ids[:100]}
                ),
                "forms of 1,000": lambda _: nurse.post(
                    f"{_API}/reports/requisition", json={"ids": ids[:1000]}
                ),
                "log of 1,000": lambda _: nurse.post(
                    f"{_API}/reports/requisition/log", json={"ids": ids[:1000]}
                ),
            }
            medians = {}
            for name, act in acts.items():
                report(name)
                medians[name] = statistics.median(
                    _measure_act(nurse, name, act, n) for n in range(_ROUNDS)
                )
            return medians


def _measure_act(
    nurse: httpx.Client, name: str, act: Callable[[int], httpx.Response], round_: int
) -> float:
    if name.startswith("sign"):
        _sign_in(nurse)  # Each signing requires a new sign-in.
    started_at = time.perf_counter()
    answer = act(round_)
    seconds = time.perf_counter() - started_at
    if not answer.is_success:
        raise RuntimeError(f"{name}: {answer.status_code} {answer.text[:200]}")
    return seconds * 1000


def build_full_body(patient: int, tests: Iterable[int]) -> dict[str, Any]:
    """Return a requisition with every part filled in."""
    return {
        "patientId": patient,
        "collectionDate": "2027-06-01T08:00:00",
        "fasting": 1,
        "priority": "ROUTINE",
        "tests": [{"test": {"id": n}} for n in tests],
        "diagnoses": [{"code": "I10"}, {"code": "E119"}],
        "medications": [{"name": "METFORMIN"}, {"name": "LISINOPRIL"}],
        "billTo": "Insurance",
        "comments": "<p>Fasting <b>since</b> midnight.</p>",
        "additionalCopies": [{"type": "EMAIL", "destination": "copy@demo.lab"}],
    }


def _save_requisition(nurse: httpx.Client, patient: int) -> httpx.Response:
    return nurse.post(
        f"{_API}/requisitions",
        json=build_full_body(patient, range(1, 11)),
        headers={"Idempotency-Key": uuid4().hex},
    )


def _sign_requisitions(nurse: httpx.Client, ids: list[int]) -> httpx.Response:
    return nurse.post(
        f"{_API}/requisitions/sign-multiple", json={"image": _IMAGE, "requisitionsIds": ids}
    )


def _sign_in(nurse: httpx.Client) -> None:
    answer = nurse.post("/auth/login", json={"loginId": "nurse@bench.lab", "password": PASSWORD})
    answer.raise_for_status()
    nurse.headers["Authorization"] = f"JWT {answer.json()['token']}"


@contextmanager
def _open_session(port: int) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=120) as nurse:
        _sign_in(nurse)
        yield nurse


@contextmanager
def create_scratch_database(
    total: int, report: Callable[[str], None]
) -> Iterator[tuple[str, str, Path]]:
    """Create a database with requisitions, and yield owner URL, application URL, and folder."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    try:
        report(f"Making {total:,} requisitions")
        app_url = migrate_database(cluster.url, "application-of-the-bench")
        insert_rows(cluster.url, total)
        with psycopg.connect(cluster.url, autocommit=True) as connection:
            connection.execute(_CATALOG)
        yield cluster.url, app_url, folder
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def choose_client(owner: str) -> tuple[int, int, list[int]]:
    """Return a client, one of its patients, and up to 1,100 of its pending requisitions."""
    with psycopg.connect(owner) as connection:
        row = connection.execute(
            "SELECT client_id, patient_id FROM requisitions WHERE status = 1 LIMIT 1"
        ).fetchone()
        assert row is not None
        rows = connection.execute(
            "SELECT id FROM requisitions WHERE client_id = %s AND status = 1 LIMIT %s",
            (row[0], _PENDING),
        ).fetchall()
    return row[0], row[1], [requisition_id for (requisition_id,) in rows]
