"""Signs and unsigns orders, which share their requisition's signature (R 4; DECISIONS)."""

from collections.abc import Mapping, Sequence

from app.basics.errors import BadInput, FieldError, NotFound
from app.contract import messages
from app.contract.limits import BULK_IDS_MAX
from app.server.access.work import Work
from app.server.images import normalize_signature_image
from app.server.orders.models import Order
from app.server.orders.repository import OrderRepository
from app.server.orders.schemas import (
    OrderRead,
    SignedOrder,
    SignedOrders,
    SignOrdersRequest,
    UnsignOrdersRequest,
)
from app.server.orders.service.read import get_order, read_order
from app.server.orders.service.versions import reject_stale_orders
from app.server.requisitions.rules import deduplicate_ids
from app.server.requisitions.schemas import SignatureRead
from app.server.requisitions.service import read as requisitions
from app.server.requisitions.service.sign import lock_to_sign, remove_signature, sign_locked


async def sign_orders(work: Work, body: SignOrdersRequest) -> SignedOrders:
    """Sign these orders, all or none; the message of an error names the order.

    Raises:
        NotFound: an order does not exist or is out of scope.
        BadInput, TooLarge, WrongKind: the body has no ids, or no valid image.
        StaleVersion: orders have changed since they were shown; each such order has a field error.
        RequisitionReadOnly: an order is final or canceled.
        RequisitionSigned: an order is already signed.
    """
    ids = _validate_ids(body.orders_ids)
    image = await normalize_signature_image(body.image, work.actor.user_text)
    orders = await _load_orders(work, ids)
    requisition_ids = deduplicate_ids([order.requisition_id for order in orders])
    records = await lock_to_sign(work, requisition_ids)
    orders = await _reload_orders(work, ids, body.versions)
    await sign_locked(work, records, image, {}, is_shown_as_order=True)
    await work.audit("sign", "order", ids)
    return _build_answer(orders)


async def unsign_orders(work: Work, body: UnsignOrdersRequest) -> SignedOrders:
    """Remove the actor's own signatures of these orders, all or none, and keep the history.

    The message of an error names the order.

    Raises:
        NotFound: an order does not exist or is out of scope.
        BadInput: the body has no ids.
        StaleVersion: orders have changed since they were shown; each such order has a field error.
        RequisitionNotSigned, SignedByAnother.
        RequisitionReadOnly: an order is final or canceled.
    """
    ids = _validate_ids(body.orders_ids)
    orders = await _load_orders(work, ids)
    # Every operation locks requisitions by ascending id, so that two cannot deadlock.
    records = [
        await requisitions.get_record(work, requisition_id, lock=True)
        for requisition_id in sorted({order.requisition_id for order in orders})
    ]
    orders = await _reload_orders(work, ids, body.versions)
    for record in records:
        remove_signature(work, record, is_shown_as_order=True)
    await work.audit("unsign", "order", ids)
    return _build_answer(orders)


def _validate_ids(orders_ids: Sequence[int]) -> list[int]:
    ids = deduplicate_ids(list(orders_ids))
    if not ids:
        raise BadInput.of(FieldError("ordersIds", messages.VALUE_REQUIRED))
    if len(ids) > BULK_IDS_MAX:
        raise BadInput(messages.TOO_MANY_IDS.format(max=BULK_IDS_MAX))
    return ids


async def _load_orders(work: Work, ids: Sequence[int]) -> list[Order]:
    orders = await work.build_repository(OrderRepository).load_orders(ids)
    if len(orders) != len(ids):
        raise NotFound(messages.NOT_FOUND)
    return [orders[order_id] for order_id in ids]


async def _reload_orders(
    work: Work, ids: Sequence[int], versions: Mapping[int, int]
) -> list[Order]:
    """Load the orders again, because they may have changed while the act waited for its locks.

    Raises StaleVersion if an order has another version than the one in ``versions``, if any.
    """
    work.session.expire_all()
    orders = await _load_orders(work, ids)
    stale_orders = [
        order for order in orders if versions.get(order.id, order.version) != order.version
    ]
    reject_stale_orders(stale_orders)
    return orders


def _build_answer(orders: Sequence[Order]) -> SignedOrders:
    return SignedOrders(data=[SignedOrder(id=order.id, version=order.version) for order in orders])


async def unsign_order(work: Work, order_id: int) -> OrderRead:
    """Remove the actor's own signature; it stays in the history.

    Raises:
        NotFound, StaleVersion, RequisitionNotSigned, SignedByAnother.
        RequisitionReadOnly: the order is final or canceled.
    """
    order = await get_order(work, order_id)
    record = await requisitions.get_record(work, order.requisition_id, lock=True)
    # The order may have changed while this request waited for the requisition's lock.
    await work.session.refresh(order)
    work.require_version(order)
    remove_signature(work, record, is_shown_as_order=True)
    await work.audit("unsign", "order", [order.id])
    # Send the changes now, so that the answer shows them.
    await work.statements.send()
    return await read_order(work, order_id)


async def read_signature(work: Work, order_id: int) -> SignatureRead:
    """Return the current signature, or raise NotFound."""
    order = await get_order(work, order_id)
    return await requisitions.read_signature(work, order.requisition_id)
