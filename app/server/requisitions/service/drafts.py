"""Unsaved work on requisitions, kept so that a crash or a power cut loses none of it."""

import json
from datetime import timedelta
from uuid import UUID

from sqlalchemy import delete, select
from sqlalchemy.dialects.postgresql import insert

from app.basics.clock import utc_now
from app.basics.errors import BadInput, FieldError, NotFound
from app.contract import messages
from app.contract.limits import DRAFT_MAX_BYTES, DRAFTS_KEPT, DRAFTS_KEPT_DAYS
from app.server.access.work import Work
from app.server.patients.repository import PatientRepository
from app.server.requisitions.models import RequisitionDraft
from app.server.requisitions.repository import RequisitionRepository
from app.server.requisitions.schemas import DraftRead, DraftWrite


async def offered(work: Work, requisition_id: int | None) -> list[DraftRead]:
    """The actor's own drafts of a requisition (None: of new ones), newest first."""
    about = (
        RequisitionDraft.requisition_id.is_(None)
        if requisition_id is None
        else RequisitionDraft.requisition_id == requisition_id
    )
    found = await work.session.scalars(
        select(RequisitionDraft)
        .where(RequisitionDraft.user_id == work.actor.user_id, about)
        .where(RequisitionDraft.saved_at > utc_now() - timedelta(days=DRAFTS_KEPT_DAYS))
        .order_by(RequisitionDraft.saved_at.desc())
        .limit(DRAFTS_KEPT)
    )
    drafts = list(found)
    patients = [draft.patient_id for draft in drafts if draft.patient_id is not None]
    if patients:
        await work.audit("read", "requisition_draft", patients)
    return [DraftRead.model_validate(draft) for draft in drafts]


async def keep(work: Work, draft_id: UUID, body: DraftWrite) -> DraftRead:
    """Keep a draft, in place of its earlier state; the oldest beyond the limit go.

    Raises:
        NotFound: the patient or the requisition is not the actor's, or the draft is another's.
        BadInput: it is too large.
    """
    if len(json.dumps(body.content)) > DRAFT_MAX_BYTES:
        text = messages.BODY_TOO_LARGE
        raise BadInput(text, errors=(FieldError("content", text),))
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
    existing = await work.session.get(RequisitionDraft, draft_id, with_for_update=True)
    if existing is None:
        # A draft of this id may be there and not be seen (another's, or about a patient who left
        # the actor's clients): it stays untouched and looks as if it did not exist.
        added = await work.session.scalar(
            insert(RequisitionDraft)
            .values(id=draft_id, user_id=work.actor.user_id, **values)
            .on_conflict_do_nothing()
            .returning(RequisitionDraft.id)
        )
        if added is None:
            raise NotFound(messages.NOT_FOUND)
        await _trim(work)
    else:
        for name, value in values.items():
            setattr(existing, name, value)
        await work.session.flush()
    return DraftRead(id=draft_id, **values)


async def drop(work: Work, draft_id: UUID) -> None:
    """Forget a draft.

    Raises:
        NotFound: there is none of this id, or it is another's.
    """
    dropped = await work.session.scalar(
        delete(RequisitionDraft)
        .where(RequisitionDraft.id == draft_id, RequisitionDraft.user_id == work.actor.user_id)
        .returning(RequisitionDraft.id)
    )
    if dropped is None:
        raise NotFound(messages.NOT_FOUND)


async def _trim(work: Work) -> None:
    kept = (
        select(RequisitionDraft.id)
        .where(RequisitionDraft.user_id == work.actor.user_id)
        .order_by(RequisitionDraft.saved_at.desc())
        .limit(DRAFTS_KEPT)
    )
    await work.session.execute(
        delete(RequisitionDraft).where(
            RequisitionDraft.user_id == work.actor.user_id, RequisitionDraft.id.not_in(kept)
        )
    )
