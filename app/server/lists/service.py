"""Runs a list: one round trip that sets the scope and runs the statement."""

import json
from typing import Any

import psycopg
from fastapi import Request, Response

from app.basics.errors import BadInput, FieldError, Unavailable
from app.contract import messages
from app.contract.limits import TAKE_MAX, TOTAL_COUNT_CAP
from app.server.actor import Actor
from app.server.database.pools import Database, scope_parameters
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
    body = await run(
        request.app.state.portal.database,
        request.state.actor,
        spec,
        query,
        parameters or {},
        request.state.request_id,
    )
    return Response(body, media_type="application/json")


async def run(
    database: Database,
    actor: Actor,
    spec: ListSpec,
    query: ListQuery,
    parameters: dict[str, Any],
    request_id: str = "",
) -> bytes:
    """The page as JSON bytes."""
    text, values = prepared(actor, spec, query)
    values |= {**parameters, "request_id": request_id}
    try:
        row = await fetch_row(database, actor, text, values)
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
    actor: Actor = request.state.actor
    text, values = prepared(actor, spec, query, bare=True)
    values["request_id"] = request.state.request_id
    row = await fetch_row(request.app.state.portal.database, actor, text, values)
    body, _last, total, shown = row
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
    """The statement of this page and its values, but for the request's own."""
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
        **scope_parameters(actor),
        "role_name": str(actor.role or actor.kind),
        "request_id": "",
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


async def fetch_row(
    database: Database, actor: Actor, text: str, values: dict[str, Any]
) -> tuple[Any, ...]:
    """The one row of a statement that is run within the actor's scope, in one round trip.

    Raises:
        BadInput: the statement was given a value that no column can hold.
        Unavailable: the database did not answer.
    """
    # A connection that died while it lay in the pool shows only when used. When one did, the
    # others probably did too (the database was restarted): check them all, then once more.
    for attempt in (1, 2):
        try:
            return await database.read(actor, text, values)
        except psycopg.DataError as error:
            raise BadInput(messages.VALIDATION_ERROR) from error
        except psycopg.OperationalError as error:
            if attempt == 2:
                raise Unavailable(messages.UNAVAILABLE) from error
            await database.reads.check()
    raise AssertionError("unreachable")


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
