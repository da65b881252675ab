"""HTTP shapes of the data of the lab."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict
from pydantic import Field as Bounded

from app.server.access.schemas import Permission, Shape

LabValue = str | int | bool | list[str] | None


class LabDataField(Shape):
    """A field of a kind.

    Attributes:
        type: the type of its values.
        empty: what people read where nothing is chosen; null if that means nothing.
        lookup: what its values refer to.
    """

    name: str
    label: str
    type: str
    required: bool
    upper: bool
    max_length: int
    choices: list[str]
    empty: str | None
    lookup: str | None
    fixed: bool
    in_grid: bool
    default: LabValue


class LabDataKind(Shape):
    """A kind of data. ``children`` are the kinds whose rows belong to one of its rows."""

    key: str
    title: str
    singular: str
    group: str
    fields: list[LabDataField]
    identity: list[str]
    parent: str | None
    children: list[str]
    can_change: Permission


class LabDataRow(Shape):
    """A row of a kind's list: its id, and its values by the names of their fields."""

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, LabValue] = Bounded(init=False)

    id: int


class LabDataWrite(Shape):
    """The values of a row by the names of their fields; absent values stay unchanged."""

    values: dict[str, Any]


class LabDataLimits(Shape):
    """A number of limits, and what people call one and several of them."""

    singular: str
    title: str
    count: int


class LabDataRead(Shape):
    """A row of a kind; ``name`` is what people call it.

    ``notes`` explain stored values, by the names of their fields.
    ``unit_limits`` are the limits in the unit of a lab test, which no longer apply once the test
    has another unit (ADR 102). Other kinds have none.
    """

    id: int
    name: str
    values: dict[str, LabValue]
    notes: dict[str, str]
    version: int
    can_change: Permission
    unit_limits: list[LabDataLimits]


class FieldChange(Shape):
    """A value before and after a change, as people read it."""

    label: str
    old: str
    new: str


class LabDataChange(Shape):
    """A change of a row: 'create', 'change', or 'import'."""

    at: datetime
    user: str | None
    action: str
    fields: list[FieldChange]


class LabDataOffer(Shape):
    """A record that a field can refer to."""

    key: str
    name: str | None


class LabDataImportWrite(Shape):
    """A CSV file in base64; ``token`` is from the preview to apply."""

    content: Annotated[str, Bounded(max_length=17_000_000)]
    token: str | None = None


class LabDataImportRow(Shape):
    """A row of a file: what would change, or what is wrong; ``number`` is the spreadsheet's."""

    number: int
    name: str
    is_new: bool
    changes: list[FieldChange]
    errors: list[str]


class LabDataImport(Shape):
    """The changes of a file; ``rows`` are the first rows with errors or changes."""

    token: str
    added: int
    changed: int
    unchanged: int
    rejected: int
    rows: list[LabDataImportRow]
