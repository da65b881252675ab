"""Files attached to requisitions (O 2.3, O 7)."""

import asyncio
import hashlib

import structlog

from app.basics.clock import utc_now
from app.basics.errors import BadInput, NotFound, Unavailable, require_allowed
from app.basics.text import composed
from app.contract import messages
from app.contract.limits import REQUISITION_DOCUMENTS_MAX
from app.server.access.work import Work
from app.server.attachments import service as attachments
from app.server.attachments.rules import free_name
from app.server.attachments.schemas import FileRead, FileUpload
from app.server.attachments.store import FileStore
from app.server.requisitions import rules
from app.server.requisitions.models import Requisition, RequisitionDocument
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.service.read import found
from app.server.requisitions.states import state_of

_KIND = "requisition-document"
_log = structlog.get_logger("portal.files")


async def listed(work: Work, requisition_id: int) -> list[FileRead]:
    """The documents of a requisition, the oldest first; raises NotFound."""
    requisition = await found(work, requisition_id)
    repository = work.repository(RequisitionRepository)
    documents = await repository.documents(requisition)
    await work.audit("list", _KIND, [requisition.id])
    return [FileRead(id=row.id, name=row.name) for row in documents]


async def upload(work: Work, requisition_id: int, body: FileUpload) -> FileRead:
    """Attach a file, under a free and harmless name.

    Signed requisitions take documents too; the version does not change, so that a form that is
    open meanwhile can still be saved.

    Raises:
        NotFound, RequisitionReadOnly, Unavailable.
        BadInput, TooLarge, WrongKind: the file can not be taken, or there are too many.
    """
    requisition = await found(work, requisition_id)
    require_allowed(rules.judge_change(work.actor, state_of(requisition)))
    await _present(work, requisition)
    file = await attachments.taken(body)
    # The bytes go first and while nobody has to wait for the requisition.
    key = await attachments.store(work, file.content)
    digest = await asyncio.to_thread(_digest, file.content)
    # The lock reads it anew: others may have changed it while the bytes were on their way.
    requisition = await found(work, requisition_id, lock=True)
    require_allowed(rules.judge_change(work.actor, state_of(requisition)))
    present = await _present(work, requisition)
    document = RequisitionDocument(
        requisition_id=requisition.id,
        name=free_name(file.name, [row.name for row in present]),
        media_type=file.kind.media_type,
        key=key,
        size=len(file.content),
        sha256=digest,
        created_by=work.actor.user_id,
    )
    await work.repository(RequisitionRepository).insert(document)
    await work.audit("attach", _KIND, [requisition.id], {"document": document.id})
    return FileRead(id=document.id, name=document.name)


async def named(work: Work, requisition_id: int, name: str) -> RequisitionDocument:
    """The document of this name.

    Raises:
        NotFound: there is none, or the requisition is not the actor's.
    """
    requisition = await found(work, requisition_id)
    repository = work.repository(RequisitionRepository)
    wanted = composed(name)
    for row in await repository.documents(requisition):
        if composed(row.name) == wanted:  # names of long ago may not be in normal form
            await work.audit("download", _KIND, [requisition.id], {"document": row.id})
            return row
    raise NotFound(messages.NOT_FOUND)


async def content_of(files: FileStore, document: RequisitionDocument) -> bytes:
    """The bytes of a document, exactly as they were taken.

    Raises:
        Unavailable: the store failed, or has other bytes than it was given.
    """
    content = await files.get(document.key)
    if await asyncio.to_thread(_digest, content) != document.sha256:
        _log.error("a stored file has changed", document=document.id)
        raise Unavailable(messages.DOCUMENT_UNAVAILABLE)
    return content


async def remove(work: Work, requisition_id: int, document_id: int) -> None:
    """Hide a document; its row and its bytes stay.

    Raises:
        NotFound, RequisitionReadOnly.
    """
    requisition = await found(work, requisition_id, lock=True)
    repository = work.repository(RequisitionRepository)
    documents = {row.id: row for row in await repository.documents(requisition)}
    document = documents.get(document_id)
    if document is None:
        raise NotFound(messages.NOT_FOUND)
    require_allowed(rules.judge_change(work.actor, state_of(requisition)))
    document.removed_at = utc_now()
    document.removed_by = work.actor.user_id
    await repository.flush()
    await work.audit("remove", _KIND, [requisition.id], {"document": document.id})


async def _present(work: Work, requisition: Requisition) -> list[RequisitionDocument]:
    repository = work.repository(RequisitionRepository)
    present = await repository.documents(requisition)
    if len(present) >= REQUISITION_DOCUMENTS_MAX:
        raise BadInput(messages.DOCUMENTS_TOO_MANY.format(max=REQUISITION_DOCUMENTS_MAX))
    return present


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()
