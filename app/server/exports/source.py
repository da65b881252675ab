"""Sources of exports, which slices declare in their manifests.

A source has columns, and reads its rows in batches within the scope of a reader. Cells are texts as
PostgreSQL writes them; the type of the column says what a file makes of them.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from app.basics.errors import PortalError
from app.server.access.reader import Reader
from app.server.actor import Actor

Parameters = Mapping[str, Any]
"""What to export, as JSON, which only its owner and its job read."""
ExportRow = Sequence[str | None]
"""The cells of a row, one per column."""
Cursor = Sequence[str | int]
"""Where a batch ended; opaque to the job."""


class CellType(StrEnum):
    """The type of a cell: text, a number, a day, or a moment of the lab's clock."""

    TEXT = "text"
    NUMBER = "number"
    DATE = "date"
    MOMENT = "moment"


@dataclass(frozen=True)
class ExportColumn:
    """A column with its heading and its width in characters."""

    name: str
    heading: str
    type: CellType = CellType.TEXT
    width: int = 14


@dataclass(frozen=True)
class Batch:
    """Some rows in order. ``after`` leads to the next batch; None ends the export."""

    rows: Sequence[ExportRow]
    after: Cursor | None


class ExportTooSlow(Exception):
    """A statement took longer than an export may; fewer days or clients make it quick."""


@dataclass(frozen=True)
class ExportSource:
    """Rows that can be exported.

    Attributes:
        name: identifies the source in stored exports.
        title: the name of the sheet and, in lower case, of the file. It names no person.
        judge: the rule that allows an actor to export, and to download what was exported.
        build_columns: builds the columns of every row of an export.
        read_batch: reads the batch after a cursor, and audits the exported records.
        count_rows: counts the rows, and yields the number so far after each step.

    The last three raise ``BadInput`` if the owner may no longer export this. Reading and
    counting raise ``ExportTooSlow``.
    """

    name: str
    title: str
    judge: Callable[[Actor], PortalError | None]
    build_columns: Callable[[Actor, Parameters], Sequence[ExportColumn]]
    read_batch: Callable[[Reader, Parameters, Cursor | None], Awaitable[Batch]]
    count_rows: Callable[[Reader, Parameters], AsyncIterator[int]]


class ExportSources:
    """All sources of the portal by name."""

    def __init__(self, sources: Sequence[ExportSource]) -> None:
        self._sources = {source.name: source for source in sources}
        assert len(self._sources) == len(sources), "two sources have the same name"

    def find(self, name: str) -> ExportSource | None:
        """Find a source; None after a release that no longer has it."""
        return self._sources.get(name)
