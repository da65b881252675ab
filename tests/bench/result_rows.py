"""Fills a database with the results of many orders, and one patient with a long history."""

import os

import psycopg

from tests.bench.rows import CLIENTS, PATIENTS_PER_CLIENT, bulk_load, list_batches

PATIENT, CLIENT, PHYSICIAN = CLIENTS * PATIENTS_PER_CLIENT + 1, 3, 7
"""The long history: its patient, who has no other orders, its client, and its physician."""
TESTS_PER_ORDER = int(os.environ.get("BENCH_TESTS", "10"))
"""At least 7: two that no other order has, and five with a column in the order search."""
COLUMN_TESTS = (391, 392, 393, 394, 395)
"""Tests of every order, which have a column in the order search."""
HISTORY = 200
"""Orders of the long history; the newest has a culture, too."""
# Each order has two tests that no other order has. The others are the same in every order. The rows
# of an order are stored side by side, as those of a real order are.
_MORE_TESTS = f"""
INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)
  SELECT o.id, 390 + k, 0, 2 + k, 'TEST ' || 390 + k, 'clinical', false, 1
  FROM orders o, generate_series(1, {TESTS_PER_ORDER - 2}) k
  WHERE o.requisition_id BETWEEN %(first)s AND %(last)s
  ORDER BY o.id, k;
"""
_RESULTS = """
INSERT INTO results (order_id, order_test_id, revision, value, number, flag, unit, reference_range,
    entered_at, released_at)
  SELECT o.id, t.id, 1, (50 + t.id %% 100)::text, 50 + t.id %% 100,
    CASE WHEN t.id %% 100 > 90 THEN 'H' ELSE 'N' END, 'mg/dL', '55 - 140', o.received_at,
    o.received_at
  FROM orders o JOIN order_tests t ON t.order_id = o.id
  WHERE o.status = 16 AND o.requisition_id BETWEEN %(first)s AND %(last)s
  ORDER BY o.id, t.position;
"""
_PATIENT = f"""
INSERT INTO patients (code, client_id, primary_physician_id, last_name, first_name, birth_date,
    gender)
  VALUES ('PH', {CLIENT}, {PHYSICIAN}, 'HISTORY', 'LONG', '1950-01-01', 'FEMALE')
  RETURNING id
"""
_EXTRA = """
INSERT INTO requisitions (code, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, status, collection_date, fasting,
    priority, bill_to)
  SELECT %(prefix)s || lpad(n::text, 6, '0'), p.client_id, p.primary_physician_id, p.id,
    p.last_name, p.first_name, p.birth_date, p.gender, 4,
    timestamp '2026-01-01' + (n::float8 / %(count)s) * interval '729 days', 0, 'ROUTINE', 0
  FROM generate_series(1, %(count)s) n
  JOIN patients p ON p.id = %(first_patient)s + n * %(patient_step)s;
INSERT INTO orders (code, requisition_id, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, status, collection_date, received_at,
    reported_at)
  SELECT 'L' || code, id, client_id, physician_id, patient_id, patient_last_name,
    patient_first_name, patient_birth_date, patient_gender, %(status)s, collection_date,
    collection_date, CASE WHEN %(is_released)s THEN collection_date END
  FROM requisitions WHERE code LIKE %(prefix)s || '%%' ORDER BY id;
INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)
  SELECT o.id, 388 + k, 0, k, 'TEST ' || 388 + k, 'clinical', false, %(test_status)s
  FROM orders o, generate_series(1, %(tests)s) k
  WHERE o.code LIKE 'L' || %(prefix)s || '%%'
  ORDER BY o.id, k;
INSERT INTO results (order_id, order_test_id, revision, value, number, flag, unit, reference_range,
    entered_at, released_at)
  SELECT o.id, t.id, 1, (50 + t.id %% 100)::text, 50 + t.id %% 100, 'N', 'mg/dL', '55 - 140',
    o.received_at, CASE WHEN %(is_released)s THEN o.received_at END
  FROM orders o JOIN order_tests t ON t.order_id = o.id WHERE o.code LIKE 'L' || %(prefix)s || '%%'
  ORDER BY o.id, t.position;
"""
_CULTURE = f"""
INSERT INTO lab_tests (code, name, search_text, kind, result_type)
  VALUES ('CULT', 'CULTURE', 'CULT CULTURE', 'microbiology', 1);
INSERT INTO order_tests (order_id, test_id, level, position, name, kind, is_panel, status)
  SELECT max(o.id), x.id, 0, 20, x.name, x.kind, false, 16
  FROM orders o, lab_tests x WHERE o.code LIKE 'LRH%' AND x.code = 'CULT' GROUP BY x.id;
INSERT INTO cultures (order_id, order_test_id, revision, stage, entered_at, released_at)
  SELECT t.order_id, t.id, 1, 'final', now(), now() FROM order_tests t
  WHERE t.kind = 'microbiology';
INSERT INTO culture_organisms (culture_id, position, code, group_code, name, is_flora, is_interim,
    quantity, quantity_name)
  SELECT c.id, n, 'ORG' || n, 'GROUP', 'Organism ' || n, false, false, 'Q5', '> 100,000 CFU/mL'
  FROM cultures c, generate_series(0, 9) n;
INSERT INTO culture_susceptibilities (culture_id, organism_position, position, antibiotic,
    antibiotic_name, method, value, interpretation, is_manual, reporting, is_suppressed, limits)
  SELECT c.id, n, k, 'AB' || k, 'Antibiotic ' || k, 'MIC', '<=0.5', 'S', false, 'cascade', false,
    'S <= 4, R >= 16'
  FROM cultures c, generate_series(0, 9) n, generate_series(0, 11) k;
INSERT INTO lab_settings (name, value)
  VALUES ('web-results', '{{"tests": {list(COLUMN_TESTS)}}}'),
    ('result-entry', '{{"resultEntryEnabled": true, "resultEntrySuperUser": true}}');
ANALYZE;
"""


def fill_many_results(owner_url: str, total: int) -> None:
    """Give each of ``total`` orders ten tests, and those of final orders released results."""
    with (
        psycopg.connect(owner_url, autocommit=True) as connection,
        bulk_load(connection, "order_tests", "results"),
    ):
        for statement in (_MORE_TESTS, _RESULTS):
            for values in list_batches(total):
                connection.execute(statement.encode(), values)


def fill_history(owner_url: str, unreleased_count: int) -> tuple[int, list[int]]:
    """Insert the long history, and orders of other patients with entered, unreleased results.

    Returns the newest order of the history, and the unreleased orders.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        row = connection.execute(_PATIENT.encode()).fetchone()
        assert row == (PATIENT,)
        for prefix, count, status, test_status, first_patient in (
            ("RH", HISTORY, 16, 16, PATIENT),
            ("RU", unreleased_count, 2, 4, 0),
        ):
            values = {
                "prefix": prefix,
                "count": count,
                "status": status,
                "test_status": test_status,
                "is_released": status == 16,
                "tests": TESTS_PER_ORDER,
                # A morning's run holds the orders of many patients.
                "first_patient": first_patient,
                "patient_step": 0 if status == 16 else 1,
            }
            for statement in _EXTRA.split(";\n"):
                if statement.strip():
                    connection.execute(statement.encode(), values)
        connection.execute(_CULTURE.encode())
        newest = connection.execute("SELECT max(id) FROM orders WHERE code LIKE 'LRH%'").fetchone()
        assert newest is not None
        rows = connection.execute("SELECT id FROM orders WHERE code LIKE 'LRU%' ORDER BY id")
        return newest[0], [order_id for (order_id,) in rows]
