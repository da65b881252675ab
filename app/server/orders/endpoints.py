"""/api/v2/orders (R 7)."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import NotFound, StaleVersion, WrongKind
from app.contract.limits import BULK_IDS_MAX
from app.server.access.answers import answer_shape, answer_values
from app.server.access.policy import ALL_ROLES, SIGNING_BODY, allow
from app.server.access.reader import get_reader
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, set_etag
from app.server.lab_settings.rules import RESULT_RELEASERS
from app.server.lists.counts import answer_status_counts, document_status_counts
from app.server.lists.document import document_page, document_rows
from app.server.lists.service import answer_page, answer_rows_by_id
from app.server.orders import lists
from app.server.orders.rules import ACKNOWLEDGERS
from app.server.orders.schemas import (
    AcknowledgedOrders,
    AcknowledgeRequest,
    CommentVersion,
    CommentWrite,
    OrderedTestRead,
    OrderRead,
    ResultsTypes,
    SignedOrders,
    SignOrdersRequest,
    UnsignOrdersRequest,
)
from app.server.orders.service import acknowledge, comment, read, sign
from app.server.requisitions.rules import SIGNERS, UNSIGNERS
from app.server.requisitions.schemas import SignatureRead

router = build_router("/api/v2", "orders")


@router.get("/orders/remote-operations", **document_page(lists.orders))
@allow(ALL_ROLES, transaction=False)
async def list_orders(request: Request) -> Response:
    """The laboratory results search."""
    return await answer_page(request, lists.orders)


@router.get("/orders/status-counts", **document_status_counts(lists.orders))
@allow(ALL_ROLES, transaction=False)
async def count_orders_by_status(request: Request) -> Response:
    """How many rows of the search each status has, whatever status is chosen."""
    return await answer_status_counts(request, lists.orders)


@router.get("/orders/ids", **document_rows(lists.orders, ("ids",)))
@allow(ALL_ROLES, transaction=False)
async def list_orders_by_id(request: Request) -> Response:
    """The rows of these orders, without those outside the actor's scope."""
    return await answer_rows_by_id(request, lists.orders)


@router.post("/orders/sign-multiple")
@allow(SIGNERS, fresh_sign_in=True, body=SIGNING_BODY, errors=(NotFound, StaleVersion, WrongKind))
async def sign_orders(body: SignOrdersRequest, work: InWork) -> SignedOrders:
    """Sign one or more orders, all or none."""
    return await sign.sign_orders(work, body)


@router.post("/orders/unsign-multiple")
@allow(UNSIGNERS, fresh_sign_in=True, errors=(NotFound, StaleVersion))
async def unsign_orders(body: UnsignOrdersRequest, work: InWork) -> SignedOrders:
    """Remove the user's own signatures of one or more orders, all or none."""
    return await sign.unsign_orders(work, body)


@router.put("/orders/acknowledge")
@allow(ACKNOWLEDGERS, errors=(NotFound, StaleVersion))
async def acknowledge_orders(
    ids: Annotated[list[RecordId], Query(min_length=1, max_length=BULK_IDS_MAX)],
    work: InWork,
    username: str | None = None,
    body: AcknowledgeRequest | None = None,
) -> AcknowledgedOrders:
    """Acknowledge orders, all or none; the token identifies the user, not ``username``."""
    del username
    versions = body.versions if body else {}
    return await acknowledge.acknowledge_orders(work, ids, versions)


@router.get("/orders/{order_id}", responses={200: {"model": OrderRead}})
@allow(ALL_ROLES, transaction=False)
async def read_order(order_id: int, request: Request) -> Response:
    """An order with the sections of its header."""
    order = await read.open_order(get_reader(request), order_id)
    return answer_values(order, version=order["version"])


@router.get("/orders/{order_id}/report-comments")
@allow(RESULT_RELEASERS)
async def list_comments(order_id: int, work: InWork) -> list[CommentVersion]:
    """The comments that an order has had, newest first."""
    return await comment.list_comments(work, order_id)


@router.put("/orders/{order_id}/report-comment")
@allow(RESULT_RELEASERS, errors=(StaleVersion,))
async def write_comment(
    order_id: int, body: CommentWrite, work: InWork, response: Response
) -> OrderRead:
    """Write, change, or remove the comment on an order."""
    return set_etag(response, await comment.write_comment(work, order_id, body))


@router.get("/orders/{order_id}/tests")
@allow(ALL_ROLES)
async def list_order_tests(order_id: int, work: InWork) -> list[OrderedTestRead]:
    """The tests and panels of an order."""
    return await read.list_tests(work, order_id)


@router.get("/orders/{order_id}/results-types", responses={200: {"model": ResultsTypes}})
@allow(ALL_ROLES, transaction=False)
async def read_results_types(order_id: int, request: Request) -> Response:
    """The kinds of result that the order has."""
    types = await read.read_results_types(get_reader(request), order_id)
    return answer_shape(ResultsTypes, types)


@router.get("/orders/{order_id}/signature")
@allow(ALL_ROLES)
async def read_signature(order_id: int, work: InWork) -> SignatureRead:
    """The current signature, which the order shares with its requisition."""
    return await sign.read_signature(work, order_id)


@router.post("/orders/{order_id}/unsign")
@allow(UNSIGNERS, fresh_sign_in=True, errors=(StaleVersion,))
async def unsign_order(order_id: int, work: InWork, response: Response) -> OrderRead:
    """Remove the user's own signature."""
    return set_etag(response, await sign.unsign_order(work, order_id))
