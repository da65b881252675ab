"""/api/v2/lab-data/{kind}/csv: export and import of a kind (ADR 57)."""

from typing import Any

from fastapi import Response

from app.server.access.policy import LAB_DATA_BODY, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.lab_data.rules import READERS
from app.server.lab_data.schemas import LabDataImport, LabDataImportWrite
from app.server.lab_data.service import files

_FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/csv": {"schema": {"type": "string", "format": "binary"}}}}
}
router = build_router("/api/v2/lab-data/{kind}/csv", "lab data")


@router.get("", response_class=Response, responses=_FILE)
@allow(READERS)
async def export_rows(kind: str, work: InWork) -> Response:
    """All rows as a CSV file."""
    content = await files.export_rows(work, kind)
    headers = {"Content-Disposition": f'attachment; filename="{kind}.csv"'}
    return Response(content, media_type="text/csv; charset=utf-8", headers=headers)


@router.post("/preview")
@allow(READERS, repeatable=True, body=LAB_DATA_BODY)
async def preview_file(kind: str, body: LabDataImportWrite, work: InWork) -> LabDataImport:
    """The changes that a CSV file would make, and the errors of its rows."""
    return await files.preview_file(work, kind, body)


@router.post("")
@allow(READERS, body=LAB_DATA_BODY)
async def apply_file(kind: str, body: LabDataImportWrite, work: InWork) -> LabDataImport:
    """Make the changes that the preview showed."""
    return await files.apply_file(work, kind, body)
