"""Runs a list: one round trip that sets the scope and runs the statement."""

import json
from typing import Any

import psycopg
from fastapi import Request, Response

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.contract.limits import TAKE_MAX, TOTAL_COUNT_CAP
from app.server.access.reader import Reader, get_reader
from app.server.actor import Actor
from app.server.lists.parsing import ListQuery, make_cursor, parse_query, refuse
from app.server.lists.spec import Condition, ListSpec
from app.server.lists.statement import Shape, is_bounded, statement
from app.server.lists.ways import way_of

_IDS = frozenset({"ids"})


async def answer(
    request: Request,
    spec: ListSpec,
    parameters: dict[str, Any] | None = None,
    *,
    fixed: frozenset[str] = frozenset(),
) -> Response:
    """The response of a list endpoint; ``parameters`` fill the spec's own placeholders.

    Raises:
        BadInput: the query names something unknown, or sorts too many rows without an index.
        Unavailable: the database did not answer.
    """
    query = parse_query(spec, request.query_params.multi_items(), fixed=fixed)
    body = await run(get_reader(request), spec, query, parameters or {})
    return Response(body, media_type="application/json")


async def run(
    reader: Reader, spec: ListSpec, query: ListQuery, parameters: dict[str, Any]
) -> bytes:
    """The page as JSON bytes."""
    text, values = prepared(reader.actor, spec, query)
    try:
        row = await reader.fetch_row(text, {**values, **parameters})
    except psycopg.ProgrammingError as error:
        if query.after is None:
            raise
        # The one part of the statement's values that no declaration has given a type.
        raise refuse("after", messages.CURSOR_INVALID) from error
    return _body(query, row)


async def rows(request: Request, spec: ListSpec, allowed: frozenset[str], most: int) -> Response:
    """The rows that the filters of these names leave, as an array of at most ``most``.

    An answer that was cut off there says so in the header ``X-Total-Is-Capped``.
    """
    query = parse_query(spec, request.query_params.multi_items(), allowed=allowed)
    query.take = most
    reader = get_reader(request)
    text, values = prepared(reader.actor, spec, query, bare=True)
    body, _last, total, shown = await reader.fetch_row(text, values)
    _refuse_unsorted(query, total, shown)
    capped = {"X-Total-Is-Capped": "true"} if total > shown else {}
    return Response(body, media_type="application/json", headers=capped)


async def rows_by_id(request: Request, spec: ListSpec) -> Response:
    """The rows whose ids are named in ``ids`` (up to 100); those that are not there are missing."""
    if not any(value.strip() for value in request.query_params.getlist("ids")):
        # No ids means no rows; to the list itself it would mean no filter.
        parse_query(spec, request.query_params.multi_items(), allowed=_IDS)
        return Response(b"[]", media_type="application/json")
    return await rows(request, spec, _IDS, TAKE_MAX)


def prepared(
    actor: Actor, spec: ListSpec, query: ListQuery, *, bare: bool = False
) -> tuple[str, dict[str, Any]]:
    """The statement of this page and its values, beside those of ``request_parameters``."""
    shape = Shape(
        spec,
        actor.kind,
        tuple(_conditions(query)),
        query.sort,
        query.after is not None,
        way=way_of(spec, actor.kind, query),
        bare=bare,
    )
    values = {
        "take": query.take,
        "skip": 0 if query.after else query.skip,
        "reach": query.take + (0 if query.after else query.skip),
    }
    for _declared, parsed in query.filters:
        values.update(parsed)
    for _column, _condition, parsed in query.columns:
        values.update(parsed)
    for i, value in enumerate(query.after or []):
        values[f"k{i}"] = value
    return statement(shape), values


def _conditions(query: ListQuery) -> list[Condition]:
    found = []
    for declared, parsed in query.filters:
        sql = declared.sql if isinstance(declared.sql, str) else declared.sql(parsed)
        found.append(Condition(sql))
    found += [condition for _column, condition, _parsed in query.columns]
    return found


def _refuse_unsorted(query: ListQuery, total: int, shown: int) -> None:
    if total >= TOTAL_COUNT_CAP and shown == 0 and is_bounded(query.sort):
        message = messages.SORT_NEEDS_DATES.format(name=query.sort[0].column.name)
        raise BadInput.of(FieldError("sort", message))


def _body(query: ListQuery, row: tuple[Any, ...]) -> bytes:
    text, last, total, shown = row
    _refuse_unsorted(query, total, shown)
    following = "null"
    if last is not None and shown == query.take:
        following = f'"{make_cursor(query.sort, json.loads(last))}"'
    return f'{text[:-1]},"next":{following}}}'.encode()
