"""The source of exported results, its preview, and requests for exports."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

from app.contract.limits import EXPORT_PREVIEW_ROWS, TOTAL_COUNT_CAP
from app.server.access.reader import Reader
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.catalog.repository import CatalogRepository
from app.server.catalog.service import list_visible_ids
from app.server.catalog.ucum import find_ucum
from app.server.exports.schemas import ExportRead
from app.server.exports.service.request import request_export
from app.server.exports.source import Batch, Cursor, ExportColumn, ExportSource, Parameters
from app.server.results.exports.columns import COLUMNS, ORDER_COLUMNS, POSITIONS, RESULT_COLUMNS
from app.server.results.exports.families import PATHOLOGY_SECTION
from app.server.results.exports.repository import build_batch_statement, build_count_statement
from app.server.results.exports.rules import (
    ResultFilters,
    build_unknown_test,
    judge_exporting_results,
    parse_parameters,
    require_valid_filters,
)
from app.server.results.exports.schemas import (
    ExportColumnRead,
    ResultExportPreview,
    ResultExportRequest,
)
from app.server.rich_text import to_plain_text

BATCH_ORDERS = 250
"""Orders of a batch; some thousand rows, which take a few megabytes."""
_COUNTED_ORDERS = 2_000
_PREVIEWED_ORDERS = 25
_PREVIEW_BATCHES_MAX = 40
"""Limit of batches that are searched for the first rows."""
_START: Cursor = ("0001-01-01T00:00:00", 0)
_SECTION, _RESULT, _EARLIER, _UNIT, _UCUM = (
    [column.name for column in RESULT_COLUMNS].index(name)
    for name in ("section", "result", "earlierResult", "unit", "ucum")
)


def build_columns(_actor: Actor, _parameters: Parameters) -> Sequence[ExportColumn]:
    """Return the columns, which are the same for everybody."""
    return COLUMNS


async def read_batch(reader: Reader, parameters: Parameters, after: Cursor | None) -> Batch:
    """Read the rows of the next orders, and audit that they were exported."""
    return await _read_batch(reader, parse_parameters(parameters), after, "export", BATCH_ORDERS)


async def count_rows(reader: Reader, parameters: Parameters) -> AsyncIterator[int]:
    """Count the rows of all orders, and yield the number so far after each batch."""
    total = 0
    async for rows, _ in _count_batches(reader, parse_parameters(parameters)):
        total += rows
        yield total


async def preview_export(reader: Reader, filters: ResultFilters) -> ResultExportPreview:
    """Return the first rows and the number of rows and orders, counted up to a limit.

    Raises:
        BadInput: a filter is invalid.
    """
    require_valid_filters(filters)
    rows = orders = searched_orders = 0
    is_capped = False
    async for batch_rows, batch_orders in _count_batches(reader, filters):
        rows += batch_rows
        orders += batch_orders
        searched_orders += _COUNTED_ORDERS
        is_capped = searched_orders >= TOTAL_COUNT_CAP - 1
        if is_capped:
            break
    return ResultExportPreview(
        orders=orders,
        rows=rows,
        is_capped=is_capped,
        columns=[ExportColumnRead.model_validate(column) for column in COLUMNS],
        data=await _read_first_rows(reader, filters) if rows else [],
    )


async def request_result_export(
    work: Work, body: ResultExportRequest, filters: ResultFilters
) -> ExportRead:
    """Request an export of results.

    Raises:
        BadInput: a filter is invalid, or a test is not in the catalog.
        TooManyExports.
    """
    require_valid_filters(filters)
    tests = await work.build_repository(CatalogRepository).load_tests(list(filters.test_ids))
    visible_ids = await list_visible_ids(work, tests.values())
    for index, test_id in enumerate(filters.test_ids):
        if test_id not in visible_ids:
            raise build_unknown_test(index)
    # The list of exports names the tests as they were called.
    codes = [tests[test_id].code for test_id in filters.test_ids]
    parameters = {**filters.build_parameters(), "testCodes": codes}
    return await request_export(work, RESULTS, body.format, parameters, parameters)


async def _read_first_rows(reader: Reader, filters: ResultFilters) -> list[list[str | None]]:
    rows: list[list[str | None]] = []
    after: Cursor | None = None
    for _ in range(_PREVIEW_BATCHES_MAX):
        batch = await _read_batch(reader, filters, after, "read", _PREVIEWED_ORDERS)
        rows += [list(row) for row in batch.rows]
        after = batch.after
        if after is None or len(rows) >= EXPORT_PREVIEW_ROWS:
            break
    return rows[:EXPORT_PREVIEW_ROWS]


async def _read_batch(
    reader: Reader, filters: ResultFilters, after: Cursor | None, action: str, size: int
) -> Batch:
    statement = build_batch_statement(reader.actor.kind, action, **_build_options(filters))
    text, end, orders = await reader.fetch_row(statement, _build_values(filters, after, size))
    # In the event loop, parsing some megabytes would delay the worker's other jobs.
    rows = await asyncio.to_thread(_parse_rows, text)
    return Batch(rows, json.loads(end) if orders == size else None)


async def _count_batches(reader: Reader, filters: ResultFilters) -> AsyncIterator[tuple[int, int]]:
    """Yield the rows and orders of each batch of orders."""
    statement = build_count_statement(reader.actor.kind, **_build_options(filters))
    after: Cursor | None = None
    while True:
        values = _build_values(filters, after, _COUNTED_ORDERS)
        rows, orders_with_rows, end, orders = await reader.fetch_row(statement, values)
        yield rows, orders_with_rows
        if orders < _COUNTED_ORDERS:
            return
        after = json.loads(end)


def _build_options(filters: ResultFilters) -> dict[str, bool]:
    return {
        "has_clients": bool(filters.client_ids),
        "has_tests": bool(filters.test_ids),
        "has_statuses": filters.statuses is not None,
    }


def _build_values(filters: ResultFilters, after: Cursor | None, size: int) -> dict[str, Any]:
    after_date, after_id = after or _START
    return {
        "first": filters.period.first,
        "last": filters.period.last,
        "clients": list(filters.client_ids),
        "tests": list(filters.test_ids),
        "statuses": filters.statuses,
        "after_date": after_date,
        "after_id": after_id,
        "batch": size,
    }


def _parse_rows(text: str) -> list[list[str | None]]:
    """Return the rows of all orders in the order of the columns."""
    return [
        _arrange_parts(head + _complete_cells(cells))
        for head, results in json.loads(text)
        for cells in results
    ]


def _arrange_parts(parts: list[str | None]) -> list[str | None]:
    return [parts[position] for position in POSITIONS]


def _complete_cells(cells: list[str | None]) -> list[str | None]:
    """Convert the rich text of reports to plain text, and add the code of the unit."""
    cells[_UCUM] = find_ucum(cells[_UNIT])
    if cells[_SECTION] == PATHOLOGY_SECTION:
        for index in (_RESULT, _EARLIER):
            cells[index] = to_plain_text(cells[index])
    return cells


RESULTS = ExportSource(
    name="results",
    title="Results",
    judge=judge_exporting_results,
    build_columns=build_columns,
    read_batch=read_batch,
    count_rows=count_rows,
)
"""Released results of all families."""
assert len(COLUMNS) == len(ORDER_COLUMNS) + len(RESULT_COLUMNS)
