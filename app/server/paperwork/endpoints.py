"""Labels (O 7), and prints of them."""

from typing import Annotated

from fastapi import Query, Request, Response

from app.basics.errors import Conflict, NotFound, TooManyTries
from app.contract.limits import TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.access.schemas import RecordId
from app.server.access.work import InWork
from app.server.paperwork.schemas import (
    LabelDpi,
    LabelJob,
    LabelPrintRead,
    LabelPrintRequest,
    LabelPrintStarted,
    LabelRead,
    LabelSize,
    PrintOutcomeWrite,
)
from app.server.paperwork.service import label_prints, labels
from app.server.paperwork.service.report import build_report_context

router = build_router("/api/v2/requisitions", "paperwork")

Ids = Annotated[list[RecordId], Query(min_length=1, max_length=TAKE_MAX)]


@router.get("/labels")
@allow(ALL_ROLES, transaction=False, errors=(Conflict, NotFound, TooManyTries))
async def read_labels_of_many(
    request: Request, ids: Ids, dpi: LabelDpi = "203", size: LabelSize = "2x1"
) -> list[LabelRead]:
    """The labels of up to 100 requisitions, in the order of the ids, to show on the screen."""
    stock = labels.build_stock(dpi, size)
    return await labels.render_labels(build_report_context(request), ids, stock)


@router.post("/label-prints")
@allow(ALL_ROLES, transaction=False, errors=(Conflict, NotFound, TooManyTries))
async def start_label_print(body: LabelPrintRequest, request: Request) -> LabelPrintStarted:
    """Record that labels are printed now, and draw them for the printer."""
    return await label_prints.start_print(build_report_context(request), body)


@router.put("/label-prints/{label_job}/outcome", status_code=204)
@allow(ALL_ROLES)
async def end_label_print(label_job: LabelJob, body: PrintOutcomeWrite, work: InWork) -> Response:
    """Record the outcome of a print job."""
    await label_prints.end_print(work, label_job, body)
    return Response(status_code=204)


@router.get("/{requisition_id}/labels")
@allow(ALL_ROLES, transaction=False, errors=(Conflict,))
async def read_labels(
    requisition_id: int, request: Request, dpi: LabelDpi = "203", size: LabelSize = "2x1"
) -> list[LabelRead]:
    """The labels of a requisition, to show on the screen."""
    stock = labels.build_stock(dpi, size)
    return await labels.render_labels(build_report_context(request), [requisition_id], stock)


@router.get("/{requisition_id}/label-prints")
@allow(ALL_ROLES)
async def list_label_prints(requisition_id: int, work: InWork) -> list[LabelPrintRead]:
    """Who printed the labels of a requisition, where, when, and with which outcome."""
    return await label_prints.list_prints(work, requisition_id)
