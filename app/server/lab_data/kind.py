"""Declarations of the kinds of data maintained by the lab (ADR 57)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from app.basics.errors import FieldError
from app.contract.enumerations import Role
from app.contract.limits import LAB_DATA_TEXT_MAX
from app.server.access.policy import LAB_STAFF
from app.server.database.base import Table

FieldType = Literal["text", "number", "integer", "boolean", "choice", "texts", "lookup", "links"]
Value = str | int | bool | list[str] | None
"""A value on the wire; a decimal number is text, so that it keeps its digits."""
Values = Mapping[str, Value]
DIRECTOR = frozenset({Role.SUPERUSER})
"""The editors of data that decide about orders and results."""
BENCH = LAB_STAFF
"""The editors of tables that the lab uses at its benches."""


@dataclass(frozen=True, eq=False)
class Lookup:
    """Records that fields refer to by a unique text, such as a code.

    Attributes:
        table: the table; ``k`` is its alias in the SQL below.
        key: SQL of the unique text.
        name: SQL of the text shown beside the key; empty if the key is enough.
        column: the column that referring tables store.
        offered: SQL of the rows that are offered.
    """

    table: str
    key: str
    name: str = ""
    column: str = "id"
    offered: str = "true"


@dataclass(frozen=True, eq=False)
class Links:
    """The table of a many-to-many field: its own side, the other, and the order of the links."""

    table: str
    own: str
    other: str
    position: str = ""


@dataclass(frozen=True, eq=False)
class Field:
    """A field of a kind.

    Attributes:
        column: the column; of a ``links`` field, only its name.
        label: its label, which is also its header in CSV files.
        upper: the text is stored in upper case (DECISIONS).
        smallest, largest: the limits of a whole number.
        choices: labels that people choose, with the stored values.
        empty: what people read where nothing is chosen, if it has a meaning of its own.
        lookup: the name of the ``lookups.LOOKUPS`` that it refers to.
        fixed: it identifies the row, and does not change once the row exists.
        convert: puts a text into its stored form.
        check: returns the message about a wrong value, or None.
        in_grid: whether the grid shows it at first.
        note: returns what the form says about a stored text, or about an empty field (None).
    """

    column: str
    label: str
    type: FieldType = "text"
    required: bool = False
    upper: bool = False
    max_length: int = LAB_DATA_TEXT_MAX
    smallest: int = 0
    largest: int = 32_767
    choices: Mapping[str, Any] = field(default_factory=dict)
    empty: str = ""
    lookup: str = ""
    links: Links | None = None
    fixed: bool = False
    default: Value = None
    convert: Callable[[str], str] | None = None
    check: Callable[[str], str | None] | None = None
    in_grid: bool = True
    note: Callable[[str | None], str | None] | None = None

    @cached_property  # a file of 50,000 rows asks for it millions of times
    def name(self) -> str:
        """The name on the wire: the column's name in camelCase, without the ending '_id'."""
        return _to_camel(self.column.removesuffix("_id") if self.type == "lookup" else self.column)


def _to_camel(column: str) -> str:
    first, *others = column.split("_")
    return first + "".join(word.capitalize() for word in others)


def _accept_all(_values: Values) -> list[FieldError]:
    return []


def _accept_change(_before: Values, _after: Values) -> list[FieldError]:
    return []


def _derive_nothing(_values: Values) -> dict[str, Any]:
    return {}


@dataclass(frozen=True, eq=False)
class DataKind:
    """A kind of data: a table with its fields, and the roles that change it.

    Attributes:
        key: its name in addresses ('lab-tests').
        title, singular: what people call the rows, and one of them.
        group: the heading under which the screen lists it.
        fields: in the order of the form and of CSV files.
        identity: the names of the fields by which a row of a file is matched with a stored one.
        editors: the roles that change it; all lab staff reads it.
        parent: the name of the field of the record that a row belongs to.
        children: the kinds whose rows the form shows, by their ``parent``.
        active: the column that is false once a row has ended; empty if rows do not end.
        validate: rules of several fields at once, by their names on the wire.
        derive: columns that follow from the values.
        compare: rules that compare a row with the other rows of its parent.
        limits: the names of the numbers that are in the unit of the row's ``test``. The field
            ``unit`` of the row says which unit that was (ADR 102).
        validate_change: rules about a stored row, with its values before and after the change.
    """

    key: str
    title: str
    singular: str
    group: str
    model: type[Table]
    fields: tuple[Field, ...]
    identity: tuple[str, ...]
    editors: frozenset[Role] = DIRECTOR
    parent: str = ""
    children: tuple[str, ...] = ()
    active: str = "active"
    validate: Callable[[Values], list[FieldError]] = _accept_all
    derive: Callable[[Values], dict[str, Any]] = _derive_nothing
    compare: Callable[[Values, list[Values]], list[FieldError]] | None = None
    limits: tuple[str, ...] = ()
    validate_change: Callable[[Values, Values], list[FieldError]] = _accept_change

    @property
    def table(self) -> str:
        """The name of the table."""
        return str(self.model.__tablename__)

    @property
    def audit_kind(self) -> str:
        """The kind in the audit log."""
        return f"lab-data-{self.key}"

    @property
    def active_name(self) -> str:
        """The name on the wire of ``active``."""
        return _to_camel(self.active)

    def find_field(self, name: str) -> Field | None:
        """Find the field of this name."""
        return next((field for field in self.fields if field.name == name), None)


def build_kind(kind: DataKind) -> DataKind:
    """Return the kind, with the field 'In use' if its rows can end."""
    if not kind.active:
        return kind
    in_use = Field(kind.active, "In use", "boolean", default=True)
    return replace(kind, fields=(*kind.fields, in_use))
