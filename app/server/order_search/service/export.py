"""The source of exported orders: all that a search finds, with the chosen columns."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import date
from typing import Any

from app.basics.clock import get_lab_today
from app.basics.errors import FieldError, require_no_errors
from app.contract import messages
from app.contract.enumerations import LABELS, OrderStatus
from app.contract.limits import EXPORT_ROWS_MAX
from app.server.access.reader import Reader, TooSlow
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.exports.schemas import ExportRead
from app.server.exports.service.request import request_export
from app.server.exports.source import (
    Batch,
    CellType,
    Cursor,
    ExportColumn,
    ExportSource,
    ExportTooSlow,
    Parameters,
)
from app.server.lists.service import count_rows as count_list_rows
from app.server.lists.service import fetch_rows, prepare_shape
from app.server.order_search.columns import SearchColumn, get_columns
from app.server.order_search.rules import Kind, judge_exporting
from app.server.order_search.schemas import OrderExportRequest, OrderSearchRequest
from app.server.order_search.service.search import (
    NEWEST_FIRST,
    PreparedSearch,
    choose_columns,
    prepare_search,
)

BATCH_ROWS = 500
_SECONDS_MAX = 30
"""Limit of a statement. Nobody waits at a screen, but it holds one of few connections."""
_CELL_TYPES: Mapping[Kind | None, CellType] = {
    Kind.NUMBER: CellType.NUMBER,
    Kind.DATE: CellType.DATE,
    Kind.MOMENT: CellType.MOMENT,
}
_WIDTHS: Mapping[Kind | None, int] = {
    Kind.NUMBER: 10,
    Kind.DATE: 11,
    Kind.BOOLEAN: 10,
    Kind.REFERENCE: 24,
}
_WIDTH = 16


async def request_order_export(work: Work, body: OrderExportRequest) -> ExportRead:
    """Request an export of all orders that a search finds.

    Raises:
        BadInput: a condition, a column, or the sort is invalid.
        TooManyExports.
    """
    parameters = {
        "query": body.query,
        "summary": body.summary,
        "columns": choose_columns(work.actor, body.columns),
        "sort": body.sort or NEWEST_FIRST,
        # 'In the last days' means those before the request, whenever the job runs.
        "today": get_lab_today(work.portal.settings.time_zone).isoformat(),
    }
    if not parameters["columns"]:
        require_no_errors([FieldError("columns", messages.SEARCH_COLUMNS_REQUIRED)])
    _prepare_export(work.actor, parameters)
    # Without the conditions, whose values may be patients' names. Exported orders are audited.
    audit_detail = {"columns": parameters["columns"], "sort": parameters["sort"]}
    return await request_export(work, ORDERS, body.format, parameters, audit_detail)


def build_columns(actor: Actor, parameters: Parameters) -> Sequence[ExportColumn]:
    """Build the columns that were chosen, in their order.

    Raises:
        BadInput: the actor may no longer use one of them.
    """
    return [_build_column(column) for column in _list_columns(actor, parameters)]


async def read_batch(reader: Reader, parameters: Parameters, after: Cursor | None) -> Batch:
    """Read the next orders, and audit that they were exported.

    Raises:
        BadInput: the search is no longer valid.
        ExportTooSlow.
    """
    spec, query = _prepare_export(reader.actor, parameters)
    query.take = BATCH_ROWS
    query.after = list(after) if after is not None else None
    shape, values = prepare_shape(reader.actor, spec, query)
    try:
        page = await fetch_rows(
            reader, shape._replace(is_capped=True), values, seconds_max=_SECONDS_MAX
        )
    except TooSlow as error:
        raise ExportTooSlow from error
    columns = _list_columns(reader.actor, parameters)
    rows = [[_format_cell(column, row) for column in columns] for row in json.loads(page.rows)]
    return Batch(rows, json.loads(page.last) if page.fetched_count > BATCH_ROWS else None)


async def count_rows(reader: Reader, parameters: Parameters) -> AsyncIterator[int]:
    """Count the orders, up to one more than a file can hold.

    Raises:
        BadInput: the search is no longer valid.
        ExportTooSlow.
    """
    spec, query = _prepare_export(reader.actor, parameters)
    max_count = EXPORT_ROWS_MAX + 1
    try:
        yield await count_list_rows(reader, spec, query, max_count, seconds_max=_SECONDS_MAX)
    except TooSlow as error:
        raise ExportTooSlow from error


def _prepare_export(actor: Actor, parameters: Parameters) -> PreparedSearch:
    request = OrderSearchRequest(
        query=parameters["query"], columns=parameters["columns"], sort=parameters["sort"]
    )
    today = date.fromisoformat(parameters["today"])
    return prepare_search(actor, request, today, is_export=True)


def _list_columns(actor: Actor, parameters: Parameters) -> list[SearchColumn]:
    columns = get_columns(actor.role)
    return [columns[name] for name in choose_columns(actor, parameters["columns"])]


def _build_column(column: SearchColumn) -> ExportColumn:
    kind = _CELL_TYPES.get(column.kind, CellType.TEXT)
    return ExportColumn(column.name, column.label, kind, _WIDTHS.get(column.kind, _WIDTH))


def _format_cell(column: SearchColumn, row: dict[str, Any]) -> str | None:
    """Format a value as the screen shows it."""
    value = row[column.name]
    if value is None:
        return None
    if column.name == "status":
        return LABELS[OrderStatus][OrderStatus(value)]
    if isinstance(value, bool):
        return "Yes" if value else "No"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


ORDERS = ExportSource(
    name="orders",
    title="Orders",
    judge=judge_exporting,
    build_columns=build_columns,
    read_batch=read_batch,
    count_rows=count_rows,
)
"""The orders that an advanced search finds."""
