"""Fills databases of an older schema: a row in each table, a value in each column."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.types.json import Jsonb

from app.server.schema.migrate import create_logins, upgrade_schema

PASSWORD = "application-of-the-tests"
Row = dict[str, Any]

_COLUMNS = """
    SELECT c.relname, a.attname, format_type(a.atttypid, NULL), f.confrelid::regclass::text,
        (SELECT attname FROM pg_attribute WHERE attrelid = f.confrelid
            AND attnum = f.confkey[array_position(f.conkey, a.attnum)])
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    LEFT JOIN pg_constraint f
        ON f.conrelid = c.oid AND f.contype = 'f' AND a.attnum = ANY(f.conkey)
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0
        AND NOT a.attisdropped AND a.attgenerated = '' AND c.relname <> 'alembic_version'
    ORDER BY c.relname, a.attnum
"""
_SAMPLES: dict[str, Any] = {
    "bigint": 7,
    "integer": 7,
    "smallint": 1,
    "boolean": True,
    "text": "LEE",
    "bytea": b"\x01\xff",
    "date": date(1980, 5, 6),
    "timestamp without time zone": datetime(2026, 5, 6, 7, 8, 9),  # noqa: DTZ001  the lab's clock
    "timestamp with time zone": datetime(2026, 5, 6, 7, 8, 9, tzinfo=UTC),
    "uuid": UUID("00000000-0000-4000-8000-000000000007"),
    "jsonb": Jsonb({"of": ["LEE"]}),
    "numeric": 7,
    "double precision": 7.5,
    "text[]": ["LEE"],
    "bigint[]": [7],
    "integer[]": [7],
    "smallint[]": [1],
}


def migrate_to(url: str, revision: str) -> None:
    """Migrate an empty database to an older revision."""
    with psycopg.connect(url, autocommit=True) as connection:
        create_logins(connection, PASSWORD)
    upgrade_schema(url, revision)


def fill_tables(
    connection: psycopg.Connection,
    columns: dict[str, Iterable[str]] | None = None,
    samples: Row | None = None,
    values: dict[tuple[str, str], Any] | None = None,
) -> dict[str, Row]:
    """Insert a row into each table, and return the rows by table.

    ``columns`` limits the tables and their columns; by default, all are filled. ``samples`` has
    values for types of columns in place of the usual ones, ``values`` those of single columns, by
    table and name.
    """
    tables: dict[str, dict[str, tuple[str, str | None, str | None]]] = {}
    for table, column, kind, parent, key in connection.execute(_COLUMNS).fetchall():
        if columns is None or column in columns.get(table, ()):
            tables.setdefault(table, {})[column] = (kind, parent, key)
    rows: dict[str, Row] = {}
    while tables:
        ready = [
            table
            for table, fields in tables.items()
            if all(parent in rows or parent in (None, table) for _, parent, _ in fields.values())
        ]
        assert ready, f"these tables reference each other: {sorted(tables)}"
        for table in ready:
            rows[table] = _build_row(
                tables.pop(table), table, rows, {**_SAMPLES, **(samples or {})}
            )
            rows[table].update(
                (column, value) for (of, column), value in (values or {}).items() if of == table
            )
            connection.execute(
                sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
                    sql.Identifier(table),
                    sql.SQL(", ").join(map(sql.Identifier, rows[table])),
                    sql.SQL(", ").join(map(sql.Placeholder, rows[table])),
                ),
                rows[table],
            )
    return rows


def _build_row(
    fields: dict[str, tuple[str, str | None, str | None]],
    table: str,
    rows: dict[str, Row],
    samples: Row,
) -> Row:
    row: Row = {}
    for column, (kind, parent, key) in fields.items():
        if parent == table:
            row[column] = None
        elif parent is not None:
            row[column] = rows[parent][str(key)]
        else:
            row[column] = samples[kind]
    return row
