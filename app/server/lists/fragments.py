"""Builds small parts of the SQL of a list page: conditions, sort keys, order, and cursor."""

from typing import NamedTuple

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import SortKey
from app.server.lists.spec import Condition, ListSpec
from app.server.lists.strategy import Strategy


class PageShape(NamedTuple):
    """All that determines the text of a list's statement; its values are parameters."""

    spec: ListSpec
    kind: ScopeKind
    conditions: tuple[Condition, ...]
    sort: tuple[SortKey, ...]
    has_cursor: bool
    strategy: Strategy = Strategy.WALK
    is_capped: bool = False
    """The total is known to reach the cap, so it is not counted again."""


def build_edge_condition(shape: PageShape) -> str:
    """Build the condition that starts a walk along the ids at the edge of the requested days.

    A descending walk starts at the highest id of all days, an ascending one at the lowest.
    """
    spec, window = shape.spec, shape.spec.window
    assert window is not None
    order, comparison, outermost = (
        ("DESC", "<=", "max") if shape.sort[0].is_descending else ("ASC", ">=", "min")
    )
    of_day = (
        f"SELECT t.id FROM {spec.table} t WHERE {window.day} = branch.day ORDER BY t.id {order}"
    )
    edge = (
        f"SELECT {outermost}(of_day.id) FROM ({build_days(shape)}) branch "
        f"CROSS JOIN LATERAL ({of_day} LIMIT 1) of_day"
    )
    return f"t.id {comparison} ({edge})"


def build_days(shape: PageShape) -> str:
    """Build the SQL of a row ``day`` for each day of the date filters."""
    window = shape.spec.window
    assert window is not None
    first, last = (f"%(f_{name})s::date" for name in (window.first, window.last))
    return f"SELECT {first} + n AS day FROM generate_series(0, {last} - {first}) n"


def build_where(conditions: list[str]) -> str:
    """Build the WHERE clause; empty without conditions."""
    return f" WHERE {' AND '.join(f'({c})' for c in conditions)}" if conditions else ""


def build_keys(shape: PageShape) -> str:
    """Build the SQL of the sort keys, as s0, s1, ..."""
    return ", ".join(f"{key.sql} AS s{i}" for i, key in enumerate(shape.sort))


def build_order(shape: PageShape, rows: str = "", *, is_backwards: bool = False) -> str:
    """Build the ORDER BY of the sort keys of ``rows``."""
    prefix = f"{rows}." if rows else ""
    return ", ".join(
        f"{prefix}s{i} {'DESC' if key.is_descending != is_backwards else 'ASC'}"
        for i, key in enumerate(shape.sort)
    )


def build_cursor_condition(sort: tuple[SortKey, ...], rows: str = "") -> str:
    """Build the condition of the rows after the cursor ``k0, k1, ...``.

    It compares the keys of ``rows``, or the columns of the table. If all keys sort the same way, it
    is one comparison of rows.
    """
    keys = [f"{rows}.s{i}" if rows else key.sql for i, key in enumerate(sort)]
    placeholders = [f"%(k{i})s" for i in range(len(sort))]
    if len({key.is_descending for key in sort}) == 1:
        left = ", ".join(keys)
        return f"({left}) {'<' if sort[0].is_descending else '>'} ({', '.join(placeholders)})"
    alternatives = []
    for i, key in enumerate(sort):
        equal = [f"{keys[j]} = {placeholders[j]}" for j in range(i)]
        beyond = f"{keys[i]} {'<' if key.is_descending else '>'} {placeholders[i]}"
        alternatives.append(" AND ".join([*equal, beyond]))
    return " OR ".join(f"({a})" for a in alternatives)


def quote_name(name: str) -> str:
    """Quote the name of a column."""
    return f'"{name}"'
