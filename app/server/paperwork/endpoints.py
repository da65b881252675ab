"""Labels (O 7)."""

from typing import Annotated

from fastapi import Query, Request

from app.contract.limits import TAKE_MAX
from app.server.access.policy import ALL_ROLES, allow
from app.server.access.routing import build_router
from app.server.paperwork.schemas import LabelRead
from app.server.paperwork.service import labels
from app.server.paperwork.service.report import build_desk

router = build_router("/api/v2/requisitions", "paperwork")

Ids = Annotated[list[int], Query(min_length=1, max_length=TAKE_MAX)]


@router.get("/labels")
@allow(ALL_ROLES, transaction=False)
async def labels_of_many(request: Request, ids: Ids) -> list[LabelRead]:
    """The labels of up to 100 requisitions, in the order of the ids."""
    return await labels.render_labels(build_desk(request), ids)


@router.get("/{requisition_id}/labels")
@allow(ALL_ROLES, transaction=False)
async def requisition_labels(requisition_id: int, request: Request) -> list[LabelRead]:
    """The labels of a requisition."""
    return await labels.render_labels(build_desk(request), [requisition_id])
