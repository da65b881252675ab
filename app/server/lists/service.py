"""Runs a list: one round trip that sets the scope and runs the statement."""

import json
from typing import Any

import psycopg
from fastapi import Request, Response

from app.basics.errors import BadInput, FieldError, Unavailable
from app.contract import messages
from app.contract.limits import TOTAL_COUNT_CAP
from app.server.actor import Actor
from app.server.database.pools import SET_SCOPE, Database, scope_parameters
from app.server.lists.parsing import ListQuery, make_cursor, parse_query
from app.server.lists.spec import ListSpec
from app.server.lists.statement import Shape, statement

_NARROW_DAYS = 62


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
    return _body(query, await _fetch(database, actor, text, values))


def prepared(actor: Actor, spec: ListSpec, query: ListQuery) -> tuple[str, dict[str, Any]]:
    """The statement of this page and its values, but for the request's own."""
    shape = Shape(
        spec,
        actor.kind,
        tuple(_conditions(query)),
        query.sort,
        query.after is not None,
        narrow=_is_narrow(spec, query),
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
    for _column, _sql, parsed in query.columns:
        values.update(parsed)
    for i, value in enumerate(query.after or []):
        values[f"k{i}"] = value
    return statement(shape), values


def _is_narrow(spec: ListSpec, query: ListQuery) -> bool:
    if spec.window is None:
        return False
    days = {
        f.name: next(iter(parsed.values())) for f, parsed in query.filters if f.name in spec.window
    }
    if len(days) != len(spec.window):
        return False
    first, last = (days[name] for name in spec.window)
    return bool((last - first).days <= _NARROW_DAYS)


def _conditions(query: ListQuery) -> list[str]:
    found = []
    for declared, parsed in query.filters:
        found.append(declared.sql if isinstance(declared.sql, str) else declared.sql(parsed))
    found += [sql for _column, sql, _parsed in query.columns]
    return found


async def _fetch(
    database: Database, actor: Actor, text: str, values: dict[str, Any]
) -> tuple[str, str | None, int, int]:
    # A connection that died while it lay in the pool shows only when used. When one did, the
    # others probably did too (the database was restarted): check them all, then once more.
    for attempt in (1, 2):
        try:
            async with database.reads.connection(timeout=10) as connection:
                # One pipeline is one round trip and one implicit transaction.
                async with connection.pipeline():
                    await connection.execute(SET_SCOPE, scope_parameters(actor))
                    cursor = await connection.execute(text, values)
                row = await cursor.fetchone()
                assert row is not None
                return row[0], row[1], row[2], row[3]
        except psycopg.OperationalError as error:
            if attempt == 2:
                raise Unavailable(messages.UNAVAILABLE) from error
            await database.reads.check()
    raise AssertionError("unreachable")


def _body(query: ListQuery, row: tuple[str, str | None, int, int]) -> bytes:
    text, last, total, shown = row
    if total >= TOTAL_COUNT_CAP and shown == 0:
        unsorted = [key for key in query.sort if key.column.sort == "window"]
        if unsorted:
            message = messages.SORT_NEEDS_DATES.format(name=unsorted[0].column.name)
            raise BadInput(message, errors=(FieldError("sort", message),))
    following = "null"
    if last is not None and shown == query.take:
        following = f'"{make_cursor(query.sort, json.loads(last))}"'
    return f'{text[:-1]},"next":{following}}}'.encode()
