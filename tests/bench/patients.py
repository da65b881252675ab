"""Measures the patient search with a million patients, alone and with many people at once."""

import asyncio
import itertools
import json
import random
import shutil
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from app.contract.enumerations import ScopeKind
from app.server.database.embedded import EmbeddedPostgres
from app.server.keys import KeyFolder
from app.server.patients.lists import build_patient_list
from app.server.patients.social_security import SocialSecurityNumbers
from app.server.schema.migrate import migrate_database
from tests.bench.rows import bulk_load
from tests.bench.servers import (
    Page,
    People,
    build_bare_arguments,
    create_people,
    measure_page,
    run_bare,
    run_portal,
    sign_in,
)

CLIENTS = 200
USERS = 70
_LIST = "/api/v2/patients/remote-operations"
_SSN = "666123456"
_BATCH = 100_000
SEARCHES = {
    "no filter": "",
    "last name": "?lastName=mar",
    "last and first name": "?lastName=mar&firstName=joa",
    "last name prefix": "?lastName=ma",
    "first name prefix": "?firstName=jo",
    "birth date": "?birthDate=1961-03-04",
    "SSN": f"?ssn={_SSN}",
    "three letters anywhere": "?column.lastName=ari",
    "rare letters anywhere": "?column.lastName=zqu",
}
PEOPLE: People = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "Client": ("Client Basic", ScopeKind.CLIENT, [3, 50, 120]),
}
# Names have two syllables and an ending, so some are common, as in a real population.
_SYLLABLES = (
    "{mar,gar,lop,smi,jon,wil,bro,dav,mil,and,tho,jac,whi,har,cla,lew,rob,wal,per,hal,you,all,kin,"
    "wri,sco,tor,ngu,hil,flo,gre,ada,nel,bak,car,mit,rob,tur,phi,cam,par}"
)
_MIDDLES = "{ti,ci,ez,th,es,li,wn,id,le,er,ma,ks,te,ri,rk,is,in,ke,ez,la}"
_ENDS = '{n,a,son,ez,man,ley,berg,ski,ton,ford,s,ari,well,worth,field,er,o,as,i,""}'
_FIRST = (
    "{john,mary,jose,anna,joan,luis,emma,noah,liam,ruth,joel,rosa,paul,jane,mark,lucy,juan,eva,"
    "carl,iris,hugo,lea,otto,nina}"
)
_FIRST_ENDS = '{"",a,e,ia,y,ine,ette,o,as,us}'
_PLACES = f"""
INSERT INTO zip_codes (code, city, state) VALUES ('60601', 'CHICAGO', 'IL');
INSERT INTO clients (code, name)
  SELECT 'C' || n, 'CLIENT ' || n FROM generate_series(1, {CLIENTS}) n;
INSERT INTO physicians (npi, first_name, last_name)
  SELECT '2' || lpad(n::text, 9, '0'), 'FIRST' || n, 'LAST' || n FROM generate_series(1, 400) n;
CREATE FUNCTION pick(words text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT (words::text[])[1 + abs(n) % cardinality(words::text[])] $$;
"""
_PATIENTS = f"""
INSERT INTO patients (code, client_id, primary_physician_id, last_name, first_name, birth_date,
    gender, ssn_hash, ssn_last4)
  SELECT 'P' || lpad(n::text, 7, '0'), 1 + n % {CLIENTS}, 1 + n % 400,
    upper(pick('{_SYLLABLES}', hashint8(n)) || pick('{_MIDDLES}', hashint8(n + 7000000))
      || pick('{_ENDS}', hashint8(n + 14000000))),
    upper(pick('{_FIRST}', hashint8(n + 21000000)) || pick('{_FIRST_ENDS}', hashint8(n * 3))),
    date '1930-01-01' + (abs(hashint8(n + 28000000)) % 32000), 'FEMALE',
    sha256(n::text::bytea), lpad((n % 10000)::text, 4, '0')
  FROM generate_series(%(first)s::bigint, %(last)s::bigint) n;
"""

# Triggers insert these names in a portal, but rows that are loaded in bulk run no triggers.
_NAMES = """
INSERT INTO patient_names (name)
  SELECT last_name FROM patients UNION SELECT first_name FROM patients;
"""


@dataclass
class Acts:
    """Response times in milliseconds by kind of act, and the number of errors."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: int = 0
    seconds: float = 0.0

    def compute_percentile(self, kind: str, share: float) -> float:
        """Return the time within which this share of the acts was answered."""
        sorted_times = sorted(self.times[kind])
        return sorted_times[min(len(sorted_times) - 1, int(len(sorted_times) * share))]

    def compute_median(self, kind: str) -> float:
        """Return the median time."""
        return statistics.median(self.times[kind])

    @property
    def rate(self) -> float:
        """Acts per second."""
        return sum(map(len, self.times.values())) / self.seconds


def measure_searches(
    total: int, requests: int, report: Callable[[str], None]
) -> tuple[list[Page], dict[str, Acts]]:
    """Measure every search of every person, then 70 people with and without pauses."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    try:
        report(f"Making {total:,} patients")
        owner = cluster.url
        app_url = migrate_database(owner, "application-of-the-bench")
        lookup = SocialSecurityNumbers(KeyFolder(folder / "data" / "keys")).hash
        insert_patients(owner, total, lookup(_SSN))
        users: People = {
            f"user{n}": ("Client Basic", ScopeKind.CLIENT, [1 + n % CLIENTS]) for n in range(USERS)
        }
        create_people(owner, {**PEOPLE, **users})
        pages = []
        spec = build_patient_list(lookup)
        with run_portal(app_url, folder / "data") as port:
            for person, (_, kind, ids) in PEOPLE.items():
                for search, query in SEARCHES.items():
                    report(f"{person}, {search}")
                    # A token expires after five minutes, before the last search.
                    ours = (port, _LIST + query, sign_in(port, person))
                    with run_bare(
                        build_bare_arguments(app_url, spec, kind, ids, query, ours)
                    ) as bare_port:
                        pages.append(
                            asyncio.run(
                                measure_page(total, person, search, ours, bare_port, requests)
                            )
                        )
            acts = {}
            for pause, name in ((1.0, "with pauses"), (0.0, "without pauses")):
                report(f"{USERS} users at once, {name}")
                signed_in = [sign_in(port, user) for user in users]
                acts[name] = asyncio.run(_act_together(port, signed_in, requests * 2, pause))
        return pages, acts
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def insert_patients(owner_url: str, total: int, known_ssn: bytes) -> None:
    """Insert ``total`` patients of 200 clients; one of client 3 has the known SSN."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(_PLACES.encode())
        with bulk_load(connection, "patients", "patient_names"):
            for first in range(1, total + 1, _BATCH):
                last = min(first + _BATCH - 1, total)
                # psycopg would mistake the operator % for a parameter.
                script = _PATIENTS.replace("%(first)s", str(first)).replace("%(last)s", str(last))
                connection.execute(script.encode())
            connection.execute(_NAMES.encode())
            connection.execute(
                "UPDATE patients SET ssn_hash = %s WHERE id ="
                " (SELECT min(id) FROM patients WHERE client_id = 3)",
                (known_ssn,),
            )
            connection.execute("SELECT setval('patient_codes', %s)", (total + 1,))
            connection.execute("DROP FUNCTION pick")


async def _act_together(
    port: int, signed_in: list[dict[str, str]], requests: int, pause: float
) -> Acts:
    acts = Acts()
    serial = itertools.count(random.Random(pause).randrange(10**6))
    started_at = time.perf_counter()
    await asyncio.gather(
        *(
            _act_as_nurse(port, headers, n, requests // len(signed_in), pause, serial, acts)
            for n, headers in enumerate(signed_in)
        )
    )
    acts.seconds = time.perf_counter() - started_at
    return acts


async def _act_as_nurse(
    port: int,
    headers: dict[str, str],
    number: int,
    count: int,
    pause: float,
    serial: "itertools.count[int]",
    acts: Acts,
) -> None:
    """Act as a client's nurse: of ten acts, seven searches, two registrations, and a change."""
    chance = random.Random(number)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    patient: tuple[int, int] | None = None
    searches = [query for query in SEARCHES.values() if query]
    for _ in range(count):
        await asyncio.sleep(chance.uniform(0.5, 1.5) * pause)
        draw = chance.random()
        if draw < 0.7:
            act: tuple[str, str, str, Any, dict[str, str]]
            act = ("search", "GET", _LIST + chance.choice(searches), None, {})
        elif draw < 0.9 or patient is None:
            act = ("register", "POST", "/api/v2/patients", _build_patient(number, next(serial)), {})
        else:
            path, version = f"/api/v2/patients/{patient[0]}", {"If-Match": f'"{patient[1]}"'}
            act = ("change", "PUT", path, {"bed": str(chance.randrange(99))}, version)
        kind, method, path, body, more = act
        started_at = time.perf_counter()
        status, answer = await _send_request(
            reader, writer, method, path, {**headers, **more}, body
        )
        acts.times[kind].append(1000 * (time.perf_counter() - started_at))
        if status not in (200, 201):
            acts.errors += 1
        elif kind != "search":
            patient = answer["id"], answer["version"]
    writer.close()


async def _send_request(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    method: str,
    path: str,
    headers: dict[str, str],
    body: object,
) -> tuple[int, dict[str, int]]:
    content = b"" if body is None else json.dumps(body).encode()
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
    lines += ["Content-Type: application/json"] if content else []
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + content)
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.lower().split(b"content-length: ", 1)[1].split(b"\r\n", 1)[0])
    answer = await reader.readexactly(length)
    return int(head.split(b" ", 2)[1]), json.loads(answer) if body is not None else {}


def _build_patient(number: int, n: int) -> dict[str, object]:
    return {
        "clientId": 1 + number % CLIENTS,
        "lastName": f"Martinari{n}",
        "firstName": "Joana",
        "birthDate": "1961-03-04",
        "gender": "FEMALE",
        "address": f"{n} Main St",
        "zipCodeName": "60601",
        "zipCodePlus4": "1234",
    }
