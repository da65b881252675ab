"""Copies rows with explicit ids into tables, and advances their sequences."""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from psycopg import sql

Connection = psycopg.Connection[tuple[object, ...]]


def copy_rows(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Insert rows with one COPY statement."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor().copy(statement) as writer:
        for row in rows:
            writer.write_row(row)


def advance_sequences(connection: Connection, *tables: str) -> None:
    """Set the next id of each table to follow its largest id."""
    for table in tables:
        connection.execute(
            sql.SQL(
                "SELECT setval(pg_get_serial_sequence({}, 'id'), coalesce(max(id), 1), "
                "max(id) IS NOT NULL) FROM {}"
            ).format(sql.Literal(table), sql.Identifier(table))
        )


def load_ids(connection: Connection, table: str, key: str) -> dict[str, int]:
    """Return the ids of a table's rows by their natural key."""
    rows = connection.execute(
        sql.SQL("SELECT {}, id FROM {}").format(sql.Identifier(key), sql.Identifier(table))
    )
    return {str(name): int(str(row_id)) for name, row_id in rows}
