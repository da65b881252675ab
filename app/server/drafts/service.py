"""Stores unsaved requisitions, so that a crash or a power failure loses no work."""

import json
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from app.basics.clock import get_utc_now
from app.basics.errors import BadInput, FieldError, NotFound, TooLarge
from app.contract import messages
from app.contract.limits import (
    DRAFT_MAX_BYTES,
    DRAFT_MAX_DEPTH,
    DRAFT_RETENTION_DAYS,
    DRAFTS_MAX,
)
from app.server.access.parts import PortalParts
from app.server.access.work import Work
from app.server.actor import build_worker_actor
from app.server.drafts import rules
from app.server.drafts.repository import DraftRepository
from app.server.drafts.schemas import DraftRead, DraftWrite
from app.server.patients.repository import PatientRepository

_LIFETIME = timedelta(days=DRAFT_RETENTION_DAYS)
_CLEANER = build_worker_actor("forget old drafts")


async def list_drafts(work: Work, requisition_id: int | None) -> list[DraftRead]:
    """Return the actor's drafts of a requisition, or of new ones when None, newest first."""
    drafts = await work.build_repository(DraftRepository).list_newest(
        requisition_id, get_utc_now() - _LIFETIME, DRAFTS_MAX
    )
    if drafts:
        await _audit_drafts(work, "read", [(draft.id, draft.patient_id) for draft in drafts])
    return [DraftRead.model_validate(draft) for draft in drafts]


async def store_draft(work: Work, draft_id: UUID, body: DraftWrite) -> DraftRead:
    """Create or update a draft, and delete the oldest drafts beyond the limit.

    If the draft was already saved, it becomes a draft of that requisition. The form may not have
    received the answer to its save, and must not create a second requisition.

    Raises:
        NotFound: the patient or the requisition is out of scope, or the draft is another user's.
        BadInput, TooLarge: the content is too deep or too long.
    """
    repository = work.build_repository(DraftRepository)
    await _validate_draft(work, repository, body)
    values = {
        "requisition_id": body.requisition_id,
        "patient_id": body.patient_id,
        "content": body.content,
        "saved_at": get_utc_now(),
    }
    draft = await repository.update(draft_id, values)
    if draft is None:
        draft = await repository.create(draft_id, values)
        if draft is not None:
            await _audit_deleted(work, await repository.delete_beyond(DRAFTS_MAX))
        else:
            # A concurrent request created it, and this one updates it. Or the draft is hidden: it
            # belongs to another user, or its patient left the actor's scope. A hidden draft stays
            # as it is and looks nonexistent.
            draft = await repository.update(draft_id, values)
    if draft is None:
        raise NotFound(messages.NOT_FOUND)
    await _audit_drafts(work, "keep", [(draft_id, body.patient_id)])
    return DraftRead.model_validate(draft)


def complete_draft(work: Work, draft_id: UUID | None, requisition_id: int) -> None:
    """Delete a draft with the commit that saves its content as a requisition.

    The draft's id stays recorded with the requisition, so that a later save under this id does not
    create the requisition twice. Another user's draft stays as it is.
    """
    if draft_id is not None:
        work.build_repository(DraftRepository).complete(draft_id, requisition_id, work.request_id)


async def delete_draft(work: Work, draft_id: UUID) -> None:
    """Delete a draft.

    Raises:
        NotFound: the draft does not exist, or is another user's.
    """
    deleted_drafts = await work.build_repository(DraftRepository).delete(draft_id)
    if deleted_drafts is None:
        raise NotFound(messages.NOT_FOUND)
    await _audit_deleted(work, deleted_drafts)


async def delete_old_drafts(portal: PortalParts) -> None:
    """Delete everybody's drafts that have expired."""
    async with portal.database.transaction(_CLEANER) as transaction:
        work = Work(transaction, portal)
        repository = work.build_repository(DraftRepository)
        await _audit_deleted(work, await repository.delete_stored_before(get_utc_now() - _LIFETIME))


async def _validate_draft(work: Work, repository: DraftRepository, body: DraftWrite) -> None:
    if rules.is_deeper_than(DRAFT_MAX_DEPTH, body.content):
        raise BadInput.of(FieldError("content", messages.CONTENT_TOO_DEEP))
    if len(json.dumps(body.content)) > DRAFT_MAX_BYTES:
        raise TooLarge.of(FieldError("content", messages.BODY_TOO_LARGE))
    edited_patient_id = None
    if body.requisition_id is not None:
        edited_patient_id = await repository.find_patient_of_requisition(body.requisition_id)
        if edited_patient_id is None:
            raise NotFound(messages.NOT_FOUND)
    # A physician's requisition may have another physician's patient.
    if body.patient_id is not None and body.patient_id != edited_patient_id:
        patients = work.build_repository(PatientRepository)
        if await patients.find_patient(body.patient_id) is None:
            raise NotFound(messages.NOT_FOUND)


async def _audit_drafts(work: Work, action: str, drafts: Sequence[tuple[UUID, int | None]]) -> None:
    """Audit an action on drafts, with the ids of their patients.

    The detail contains the ids of the drafts, which are not numbers.
    """
    patient_ids = list(dict.fromkeys(patient for _, patient in drafts if patient is not None))
    draft_ids = [str(draft) for draft, _ in drafts]
    await work.audit(action, "patient-draft", patient_ids, {"drafts": draft_ids})


async def _audit_deleted(work: Work, deleted_drafts: Sequence[tuple[UUID, int | None]]) -> None:
    if deleted_drafts:
        await _audit_drafts(work, "remove", deleted_drafts)
