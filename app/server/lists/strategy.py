"""Chooses how the rows of a page are selected at the least cost (ADR 20)."""

from enum import Enum, auto

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import ListQuery
from app.server.lists.spec import ListSpec, Window

_FEW_DAYS = 62
_DAYS_MAX = 1_100


class Strategy(Enum):
    """How the rows of a page are selected."""

    WALK = auto()
    """Walk along the sort order until the page is full: matching rows are frequent."""
    EDGE = auto()
    """Walk from the edge of the few days of the filter."""
    YEARS = auto()
    """Walk from the edge of many days, where the index of days is the least selective."""
    SORT = auto()
    """Select all matching rows by the best index and sort them: their number is bounded."""
    DAYS = auto()
    """Merge the first rows of each day: an index has the rows of a day in order."""


def is_unscoped(kind: ScopeKind) -> bool:
    """Whether all rows are visible, so that no row policy keeps an index from being used."""
    return kind in (ScopeKind.STAFF, ScopeKind.WORKER)


def choose_strategy(spec: ListSpec, kind: ScopeKind, query: ListQuery) -> Strategy:
    """Choose the strategy for a query by an actor of this kind of scope."""
    window, days = spec.window, count_days(spec.window, query)
    if window is None or days is None or query.sort[0].column.name == window.column:
        return Strategy.WALK
    if not is_unscoped(kind):
        return Strategy.SORT
    filter_names = {list_filter.name for list_filter, _ in query.filters}
    filter_names |= {f"column.{column.name}" for column, _, _ in query.columns}
    uses_day_index = window.day and query.sort[0].column.name == "id" and days <= _DAYS_MAX
    if uses_day_index and filter_names <= window.covered_filters | {window.first, window.last}:
        return Strategy.DAYS
    is_selective = bool(filter_names & window.selective_filters)
    if is_selective or not uses_day_index:
        return Strategy.SORT if is_selective or days <= _FEW_DAYS else Strategy.WALK
    if days > _FEW_DAYS:
        return Strategy.YEARS
    is_indexed = any(condition.indexed_sql for _, condition, _ in query.columns)
    return Strategy.EDGE if is_indexed else Strategy.SORT


def count_days(window: Window | None, query: ListQuery) -> int | None:
    """Count the days of the date filters; None unless both are set."""
    if window is None:
        return None
    values = {
        name: value for _, parsed_values in query.filters for name, value in parsed_values.items()
    }
    first, last = (values.get(f"f_{name}") for name in (window.first, window.last))
    if first is None or last is None:
        return None
    return int((last - first).days) + 1
