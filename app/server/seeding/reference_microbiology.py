"""Organisms, antibiotics, breakpoints, and the rules of microbiology."""

from collections.abc import Iterable
from dataclasses import astuple, fields
from typing import Any

from app.server.seeding.copying import Connection, copy_rows
from seeds.reference import microbiology


def insert_microbiology_tables(connection: Connection) -> None:
    """Fill all tables of microbiology, which are empty in older databases."""
    _copy_records(connection, "organisms", microbiology.list_organisms())
    _copy_records(connection, "antibiotics", microbiology.list_antibiotics())
    _copy_records(connection, "culture_terms", microbiology.list_culture_terms())
    _copy_records(connection, "breakpoints", microbiology.list_breakpoints())
    copy_rows(
        connection,
        "intrinsic_resistances",
        ("applies_to", "antibiotic"),
        microbiology.list_intrinsic_resistances(),
    )
    _copy_records(connection, "cascade_rules", microbiology.list_cascade_rules())
    _copy_records(connection, "critical_culture_rules", microbiology.list_critical_rules())


def _copy_records(connection: Connection, table: str, records: Iterable[Any]) -> None:
    rows = list(records)
    columns = [field.name for field in fields(rows[0])]
    values = ([_to_value(value) for value in astuple(row)] for row in rows)
    copy_rows(connection, table, columns, values)


def _to_value(value: Any) -> Any:
    # COPY takes an array from a list; a tuple would be a composite value.
    return list(value) if isinstance(value, tuple) else value
