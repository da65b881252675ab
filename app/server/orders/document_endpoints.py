"""/api/v2/orders/{id}/documents (R 7)."""

from fastapi import Request, Response

from app.basics.errors import WrongKind
from app.server.access.media import AnyFile, build_download
from app.server.access.policy import ALL_ROLES, DOCUMENT_BODY, EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork, open_work
from app.server.attachments.schemas import FileUpload
from app.server.attachments.service import read_content
from app.server.orders.schemas import OrderDocumentRead
from app.server.orders.service import documents

router = build_router("/api/v2/orders/{order_id}/documents", "orders")


@router.get("")
@allow(ALL_ROLES)
async def list_documents(order_id: int, work: InWork) -> list[OrderDocumentRead]:
    """The documents of an order."""
    return await documents.list_documents(work, order_id)


@router.post("", status_code=201)
@allow(EDITORS, body=DOCUMENT_BODY, errors=(WrongKind,))
async def upload_document(order_id: int, body: FileUpload, work: InWork) -> OrderDocumentRead:
    """Attach a file."""
    return await documents.upload_document(work, order_id, body)


@router.get("/download", response_class=AnyFile)
@allow(ALL_ROLES, transaction=False)
async def download_document(order_id: int, request: Request, name: str = "") -> Response:
    """Download a document by its name; the audit event is committed before the bytes leave."""
    async with open_work(request) as work:
        document = await documents.get_document(work, order_id, name)
    content = await read_content(request.app.state.portal.files, document)
    return build_download(content, document.name, document.media_type)


@router.delete("/{order_document_id}", status_code=204)
@allow(EDITORS)
async def remove_document(order_id: int, order_document_id: int, work: InWork) -> None:
    """Remove a document from the order."""
    await documents.remove_document(work, order_id, order_document_id)
