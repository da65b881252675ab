"""/api/v2/requisitions/{id}/documents (O 7)."""

from fastapi import Request, Response

from app.basics.errors import WrongKind
from app.server.access.media import AnyFile, build_download
from app.server.access.policy import ALL_ROLES, DOCUMENT_BODY, EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, open_work
from app.server.attachments.schemas import FileRead, FileUpload
from app.server.attachments.service import read_content
from app.server.requisitions.service import documents

router = build_router("/api/v2/requisitions/{requisition_id}/documents", "requisitions")


@router.get("")
@allow(ALL_ROLES)
async def list_documents(requisition_id: int, work: InWork) -> list[FileRead]:
    """The documents of a requisition."""
    return await documents.list_documents(work, requisition_id)


@router.post("", status_code=201)
@allow(EDITORS, body=DOCUMENT_BODY, errors=(WrongKind,))
async def upload_document(requisition_id: int, body: FileUpload, work: InWork) -> FileRead:
    """Attach a file."""
    return await documents.upload_document(work, requisition_id, body)


@router.get("/download", response_class=AnyFile)
@allow(ALL_ROLES, transaction=False)
async def download_document(requisition_id: int, request: Request, name: str = "") -> Response:
    """Download a document by its name; the audit event is committed before the bytes leave."""
    async with open_work(request) as work:
        document = await documents.get_document(work, requisition_id, name)
    content = await read_content(request.app.state.portal.files, document)
    return build_download(content, document.name, document.media_type)


@router.delete("/{document_id}", status_code=204)
@allow(EDITORS)
async def remove_document(requisition_id: int, document_id: int, work: InWork) -> None:
    """Remove a document from the requisition."""
    await documents.remove_document(work, requisition_id, document_id)
