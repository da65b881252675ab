"""Documents of requisitions (O 2.3, O 7)."""

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.server.access.work import Work
from app.server.attachments import service as attachments
from app.server.attachments.rules import find_by_name, make_unique_name
from app.server.attachments.schemas import FileRead, FileUpload
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition, RequisitionDocument
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.service.read import get_requisition
from app.server.requisitions.states import build_state

_KIND = "requisition-document"


async def list_documents(work: Work, requisition_id: int) -> list[FileRead]:
    """Return the documents of a requisition, oldest first, or raise NotFound."""
    requisition = await get_requisition(work, requisition_id)
    repository = work.build_repository(RequisitionRepository)
    documents = await repository.list_documents(requisition)
    await work.audit("list", _KIND, [requisition.id])
    return [FileRead(id=row.id, name=row.name) for row in documents]


async def upload_document(work: Work, requisition_id: int, body: FileUpload) -> FileRead:
    """Attach a file under a safe and unused name.

    Signed requisitions accept documents too. The version stays, so that an open form can still be
    saved.

    Raises:
        NotFound, RequisitionReadOnly, Unavailable.
        BadInput, TooLarge, WrongKind: the file is rejected, or there are too many documents.
    """
    # The file is stored before the transaction has a connection, so a slow store holds none.
    await attachments.require_in_scope(work, Requisition, requisition_id)
    file = await attachments.decode_upload(body)
    stored_upload = await attachments.store_upload(work, file.content)
    requisition = await get_requisition(work, requisition_id, lock=True)
    require_allowed(rules.judge_editing(work.actor, build_state(requisition)))
    repository = work.build_repository(RequisitionRepository)
    existing_documents = await repository.list_documents(requisition)
    attachments.require_room(len(existing_documents))
    await attachments.end_upload(work, stored_upload.key)
    document = RequisitionDocument(
        requisition_id=requisition.id,
        name=make_unique_name(file.name, [row.name for row in existing_documents]),
        media_type=file.kind.media_type,
        key=stored_upload.key,
        size=len(file.content),
        sha256=stored_upload.sha256,
        created_by=work.actor.user_id,
    )
    await repository.insert(document)
    await work.audit("attach", _KIND, [requisition.id], {"document": document.id})
    return FileRead(id=document.id, name=document.name)


async def get_document(work: Work, requisition_id: int, name: str) -> RequisitionDocument:
    """Return the document with this name.

    Raises:
        NotFound: the document does not exist, or the requisition is out of scope.
    """
    requisition = await get_requisition(work, requisition_id)
    documents = await work.build_repository(RequisitionRepository).list_documents(requisition)
    document = find_by_name(documents, name)
    if document is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit("download", _KIND, [requisition.id], {"document": document.id})
    return document


async def remove_document(work: Work, requisition_id: int, document_id: int) -> None:
    """Hide a document; its row and its bytes stay in the store.

    Raises:
        NotFound, RequisitionReadOnly.
    """
    requisition = await get_requisition(work, requisition_id, lock=True)
    repository = work.build_repository(RequisitionRepository)
    documents = {row.id: row for row in await repository.list_documents(requisition)}
    document = documents.get(document_id)
    if document is None:
        raise NotFound(messages.NOT_FOUND)
    require_allowed(rules.judge_editing(work.actor, build_state(requisition)))
    document.removed_at = get_utc_now()
    document.removed_by = work.actor.user_id
    await repository.flush()
    await work.audit("remove", _KIND, [requisition.id], {"document": document.id})
