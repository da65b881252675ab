"""Which way leads to a page's rows at the least cost, whatever the number of other rows."""

from enum import Enum, auto

from app.contract.enumerations import ScopeKind
from app.server.lists.parsing import ListQuery
from app.server.lists.spec import ListSpec, Window

_FEW_DAYS = 62
_BRANCHES_MAX = 1_100


class Way(Enum):
    """How the rows of a page are found."""

    WALK = auto()
    """Along the sort order until the page is full: where what matches is met soon."""
    SORT = auto()
    """All that matches, by the best index, sorted: where a walk would pass years of others."""
    DAYS = auto()
    """The first of each day, and the first of those: where an index holds each day in order."""
    LETTERS = auto()
    """All that hold some letters, of those what else is asked for, sorted: where days alone leave
    far more."""


def sees_everyone(kind: ScopeKind) -> bool:
    """Whether no scope bounds the rows, and no policy keeps an index from helping."""
    return kind in (ScopeKind.STAFF, ScopeKind.WORKER)


def has_letters(condition: str) -> bool:
    """Whether it asks for letters anywhere in a text."""
    return " LIKE " in condition


def way_of(spec: ListSpec, kind: ScopeKind, query: ListQuery) -> Way:
    """The way of a query by this kind of caller."""
    days = _days(spec.window, query)
    if spec.window is None or days is None or query.sort[0].column.name == spec.window.column:
        return Way.WALK
    if not sees_everyone(kind):
        return Way.SORT
    asked = {declared.name for declared, _ in query.filters}
    asked |= {f"column.{column.name}" for column, _, _ in query.columns}
    held = spec.window.held | {spec.window.first, spec.window.last}
    by_day = spec.window.day and asked <= held and query.sort[0].column.name == "id"
    if by_day and days <= _BRANCHES_MAX:
        return Way.DAYS
    if days <= _FEW_DAYS or asked & spec.window.few:
        return Way.SORT
    return Way.LETTERS if any(has_letters(sql) for _, sql, _ in query.columns) else Way.WALK


def _days(window: Window | None, query: ListQuery) -> int | None:
    """How many days are asked for; None without a first and a last."""
    if window is None:
        return None
    day = {declared.name: next(iter(parsed.values())) for declared, parsed in query.filters}
    if window.first not in day or window.last not in day:
        return None
    return int((day[window.last] - day[window.first]).days) + 1
