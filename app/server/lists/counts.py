"""Answers how many rows a list has, without the rows."""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from fastapi import Request, Response
from pydantic import BaseModel, ConfigDict

from app.contract.limits import TOTAL_COUNT_CAP
from app.server.access.reader import Reader, get_reader
from app.server.lists.document import document_answer
from app.server.lists.parsing import parse_query, parse_sort
from app.server.lists.service import prepare_shape
from app.server.lists.spec import ListSpec
from app.server.lists.statement import build_group_statement, build_total, build_totals_statement

_STATUS = "status"


class StatusCounts(BaseModel):
    """How many rows have each status; ``counts`` is empty if there are too many to count."""

    model_config = ConfigDict(extra="forbid")

    counts: dict[str, int]
    totalCount: int  # noqa: N815
    totalIsCapped: bool  # noqa: N815


class CountedQuery(NamedTuple):
    """A query of a list whose rows are counted: the names and values of its filters."""

    spec: ListSpec
    filters: Sequence[tuple[str, str]]


def document_status_counts(spec: ListSpec) -> dict[str, Any]:
    """Return route arguments that document the counts by status of the list."""
    filters: dict[str, Any] = {
        list_filter.name: list_filter.value_type for list_filter in spec.filters
    }
    columns = {f"column.{c.name}": str for c in spec.columns if c.kind is not None}
    return document_answer(StatusCounts, {**filters, **columns})


async def answer_status_counts(request: Request, spec: ListSpec) -> Response:
    """Return how many rows each status has under the query's other filters.

    At most ``TOTAL_COUNT_CAP`` rows are read. With more, the counts by status are unknown.

    Raises:
        BadInput: the query has an unknown parameter.
    """
    allowed_names = {list_filter.name for list_filter in spec.filters}
    allowed_names |= {f"column.{column.name}" for column in spec.columns}
    pairs = request.query_params.multi_items()
    query = parse_query(spec, pairs, allowed_names=frozenset(allowed_names))
    query.filters = [pair for pair in query.filters if pair[0].name != _STATUS]
    query.sort = tuple(key._replace(ignores_order_sql=True) for key in parse_sort(spec, _STATUS))
    reader = get_reader(request)
    shape, values = prepare_shape(reader.actor, spec, query)
    counts, total = await reader.fetch_row(build_group_statement(shape), values)
    is_capped = total >= TOTAL_COUNT_CAP
    answer = StatusCounts(
        counts={} if is_capped else json.loads(counts), totalCount=total, totalIsCapped=is_capped
    )
    return Response(answer.model_dump_json(), media_type="application/json")


async def count_rows(reader: Reader, queries: Sequence[CountedQuery], kind: str) -> list[int]:
    """Count the rows that each query finds, in one statement with one audit row of this kind.

    Like the count of a page, each stops at ``TOTAL_COUNT_CAP``.
    """
    totals, values = [], {}
    for i, (spec, filters) in enumerate(queries):
        shape, own_values = prepare_shape(reader.actor, spec, parse_query(spec, list(filters)))
        total = build_total(shape)
        # Queries may have placeholders of the same name.
        for name, value in own_values.items():
            total = total.replace(f"%({name})s", f"%(q{i}_{name})s")
            values[f"q{i}_{name}"] = value
        totals.append(total)
    return list(await reader.fetch_row(build_totals_statement(totals, kind), values))
