"""Rows as JSON in one statement, and records from that JSON; writes load data this way."""

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar, cast
from uuid import UUID

from sqlalchemy import Date, DateTime, LargeBinary, Numeric, Uuid, inspect
from sqlalchemy.orm import configure_mappers
from sqlalchemy.orm.instrumentation import ClassManager

from app.server.database.base import Table

Record = TypeVar("Record", bound=Table)
_PARSERS: tuple[tuple[type[Any], Callable[[str], Any]], ...] = (
    (DateTime, datetime.fromisoformat),
    (Date, date.fromisoformat),
    (LargeBinary, lambda text: bytes.fromhex(text[2:])),
    (Uuid, UUID),
    (Numeric, Decimal),
)


def build_row_json(
    table: type[Table],
    alias: str,
    *,
    only: Collection[str] | None = None,
    without: Collection[str] = (),
) -> str:
    """Return SQL for a row's columns as a JSON object for ``parse_record``.

    ``only`` names the columns that are enough, for ``parse_columns``.
    """
    columns = [c.name for c in table.__table__.columns if c.name not in without]
    if only is not None:
        columns = [name for name in columns if name in only]
        assert len(columns) == len(only), f"{table.__tablename__} lacks a column of {only}"
    # A JSON number would come back as a float, which changes its digits.
    as_text = {c.name for c in table.__table__.columns if isinstance(c.type, Numeric)}
    pairs = ", ".join(
        f"'{name}', {alias}.{name}{'::text' if name in as_text else ''}" for name in columns
    )
    return f"json_build_object({pairs})"


def build_rows_json(
    table: type[Table],
    alias: str,
    rest: str,
    *,
    order: str = "",
    only: Collection[str] | None = None,
) -> str:
    """Return SQL for an array of rows; ``rest`` follows 'FROM table alias'."""
    order_by = f" ORDER BY {order}" if order else ""
    row = build_row_json(table, alias, only=only)
    return (
        f"(SELECT coalesce(json_agg({row}{order_by}), '[]'::json) "
        f"FROM {table.__tablename__} {alias} {rest})"
    )


def build_record(table: type[Record], values: Mapping[str, Any]) -> Record:
    """Build a record from column values, as if loaded; it belongs to no session.

    Like SQLAlchemy's own loading, this bypasses the constructor, which takes ten times as long.
    """
    record: Record = _get_parsers(table)[0].new_instance()
    record.__dict__.update(values)
    return record


def parse_record(table: type[Record], values: Mapping[str, Any]) -> Record:
    """Parse a JSON object of ``build_row_json`` into a record; it belongs to no session."""
    record = build_record(table, values)
    attributes = record.__dict__
    for name, parse in _get_parsers(table)[1]:
        text = attributes.get(name)
        if text is not None:
            attributes[name] = parse(text)
    return record


def parse_columns(table: type[Record], values: dict[str, Any]) -> Record:
    """Parse some columns into an object that reads like a record, only for reading.

    The object holds ``values`` itself, not a copy, and has the table's properties. It fails for a
    column that was not loaded, where a record would return None.
    """
    [columns] = parse_rows(table, [values])
    return columns


def parse_rows(table: type[Record], rows: Sequence[dict[str, Any]]) -> list[Record]:
    """Parse rows that have the same columns; see ``parse_columns``."""
    if not rows:
        return []
    view, parsers = _get_view(table, tuple(rows[0]))
    records = []
    for values in rows:
        for name, parse in parsers:
            text = values[name]
            if text is not None:
                values[name] = parse(text)
        columns = object.__new__(view)
        columns.__dict__ = values
        records.append(columns)
    return cast(list[Record], records)


@lru_cache(maxsize=64)
def _get_parsers(
    table: type[Table],
) -> tuple[ClassManager[Any], tuple[tuple[str, Callable[[str], Any]], ...]]:
    configure_mappers()  # until then the class has no manager
    return inspect(table).class_manager, _list_parsers(table)


@lru_cache(maxsize=128)
def _get_view(
    table: type[Table], names: tuple[str, ...]
) -> tuple[type[object], tuple[tuple[str, Callable[[str], Any]], ...]]:
    properties = {
        name: value
        for base in reversed(table.__mro__)
        for name, value in vars(base).items()
        if isinstance(value, property)
    }
    parsers = tuple((name, parse) for name, parse in _list_parsers(table) if name in names)
    return type(f"{table.__name__}Columns", (), properties), parsers


def _list_parsers(table: type[Table]) -> tuple[tuple[str, Callable[[str], Any]], ...]:
    return tuple(
        (column.name, parse)
        for column in table.__table__.columns
        for column_type, parse in _PARSERS
        if isinstance(column.type, column_type)
    )
