"""Unsaved work on requisitions, kept so that a crash or a power cut loses none of it."""

import json
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from app.basics.clock import utc_now
from app.basics.errors import BadInput, FieldError, NotFound, TooLarge
from app.contract import messages
from app.contract.limits import (
    DRAFT_MAX_BYTES,
    DRAFT_MAX_DEPTH,
    DRAFTS_KEPT,
    DRAFTS_KEPT_DAYS,
)
from app.server.access.parts import Parts
from app.server.access.work import Work
from app.server.actor import worker
from app.server.drafts import rules
from app.server.drafts.repository import DraftRepository
from app.server.drafts.schemas import DraftRead, DraftWrite
from app.server.patients.repository import PatientRepository

_KEPT = timedelta(days=DRAFTS_KEPT_DAYS)
_SWEEPER = worker("forget old drafts")


async def list_drafts(work: Work, requisition_id: int | None) -> list[DraftRead]:
    """The actor's own drafts of a requisition (None: of new ones), newest first."""
    drafts = await work.repository(DraftRepository).drafts(
        requisition_id, utc_now() - _KEPT, DRAFTS_KEPT
    )
    if drafts:
        await _note(work, "read", [(draft.id, draft.patient_id) for draft in drafts])
    return [DraftRead.model_validate(draft) for draft in drafts]


async def keep_draft(work: Work, draft_id: UUID, body: DraftWrite) -> DraftRead:
    """Keep a draft, in place of its earlier state; the oldest beyond the limit go.

    Where the form's work was saved already, it is a draft of that requisition: its writer may
    not have heard of it, and a second one must not come of it.

    Raises:
        NotFound: the patient or the requisition is not the actor's, or the draft is another's.
        BadInput, TooLarge: its content is too deep or too long.
    """
    repository = work.repository(DraftRepository)
    await _check(work, repository, body)
    values = {
        "requisition_id": body.requisition_id,
        "patient_id": body.patient_id,
        "content": body.content,
        "saved_at": utc_now(),
    }
    draft = await repository.change(draft_id, values)
    if draft is None:
        draft = await repository.add(draft_id, values)
        if draft is not None:
            await _note_removed(work, await repository.remove_beyond(DRAFTS_KEPT))
        else:
            # Another save of it was first, at the same moment, and this is the later one. Or it
            # is there and not seen (another's, or about a patient who left the actor's clients):
            # then it stays untouched and looks as if it did not exist.
            draft = await repository.change(draft_id, values)
    if draft is None:
        raise NotFound(messages.NOT_FOUND)
    await _note(work, "keep", [(draft_id, body.patient_id)])
    return DraftRead.model_validate(draft)


def spend_draft(work: Work, draft_id: UUID | None, requisition_id: int) -> None:
    """Forget a draft with the commit of what it held.

    What it became stays known by its id, so that nothing that is kept or restored under it
    later makes the requisition a second time. Another's draft stays as it is.
    """
    if draft_id is not None:
        work.repository(DraftRepository).spend(draft_id, requisition_id, work.request_id)


async def drop_draft(work: Work, draft_id: UUID) -> None:
    """Forget a draft.

    Raises:
        NotFound: there is none of this id, or it is another's.
    """
    removed = await work.repository(DraftRepository).remove(draft_id)
    if removed is None:
        raise NotFound(messages.NOT_FOUND)
    await _note_removed(work, removed)


async def forget_old_drafts(portal: Parts) -> None:
    """Delete everybody's drafts that are too old to be offered."""
    async with portal.database.transaction(_SWEEPER) as session:
        work = Work(_SWEEPER, session, portal)
        await _note_removed(
            work, await work.repository(DraftRepository).remove_older(utc_now() - _KEPT)
        )


async def _check(work: Work, repository: DraftRepository, body: DraftWrite) -> None:
    if rules.is_deeper_than(DRAFT_MAX_DEPTH, body.content):
        raise BadInput.of(FieldError("content", messages.CONTENT_TOO_DEEP))
    if len(json.dumps(body.content)) > DRAFT_MAX_BYTES:
        raise TooLarge.of(FieldError("content", messages.BODY_TOO_LARGE))
    if body.patient_id is not None:
        patients = work.repository(PatientRepository)
        if await patients.patient(body.patient_id) is None:
            raise NotFound(messages.NOT_FOUND)
    if body.requisition_id is not None and not await repository.sees_requisition(
        body.requisition_id
    ):
        raise NotFound(messages.NOT_FOUND)


async def _note(work: Work, action: str, drafts: Sequence[tuple[UUID, int | None]]) -> None:
    """Journal an act on drafts: the entry names the patients they are about, if they are about
    one yet, and its detail the drafts, whose own ids are no numbers."""
    patients = list(dict.fromkeys(patient for _, patient in drafts if patient is not None))
    names = [str(draft) for draft, _ in drafts]
    await work.audit(action, "patient-draft", patients, {"drafts": names})


async def _note_removed(work: Work, removed: Sequence[tuple[UUID, int | None]]) -> None:
    if removed:
        await _note(work, "remove", removed)
