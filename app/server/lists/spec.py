"""How a list is declared: its columns, filters, sort keys and scope.

A declaration is equal to itself alone: what is worked out from it is kept under it, and is found
again without comparing all that it holds.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal, NamedTuple

from app.contract.limits import PAGE_SIZE_DEFAULT
from app.server.database.scope import Rows

Parsed = Mapping[str, Any]
Indexed = Literal["indexed", "window", "no"]


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a list's rows.

    ``sql`` is its expression over the root table's alias ``t``. ``holds`` is the type of its values
    in the answer, with ``| None`` where a row may have none. ``sort`` says whether sorting by
    it is served by an index at any size ("indexed"), needs a bounded number of rows ("window"),
    or is not offered ("no"). ``kind`` is how a filter-row value is read; None: not filterable.
    ``kind`` says how the filter row compares: a "moment" is a timestamp asked for by its day.
    A ``hidden`` column can be sorted and filtered by but is not in the answer.
    ``known`` is a table of one column ``name`` that holds every text of this column once, where
    an index leads from the text to the rows: letters are looked up among those few. ``trigrams``
    is the expression of a trigram index in which they are looked up.
    """

    name: str
    sql: str
    holds: Any
    sort: Indexed = "no"
    kind: Literal["text", "date", "moment", "number", "boolean"] | None = None
    hidden: bool = False
    known: str = ""
    trigrams: str = ""


class Joined(NamedTuple):
    """A value of a row that is found when the page is known: its name, its SQL expression, and the
    type that it holds in the answer."""

    name: str
    sql: str
    holds: Any


@dataclass(frozen=True, eq=False)
class Filter:
    """A filter of the screen, by its name in the query.

    ``sql`` is a condition using ``%(placeholders)s`` that ``parse`` fills from the query's
    values; ``parse`` answers None when the filter asks for nothing (an empty value, 'all').
    ``takes`` is the type of its value, for the OpenAPI document; a list's values are repeated.
    """

    name: str
    parse: Callable[[list[str]], Parsed | None]
    sql: str | Callable[[Parsed], str]
    takes: Any = str


class Condition(NamedTuple):
    """What a row must meet, as SQL; ``looked_up`` says the same so that an index finds the rows,
    where there is one that only those who see everyone's can use. That index slows down what is
    met ``everywhere``: it would name all rows before the first is looked at."""

    sql: str
    looked_up: str = ""
    everywhere: str = ""

    @property
    def is_known(self) -> bool:
        """Whether the index leads to the rows in the order of their dates."""
        return bool(self.looked_up) and not self.everywhere


@dataclass(frozen=True, eq=False)
class Window:
    """The two date filters that bound a list's rows, and the column that they bound.

    ``few`` names the filters that leave few rows each, by an index of their own. Where an index
    holds the rows by day and id, ``day`` is its column for the day, and ``held``
    names the filters whose conditions that index answers alone.
    """

    first: str
    last: str
    column: str
    few: frozenset[str]
    day: str = ""
    held: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ListSpec:
    """A list: one root table, its scope, and what one row of the answer holds.

    ``columns`` are computed in the page itself. ``joins`` and ``joined`` are added afterwards
    to the page's few rows only. ``always`` is a condition that no caller can take away. ``take``
    is the size of a page where none is asked for.
    """

    name: str
    table: str
    scope: Rows | None
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...] = ()
    joins: str = ""
    joined: tuple[Joined, ...] = ()
    always: str = ""
    default_sort: str = "-id"
    audited: bool = True
    window: Window | None = None
    take: int = PAGE_SIZE_DEFAULT

    def column(self, name: str) -> Column | None:
        """The declared column of this name."""
        return next((c for c in self.columns if c.name == name), None)

    def filter(self, name: str) -> Filter | None:
        """The declared filter of this name."""
        return next((f for f in self.filters if f.name == name), None)


def word_of(column: str, kind: type[IntEnum], *, without: IntEnum) -> str:
    """SQL of a member as its word on the wire ('Insurance'); null for ``without``."""
    cases = (
        f"WHEN {member.value} THEN '{member.name.capitalize()}'"
        for member in kind
        if member is not without
    )
    return f"CASE {column} {' '.join(cases)} END"
