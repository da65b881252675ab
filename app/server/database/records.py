"""Rows as JSON in one statement, and records from that JSON; writes load data this way."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import lru_cache
from types import GenericAlias
from typing import Any, TypeVar
from uuid import UUID

import msgspec
from sqlalchemy import Date, DateTime, LargeBinary, Numeric, Uuid, inspect
from sqlalchemy.orm import configure_mappers
from sqlalchemy.orm.instrumentation import ClassManager

from app.server.database.base import Table

Record = TypeVar("Record", bound=Table)
_KINDS: tuple[tuple[type[Any], type[Any]], ...] = (
    (DateTime, datetime),
    (Date, date),
    (Uuid, UUID),
    (Numeric, Decimal),
)
"""The Python types of columns that msgspec decodes; other columns keep their JSON value."""
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

    ``only`` limits the columns, for callers that read the object itself and parse no record.
    """
    names = [c.name for c in table.__table__.columns if c.name not in without]
    if only is not None:
        _require_columns(table, only)
        names = [name for name in names if name in only]
    pairs = [f"'{name}', {value}" for name, value in _select_columns(table, alias, names)]
    return f"json_build_object({', '.join(pairs)})"


def build_rows_json(table: type[Table], alias: str, rest: str, *, order: str = "") -> str:
    """Return SQL for an array of rows; ``rest`` follows 'FROM table alias'."""
    return _aggregate_rows(table, alias, build_row_json(table, alias), rest, order)


def build_record(table: type[Record], values: Mapping[str, Any]) -> Record:
    """Build a record from column values, as if loaded; it belongs to no session.

    Like SQLAlchemy's own loading, this bypasses the constructor, which takes ten times as long.
    """
    manager, _ = _inspect_table(table)
    record: Record = manager.new_instance()
    record.__dict__.update(values)
    return record


def parse_record(table: type[Record], values: Mapping[str, Any]) -> Record:
    """Parse a JSON object of ``build_row_json`` into a record; it belongs to no session."""
    record = build_record(table, values)
    attributes = record.__dict__
    _, parsers = _inspect_table(table)
    for name, parse in parsers:
        text = attributes.get(name)
        if text is not None:
            attributes[name] = parse(text)
    return record


class Columns:
    """Some columns of a table as JSON arrays, for rows that are only read.

    Arrays take less time than objects, because they do not repeat the names.

    Attributes:
        row: the type of a row for ``build_decoder``. A row reads like a record: it has the columns
            and the properties of the table. It fails for a column that was not loaded, where a
            record would return None.
        rows: the type of an array of rows.
    """

    def __init__(self, table: type[Table], names: Sequence[str]) -> None:
        _require_columns(table, names)
        self._table = table
        self._names = names
        properties: dict[str, Any] = {}
        for base in reversed(table.__mro__):
            properties |= {
                k: value for k, value in vars(base).items() if isinstance(value, property)
            }
        columns = table.__table__.columns
        self.row: Any = msgspec.defstruct(
            f"{table.__name__}Columns",
            [(name, _find_kind(columns[name].type)) for name in names],
            namespace=properties,
            array_like=True,
            forbid_unknown_fields=True,
            frozen=True,
        )
        self.rows: Any = GenericAlias(list, (self.row,))

    def build_json(self, alias: str) -> str:
        """Return SQL for the columns of a row as a JSON array."""
        values = [value for _, value in _select_columns(self._table, alias, self._names)]
        return f"json_build_array({', '.join(values)})"

    def build_all_json(self, alias: str, rest: str, *, order: str = "") -> str:
        """Return SQL for an array of rows; ``rest`` follows 'FROM table alias'."""
        return _aggregate_rows(self._table, alias, self.build_json(alias), rest, order)


def build_rows_type(*kinds: Any) -> Any:
    """Build the type of an array of rows that are arrays with a value of each type."""
    return GenericAlias(list, (GenericAlias(tuple, kinds),))


def build_decoder(**kinds: Any) -> msgspec.json.Decoder[Any]:
    """Build the decoder of a JSON object, whose parts become attributes of these types.

    It decodes rows of ``Columns`` in less than half of the time that Python code takes (ADR 88).
    """
    return msgspec.json.Decoder(msgspec.defstruct("Parts", list(kinds.items())))


@lru_cache(maxsize=64)
def _inspect_table(
    table: type[Table],
) -> tuple[ClassManager[Any], tuple[tuple[str, Callable[[str], Any]], ...]]:
    """Return the manager that makes instances of a table's class, and the parsers by column."""
    configure_mappers()  # until then the class has no manager
    return inspect(table).class_manager, _list_parsers(table)


def _require_columns(table: type[Table], names: Collection[str]) -> None:
    unknown = set(names) - {column.name for column in table.__table__.columns}
    assert not unknown, f"{table.__tablename__} has no column {sorted(unknown)}"


def _select_columns(
    table: type[Table], alias: str, names: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the name of each column, and SQL for its value in JSON."""
    # A JSON number would come back as a float, which changes its digits.
    as_text = {c.name for c in table.__table__.columns if isinstance(c.type, Numeric)}
    for name in names:
        yield name, f"{alias}.{name}{'::text' if name in as_text else ''}"


def _aggregate_rows(table: type[Table], alias: str, row: str, rest: str, order: str) -> str:
    order_by = f" ORDER BY {order}" if order else ""
    return (
        f"(SELECT coalesce(json_agg({row}{order_by}), '[]'::json) "
        f"FROM {table.__tablename__} {alias} {rest})"
    )


def _list_parsers(table: type[Table]) -> tuple[tuple[str, Callable[[str], Any]], ...]:
    return tuple(
        (column.name, parse)
        for column in table.__table__.columns
        if (parse := _find_parser(column.type)) is not None
    )


def _find_kind(column_type: object) -> Any:
    assert not isinstance(column_type, LargeBinary), "PostgreSQL writes bytes in its own form"
    kind = next((kind for type_, kind in _KINDS if isinstance(column_type, type_)), None)
    return Any if kind is None else kind | None


def _find_parser(column_type: object) -> Callable[[str], Any] | None:
    return next((parse for kind, parse in _PARSERS if isinstance(column_type, kind)), None)
