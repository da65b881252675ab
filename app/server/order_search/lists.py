"""The lists of the advanced search: one for each choice of columns."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from app.server.lists import filters
from app.server.lists.spec import Column, ListSpec, Window
from app.server.order_search.columns import COLUMNS
from app.server.order_search.conditions import WINDOW_COLUMN
from app.server.orders.models import Order

NAME = "order-search"
_FIXED_COLUMNS = (
    Column("id", "t.id", int, sort="indexed"),
    Column("version", "t.version", int),
)
_SELECTIVE_COLUMNS = frozenset(column.name for column in COLUMNS if column.is_selective)
_COVERED_COLUMNS = frozenset(column.name for column in COLUMNS if column.has_day_index)


@lru_cache(maxsize=256)
def build_list(
    shown_names: frozenset[str], sorted_by: frozenset[str], *, is_export: bool = False
) -> ListSpec:
    """Build the list with these columns; it can also be sorted by those of ``sorted_by``.

    The rows of an export are audited as exported.
    """
    columns = [*_FIXED_COLUMNS]
    for column in COLUMNS:
        if column.shown is None:
            continue
        if column.name in shown_names:
            columns.append(column.shown)
        elif column.name in sorted_by:
            columns.append(_hide_column(column.shown))
    return ListSpec(
        name=NAME,
        table="orders",
        scope=Order.__scope__,
        columns=tuple(columns),
        filters=(
            filters.match_days_from("startDate", "t.collection_date"),
            filters.match_days_until("endDate", "t.collection_date"),
        ),
        window=Window(
            first="startDate",
            last="endDate",
            column=WINDOW_COLUMN,
            selective=_SELECTIVE_COLUMNS | {"column.patientLastName", "column.patientFirstName"},
            day="t.collection_day",
            covered=_COVERED_COLUMNS,
        ),
        action="export" if is_export else "list",
    )


def _hide_column(column: Column) -> Column:
    return replace(column, hidden=True)


def list_sorts() -> Iterable[Column]:
    """Return the columns by which the search can be sorted, besides the id."""
    return (c.shown for c in COLUMNS if c.shown is not None and c.shown.sort != "no")
