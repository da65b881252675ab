"""Rows as JSON within one statement, and back as records: what a write needs is loaded so."""

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeVar
from uuid import UUID

from sqlalchemy import Date, DateTime, LargeBinary, Numeric, Uuid, inspect
from sqlalchemy.orm import configure_mappers
from sqlalchemy.orm.instrumentation import ClassManager

from app.server.database.base import Table

Record = TypeVar("Record", bound=Table)
_READERS: tuple[tuple[type[Any], Callable[[str], Any]], ...] = (
    (DateTime, datetime.fromisoformat),
    (Date, date.fromisoformat),
    (LargeBinary, lambda text: bytes.fromhex(text[2:])),
    (Uuid, UUID),
    (Numeric, Decimal),
)


def row_json(table: type[Table], alias: str, *, without: frozenset[str] = frozenset()) -> str:
    """SQL of a row's columns as a JSON object, which ``read_record`` turns into the record."""
    columns = [c.name for c in table.__table__.columns if c.name not in without]
    # As text: a JSON number comes back as a float, whose digits are others.
    exact = {c.name for c in table.__table__.columns if isinstance(c.type, Numeric)}
    pairs = ", ".join(
        f"'{name}', {alias}.{name}{'::text' if name in exact else ''}" for name in columns
    )
    return f"json_build_object({pairs})"


def rows_json(table: type[Table], alias: str, rest: str, *, order: str = "") -> str:
    """SQL of an array of rows; ``rest`` is what follows FROM table alias."""
    sorted_by = f" ORDER BY {order}" if order else ""
    return (
        f"(SELECT coalesce(json_agg({row_json(table, alias)}{sorted_by}), '[]'::json) "
        f"FROM {table.__tablename__} {alias} {rest})"
    )


def record_of(table: type[Record], values: Mapping[str, Any]) -> Record:
    """A record of these columns, as one that was loaded; no session has it.

    Past the constructor, as SQLAlchemy itself loads rows: that takes ten times as long.
    """
    record: Record = _reading(table)[0].new_instance()
    record.__dict__.update(values)
    return record


def read_record(table: type[Record], values: Mapping[str, Any]) -> Record:
    """The record of a JSON object of ``row_json``, as one that was loaded; no session has it."""
    record = record_of(table, values)
    read = record.__dict__
    for name, reader in _reading(table)[1]:
        text = read.get(name)
        if text is not None:
            read[name] = reader(text)
    return record


@lru_cache(maxsize=64)
def _reading(
    table: type[Table],
) -> tuple[ClassManager[Any], tuple[tuple[str, Callable[[str], Any]], ...]]:
    configure_mappers()  # else a process would have to query some model first
    readers = tuple(
        (column.name, reader)
        for column in table.__table__.columns
        for kind, reader in _READERS
        if isinstance(column.type, kind)
    )
    return inspect(table).class_manager, readers
