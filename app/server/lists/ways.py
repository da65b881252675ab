"""Which way leads to a page's rows at the least cost, whatever the number of other rows."""

from enum import Enum, auto

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import ListQuery
from app.server.lists.spec import ListSpec, Window

_FEW_DAYS = 62
_DAYS_MAX = 1_100


class Way(Enum):
    """How the rows of a page are found."""

    WALK = auto()
    """Along the sort order until the page is full: where what matches is met soon."""
    EDGE = auto()
    """The same, from the edge of the few days that are asked for."""
    YEARS = auto()
    """The same, of so many days that an index of them names far more rows than any other."""
    SORT = auto()
    """All that matches, by the best index, sorted: where that is a bounded number."""
    DAYS = auto()
    """The first of each day, and the first of those: where an index holds each day in order."""


def sees_everyone(kind: ScopeKind) -> bool:
    """Whether no scope bounds the rows, and no policy keeps an index from helping."""
    return kind in (ScopeKind.STAFF, ScopeKind.WORKER)


def way_of(spec: ListSpec, kind: ScopeKind, query: ListQuery) -> Way:
    """The way of a query by this kind of caller."""
    window, days = spec.window, _days(spec.window, query)
    if window is None or days is None or query.sort[0].column.name == window.column:
        return Way.WALK
    if not sees_everyone(kind):
        return Way.SORT
    asked = {declared.name for declared, _ in query.filters}
    asked |= {f"column.{column.name}" for column, _, _ in query.columns}
    by_day = window.day and query.sort[0].column.name == "id" and days <= _DAYS_MAX
    if by_day and asked <= window.held | {window.first, window.last}:
        return Way.DAYS
    if asked & window.few or not by_day:
        return Way.SORT if asked & window.few or days <= _FEW_DAYS else Way.WALK
    if days > _FEW_DAYS:
        return Way.YEARS
    looked_up = any(condition.looked_up for _, condition, _ in query.columns)
    return Way.EDGE if looked_up else Way.SORT


def _days(window: Window | None, query: ListQuery) -> int | None:
    """How many days are asked for; None without a first and a last."""
    if window is None:
        return None
    day = {declared.name: next(iter(parsed.values())) for declared, parsed in query.filters}
    if window.first not in day or window.last not in day:
        return None
    return int((day[window.last] - day[window.first]).days) + 1
