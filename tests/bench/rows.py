"""Fills a database with many requisitions, by SQL alone."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql

CLIENTS = 200
PHYSICIANS = 400
PATIENTS_PER_CLIENT = 100

_PEOPLE = f"""
INSERT INTO zip_codes (code, city, state) VALUES ('60601', 'CHICAGO', 'IL');
INSERT INTO lab_tests (code, name, search_text, kind, result_type, unit)
  SELECT 'T' || n, 'TEST ' || n, 'T' || n || ' TEST ' || n, 'clinical', 1, 'mg/dL'
  FROM generate_series(1, 400) n;
INSERT INTO clients (code, name)
  SELECT 'C' || n, 'CLIENT ' || n FROM generate_series(1, {CLIENTS}) n;
INSERT INTO physicians (npi, first_name, last_name)
  SELECT '2' || lpad(n::text, 9, '0'), 'FIRST' || n, 'LAST' || n
  FROM generate_series(1, {PHYSICIANS}) n;
INSERT INTO patients (code, client_id, primary_physician_id, last_name, first_name, birth_date,
    gender)
  SELECT 'P' || lpad(n::text, 7, '0'), 1 + n % {CLIENTS}, 1 + n % {PHYSICIANS},
    upper(md5(n::text)), 'FIRST' || n % 500, date '1930-01-01' + n % 30000, 'FEMALE'
  FROM generate_series(1, {CLIENTS * PATIENTS_PER_CLIENT}) n;
"""
# The prime factors spread tests and patients over the requisitions.
_REQUISITIONS = f"""
INSERT INTO requisitions (code, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, unit_name, room_name, bed, status,
    collection_date, fasting, priority, bill_to, test_ids)
  SELECT 'R26' || lpad(n::text, 7, '0'), p.client_id, p.primary_physician_id, p.id, p.last_name,
    p.first_name, p.birth_date, p.gender, 'EAST', 100 + n % 900, chr(65 + (n % 3)::int),
    (ARRAY[1, 4, 4, 2])[1 + n % 4],
    timestamp '2026-01-01' + (n::float8 / %(total)s) * interval '730 days', 0, 'ROUTINE', 0,
    ARRAY[1 + (n * 7) % 50, 51 + (n * 13) % 350]
  FROM generate_series(%(first)s::bigint, %(last)s::bigint) n
  JOIN patients p ON p.id = 1 + (n * 7919) % {CLIENTS * PATIENTS_PER_CLIENT};
INSERT INTO requisition_tests (requisition_id, test_id, level, position)
  SELECT q.id, tests.id, 0, k
  FROM requisitions q, unnest(q.test_ids) WITH ORDINALITY AS tests (id, k)
  WHERE q.id BETWEEN %(first)s AND %(last)s;
"""
# One order for each requisition. Old orders are final. Orders of the last fortieth of the period
# are at all stages.
_ORDERS = """
INSERT INTO orders (code, requisition_id, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, unit_name, room_name, bed, status,
    has_critical, has_abnormal, lacks_info, test_ids, collection_date, received_at)
  SELECT 'L' || substr(code, 2), id, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, unit_name, room_name, bed,
    CASE WHEN id %% 50 = 0 THEN 32 WHEN id < %(total)s * 0.975 THEN 16
      ELSE (ARRAY[1, 2, 8, 16])[1 + id %% 4] END,
    id %% 40 = 0, id %% 4 = 0, id %% 30 = 0, test_ids, collection_date,
    collection_date + interval '1 day'
  FROM requisitions WHERE id BETWEEN %(first)s AND %(last)s;
"""
_ORDER_TESTS = """
INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)
  SELECT o.id, x.id, 0, k, x.name, x.kind, false, 1
  FROM orders o, unnest(o.test_ids) WITH ORDINALITY AS tests (id, k)
  JOIN lab_tests x ON x.id = tests.id
  WHERE o.requisition_id BETWEEN %(first)s AND %(last)s
  ORDER BY o.id, k;
"""
# A released number for each test of a final order.
_RESULTS = """
INSERT INTO results (order_id, order_test_id, revision, value, number, flag, entered_at,
    released_at)
  SELECT o.id, ot.id, 1, (50 + ot.id %% 100)::text, 50 + ot.id %% 100,
    CASE WHEN ot.id %% 100 > 90 THEN 'H' ELSE 'N' END, o.received_at, o.received_at
  FROM orders o JOIN order_tests ot ON ot.order_id = o.id
  WHERE o.status = 16 AND o.requisition_id BETWEEN %(first)s AND %(last)s;
"""
_BATCH = 250_000


def insert_rows(owner_url: str, total: int) -> None:
    """Insert ``total`` requisitions from two years, spread over clients and patients."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(_PEOPLE.encode())
        with bulk_load(connection, "requisitions", "requisition_tests"):
            for first in range(1, total + 1, _BATCH):
                last = min(first + _BATCH - 1, total)
                script = _REQUISITIONS.replace("%(total)s", str(total))
                script = script.replace("%(first)s", str(first)).replace("%(last)s", str(last))
                connection.execute(script.encode())


def list_batches(total: int) -> Iterator[dict[str, int]]:
    """Yield the first and the last number of each batch of requisitions."""
    for first in range(1, total + 1, _BATCH):
        yield {"total": total, "first": first, "last": first + _BATCH - 1}


def fill_orders(owner_url: str, total: int) -> None:
    """Insert an order with its tests for each of the ``total`` requisitions."""
    with (
        psycopg.connect(owner_url, autocommit=True) as connection,
        bulk_load(connection, "orders", "order_tests"),
    ):
        for values in list_batches(total):
            for statement in (_ORDERS, _ORDER_TESTS):
                connection.execute(statement.encode(), values)


def fill_results(owner_url: str, total: int) -> None:
    """Insert a released result for each test of the final orders among ``total``."""
    with (
        psycopg.connect(owner_url, autocommit=True) as connection,
        bulk_load(connection, "results"),
    ):
        for values in list_batches(total):
            connection.execute(_RESULTS.encode(), values)


@contextmanager
def bulk_load(connection: psycopg.Connection, *tables: str) -> Iterator[None]:
    """Load many rows quickly: no triggers or foreign keys, and indexes built at the end.

    The connection's user must be a superuser, and the rows must not violate any foreign key.
    """
    indexes = connection.execute(
        "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index i"
        " WHERE i.indrelid = ANY(%s::regclass[]) AND NOT EXISTS"
        " (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid)",
        (list(tables),),
    ).fetchall()
    # The data does not have to survive a crash.
    connection.execute("SET synchronous_commit = off")
    connection.execute("SET maintenance_work_mem = '512MB'")
    connection.execute("SET session_replication_role = replica")
    for name, _ in indexes:
        connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(name)))
    yield
    for _, definition in indexes:
        connection.execute(definition.encode())
    connection.execute("SET session_replication_role = origin")
    connection.execute("VACUUM ANALYZE")
    # Write to disk now, not during the first measurement.
    connection.execute("CHECKPOINT")
