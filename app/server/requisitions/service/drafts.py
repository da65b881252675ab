"""Unsaved work on requisitions, kept so that a crash or a power cut loses none of it."""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.basics.clock import utc_now
from app.basics.errors import BadInput, FieldError, NotFound, TooLarge
from app.contract import messages
from app.contract.limits import (
    DRAFT_MAX_BYTES,
    DRAFT_MAX_DEPTH,
    DRAFTS_KEPT,
    DRAFTS_KEPT_DAYS,
)
from app.server.access.work import Work
from app.server.actor import worker
from app.server.patients.repository import PatientRepository
from app.server.requisitions import rules
from app.server.requisitions.models import RequisitionDraft
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import DraftRead, DraftWrite

if TYPE_CHECKING:
    from app.server.portal import Portal

_KEPT = timedelta(days=DRAFTS_KEPT_DAYS)
_SWEEPER = worker("forget old drafts")
_HELD = RequisitionDraft.content.is_not(None)


async def offered(work: Work, requisition_id: int | None) -> list[DraftRead]:
    """The actor's own drafts of a requisition (None: of new ones), newest first."""
    about = (
        RequisitionDraft.requisition_id.is_(None)
        if requisition_id is None
        else RequisitionDraft.requisition_id == requisition_id
    )
    found = await work.session.scalars(
        select(RequisitionDraft)
        .where(RequisitionDraft.user_id == work.actor.user_id, about, _HELD)
        .where(RequisitionDraft.saved_at > utc_now() - _KEPT)
        .order_by(RequisitionDraft.saved_at.desc())
        .limit(DRAFTS_KEPT)
    )
    drafts = list(found)
    if drafts:
        await _account(work, "read", [(draft.id, draft.patient_id) for draft in drafts])
    return [DraftRead.model_validate(draft) for draft in drafts]


async def keep(work: Work, draft_id: UUID, body: DraftWrite) -> DraftRead:
    """Keep a draft, in place of its earlier state; the oldest beyond the limit go.

    Where the form's work was saved already, it is a draft of that requisition: its writer may
    not have heard of it, and a second one must not come of it.

    Raises:
        NotFound: the patient or the requisition is not the actor's, or the draft is another's.
        BadInput, TooLarge: its content is too deep or too long.
    """
    if rules.is_deeper_than(DRAFT_MAX_DEPTH, body.content):
        text = messages.CONTENT_TOO_DEEP
        raise BadInput(text, errors=(FieldError("content", text),))
    if len(json.dumps(body.content)) > DRAFT_MAX_BYTES:
        text = messages.BODY_TOO_LARGE
        raise TooLarge(text, errors=(FieldError("content", text),))
    if body.patient_id is not None:
        patients = PatientRepository(work.session, work.actor)
        if await patients.patient(body.patient_id) is None:
            raise NotFound(messages.NOT_FOUND)
    if body.requisition_id is not None:
        requisitions = RequisitionRepository(work.session, work.actor)
        if await requisitions.requisition(body.requisition_id) is None:
            raise NotFound(messages.NOT_FOUND)
    values = {
        "requisition_id": body.requisition_id,
        "patient_id": body.patient_id,
        "content": body.content,
        "saved_at": utc_now(),
    }
    draft = await _changed(work, draft_id, values)
    if draft is None:
        draft = await _added(work, draft_id, values)
        if draft is not None:
            await _trim(work)
        else:
            # Another save of it was first, at the same moment, and this is the later one. Or it
            # is there and not seen (another's, or about a patient who left the actor's clients):
            # then it stays untouched and looks as if it did not exist.
            draft = await _changed(work, draft_id, values)
    if draft is None:
        raise NotFound(messages.NOT_FOUND)
    await _account(work, "keep", [(draft_id, body.patient_id)])
    return DraftRead.model_validate(draft)


async def spend(work: Work, draft_id: UUID | None, requisition_id: int) -> None:
    """Forget a draft in the same transaction that saves what it held.

    What it became stays known by its id, so that nothing that is kept or restored under it
    later makes the requisition a second time. Another's draft stays as it is.
    """
    if draft_id is None:
        return
    own = RequisitionDraft.user_id == work.actor.user_id
    await _remove(work, RequisitionDraft.id == draft_id, own)
    now = utc_now()
    spent = {"requisition_id": requisition_id, "content": None, "saved_at": now}
    await _added(work, draft_id, spent)


async def drop(work: Work, draft_id: UUID) -> None:
    """Forget a draft.

    Raises:
        NotFound: there is none of this id, or it is another's.
    """
    own = RequisitionDraft.user_id == work.actor.user_id
    if not await _remove(work, RequisitionDraft.id == draft_id, own):
        raise NotFound(messages.NOT_FOUND)


async def forget_old(portal: "Portal") -> None:
    """Delete everybody's drafts that are too old to be offered."""
    async with portal.database.transaction(_SWEEPER) as session:
        work = Work(_SWEEPER, session, portal)
        await _remove(work, RequisitionDraft.saved_at < utc_now() - _KEPT)


async def _changed(work: Work, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
    about = func.coalesce(values["requisition_id"], RequisitionDraft.requisition_id)
    return await work.session.scalar(
        update(RequisitionDraft)
        .where(RequisitionDraft.id == draft_id, RequisitionDraft.user_id == work.actor.user_id)
        .values({**values, "requisition_id": about})
        .returning(RequisitionDraft)
        .execution_options(populate_existing=True)
    )


async def _added(work: Work, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
    return await work.session.scalar(
        insert(RequisitionDraft)
        .values(id=draft_id, user_id=work.actor.user_id, **values)
        .on_conflict_do_nothing()
        .returning(RequisitionDraft)
        .execution_options(populate_existing=True)
    )


async def _account(work: Work, action: str, drafts: Sequence[tuple[UUID, int | None]]) -> None:
    """Journal an act on drafts: the entry names the patients they are about, if they are about
    one yet, and its detail the drafts, whose own ids are no numbers."""
    patients = rules.unique(patient for _, patient in drafts if patient is not None)
    names = [str(draft) for draft, _ in drafts]
    await work.audit(action, "patient-draft", patients, {"drafts": names})


async def _trim(work: Work) -> None:
    kept = (
        select(RequisitionDraft.id)
        .where(RequisitionDraft.user_id == work.actor.user_id, _HELD)
        .order_by(RequisitionDraft.saved_at.desc())
        .limit(DRAFTS_KEPT)
    )
    own = RequisitionDraft.user_id == work.actor.user_id
    await _remove(work, own, _HELD, RequisitionDraft.id.not_in(kept))


async def _remove(work: Work, *which: ColumnElement[bool]) -> bool:
    """Delete these drafts and journal those that held something; whether there were any."""
    gone = await work.session.execute(
        delete(RequisitionDraft)
        .where(*which)
        .returning(RequisitionDraft.id, RequisitionDraft.patient_id, _HELD.label("held"))
    )
    drafts = list(gone)
    if held := [(row.id, row.patient_id) for row in drafts if row.held]:
        await _account(work, "remove", held)
    return bool(drafts)
