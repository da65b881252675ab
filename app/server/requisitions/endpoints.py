"""/api/v2/requisitions (O 7)."""

from typing import Annotated
from uuid import UUID

from fastapi import Query, Request, Response

from app.basics.errors import NotFound, StaleVersion, TooManyTries, WrongKind
from app.contract.limits import BULK_IDS_MAX
from app.server.access.policy import ALL_ROLES, EDITORS, SIGNING_BODY, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, set_etag
from app.server.drafts.service import complete_draft
from app.server.lists.counts import answer_status_counts, document_status_counts
from app.server.lists.document import document_page, document_rows
from app.server.lists.lookups import allow_parameters
from app.server.lists.service import answer_page, answer_rows_by_id
from app.server.requisitions import lists
from app.server.requisitions.rules import ORDERERS, SIGNERS, UNSIGNERS
from app.server.requisitions.schemas import (
    CancelRequest,
    RecordOfCode,
    RequisitionRead,
    RequisitionWrite,
    SignatureRead,
    SignedList,
    SignRequest,
)
from app.server.requisitions.service import bill_to, read, save, sign, status

router = build_router("/api/v2/requisitions", "requisitions")

DraftId = Annotated[UUID | None, Query(alias="draftId")]
"""The draft that the save replaces."""


@router.get("/remote-operations", **document_page(lists.requisitions))
@allow(ALL_ROLES, transaction=False)
async def list_requisitions(request: Request) -> Response:
    """The requisition search."""
    return await answer_page(request, lists.requisitions)


@router.get("/status-counts", **document_status_counts(lists.requisitions))
@allow(ALL_ROLES, transaction=False)
async def count_requisitions_by_status(request: Request) -> Response:
    """How many rows of the search each status has, whatever status is chosen."""
    return await answer_status_counts(request, lists.requisitions)


@router.get("/ids", **document_rows(lists.requisitions, ("ids",)))
@allow(ALL_ROLES, transaction=False)
async def list_requisitions_by_id(request: Request) -> Response:
    """The rows of these requisitions, without those outside the actor's scope."""
    return await answer_rows_by_id(request, lists.requisitions)


@router.get("/by-code", dependencies=[allow_parameters("code")])
@allow(ALL_ROLES)
async def find_requisition_by_code(work: InWork, code: str = "") -> RecordOfCode | None:
    """Find a requisition by its own code or its order's; null when there is none."""
    return await read.find_by_code(work, code)


@router.get("/without-insurance", dependencies=[allow_parameters("ids")])
@allow(EDITORS)
async def list_requisitions_without_insurance(
    work: InWork, ids: Annotated[list[RecordId], Query(min_length=1, max_length=BULK_IDS_MAX)]
) -> list[int]:
    """The ids of these requisitions that list no insurance, without those out of scope."""
    return await bill_to.list_without_insurance(work, ids)


@router.post("/sign-multiple")
@allow(SIGNERS, fresh_sign_in=True, body=SIGNING_BODY, errors=(NotFound, StaleVersion, WrongKind))
async def sign_requisitions(body: SignRequest, work: InWork) -> SignedList:
    """Sign one or more requisitions, all or none."""
    return await sign.sign_requisitions(work, body)


@router.get("/{requisition_id}")
@allow(ALL_ROLES)
async def read_requisition(
    requisition_id: int, work: InWork, response: Response
) -> RequisitionRead:
    """A requisition with all its parts."""
    return set_etag(response, await read.read_requisition(work, requisition_id))


@router.get("/{requisition_id}/signature")
@allow(ALL_ROLES)
async def read_signature(requisition_id: int, work: InWork) -> SignatureRead:
    """The current signature."""
    return await read.read_signature(work, requisition_id)


@router.post("", status_code=201)
@allow(ORDERERS, errors=(TooManyTries,))
async def create_requisition(
    body: RequisitionWrite, work: InWork, response: Response, draft_id: DraftId = None
) -> RequisitionRead:
    """Create a requisition."""
    requisition = await save.create_requisition(work, body)
    complete_draft(work, draft_id, requisition.id)
    return set_etag(response, requisition)


@router.post("/{requisition_id}")
@allow(EDITORS, errors=(StaleVersion, TooManyTries))
async def update_requisition(
    requisition_id: int,
    body: RequisitionWrite,
    work: InWork,
    response: Response,
    draft_id: DraftId = None,
) -> RequisitionRead:
    """Change a requisition."""
    requisition = await save.update_requisition(work, requisition_id, body)
    complete_draft(work, draft_id, requisition.id)
    return set_etag(response, requisition)


@router.post("/{requisition_id}/unsign")
@allow(UNSIGNERS, fresh_sign_in=True, errors=(StaleVersion,))
async def unsign_requisition(
    requisition_id: int, work: InWork, response: Response
) -> RequisitionRead:
    """Remove the user's own signature."""
    return set_etag(response, await sign.unsign_requisition(work, requisition_id))


@router.post("/{requisition_id}/cancel")
@allow(ORDERERS, errors=(StaleVersion,))
async def cancel_requisition(
    requisition_id: int, body: CancelRequest, work: InWork, response: Response
) -> RequisitionRead:
    """Cancel a pending requisition."""
    return set_etag(response, await status.cancel_requisition(work, requisition_id, body))
