"""Exports all rows of a kind as a CSV file, and imports such a file after a preview."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.basics.base64_text import decode_base64, strip_data_url
from app.contract import messages
from app.contract.limits import LAB_DATA_IMPORT_MAX_BYTES, LAB_DATA_PREVIEW_ROWS
from app.server.access.work import Work
from app.server.audit.service import build_audit_insert, build_audit_parameters
from app.server.fair_queue import FairQueue
from app.server.lab_data.csv_text import build_file_error
from app.server.lab_data.errors import PreviewOutdated
from app.server.lab_data.files import (
    FileRow,
    Plan,
    PlannedRow,
    parse_file,
    plan_rows,
    write_file,
)
from app.server.lab_data.kind import DataKind
from app.server.lab_data.repository import LabDataRepository, ResolvedKeys, parse_rows
from app.server.lab_data.schemas import (
    FieldChange,
    LabDataImport,
    LabDataImportRow,
    LabDataImportWrite,
)
from app.server.lab_data.service.kinds import get_kind, require_change
from app.server.lab_data.service.save import describe_changes, store_links, to_columns
from app.server.lab_data.values import format_value, list_keys, parse_values

_QUEUE = FairQueue(slots=1)
"""Files of 50,000 rows are parsed one at a time, and people take turns."""


async def export_rows(work: Work, key: str) -> bytes:
    """Return all rows of a kind as a CSV file, or raise NotFound."""
    kind = get_kind(key)
    text = await work.build_repository(LabDataRepository).load_text(kind)
    await work.audit("export", kind.audit_kind, [])
    return await asyncio.to_thread(lambda: write_file(kind, parse_rows(text)))


async def preview_file(work: Work, key: str, body: LabDataImportWrite) -> LabDataImport:
    """Return what the file would change, without changing anything.

    Raises:
        NotFound, Forbidden, FileUnreadable.
    """
    kind = get_kind(key)
    require_change(work, kind)
    rows = await _parse_rows(work, kind, body.content)
    plan, _resolved = await _plan_changes(work, kind, rows)
    return _build_answer(kind, plan)


async def apply_file(work: Work, key: str, body: LabDataImportWrite) -> LabDataImport:
    """Apply exactly what the preview with this token showed, except rows with errors.

    Raises:
        NotFound, Forbidden, FileUnreadable, RowInUse.
        PreviewOutdated: the file would now change other things.
    """
    kind = get_kind(key)
    require_change(work, kind)
    # Before the first statement: a transaction must not wait for the parsing of a file.
    rows = await _parse_rows(work, kind, body.content)
    await work.build_repository(LabDataRepository).lock_kind(kind)
    plan, resolved_keys = await _plan_changes(work, kind, rows)
    if body.token != plan.token:
        raise PreviewOutdated(messages.LAB_DATA_CHANGED_SINCE)
    await _apply_plan(work, kind, plan, resolved_keys)
    return _build_answer(kind, plan)


async def _parse_rows(work: Work, kind: DataKind, text: str) -> list[FileRow]:
    async with _QUEUE.join(work.actor.user_text):
        return await asyncio.to_thread(lambda: parse_file(kind, _decode_file(text)))


async def _plan_changes(
    work: Work, kind: DataKind, rows: Sequence[FileRow]
) -> tuple[Plan, ResolvedKeys]:
    repository = work.build_repository(LabDataRepository)
    resolved_keys = await repository.resolve_keys(await asyncio.to_thread(_list_keys, kind, rows))
    units = await repository.load_units(kind, resolved_keys)
    text = await repository.load_text(kind)
    plan = await asyncio.to_thread(
        lambda: plan_rows(kind, rows, parse_rows(text), resolved_keys, units)
    )
    return plan, resolved_keys


def _list_keys(kind: DataKind, rows: Sequence[FileRow]) -> dict[str, set[str]]:
    keys: dict[str, set[str]] = {}
    references = replace(kind, fields=tuple(field for field in kind.fields if field.lookup))
    for row in rows:
        values, _errors = parse_values(references, row.cells, None)
        keys_of_row = list_keys((field, values[field.name]) for field in references.fields)
        for name, texts in keys_of_row.items():
            keys.setdefault(name, set()).update(texts)
    return keys


async def _apply_plan(work: Work, kind: DataKind, plan: Plan, resolved_keys: ResolvedKeys) -> None:
    repository = work.build_repository(LabDataRepository)
    rows = [row for row in plan.rows if not row.errors and (row.is_new or row.changed_fields)]
    added_rows = [row for row in rows if row.is_new]
    columns, changes = await asyncio.to_thread(_prepare_columns, kind, rows, resolved_keys)
    added_ids = await repository.insert_rows(kind, columns)
    ids = {row.number: row_id for row, row_id in zip(added_rows, added_ids, strict=True)}
    await repository.change_rows(kind, changes)
    audit_details = []
    for row in rows:
        row_id = ids[row.number] if row.stored is None else row.stored.id
        await store_links(repository, kind, row_id, row.values, row.changed_fields, resolved_keys)
        detail = describe_changes(row.stored, row.values, row.changed_fields)
        audit_details.append({"id": row_id, "detail": detail})
    statement = build_audit_insert(
        "import",
        kind.audit_kind,
        "ARRAY[(x->>'id')::bigint]",
        detail="x->'detail'",
        of="FROM json_array_elements(%(rows)s::json) x",
    )
    parameters = build_audit_parameters(work.actor, work.request_id)
    text = await asyncio.to_thread(json.dumps, audit_details)
    work.statements.add(statement, {**parameters, "rows": text})


def _prepare_columns(
    kind: DataKind, rows: Sequence[PlannedRow], resolved_keys: ResolvedKeys
) -> tuple[list[dict[str, Any]], dict[int, dict[str, Any]]]:
    """Return the columns of the rows to add, and those of the rows to change, by id."""
    added_columns = [
        to_columns(kind, row.values, list(row.values), resolved_keys) for row in rows if row.is_new
    ]
    changed_columns = {
        row.stored.id: to_columns(kind, row.values, row.changed_fields, resolved_keys)
        for row in rows
        if row.stored is not None
    }
    return added_columns, changed_columns


def _decode_file(text: str) -> bytes:
    try:
        content = decode_base64(strip_data_url(text), LAB_DATA_IMPORT_MAX_BYTES)
    except ValueError as error:
        raise build_file_error(messages.LAB_DATA_FILE_NO_CSV) from error
    if content is None:
        raise build_file_error(messages.LAB_DATA_FILE_TOO_LARGE)
    return content


def _build_answer(kind: DataKind, plan: Plan) -> LabDataImport:
    valid_rows = [row for row in plan.rows if not row.errors]
    invalid_rows = [row for row in plan.rows if row.errors]
    changed_rows = [row for row in valid_rows if row.is_new or row.changed_fields]
    return LabDataImport(
        token=plan.token,
        added=sum(row.is_new for row in valid_rows),
        changed=sum(not row.is_new and bool(row.changed_fields) for row in valid_rows),
        unchanged=len(valid_rows) - len(changed_rows),
        rejected=len(invalid_rows),
        rows=[
            _build_row(kind, row) for row in [*invalid_rows, *changed_rows][:LAB_DATA_PREVIEW_ROWS]
        ],
    )


def _build_row(kind: DataKind, row: PlannedRow) -> LabDataImportRow:
    return LabDataImportRow(
        number=row.number,
        name=row.name,
        is_new=row.is_new,
        changes=[
            FieldChange(
                label=field.label,
                old="" if row.stored is None else format_value(row.stored.values[field.name]),
                new=format_value(row.values[field.name]),
            )
            for field in kind.fields
            if field.name in row.changed_fields
        ],
        errors=list(row.errors),
    )
