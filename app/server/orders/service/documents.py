"""Documents of orders (R 2.2, R 7)."""

from app.basics.clock import get_utc_now
from app.basics.errors import NotFound, require_allowed
from app.contract import messages
from app.server.access.schemas import Permission
from app.server.access.work import Work
from app.server.attachments import service as attachments
from app.server.attachments.rules import find_by_name, make_unique_name
from app.server.attachments.schemas import FileUpload
from app.server.orders import rules
from app.server.orders.models import Order, OrderDocument
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import OrderDocumentRead
from app.server.orders.service.read import get_order
from app.server.orders.service.status import build_state
from app.server.requisitions.service.read import get_requisition

_KIND = "order-document"


async def list_documents(work: Work, order_id: int) -> list[OrderDocumentRead]:
    """Return the documents of an order, oldest first, or raise NotFound."""
    order = await get_order(work, order_id)
    documents = await work.build_repository(OrderRepository).list_documents(order)
    await work.audit("list", _KIND, [order.id])
    return [_build_read(work, row) for row in documents]


async def upload_document(work: Work, order_id: int, body: FileUpload) -> OrderDocumentRead:
    """Attach a file under a safe and unused name. The order's version does not change.

    Raises:
        NotFound, OrderReadOnly, Unavailable.
        BadInput, TooLarge, WrongKind: the file is rejected, or there are too many documents.
    """
    # The file is stored before the transaction has a connection, so that nobody waits for it.
    await attachments.require_in_scope(work, Order, order_id)
    file = await attachments.decode_upload(body)
    stored_upload = await attachments.store_upload(work, file.content)
    order = await get_order(work, order_id)
    require_allowed(rules.judge_attaching(work.actor, build_state(order)))
    # The lock makes concurrent uploads wait for each other. It is the requisition's, because
    # physicians cannot lock orders.
    await get_requisition(work, order.requisition_id, lock=True)
    repository = work.build_repository(OrderRepository)
    existing_documents = await repository.list_documents(order)
    attachments.require_room(len(existing_documents))
    await attachments.end_upload(work, stored_upload.key)
    assert work.actor.user_id is not None
    document = OrderDocument(
        order_id=order.id,
        name=make_unique_name(file.name, [row.name for row in existing_documents]),
        media_type=file.kind.media_type,
        key=stored_upload.key,
        size=len(file.content),
        sha256=stored_upload.sha256,
        created_by=work.actor.user_id,
    )
    await repository.insert(document)
    await work.audit("attach", _KIND, [order.id], {"document": document.id})
    return _build_read(work, document)


async def get_document(work: Work, order_id: int, name: str) -> OrderDocument:
    """Return the document with this name.

    Raises:
        NotFound: the document does not exist, or the order is out of scope.
    """
    order = await get_order(work, order_id)
    documents = await work.build_repository(OrderRepository).list_documents(order)
    document = find_by_name(documents, name)
    if document is None:
        raise NotFound(messages.NOT_FOUND)
    await work.audit("download", _KIND, [order.id], {"document": document.id})
    return document


async def remove_document(work: Work, order_id: int, document_id: int) -> None:
    """Hide a document; its row and its bytes stay in the store.

    Raises:
        NotFound.
        UploadedByAnother: the actor is neither the uploader nor the lab.
    """
    order = await get_order(work, order_id)
    repository = work.build_repository(OrderRepository)
    documents = {row.id: row for row in await repository.list_documents(order)}
    document = documents.get(document_id)
    if document is None:
        raise NotFound(messages.NOT_FOUND)
    require_allowed(rules.judge_detaching(work.actor, document.created_by))
    document.removed_at = get_utc_now()
    document.removed_by = work.actor.user_id
    await repository.flush()
    await work.audit("remove", _KIND, [order.id], {"document": document.id})


def _build_read(work: Work, document: OrderDocument) -> OrderDocumentRead:
    denial = rules.judge_detaching(work.actor, document.created_by)
    return OrderDocumentRead(id=document.id, name=document.name, can_remove=Permission.of(denial))
