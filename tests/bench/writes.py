"""Measures saves, receptions, and releases per second, and compares them with a floor.

The floor is bare Starlette and psycopg with the same statements in the same round trips.

The statements of each act are recorded once from the portal. The floor repeats them with other ids,
so the ids of these rows must not look like any other number in a statement.
"""

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import httpx
import psycopg

from app.contract.enumerations import ScopeKind
from app.server.database import statements
from app.server.main import build_app
from app.server.settings import Settings
from tests.bench.acts import build_full_body, choose_client, create_scratch_database
from tests.bench.load import Figures, send_posts
from tests.bench.servers import (
    CONNECTIONS,
    People,
    create_people,
    format_value,
    run_bare_writes,
    run_portal,
    sign_in,
)

_ROUNDS = 7
_ACTS_PER_ROUND = CONNECTIONS * 12
_TOTAL = _ACTS_PER_ROUND * (_ROUNDS + 2)
_TESTS = 5
_IDS = re.compile(r"(?<!\d)([678]\d)(\d{8})(?!\d)")
"""An id of ten digits. If its second digit is odd, each act uses ten rows with such ids."""
_ROWS = f"""
SELECT setval('orders_id_seq', 7000000000, false), setval('order_tests_id_seq', 7100000000, false),
    setval('requisitions_id_seq', 7200000000, false),
    setval('requisition_tests_id_seq', 7300000000, false);
INSERT INTO lab_settings (name, value) VALUES ('result-entry',
    '{{"resultEntryEnabled": true, "resultEntrySuperUser": true}}');
INSERT INTO requisitions (id, code, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, status, collection_date, fasting,
    priority, bill_to)
  SELECT first + n, 'R' || first + n, p.client_id, p.primary_physician_id, p.id, p.last_name,
    p.first_name, p.birth_date, p.gender, status, '2027-06-01', 0, 'ROUTINE', 1
  FROM (VALUES (6000000000, 1), (8400000000, 4)) of (first, status),
    generate_series(0, {2 * _TOTAL}) n
  JOIN patients p ON p.id = 1 + n % 20000;
INSERT INTO requisition_tests (id, requisition_id, test_id, level, position)
  SELECT 6100000000 + n * 10 + k, 6000000000 + n, 1 + (n + k) % 50, 0, k
  FROM generate_series(0, {2 * _TOTAL}) n, generate_series(0, {_TESTS - 1}) k;
INSERT INTO orders (id, code, requisition_id, client_id, physician_id, patient_id,
    patient_last_name, patient_first_name, patient_birth_date, patient_gender, status,
    collection_date, received_at)
  SELECT r.id - 400000000, 'L' || r.id - 400000000, r.id, client_id, physician_id, patient_id,
    patient_last_name, patient_first_name, patient_birth_date, patient_gender, 2, collection_date,
    collection_date
  FROM requisitions r WHERE r.id >= 8400000000;
INSERT INTO order_tests (id, order_id, test_id, level, position, name, kind, is_panel, status)
  SELECT 8100000000 + n * 10 + k, 8000000000 + n, 1 + (n + k) % 50, 0, k, 'TEST', 'clinical', false,
    4
  FROM generate_series(0, {2 * _TOTAL}) n, generate_series(0, {_TESTS - 1}) k;
INSERT INTO results (id, order_id, order_test_id, revision, value, entered_at)
  SELECT 8300000000 + n * 10 + k, 8000000000 + n, 8100000000 + n * 10 + k, 1, '5', '2027-06-01'
  FROM generate_series(0, {2 * _TOTAL}) n, generate_series(0, {_TESTS - 1}) k;
ANALYZE;
"""
_FURTHER = """
SELECT setval('orders_id_seq', 7500000000), setval('order_tests_id_seq', 7600000000),
    setval('requisitions_id_seq', 7700000000), setval('requisition_tests_id_seq', 7800000000)
"""
Trip = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True)
class Rate:
    """The rate of an act and of its floor, as the median of all rounds.

    ``ratio`` is the median of the portal's rate divided by the floor's rate in the same round.
    """

    ours: float
    floor: float
    ratio: float
    p50: float


@dataclass(frozen=True)
class Act:
    """An operation that is repeated with new records each time."""

    name: str
    person: str
    key: str
    path: Callable[[int], str]
    body: Callable[[int], dict[str, Any]]


def measure_writes(total: int, report: Callable[[str], None]) -> dict[str, Rate]:
    """Measure every act among ``total`` requisitions, and return rates by name."""
    with create_scratch_database(total, report) as (owner, app_url, folder):
        client, patient, _ = choose_client(owner)
        create_people(owner, _list_people(client))
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(_ROWS.encode())
        acts = [
            Act(
                "full saves",
                "Nurse",
                "s" * 32,
                lambda n: "/api/v2/requisitions",
                lambda n: build_full_body(patient, range(1, _TESTS + 1)),
            ),
            Act(
                "receives",
                "Bench",
                "r" * 32,
                lambda n: "/api/v2/requisitions/receive",
                lambda n: {"ids": [6_000_000_000 + n]},
            ),
            Act(
                "releases",
                "Bench",
                "f" * 32,
                lambda n: f"/api/v2/orders/{8_000_000_000 + n}/release",
                lambda n: {},
            ),
        ]
        # Only one process may use the data folder's keys, so record first.
        recordings = asyncio.run(_record_acts(acts, app_url, folder / "data"))
        with psycopg.connect(owner, autocommit=True) as connection:
            connection.execute(_FURTHER.encode())
        with run_portal(app_url, folder / "data") as port:
            results = {}
            for act in acts:
                report(act.name)
                trips, answer = recordings[act.name]
                texts = [[text for text, _ in trip] for trip in trips]
                arguments = {"url": app_url, "texts": texts, "answer": answer, "size": 8}
                with run_bare_writes(arguments) as floor_port:
                    results[act.name] = asyncio.run(_compare_acts(act, trips, port, floor_port))
            return results


def _list_people(client: int) -> People:
    return {
        "Nurse": ("Client Basic", ScopeKind.CLIENT, [client]),
        "Bench": ("Laboratory", ScopeKind.STAFF, []),
    }


async def _record_acts(
    acts: list[Act], app_url: str, data: Path
) -> dict[str, tuple[list[Trip], str]]:
    """Run each act once, and return its statements and its answer."""
    app = build_app(Settings(data_dir=data), app_url)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://bench") as http:
            results = {}
            for act in acts:
                login = {"loginId": f"{act.person.lower()}@bench.lab", "password": "Bench-2026!"}
                token = (await http.post("/auth/login", json=login)).json()["token"]
                headers = {"Authorization": f"JWT {token}", "Idempotency-Key": act.key}
                with _record_trips() as trips:
                    answer = await http.post(act.path(0), headers=headers, json=act.body(0))
                answer.raise_for_status()
                # Skip the gatekeeper's transaction, which loads the actor.
                begin = max(i for i, trip in enumerate(trips) if trip[0][0] == "BEGIN")
                results[act.name] = trips[begin:], answer.text
            return results


@contextmanager
def _record_trips() -> Iterator[list[Trip]]:
    trips: list[Trip] = []
    fetch_all_trips = statements.fetch_all  # type: ignore[attr-defined]

    async def fetch_all(connection: Any, trip: Any) -> Any:
        trips.append([(text, dict(values)) for text, values in trip])
        return await fetch_all_trips(connection, trip)

    with patch.object(statements, "fetch_all", fetch_all):
        yield trips


async def _compare_acts(act: Act, trips: list[Trip], port: int, floor_port: int) -> Rate:
    numbers = count(1)
    ours: list[Figures] = []
    floor: list[Figures] = []
    headers = sign_in(port, act.person)
    template = json.dumps([[values for _, values in trip] for trip in trips], default=format_value)

    def build_portal_requests() -> list[tuple[str, dict[str, str], bytes]]:
        requests = []
        for _ in range(_ACTS_PER_ROUND):
            n = next(numbers)
            request_headers = {**headers, "Idempotency-Key": uuid4().hex}
            requests.append((act.path(n), request_headers, json.dumps(act.body(n)).encode()))
        return requests

    def build_floor_requests() -> list[tuple[str, dict[str, str], bytes]]:
        return [
            ("/write", {}, _build_floor_request(act, template, next(numbers)))
            for _ in range(_ACTS_PER_ROUND)
        ]

    turns = [(ours, port, build_portal_requests), (floor, floor_port, build_floor_requests)]
    for round_number in range(_ROUNDS + 2):
        for figures, at, make in turns:
            figures.append(await send_posts(at, make(), CONNECTIONS))
        turns.reverse()  # Otherwise, one server would always read pages that the other has cached.
        if round_number == 1:  # The first two rounds warm up both.
            ours.clear()
            floor.clear()
    return Rate(
        median(run.rate for run in ours),
        median(run.rate for run in floor),
        median(run.rate / other.rate for run, other in zip(ours, floor, strict=True)),
        median(run.p50 for run in ours),
    )


def _build_floor_request(act: Act, template: str, n: int) -> bytes:
    """Return the floor's n-th request, with its own key, ids, and code."""

    def shift(match: re.Match[str]) -> str:
        step = 10 if int(match[1]) % 2 else 1
        return str(int(match[0]) + n * step)

    text = _IDS.sub(shift, template).replace(act.key, uuid4().hex)
    return re.sub(r"(?<=\")R\d{9}(?=\")|(?<=\\\")R\d{9}(?=\\\")", f"RB{n:08}", text).encode()
