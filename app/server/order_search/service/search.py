"""Answers searches: validates the conditions, and has the list answer them."""

import json
from collections.abc import AsyncIterator, Sequence
from datetime import date
from typing import Any, NamedTuple

from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.limits import PAGE_SIZE_DEFAULT, SEARCH_SECONDS_MAX, TAKE_MAX
from app.server.access.reader import Reader, TooSlow
from app.server.actor import Actor
from app.server.lists.parsing import ListQuery, parse_query
from app.server.lists.service import fetch_page, prepare_page
from app.server.lists.spec import ListSpec
from app.server.lists.statement import needs_full_sort
from app.server.order_search.columns import DEFAULT_COLUMNS, SearchColumn, get_columns
from app.server.order_search.conditions import add_conditions
from app.server.order_search.errors import SearchTooBroad
from app.server.order_search.lists import build_list
from app.server.order_search.rules import validate_query
from app.server.order_search.schemas import OrderSearchRequest, SearchChoice, SearchColumnRead

_NEWEST_FIRST = "-id"
_ROWS_AT_ONCE = 500


class PreparedSearch(NamedTuple):
    """A valid search: the list that answers it, and its query."""

    spec: ListSpec
    query: ListQuery


def list_columns(actor: Actor) -> list[SearchColumnRead]:
    """List the columns that the actor may use, in the order of their groups."""
    return [_build_column(column) for column in get_columns(actor.role).values()]


def _build_column(column: SearchColumn) -> SearchColumnRead:
    sort = column.shown.sort if column.shown else "no"
    return SearchColumnRead(
        name=column.name,
        label=column.label,
        group=column.group,
        kind=column.kind,
        operators=[str(operator) for operator in column.operators],
        choices=[
            SearchChoice(value=name, label=column.labels.get(name, name)) for name in column.choices
        ],
        source=column.source,
        needs_test=column.needs_test,
        is_shown=column.shown is not None,
        is_usual=column.name in DEFAULT_COLUMNS,
        sort=None if sort == "no" else sort,
    )


def prepare_search(
    actor: Actor, request: OrderSearchRequest, today: date, *, is_counted: bool = True
) -> PreparedSearch:
    """Validate a search, and prepare the query of its list, whose rows may be counted.

    Raises:
        BadInput: a condition, a column, the sort, or the page is invalid.
    """
    columns = get_columns(actor.role)
    group = validate_query(request.query, columns)
    shown = choose_columns(actor, request.columns)
    sort = request.sort or _NEWEST_FIRST
    sorted_by = frozenset(key.strip().lstrip("+-") for key in sort.split(",")) & set(columns)
    spec = build_list(frozenset(shown), frozenset(sorted_by) - set(shown))
    pairs = [
        ("skip", str(request.skip)),
        ("take", str(request.take or PAGE_SIZE_DEFAULT)),
        ("sort", sort),
        ("after", request.after or ""),
    ]
    query = parse_query(spec, pairs)
    add_conditions(query, spec, group, columns, kind=actor.kind, today=today, is_counted=is_counted)
    return PreparedSearch(spec, query)


def choose_columns(actor: Actor, names: Sequence[str] | None) -> list[str]:
    """Return the columns to show: these, or the usual ones if None.

    Raises:
        BadInput: the actor has no such column to show.
    """
    columns = get_columns(actor.role)
    if names is None:
        return [name for name in DEFAULT_COLUMNS if name in columns]
    require_no_errors(
        [
            FieldError(f"columns.{i}", messages.SEARCH_COLUMN_UNKNOWN)
            for i, name in enumerate(names)
            if name not in columns or columns[name].shown is None
        ]
    )
    return list(dict.fromkeys(names))


async def search_orders(reader: Reader, request: OrderSearchRequest, today: date) -> bytes:
    """Return the page of the orders that a search finds, as JSON.

    Raises:
        BadInput: the search is invalid.
        SearchTooBroad: no index leads to its orders, and there are too many to try.
    """
    spec, query = prepare_search(reader.actor, request, today)
    try:
        return await fetch_page(reader, spec, query, {}, seconds_max=SEARCH_SECONDS_MAX)
    except TooSlow as error:
        raise _build_too_broad() from error


async def iterate_rows(
    reader: Reader, request: OrderSearchRequest, today: date
) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield all rows that a search finds, in batches, as the actor may read them.

    Each batch is one audited statement that continues after the last row of the one before, so
    nothing is held open between batches. Rows are in the order of the search if an index has it,
    otherwise by descending id.

    Raises:
        BadInput: the search is invalid.
        SearchTooBroad: a batch took too long.
    """
    paged = request.model_copy(update={"skip": 0, "take": TAKE_MAX, "after": None})
    spec, query = prepare_search(reader.actor, paged, today, is_counted=False)
    if needs_full_sort(query.sort):
        paged = paged.model_copy(update={"sort": _NEWEST_FIRST})
        spec, query = prepare_search(reader.actor, paged, today, is_counted=False)
    query.take = _ROWS_AT_ONCE
    while True:
        text, values = prepare_page(reader.actor, spec, query, bare=True, is_capped=True)
        try:
            body, last, _total, fetched = await reader.fetch_row(
                text, values, seconds_max=SEARCH_SECONDS_MAX
            )
        except TooSlow as error:
            raise _build_too_broad() from error
        rows = json.loads(body)
        if rows:
            yield rows
        if fetched <= query.take:
            return
        query.after = json.loads(last)


def _build_too_broad() -> SearchTooBroad:
    return SearchTooBroad.of(FieldError("query", messages.SEARCH_TOO_BROAD))
