"""/api/v2/requisitions/drafts: unsaved requisitions, visible only to their writer."""

from typing import Annotated
from uuid import UUID

from fastapi import Query

from app.server.access.policy import EDITORS, allow
from app.server.access.routing import build_router
from app.server.access.work import InWork
from app.server.drafts import service
from app.server.drafts.schemas import DraftRead, DraftWrite

router = build_router("/api/v2/requisitions/drafts", "requisitions")


@router.get("")
@allow(EDITORS)
async def offer_drafts(
    work: InWork, requisition_id: Annotated[int | None, Query(alias="requisitionId")] = None
) -> list[DraftRead]:
    """The actor's own drafts of a requisition; without an id, those of new requisitions."""
    return await service.list_drafts(work, requisition_id)


@router.put("/{draft_id}")
@allow(EDITORS, repeatable=True)
async def keep_draft(draft_id: UUID, body: DraftWrite, work: InWork) -> DraftRead:
    """Store a draft."""
    return await service.store_draft(work, draft_id, body)


@router.delete("/{draft_id}", status_code=204)
@allow(EDITORS)
async def drop_draft(draft_id: UUID, work: InWork) -> None:
    """Delete a draft."""
    await service.delete_draft(work, draft_id)
