"""/api/v2/requisitions: parts of a requisition, and bill-to of many (O 7)."""

from typing import Annotated

from fastapi import Query, Response

from app.contract.limits import BULK_IDS_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import portal_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, with_etag
from app.server.requisitions.rules import ORDERERS
from app.server.requisitions.schemas import (
    BillingInfoList,
    BillingInformation,
    BillToRequest,
    BillToWrite,
    CopyRead,
    DiagnosisList,
    MedicationList,
    RequisitionRead,
    SignatureHistoryRead,
    SignedList,
)
from app.server.requisitions.service import bill_to as bill_to_of_many
from app.server.requisitions.service import copy, read, save

router = portal_router("/api/v2/requisitions", "requisitions")


@router.put("/change-bill-to")
@allow(ORDERERS)
async def change_bill_to(
    work: InWork,
    body: BillToRequest | None = None,
    bill_to: Annotated[BillToWrite, Query(alias="billTo")] = None,
    ids: Annotated[list[RecordId] | None, Query(max_length=BULK_IDS_MAX)] = None,
) -> SignedList:
    """Update Bill To of one or many, all or none; each field in the body, or in the query."""
    of_query = BillToRequest(bill_to=bill_to, ids=ids or [])
    of_body = body.model_dump(exclude_unset=True, exclude_none=True) if body else {}
    wanted = of_query.model_copy(update=of_body)
    return await bill_to_of_many.change_bill_to(work, wanted)


@router.get("/{requisition_id}/billing-info")
@allow(ALL_ROLES)
async def read_billing_info(requisition_id: int, work: InWork) -> list[BillingInformation]:
    """The insurance rows to which a requisition is billed."""
    return await read.billing_info(work, requisition_id)


@router.get("/{requisition_id}/copy")
@allow(ORDERERS)
async def read_copy(requisition_id: int, work: InWork) -> CopyRead:
    """What a copy of a requisition begins with; nothing is saved."""
    return await copy.copied(work, requisition_id)


@router.get("/{requisition_id}/signatures")
@allow(ALL_ROLES)
async def read_signatures(requisition_id: int, work: InWork) -> list[SignatureHistoryRead]:
    """Every signature there has been, the newest first."""
    return await read.signatures(work, requisition_id)


@router.post("/{requisition_id}/save-medications")
@allow(ORDERERS)
async def save_medications(
    requisition_id: int, body: MedicationList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the medications."""
    return with_etag(response, await save.save_part(work, requisition_id, body))


@router.post("/{requisition_id}/save-diagnoses")
@allow(ORDERERS)
async def save_diagnoses(
    requisition_id: int, body: DiagnosisList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the diagnoses."""
    return with_etag(response, await save.save_part(work, requisition_id, body))


@router.post("/{requisition_id}/save-billing-info")
@allow(ORDERERS)
async def save_billing_info(
    requisition_id: int, body: BillingInfoList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the insurance rows to bill to."""
    return with_etag(response, await save.save_part(work, requisition_id, body))
