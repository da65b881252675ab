"""COPY with ids given, and sequences brought behind them."""

from collections.abc import Iterable, Sequence
from typing import Any

import psycopg
from psycopg import sql

Connection = psycopg.Connection[tuple[object, ...]]


def copy(
    connection: Connection, table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write rows in one COPY."""
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor().copy(statement) as writer:
        for row in rows:
            writer.write_row(row)


def settle_ids(connection: Connection, *tables: str) -> None:
    """Let each table's next id follow the largest one."""
    for table in tables:
        connection.execute(
            sql.SQL(
                "SELECT setval(pg_get_serial_sequence({}, 'id'), coalesce(max(id), 1), "
                "max(id) IS NOT NULL) FROM {}"
            ).format(sql.Literal(table), sql.Identifier(table))
        )


def ids_by(connection: Connection, table: str, key: str) -> dict[str, int]:
    """Natural key -> id."""
    rows = connection.execute(
        sql.SQL("SELECT {}, id FROM {}").format(sql.Identifier(key), sql.Identifier(table))
    )
    return {str(name): int(str(found)) for name, found in rows}
