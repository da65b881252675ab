"""A column of the advanced search, and helpers to declare columns."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from app.contract.enumerations import LABELS, Role
from app.server.lists.spec import Column
from app.server.order_search.rules import SEARCHERS, Kind, Operator, list_operators
from app.server.orders import lists

NOT_PHYSICIANS = SEARCHERS - {Role.PHYSICIAN}
"""Roles that see the columns that physicians do not have in their order search."""


class Source(StrEnum):
    """The records among which a reference is chosen."""

    CLIENTS = "clients"
    PHYSICIANS = "physicians"
    TESTS = "tests"


_NO_CHOICES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class SearchColumn:
    """A column that conditions compare, that the grid shows, or both.

    Attributes:
        label, group: what people call it, and its group in the list of columns.
        kind: the type of its values; None: it is only shown.
        sql: the expression that conditions compare. It is over the order ``t``, or over the rows
            in ``wrap``.
        wrap: the condition on the order, with ``{condition}`` for the comparison, ``{test}`` for
            the test, ``{antibiotic}`` for the antibiotic, and ``{per_order}`` at the end of a
            subquery that may be run for each order. An order matches if one of its rows does, and a
            negative operator if none does.
        unscoped_wrap: replaces ``wrap`` for actors who see every order, where an index then leads
            to the rows.
        needs_test: whether a condition names the test whose result it compares. A negative operator
            then says what the result is not, and an order without the result does not match.
        needs_antibiotic: the same for the antibiotic whose interpretation it compares.
        may_be_empty: whether an order may be without a value.
        choices: names on the wire -> stored values.
        labels: what people call the choices, if not by their names.
        source: the records among which a reference is chosen.
        shown_column: the column of the grid.
        indexed_column: the column whose index serves text searches across all clients.
        roles: who may use it.
        is_selective: whether few orders have the same value, so that an index finds them.
        has_day_index: whether an index has the orders of each day with this value, in their order.
    """

    name: str
    label: str
    group: str
    kind: Kind | None = None
    sql: str = ""
    wrap: str = "{condition}"
    unscoped_wrap: str = ""
    needs_test: bool = False
    needs_antibiotic: bool = False
    may_be_empty: bool = False
    choices: Mapping[str, Any] = field(default_factory=lambda: _NO_CHOICES)
    labels: Mapping[str, str] = field(default_factory=dict)
    source: Source | None = None
    shown_column: Column | None = None
    indexed_column: Column | None = None
    roles: frozenset[Role] = SEARCHERS
    is_selective: bool = False
    has_day_index: bool = False

    @property
    def operators(self) -> tuple[Operator, ...]:
        """The operators that it has; none if it is only shown."""
        if self.kind is None:
            return ()
        return list_operators(self.kind, may_be_empty=self.may_be_empty)


def get_column(name: str, new_name: str | None = None) -> Column:
    """Return a column of the order search as a shown one, under ``new_name`` if that is set."""
    column = lists.orders.find_column(name)
    assert column is not None, name
    return replace(column, name=new_name or name, is_hidden=False)


def quote_all(values: Iterable[str]) -> str:
    """Return SQL of a list of our own constant texts."""
    return ", ".join(f"'{value}'" for value in sorted(values))


def name_members(kind: type[Any], *, without: Iterable[Any] = ()) -> dict[str, tuple[Any, ...]]:
    """Return the members of an enumeration by their labels."""
    return {LABELS[kind][member]: (int(member),) for member in kind if member not in without}


def name_texts(members: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the members of an enumeration of texts, each under its own text."""
    return {str(member): (str(member),) for member in members}


def show_choice(sql: str, choices: Mapping[str, tuple[int, ...]]) -> str:
    """Return SQL that turns a stored number into the name of its choice."""
    cases = " ".join(
        f"WHEN {value} THEN '{name}'" for name, values in choices.items() for value in values
    )
    return f"CASE {sql} {cases} END"
