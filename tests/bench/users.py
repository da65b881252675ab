"""Measures the list of users with 100,000 people."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import psycopg

from app.contract.enumerations import Role, ScopeKind
from app.server.actor import Actor
from app.server.database.embedded import EmbeddedPostgres
from app.server.lists.parsing import parse_query
from app.server.schema.migrate import migrate
from app.server.users.lists import users
from tests.bench.servers import (
    Page,
    People,
    build_bare_page,
    create_people,
    measure_page,
    run_bare,
    run_portal,
    sign_in,
)

CLIENTS = 500
_LIST = "/api/system/users"
QUERIES = {
    "by name": "",
    "by first name": "?sort=-firstName",
    "letters of the last name": "?column.lastName=st12",
    "one role": "?role=Superuser",
}
PEOPLE: People = {
    "Superuser": ("Superuser", ScopeKind.STAFF, []),
    "ClientAdmin": ("Client Admin", ScopeKind.CLIENT, [3, 50, 120]),
}
_FILL = f"""
INSERT INTO clients (code, name)
  SELECT 'C' || n, 'CLIENT ' || n FROM generate_series(1, {CLIENTS}) n;
WITH made AS (
  INSERT INTO users (email, username, password_hash, first_name, last_name, client_ids)
  SELECT 'u' || n || '@bench.lab', 'u' || n, '!', 'First' || n::bigint * 7919 % 1000,
    'Last' || n::bigint * 104729 % 30011, ARRAY[1 + n % {CLIENTS}]
  FROM generate_series(1, %(total)s) n RETURNING id)
INSERT INTO registrations (user_id, application_id, roles)
  SELECT id, 'portal', '{{Client Basic}}' FROM made;
"""


def measure(total: int, requests: int, report: Callable[[str], None]) -> list[Page]:
    """Measure every query of a Superuser and a Client Admin."""
    folder = Path(tempfile.mkdtemp(prefix="portal-bench-"))
    folder.chmod(0o755)
    cluster = EmbeddedPostgres(folder, "owner-of-the-bench")
    cluster.start()
    try:
        report(f"Making {total:,} users")
        app_url = migrate(cluster.url, "application-of-the-bench")
        with psycopg.connect(cluster.url, autocommit=True) as owner:
            owner.execute(_FILL.replace("%(total)s", str(total)).encode())
            create_people(cluster.url, PEOPLE)
            owner.execute("VACUUM ANALYZE")
            ids = dict(owner.execute("SELECT username, id FROM users WHERE first_name = 'B'"))
        pages = []
        with run_portal(app_url, folder / "data") as port:
            for person, (role, kind, client_ids) in PEOPLE.items():
                actor = Actor(kind, ids[person], role=Role(role), ids=tuple(client_ids))
                for name, query in QUERIES.items():
                    report(f"{person}, {name}")
                    ours = (port, _LIST + query, sign_in(port, person))
                    pairs = [tuple(query[1:].split("=", 1))] if query else []
                    parsed = parse_query(users, pairs)
                    bare = build_bare_page(app_url, users, actor, parsed, ours)
                    with run_bare(bare) as bare_port:
                        pages.append(
                            asyncio.run(
                                measure_page(total, person, name, ours, bare_port, requests)
                            )
                        )
        return pages
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
