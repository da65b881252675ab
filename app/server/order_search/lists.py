"""The lists of the advanced search: one for each choice of columns."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from app.server.lists.spec import Column, ListSpec, Window
from app.server.order_search.columns import COLUMNS
from app.server.order_search.conditions import WINDOW_COLUMN
from app.server.orders import lists as order_lists
from app.server.orders.models import Order

NAME = "order-search"
_FIXED_COLUMNS = (
    Column("id", "t.id", int, sort="indexed"),
    Column("version", "t.version", int),
)
_SELECTIVE_COLUMNS = frozenset(column.name for column in COLUMNS if column.is_selective)
assert order_lists.orders.window is not None
_ORDER_WINDOW = order_lists.orders.window
_COVERED_COLUMNS = frozenset(column.name for column in COLUMNS if column.has_day_index)


@lru_cache(maxsize=256)
def build_list(
    shown_names: frozenset[str], hidden_names: frozenset[str], *, is_export: bool = False
) -> ListSpec:
    """Build the list with these columns and the filters of the order search.

    It can also be sorted and filtered by the columns of ``hidden_names``.

    The rows of an export are audited as exported.
    """
    columns = [*_FIXED_COLUMNS]
    for column in COLUMNS:
        if column.shown_column is None:
            continue
        if column.name in shown_names:
            columns.append(column.shown_column)
        elif column.name in hidden_names:
            columns.append(_hide_column(column.shown_column))
    return ListSpec(
        name=NAME,
        table="orders",
        scope=Order.__scope__,
        columns=tuple(columns),
        filters=order_lists.orders.filters,
        window=Window(
            first="startDate",
            last="endDate",
            column=WINDOW_COLUMN,
            selective_filters=_SELECTIVE_COLUMNS
            | {"column.patientLastName", "column.patientFirstName"}
            | _ORDER_WINDOW.selective_filters,
            day="t.collection_day",
            covered_filters=_COVERED_COLUMNS | _ORDER_WINDOW.covered_filters,
        ),
        action="export" if is_export else "list",
    )


def _hide_column(column: Column) -> Column:
    return replace(column, is_hidden=True)


def list_sorts() -> Iterable[Column]:
    """Return the columns by which the search can be sorted, besides the id."""
    return (
        c.shown_column
        for c in COLUMNS
        if c.shown_column is not None and c.shown_column.sort != "no"
    )
