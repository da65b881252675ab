"""Upgrades add the unit of older limits, and the limits that judged older results."""

from decimal import Decimal

import psycopg

from app.server.schema.migrate import migrate_database
from tests.server.schema.rows import PASSWORD, fill_tables, migrate_to

_ADD_TEST = (
    "INSERT INTO lab_tests (code, name, search_text, kind, result_type, unit)"
    " VALUES (%s, %s, %s, %s, 1, %s) RETURNING id"
)


def add_lab_test(
    connection: psycopg.Connection, code: str, unit: str | None, kind: str = "clinical"
) -> int:
    """Add a test to the catalog of an older schema, and return its id."""
    row = connection.execute(_ADD_TEST, (code, code, code, kind, unit)).fetchone()
    assert row is not None
    return row[0]


def test_limits_get_the_unit_that_their_test_has(empty_url: str) -> None:
    migrate_to(empty_url, "0085")
    with psycopg.connect(empty_url) as connection:
        potassium = add_lab_test(connection, "K", "mmol/L")
        ratio = add_lab_test(connection, "RATIO", None)
        connection.cursor().executemany(
            "INSERT INTO reference_ranges (test_id, age_from_days, age_to_days, low, words)"
            " VALUES (%s, 0, 100, %s, %s)",
            [(potassium, 3, None), (potassium, None, "NEGATIVE"), (ratio, 1, None)],
        )
        connection.cursor().executemany(
            "INSERT INTO reflex_rules (code, test_id, added_test_id, condition, high, source)"
            " VALUES (%s, %s, %s, 'number', %s, 'THE LAB')",
            [("LIMIT", potassium, ratio, 6), ("WORDS", potassium, ratio, None)],
        )
        connection.cursor().executemany(
            "INSERT INTO toxicology_tests (test_id, method, low) VALUES (%s, 'validity', %s)",
            [(potassium, 3), (ratio, None)],
        )
    migrate_database(empty_url, PASSWORD)
    with psycopg.connect(empty_url) as connection:
        for query, units in (
            ("SELECT unit FROM reference_ranges ORDER BY id", ["mmol/L", None, None]),
            ("SELECT unit FROM reflex_rules ORDER BY code", ["mmol/L", None]),
            ("SELECT unit FROM toxicology_tests ORDER BY test_id", ["mmol/L", None]),
        ):
            assert [row[0] for row in connection.execute(query).fetchall()] == units, query


def test_toxicology_results_keep_the_limits_that_stand_at_the_upgrade(empty_url: str) -> None:
    migrate_to(empty_url, "0028")
    with psycopg.connect(empty_url) as connection:
        fill_tables(connection)
    migrate_to(empty_url, "0086")
    with psycopg.connect(empty_url) as connection:
        connection.execute("DELETE FROM toxicology_results")
        for position, (code, unit) in enumerate(
            [("VCRE", "mg/dL"), ("VPH", None), ("QFEN", "ng/mL"), ("UNKNOWN", None)], 10
        ):
            test_id = add_lab_test(connection, code, unit, "toxicology")
            connection.execute(
                "INSERT INTO order_tests (order_id, test_id, level, position, name, kind,"
                " is_panel, status) SELECT id, %s, 0, %s, %s, 'toxicology', false, 1 FROM orders",
                (test_id, position, code),
            )
        connection.cursor().executemany(
            "INSERT INTO toxicology_tests (test_id, method, cut_off, low, high, unit)"
            " SELECT id, %s, %s, %s, %s, unit FROM lab_tests WHERE code = %s",
            [
                ("validity", None, 20, 400, "VCRE"),
                ("validity", None, "4.5", "8.9", "VPH"),
                ("confirmation", 2, None, None, "QFEN"),
            ],
        )
        connection.cursor().executemany(
            "INSERT INTO toxicology_results (order_id, order_test_id, revision, is_current, value,"
            " unit, entered_at, released_at) SELECT t.order_id, t.id, %s, false, %s, %s, now(), %s"
            " FROM order_tests t WHERE t.name = %s",
            [
                (1, "5", "mg/dL", "2026-05-06", "VCRE"),
                (2, "<= 0.5", "mmol/L", "2026-05-06", "VCRE"),
                (3, "NEGATIVE", "mmol/L", "2026-05-06", "VCRE"),
                (1, "7.1", None, None, "VPH"),
                (1, "9", "ng/L", "2026-05-06", "QFEN"),
                (1, "9", None, "2026-05-06", "UNKNOWN"),
            ],
        )
    migrate_database(empty_url, PASSWORD)
    with psycopg.connect(empty_url) as connection:
        rows = connection.execute(
            "SELECT t.name, r.value, r.method, r.low, r.high FROM toxicology_results r"
            " JOIN order_tests t ON t.id = r.order_test_id ORDER BY t.position, r.revision"
        ).fetchall()
    assert rows == [
        ("VCRE", "5", "validity", 20, 400),
        # In another unit than the limits, a number was not judged.
        ("VCRE", "<= 0.5", None, None, None),
        ("VCRE", "NEGATIVE", "validity", None, None),
        ("VPH", "7.1", "validity", Decimal("4.5"), Decimal("8.9")),
        ("QFEN", "9", "confirmation", None, None),
        ("UNKNOWN", "9", None, None, None),
    ]
