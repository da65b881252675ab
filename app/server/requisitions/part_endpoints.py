"""/api/v2/requisitions: parts of a requisition, and the bill-to of several (O 7)."""

from typing import Annotated

from fastapi import Query, Response

from app.basics.errors import NotFound, StaleVersion
from app.contract.limits import BULK_IDS_MAX
from app.server.access.policy import ALL_ROLES, EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork, set_etag
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
from app.server.requisitions.service import bill_to as bill_to_service
from app.server.requisitions.service import copy, read, save

router = build_router("/api/v2/requisitions", "requisitions")


@router.put("/change-bill-to")
@allow(ORDERERS, errors=(NotFound, StaleVersion))
async def change_bill_to(
    work: InWork,
    body: BillToRequest | None = None,
    bill_to: Annotated[BillToWrite, Query(alias="billTo")] = None,
    ids: Annotated[list[RecordId] | None, Query(max_length=BULK_IDS_MAX)] = None,
) -> SignedList:
    """Change who pays for one or more requisitions, all or none; the body overrides the query."""
    query = BillToRequest(bill_to=bill_to, ids=ids or [])
    fields = body.model_dump(exclude_unset=True, exclude_none=True) if body else {}
    request = query.model_copy(update=fields)
    return await bill_to_service.change_bill_to(work, request)


@router.get("/{requisition_id}/billing-info")
@allow(ALL_ROLES)
async def read_billing_info(requisition_id: int, work: InWork) -> list[BillingInformation]:
    """The insurance rows to which a requisition is billed."""
    return await read.read_billing_info(work, requisition_id)


@router.get("/{requisition_id}/copy")
@allow(ORDERERS)
async def read_copy(requisition_id: int, work: InWork) -> CopyRead:
    """The initial content of a copy; nothing is saved."""
    return await copy.get_copy(work, requisition_id)


@router.get("/{requisition_id}/signatures")
@allow(ALL_ROLES)
async def read_signatures(requisition_id: int, work: InWork) -> list[SignatureHistoryRead]:
    """The current and earlier signatures, newest first."""
    return await read.read_signatures(work, requisition_id)


@router.post("/{requisition_id}/save-medications")
@allow(EDITORS, errors=(StaleVersion,))
async def save_medications(
    requisition_id: int, body: MedicationList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the medications."""
    return set_etag(response, await save.save_part(work, requisition_id, body))


@router.post("/{requisition_id}/save-diagnoses")
@allow(EDITORS, errors=(StaleVersion,))
async def save_diagnoses(
    requisition_id: int, body: DiagnosisList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the diagnoses."""
    return set_etag(response, await save.save_part(work, requisition_id, body))


@router.post("/{requisition_id}/save-billing-info")
@allow(ORDERERS, errors=(StaleVersion,))
async def save_billing_info(
    requisition_id: int, body: BillingInfoList, work: InWork, response: Response
) -> RequisitionRead:
    """Replace the insurance rows to bill."""
    return set_etag(response, await save.save_part(work, requisition_id, body))
