"""Declarations of lists: columns, filters, sort keys and scope.

Declarations compare by identity, so caches can use them as keys without comparing their content.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, Literal, NamedTuple

from app.contract.limits import PAGE_SIZE_DEFAULT
from app.server.database.scope import Rows

ParsedValues = Mapping[str, Any]
SortSupport = Literal["indexed", "window", "no"]


class Lookup(NamedTuple):
    """A small table in which the letters of a filter are searched, instead of in the rows.

    Attributes:
        table: the table; its alias in the expressions is ``lookup``.
        texts: the texts that may contain the letters.
        key: the value that leads to the rows of the list.
        indexed_sql: the condition that an index serves, with ``{keys}`` for a query of the keys.
        sql: the condition on a single row, with ``{keys}``; if empty, the column contains the
            letters.
        is_sampled: whether the index returns its rows in no order; a sample of the rows then
            tells whether using the index is worth its cost.
        ordered_sql: the condition, with ``{keys}``, by which an index returns the rows in the order
            of the column; empty if no index does.
    """

    table: str
    texts: tuple[str, ...]
    key: str
    indexed_sql: str
    sql: str = ""
    is_sampled: bool = False
    ordered_sql: str = ""


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a list's rows.

    Attributes:
        sql: the expression over the root table's alias ``t``.
        value_type: the type of its values in the answer, with ``| None`` where a row may have none.
        sort: "indexed" when an index serves the sort at any size, "window" when the sort needs a
            bounded number of rows, "no" when it is not offered.
        kind: how the filter row parses and compares its value; None: not filterable. A "moment"
            is a timestamp that is filtered by its day.
        is_hidden: whether the column only sorts and filters, and is not in the answer. Its value is
            selected only if the joins or joined values read it, as ``page."name"``.
        lookup: where letters are searched, with an index that leads to the rows.
        trigrams: the expression of a trigram index that serves searches for letters. It contains
            the column's text and starts with it.
        order_sql: what rows are sorted by, if not the value itself.
        filter_sql: upper-case text in which letters are searched, if not the value itself.
    """

    name: str
    sql: str
    value_type: Any
    sort: SortSupport = "no"
    kind: Literal["text", "date", "moment", "number", "boolean"] | None = None
    is_hidden: bool = False
    lookup: Lookup | None = None
    trigrams: str = ""
    order_sql: str = ""
    filter_sql: str = ""


class JoinedValue(NamedTuple):
    """A value that is joined to the rows of the page: name, SQL expression and type.

    Attributes:
        staff_sql: the expression for staff, if it reads what only they may; if empty,
            ``sql`` is used.
    """

    name: str
    sql: str
    value_type: Any
    staff_sql: str = ""


@dataclass(frozen=True, eq=False)
class Filter:
    """A filter of the screen.

    Attributes:
        name: its name in the query.
        parse: turns the query's values into the values of the placeholders; None when the filter
            has no effect (an empty value, 'all').
        sql: the condition, with ``%(placeholders)s``.
        value_type: the type of its value in the OpenAPI document; ``list`` for a repeated one.
        column: filters by the letters of this column of the list, as its filter row does.
    """

    name: str
    parse: Callable[[list[str]], ParsedValues | None]
    sql: str | Callable[[ParsedValues], str]
    value_type: Any = str
    column: str = ""


class Condition(NamedTuple):
    """A WHERE condition, with the variants that an index can serve.

    Attributes:
        indexed_sql: the variant that an index serves, for actors without a scope only.
        unindexed_sql: the variant that keeps this index out of the plan. When most rows match, the
            index is slower than a walk, because it collects all ids first.
        ordered_sql: the variant that an index serves in the order of ``ordered_by``; empty if none
            does.
        ordered_by: the order of the rows of ``ordered_sql``; empty if that is empty.
        is_anywhere: whether it searches letters anywhere in a text, not only at its start.
    """

    sql: str
    indexed_sql: str = ""
    unindexed_sql: str = ""
    ordered_sql: str = ""
    ordered_by: str = ""
    is_anywhere: bool = False

    @property
    def is_date_ordered(self) -> bool:
        """Whether the index returns the rows in the order of their dates."""
        return bool(self.indexed_sql) and not self.unindexed_sql


@dataclass(frozen=True, eq=False)
class Window:
    """The two date filters that bound a list's rows.

    Attributes:
        first, last: the names of the two filters.
        column: the column that they bound.
        selective_filters: the names of the filters that leave few rows each and have their own
            index.
        day: the day as the expression of an index that orders the rows by day and id; empty without
            such an index.
        covered_filters: the names of the filters that this index can answer alone.
    """

    first: str
    last: str
    column: str
    selective_filters: frozenset[str]
    day: str = ""
    covered_filters: frozenset[str] = frozenset()


@dataclass(frozen=True, eq=False)
class ListSpec:
    """A list: one root table, its scope, and the values of a row.

    Attributes:
        columns: the values of a row, which may also sort and filter.
        joins: the joins to the rows of the page, ``page``.
        joined_values: the values that ``joins`` adds to these rows.
        base_condition: a condition of every query.
        take: the default page size.
        defaults: the values of placeholders that no filter of the query sets.
        action: the action in the audit rows of its pages.
        has_uuids: whether the ids are not numbers, so that the audit row has them in its detail.
        has_small_scopes: whether it is best to read a scope's rows once, for count and page. That
            is so if they are thousands at most, and no index has them in the order of a sort.
    """

    name: str
    table: str
    scope: Rows | None
    columns: tuple[Column, ...]
    filters: tuple[Filter, ...] = ()
    joins: str = ""
    joined_values: tuple[JoinedValue, ...] = ()
    base_condition: str = ""
    default_sort: str = "-id"
    is_audited: bool = True
    window: Window | None = None
    take: int = PAGE_SIZE_DEFAULT
    defaults: ParsedValues = field(default_factory=dict)
    action: str = "list"
    has_uuids: bool = False
    has_small_scopes: bool = False

    def find_column(self, name: str) -> Column | None:
        """Find the column of this name."""
        return next((c for c in self.columns if c.name == name), None)

    def find_filter(self, name: str) -> Filter | None:
        """Find the filter of this name."""
        return next((f for f in self.filters if f.name == name), None)


def build_word_expression(column: str, kind: type[IntEnum], *, without: IntEnum) -> str:
    """Return SQL for an enumeration's word on the wire ('Insurance'); NULL for ``without``."""
    cases = (
        f"WHEN {member.value} THEN '{member.name.capitalize()}'"
        for member in kind
        if member is not without
    )
    return f"CASE {column} {' '.join(cases)} END"


def quote_texts(texts: Iterable[str]) -> str:
    """Return SQL for a list of our own constant texts ('LL', 'HH')."""
    return ", ".join(f"'{text}'" for text in texts)
