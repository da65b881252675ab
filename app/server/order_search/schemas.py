"""HTTP shapes of the advanced search."""

from typing import Annotated, Any

from pydantic import Field

from app.contract.enumerations import ExportFormat
from app.contract.limits import EXPORT_SUMMARY_MAX, SEARCH_COLUMNS_MAX, TAKE_MAX
from app.server.access.schemas import Shape, Text
from app.server.lists.parsing import SKIP_MAX

ColumnNames = Annotated[
    list[Annotated[str, Field(max_length=60)]], Field(max_length=SEARCH_COLUMNS_MAX)
]


class SearchChoice(Shape):
    """A value of a column with few values."""

    value: str
    label: str


class SearchColumnRead(Shape):
    """A column that the user may search, show, or both.

    Attributes:
        needs_test: whether a condition names the test whose result it is about.
        needs_antibiotic: whether a condition names one of ``antibiotics``, by its code.
        is_usual: whether the column is shown unless a search names other columns.
        sort: 'indexed' works at any size, 'window' with a bounded number of rows.
    """

    name: str
    label: str
    group: str
    kind: str | None
    operators: list[str]
    choices: list[SearchChoice]
    source: str | None
    needs_test: bool
    needs_antibiotic: bool
    antibiotics: list[SearchChoice]
    is_shown: bool
    is_usual: bool
    sort: str | None


class OrderSearchRequest(Shape):
    """A search: conditions, columns, and the page of its rows.

    ``query`` is a group ``{combinator, not?, rules}``; without it every order matches.
    """

    query: Any = None
    columns: ColumnNames | None = None
    skip: int = Field(default=0, ge=0, le=SKIP_MAX)
    take: int | None = Field(default=None, ge=1, le=TAKE_MAX)
    sort: str | None = Field(default=None, max_length=300)
    after: str | None = Field(default=None, max_length=2_000)


class OrderExportRequest(Shape):
    """The orders to export: all that a search finds, with its columns, in its order.

    ``summary`` are the conditions in words, which the export shows to its owner.
    """

    query: Any = None
    summary: Annotated[str, Field(max_length=EXPORT_SUMMARY_MAX)] | None = None
    columns: ColumnNames | None = None
    sort: str | None = Field(default=None, max_length=300)
    format: ExportFormat = ExportFormat.CSV


class SavedSearchWrite(Shape):
    """A saved search as sent; absent fields stay unchanged."""

    name: Text = None
    query: Any = None
    columns: ColumnNames | None = None
    sort: str | None = Field(default=None, max_length=300)


class SavedSearchRead(Shape):
    """A saved search of the user."""

    id: int
    version: int
    name: str
    query: dict[str, Any]
    columns: list[str]
    sort: str
