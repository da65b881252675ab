"""SQL of drafts: the actor's own, and for jobs everybody's."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.server.audit.service import build_audit_insert, build_audit_parameters
from app.server.database.base import metadata
from app.server.database.repository import ScopedRepository, build_scope_predicate
from app.server.drafts.models import RequisitionDraft

DeletedDrafts = list[tuple[UUID, int | None]]
"""Ids and patient ids of deleted drafts that had content."""

_HAS_CONTENT = RequisitionDraft.content.is_not(None)
"""A row without content records a draft that was saved."""

_DELETE_COMPLETED = (
    "WITH deleted AS (DELETE FROM requisition_drafts WHERE id = %(draft)s::uuid "
    "AND user_id = nullif(%(user)s, '')::uuid "
    "RETURNING id, patient_id, content IS NOT NULL AS has_content) "
    + build_audit_insert(
        "remove",
        "patient-draft",
        "array_remove(ARRAY[deleted.patient_id], NULL)",
        detail="json_build_object('drafts', json_build_array(deleted.id))",
        of="FROM deleted WHERE deleted.has_content",
    )
)
_RECORD_COMPLETED = (
    "INSERT INTO requisition_drafts (id, user_id, requisition_id, saved_at) "
    "VALUES (%(draft)s::uuid, %(user)s::uuid, %(requisition)s, now()) ON CONFLICT DO NOTHING"
)


class DraftRepository(ScopedRepository):
    """The actor's own drafts."""

    async def list_newest(
        self, requisition_id: int | None, since: datetime, limit: int
    ) -> list[RequisitionDraft]:
        """Return the newest drafts of a requisition (None: of new ones), stored after ``since``."""
        same_requisition = (
            RequisitionDraft.requisition_id.is_(None)
            if requisition_id is None
            else RequisitionDraft.requisition_id == requisition_id
        )
        drafts = await self.session.scalars(
            select(RequisitionDraft)
            .where(
                self._is_own(), same_requisition, _HAS_CONTENT, RequisitionDraft.saved_at > since
            )
            .order_by(RequisitionDraft.saved_at.desc())
            .limit(limit)
        )
        return list(drafts)

    async def find_patient_of_requisition(self, requisition_id: int) -> int | None:
        """Return the id of a requisition's patient, or None if it is out of scope."""
        # The table is found by name, because the slice of requisitions imports this one.
        requisitions = metadata.tables["requisitions"]
        patient_id: int | None = await self.session.scalar(
            select(requisitions.c.patient_id).where(
                requisitions.c.id == requisition_id,
                build_scope_predicate("requisitions", self.actor),
            )
        )
        return patient_id

    async def update(self, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
        """Update and return the actor's draft, or None; a recorded requisition id stays."""
        requisition_id = func.coalesce(values["requisition_id"], RequisitionDraft.requisition_id)
        return await self.session.scalar(
            update(RequisitionDraft)
            .where(RequisitionDraft.id == draft_id, self._is_own())
            .values({**values, "requisition_id": requisition_id})
            .returning(RequisitionDraft)
            .execution_options(populate_existing=True)
        )

    async def create(self, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
        """Insert and return a draft; None when the id is in use, even by a hidden draft."""
        return await self.session.scalar(
            insert(RequisitionDraft)
            .values(id=draft_id, user_id=self.actor.user_id, **values)
            .on_conflict_do_nothing()
            .returning(RequisitionDraft)
            .execution_options(populate_existing=True)
        )

    def complete(self, draft_id: UUID, requisition_id: int, request_id: str) -> None:
        """Replace the actor's draft with a record of its requisition, with the commit.

        The deletion is audited if the draft had content.
        """
        values = {"draft": draft_id, "requisition": requisition_id}
        self.statements.add(
            _DELETE_COMPLETED, {**values, **build_audit_parameters(self.actor, request_id)}
        )
        self.statements.add(_RECORD_COMPLETED, values)

    async def delete(self, draft_id: UUID) -> DeletedDrafts | None:
        """Delete the actor's draft; return None when it does not exist."""
        return await self._delete(RequisitionDraft.id == draft_id, self._is_own())

    async def delete_beyond(self, limit: int) -> DeletedDrafts:
        """Delete the actor's drafts except the newest ones, up to ``limit``."""
        newest = (
            select(RequisitionDraft.id)
            .where(self._is_own(), _HAS_CONTENT)
            .order_by(RequisitionDraft.saved_at.desc())
            .limit(limit)
        )
        is_older = RequisitionDraft.id.not_in(newest)
        return await self._delete(self._is_own(), _HAS_CONTENT, is_older) or []

    async def delete_stored_before(self, time: datetime) -> DeletedDrafts:
        """Delete everybody's drafts, and records of saved drafts, from before ``time``."""
        return await self._delete(RequisitionDraft.saved_at < time) or []

    def _is_own(self) -> ColumnElement[bool]:
        return RequisitionDraft.user_id == self.actor.user_id

    async def _delete(self, *conditions: ColumnElement[bool]) -> DeletedDrafts | None:
        deleted_rows = await self.session.execute(
            delete(RequisitionDraft)
            .where(*conditions)
            .returning(
                RequisitionDraft.id, RequisitionDraft.patient_id, _HAS_CONTENT.label("has_content")
            )
        )
        rows = list(deleted_rows)
        return [(row.id, row.patient_id) for row in rows if row.has_content] if rows else None
