"""Answers searches: validates the conditions, and reads the page from the list."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.limits import PAGE_SIZE_DEFAULT, SEARCH_SECONDS_MAX
from app.server.access.reader import Reader, TooSlow
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.lists.parsing import ListQuery, parse_query
from app.server.lists.service import fetch_page
from app.server.lists.spec import ListSpec
from app.server.lists.statement import needs_full_sort
from app.server.order_search.columns import DEFAULT_COLUMNS, SearchColumn, get_columns
from app.server.order_search.conditions import add_conditions
from app.server.order_search.errors import SearchTooBroad
from app.server.order_search.lists import build_list
from app.server.order_search.repository import AntibioticRepository
from app.server.order_search.rules import validate_query
from app.server.order_search.schemas import OrderSearchRequest, SearchChoice, SearchColumnRead

NEWEST_FIRST = "-id"


class PreparedSearch(NamedTuple):
    """A valid search: the list that answers it, and its query."""

    spec: ListSpec
    query: ListQuery


async def list_columns(work: Work) -> list[SearchColumnRead]:
    """List the columns that the actor may use, in the order of their groups."""
    rows = await work.build_repository(AntibioticRepository).list_antibiotics()
    antibiotics = [SearchChoice(value=row.code, label=row.name) for row in rows]
    return [
        _build_column(column, antibiotics if column.needs_antibiotic else [])
        for column in get_columns(work.actor.role).values()
    ]


def _build_column(column: SearchColumn, antibiotics: list[SearchChoice]) -> SearchColumnRead:
    sort = column.shown_column.sort if column.shown_column else "no"
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
        needs_antibiotic=column.needs_antibiotic,
        antibiotics=antibiotics,
        is_shown=column.shown_column is not None,
        is_usual=column.name in DEFAULT_COLUMNS,
        sort=None if sort == "no" else sort,
    )


def prepare_search(
    actor: Actor,
    request: OrderSearchRequest,
    today: date,
    *,
    filters: Sequence[tuple[str, str]] = (),
    is_export: bool = False,
) -> PreparedSearch:
    """Validate a search, and prepare the query of its list: for a page, or for an export.

    ``filters`` are the names and values of filters that the list has in addition to conditions.

    The rows of an export are in the order of the search if an index has it, otherwise the newest
    come first. They are counted separately.

    Raises:
        BadInput: a condition, a column, the sort, or the page is invalid.
    """
    columns = get_columns(actor.role)
    group = validate_query(request.query, columns)
    shown_columns = choose_columns(actor, request.columns)
    sort = request.sort or NEWEST_FIRST
    used_names = {key.strip().lstrip("+-") for key in sort.split(",")}
    used_names |= {name.removeprefix("column.") for name, _ in filters}
    hidden_columns = used_names & set(columns) - set(shown_columns)
    spec = build_list(frozenset(shown_columns), frozenset(hidden_columns), is_export=is_export)
    pairs = [
        ("skip", str(request.skip)),
        ("take", str(request.take or PAGE_SIZE_DEFAULT)),
        ("sort", sort),
        ("after", request.after or ""),
        *filters,
    ]
    query = parse_query(spec, pairs)
    if is_export and needs_full_sort(query.sort):
        query = parse_query(spec, [("sort", NEWEST_FIRST)])
    add_conditions(
        query, spec, group, columns, kind=actor.kind, today=today, is_counted=not is_export
    )
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
            if name not in columns or columns[name].shown_column is None
        ]
    )
    return list(dict.fromkeys(names))


async def search_orders(
    reader: Reader,
    request: OrderSearchRequest,
    today: date,
    filters: Sequence[tuple[str, str]] = (),
) -> bytes:
    """Return the page of the orders that a search finds, as JSON; see ``prepare_search``.

    Raises:
        BadInput: the search is invalid.
        SearchTooBroad: no index leads to its orders, and there are too many to try.
    """
    spec, query = prepare_search(reader.actor, request, today, filters=filters)
    try:
        return await fetch_page(reader, spec, query, {}, seconds_max=SEARCH_SECONDS_MAX)
    except TooSlow as error:
        message = messages.SEARCH_TOO_BROAD
        raise SearchTooBroad.of(FieldError("query", message)) from error
