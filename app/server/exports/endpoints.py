"""/api/v2/result-exports: the user's own exports, of every source (ADR 44)."""

from fastapi import Request, Response

from app.server.access.media import FileStream, build_streamed_download
from app.server.access.policy import allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, open_work
from app.server.exports.rules import EXPORTERS
from app.server.exports.schemas import ExportRead
from app.server.exports.service import read, request

router = build_router("/api/v2/result-exports", "exports")


@router.get("")
@allow(EXPORTERS)
async def list_exports(work: InWork) -> list[ExportRead]:
    """The user's own exports, newest first."""
    return await read.list_exports(work)


@router.get("/{export_id}")
@allow(EXPORTERS)
async def read_export(export_id: int, work: InWork) -> ExportRead:
    """An export with its progress."""
    return await read.read_export(work, export_id)


@router.get("/{export_id}/file", response_class=FileStream)
@allow(EXPORTERS, transaction=False)
async def download_file(export_id: int, request: Request) -> Response:
    """Download the file; the audit event is committed before the bytes leave."""
    async with open_work(request) as work:
        file = await read.open_file(work, export_id)
    return build_streamed_download(file.pieces, file.size, file.name, file.media_type)


@router.post("/{export_id}/cancel")
@allow(EXPORTERS)
async def cancel_export(export_id: int, work: InWork) -> ExportRead:
    """Cancel an export that is not finished."""
    return await request.cancel_export(work, export_id)


@router.delete("/{export_id}", status_code=204)
@allow(EXPORTERS)
async def remove_export(export_id: int, work: InWork) -> None:
    """Delete an export; for some minutes it can be restored."""
    await request.remove_export(work, export_id)


@router.post("/{export_id}/restore")
@allow(EXPORTERS)
async def restore_export(export_id: int, work: InWork) -> ExportRead:
    """Undo the deletion of an export."""
    return await request.restore_export(work, export_id)
