"""The export of audit rows: all that a search finds (ADR 44, ADR 67)."""

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from app.basics.clock import to_lab_time
from app.contract.limits import EXPORT_ROWS_MAX
from app.server.access.reader import Reader, TooSlow
from app.server.access.work import Work
from app.server.actor import Actor
from app.server.audit_viewer.lists import audit_events
from app.server.audit_viewer.rules import judge_reading_audit
from app.server.audit_viewer.schemas import AuditExportRequest
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
from app.server.lists.parsing import ListQuery, parse_query
from app.server.lists.service import count_rows as count_list_rows
from app.server.lists.service import fetch_rows, prepare_shape

BATCH_ROWS = 500
_SECONDS_MAX = 60
_ZONE = "zone"
_COLUMNS = (
    ExportColumn("at", "Time", CellType.MOMENT, 17),
    ExportColumn("person", "Person", width=24),
    ExportColumn("role", "Role"),
    ExportColumn("what", "What", width=36),
    ExportColumn("outcome", "Outcome", width=9),
    ExportColumn("records", "Records", width=44),
    ExportColumn("recordCount", "Number of records", CellType.NUMBER, 10),
    ExportColumn("id", "Row", CellType.NUMBER, 10),
)


async def request_audit_export(work: Work, body: AuditExportRequest) -> ExportRead:
    """Request an export of the audit rows that a search finds.

    Raises:
        Forbidden, TooManyExports.
    """
    filters = body.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"format"})
    parameters = {"filters": filters, _ZONE: work.portal.settings.time_zone}
    return await request_export(work, AUDIT_EVENTS, body.format, parameters, filters)


def build_columns(_actor: Actor, _parameters: Parameters) -> Sequence[ExportColumn]:
    """Return the columns, which are always the same."""
    return _COLUMNS


async def read_batch(reader: Reader, parameters: Parameters, after: Cursor | None) -> Batch:
    """Read the next rows, or raise ExportTooSlow."""
    query = _parse_search(parameters)
    query.take = BATCH_ROWS
    query.after = list(after) if after is not None else None
    shape, values = prepare_shape(reader.actor, audit_events, query)
    try:
        page = await fetch_rows(
            reader,
            shape._replace(is_capped=True),
            {**values, _ZONE: parameters[_ZONE]},
            seconds_max=_SECONDS_MAX,
        )
    except TooSlow as error:
        raise ExportTooSlow from error
    rows = [_build_cells(row, parameters[_ZONE]) for row in json.loads(page.rows)]
    return Batch(rows, json.loads(page.last) if page.fetched_count > BATCH_ROWS else None)


async def count_rows(reader: Reader, parameters: Parameters) -> AsyncIterator[int]:
    """Count the rows, up to one more than a file can hold, or raise ExportTooSlow."""
    query = _parse_search(parameters)
    # The zone is a placeholder of two filters.
    spec_values = {_ZONE: parameters[_ZONE]}
    try:
        yield await count_list_rows(
            reader,
            audit_events,
            query,
            EXPORT_ROWS_MAX + 1,
            seconds_max=_SECONDS_MAX,
            parameters=spec_values,
        )
    except TooSlow as error:
        raise ExportTooSlow from error


def _parse_search(parameters: Parameters) -> ListQuery:
    filters: Mapping[str, Any] = parameters["filters"]
    pairs = [
        (name, json.dumps(value) if isinstance(value, bool) else str(value))
        for name, value in filters.items()
    ]
    return parse_query(audit_events, pairs)


def _build_cells(row: dict[str, Any], zone: str) -> list[str | None]:
    at = to_lab_time(datetime.fromisoformat(row["at"]), zone)
    records = "; ".join(
        " ".join(part for part in (record["code"], record["name"]) if part)
        for record in row["records"]
    )
    return [
        at.strftime("%Y-%m-%d %H:%M:%S"),
        row["person"],
        row["role"],
        row["what"],
        "Denied" if row["isDenied"] else "Done",
        records,
        str(row["recordCount"]),
        str(row["id"]),
    ]


AUDIT_EVENTS = ExportSource(
    name="audit-events",
    title="Audit log",
    judge=judge_reading_audit,
    build_columns=build_columns,
    read_batch=read_batch,
    count_rows=count_rows,
)
"""The audit rows that a search finds."""
