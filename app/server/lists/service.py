"""Answers list requests: one round trip sets the scope, finds the page, and reads its rows."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

import psycopg
from fastapi import Request, Response

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.contract.limits import TAKE_MAX, TOTAL_COUNT_CAP
from app.server.access.reader import Reader, get_reader
from app.server.actor import Actor
from app.server.lists.capped import get_capped_totals
from app.server.lists.fragments import PageShape
from app.server.lists.parsing import (
    SORT_KEYS_MAX,
    ListQuery,
    build_parameter_error,
    format_cursor,
    parse_query,
)
from app.server.lists.rows import build_rows_statement
from app.server.lists.spec import Condition, ListSpec
from app.server.lists.statement import (
    build_count_statement,
    build_statement,
    needs_full_sort,
)
from app.server.lists.strategy import choose_strategy, is_unscoped

_IDS = frozenset({"ids"})
_PAGING_PARAMETERS = frozenset(
    {"shown", "take", "skip", "reach", *(f"k{i}" for i in range(SORT_KEYS_MAX + 1))}
)


class FetchedPage(NamedTuple):
    """A page as the database answered it.

    Attributes:
        rows: the JSON array of the rows.
        last: the JSON array of the last row's sort keys; empty if there is no row.
        total: the number of matches, up to the cap.
        is_capped: whether the total reached the cap.
        fetched_count: the number of rows, and one more if there is a next page.
    """

    rows: str
    last: str
    total: int
    is_capped: bool
    fetched_count: int


async def answer_page(
    request: Request,
    spec: ListSpec,
    parameters: dict[str, Any] | None = None,
    *,
    endpoint_parameters: frozenset[str] = frozenset(),
) -> Response:
    """Return a page of the list; ``parameters`` fill the placeholders of the spec.

    Raises:
        BadInput: the query has an unknown parameter, or sorts too many rows without an index.
        Unavailable: the database did not answer.
    """
    query = parse_query(
        spec, request.query_params.multi_items(), endpoint_parameters=endpoint_parameters
    )
    body = await fetch_page(get_reader(request), spec, query, parameters or {})
    return Response(body, media_type="application/json")


async def fetch_page(
    reader: Reader,
    spec: ListSpec,
    query: ListQuery,
    parameters: dict[str, Any],
    *,
    seconds_max: float | None = None,
) -> bytes:
    """Return the page as JSON bytes.

    Raises:
        TooSlow: it took longer than ``seconds_max``.
    """
    shape, values = prepare_shape(reader.actor, spec, query)
    values = {**values, **parameters}
    capped_totals = get_capped_totals(reader.database)
    # Within a scope, counting is cheap.
    count_key = _identify_count(shape, values) if is_unscoped(shape.kind) else None
    if count_key is not None and capped_totals.contains(count_key):
        shape = shape._replace(is_capped=True)
    try:
        page = await fetch_rows(reader, shape, values, seconds_max=seconds_max)
    except psycopg.ProgrammingError as error:
        if query.after is None:
            raise
        # Only the cursor's values have no declared type.
        raise build_parameter_error("after", messages.CURSOR_INVALID) from error
    if count_key is not None and not shape.is_capped and page.total >= TOTAL_COUNT_CAP:
        capped_totals.add(count_key)
    return _build_body(query, page)


async def fetch_rows(
    reader: Reader,
    shape: PageShape,
    values: dict[str, Any],
    *,
    seconds_max: float | None = None,
) -> FetchedPage:
    """Return the rows of a page that ``prepare_shape`` described.

    Raises:
        TooSlow: a statement took longer than ``seconds_max``.
    """
    (last, total, is_capped, fetched_count, *_settings), rows = await reader.fetch_page(
        build_statement(shape),
        build_rows_statement(shape.spec, shape.kind),
        values,
        seconds_max=seconds_max,
    )
    return FetchedPage(rows, last, total, is_capped, fetched_count)


def _identify_count(shape: PageShape, values: dict[str, Any]) -> Hashable:
    """Return a key that is equal for queries that count the same rows."""
    filters = {name: value for name, value in values.items() if name not in _PAGING_PARAMETERS}
    conditions = tuple(condition.sql for condition in shape.conditions)
    return shape.spec.name, conditions, repr(sorted(filters.items()))


async def answer_rows(
    request: Request, spec: ListSpec, allowed_names: frozenset[str], max_count: int
) -> Response:
    """Return at most ``max_count`` rows as an array, filtered by the allowed parameters.

    The header ``X-Total-Is-Capped`` marks an answer that was cut off.
    """
    query = parse_query(spec, request.query_params.multi_items(), allowed_names=allowed_names)
    query.take = max_count
    reader = get_reader(request)
    page = await fetch_rows(reader, *prepare_shape(reader.actor, spec, query))
    _require_sortable(query, page)
    headers = {"X-Total-Is-Capped": "true"} if page.fetched_count > query.take else {}
    return Response(page.rows, media_type="application/json", headers=headers)


async def answer_rows_by_id(request: Request, spec: ListSpec) -> Response:
    """Return the rows whose ids are in ``ids`` (up to 100); missing rows are left out."""
    if not any(value.strip() for value in request.query_params.getlist("ids")):
        # Without ids the answer is empty; the list itself would read this as 'no filter'.
        parse_query(spec, request.query_params.multi_items(), allowed_names=_IDS)
        return Response(b"[]", media_type="application/json")
    return await answer_rows(request, spec, _IDS, TAKE_MAX)


async def count_rows(
    reader: Reader,
    spec: ListSpec,
    query: ListQuery,
    max_count: int,
    *,
    seconds_max: float | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> int:
    """Count the rows of a query, up to ``max_count``.

    ``parameters`` fill the placeholders of the spec.

    Raises:
        TooSlow: it took longer than ``seconds_max``.
    """
    shape, values = prepare_shape(reader.actor, spec, query)
    (count,) = await reader.fetch_row(
        build_count_statement(shape),
        {**values, **(parameters or {}), "max_count": max_count},
        seconds_max=seconds_max,
    )
    return int(count)


def prepare_shape(
    actor: Actor, spec: ListSpec, query: ListQuery
) -> tuple[PageShape, dict[str, Any]]:
    """Return what determines the statement of a query, and its values besides the request's."""
    shape = PageShape(
        spec,
        actor.kind,
        tuple(_collect_conditions(query)),
        query.sort,
        query.after is not None,
        strategy=choose_strategy(spec, actor.kind, query),
    )
    skip = 0 if query.after else query.skip
    take = query.take + 1
    values = {
        **spec.defaults,
        "shown": query.take,
        "take": take,
        "skip": skip,
        "reach": take + skip,
    }
    for _filter, parsed_values in query.filters:
        values.update(parsed_values)
    for _column, _condition, parsed_values in query.columns:
        values.update(parsed_values)
    for i, value in enumerate(query.after or []):
        values[f"k{i}"] = value
    return shape, values


def _collect_conditions(query: ListQuery) -> list[Condition]:
    conditions = []
    for list_filter, parsed_values in query.filters:
        sql = (
            list_filter.sql if isinstance(list_filter.sql, str) else list_filter.sql(parsed_values)
        )
        conditions.append(Condition(sql))
    conditions += [condition for _column, condition, _parsed in query.columns]
    return conditions


def _require_sortable(query: ListQuery, page: FetchedPage) -> None:
    if page.total >= TOTAL_COUNT_CAP and page.fetched_count == 0 and needs_full_sort(query.sort):
        message = messages.SORT_TOO_MANY_ROWS.format(
            max=f"{TOTAL_COUNT_CAP - 1:,}", name=query.sort[0].column.name
        )
        raise BadInput.of(FieldError("sort", message))


def _build_body(query: ListQuery, page: FetchedPage) -> bytes:
    _require_sortable(query, page)
    next_cursor = "null"
    if page.fetched_count > query.take:
        next_cursor = f'"{format_cursor(query.sort, page.last)}"'
    return (
        f'{{"data":{page.rows},"totalCount":{page.total},'
        f'"totalIsCapped":{"true" if page.is_capped else "false"},"next":{next_cursor}}}'
    ).encode()
