"""SQL of drafts: each person's own, and for background work everybody's."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.server.audit.service import audit_insert, audit_parameters
from app.server.database.base import metadata
from app.server.database.repository import ScopedRepository, in_scope
from app.server.database.statements import statements_of
from app.server.drafts.models import RequisitionDraft

Removed = list[tuple[UUID, int | None]]
"""Drafts that held something and are gone, with the patients they were about."""

_HELD = RequisitionDraft.content.is_not(None)
"""A row without content is the memory of a draft that was saved."""


_SPEND = (
    "WITH gone AS (DELETE FROM requisition_drafts WHERE id = %(draft)s::uuid "
    "AND user_id = nullif(%(user)s, '')::uuid "
    "RETURNING id, patient_id, content IS NOT NULL AS held) "
    + audit_insert(
        "remove",
        "patient-draft",
        "array_remove(ARRAY[gone.patient_id], NULL)",
        detail="json_build_object('drafts', json_build_array(gone.id))",
        of="FROM gone WHERE gone.held",
    )
)
_REMEMBER = (
    "INSERT INTO requisition_drafts (id, user_id, requisition_id, saved_at) "
    "VALUES (%(draft)s::uuid, %(user)s::uuid, %(requisition)s, now()) ON CONFLICT DO NOTHING"
)


class DraftRepository(ScopedRepository):
    """The actor's own drafts."""

    async def drafts(
        self, requisition_id: int | None, since: datetime, most: int
    ) -> list[RequisitionDraft]:
        """The newest drafts of a requisition (None: of new ones) kept after ``since``."""
        about = (
            RequisitionDraft.requisition_id.is_(None)
            if requisition_id is None
            else RequisitionDraft.requisition_id == requisition_id
        )
        drafts = await self.session.scalars(
            select(RequisitionDraft)
            .where(self._own(), about, _HELD, RequisitionDraft.saved_at > since)
            .order_by(RequisitionDraft.saved_at.desc())
            .limit(most)
        )
        return list(drafts)

    async def sees_requisition(self, requisition_id: int) -> bool:
        """Whether a requisition is the actor's.

        By the table's name: the slice of requisitions stands above this one, and spends drafts.
        """
        requisitions = metadata.tables["requisitions"]
        seen = await self.session.scalar(
            select(requisitions.c.id).where(
                requisitions.c.id == requisition_id, in_scope("requisitions", self.actor)
            )
        )
        return seen is not None

    async def change(self, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
        """The actor's draft with these values; None when there is none. What it became stays."""
        about = func.coalesce(values["requisition_id"], RequisitionDraft.requisition_id)
        return await self.session.scalar(
            update(RequisitionDraft)
            .where(RequisitionDraft.id == draft_id, self._own())
            .values({**values, "requisition_id": about})
            .returning(RequisitionDraft)
            .execution_options(populate_existing=True)
        )

    async def add(self, draft_id: UUID, values: dict[str, Any]) -> RequisitionDraft | None:
        """A new draft; None when the id is taken, whether or not the actor sees by what."""
        return await self.session.scalar(
            insert(RequisitionDraft)
            .values(id=draft_id, user_id=self.actor.user_id, **values)
            .on_conflict_do_nothing()
            .returning(RequisitionDraft)
            .execution_options(populate_existing=True)
        )

    def spend(self, draft_id: UUID, requisition_id: int, request_id: str) -> None:
        """Put the memory of a requisition in place of the actor's draft, with the commit; the
        journal says that the draft is gone, if it held something."""
        statements = statements_of(self.session)
        values = {"draft": draft_id, "requisition": requisition_id}
        statements.add(_SPEND, {**values, **audit_parameters(self.actor, request_id)})
        statements.add(_REMEMBER, values)

    async def remove(self, draft_id: UUID) -> Removed | None:
        """Delete the actor's draft; None when there is none."""
        return await self._remove(RequisitionDraft.id == draft_id, self._own())

    async def remove_beyond(self, most: int) -> Removed:
        """Delete the actor's oldest drafts beyond the newest ``most``."""
        newest = (
            select(RequisitionDraft.id)
            .where(self._own(), _HELD)
            .order_by(RequisitionDraft.saved_at.desc())
            .limit(most)
        )
        return await self._remove(self._own(), _HELD, RequisitionDraft.id.not_in(newest)) or []

    async def remove_older(self, than: datetime) -> Removed:
        """Delete everybody's drafts, and memories of drafts, kept before ``than``."""
        return await self._remove(RequisitionDraft.saved_at < than) or []

    def _own(self) -> ColumnElement[bool]:
        return RequisitionDraft.user_id == self.actor.user_id

    async def _remove(self, *which: ColumnElement[bool]) -> Removed | None:
        gone = await self.session.execute(
            delete(RequisitionDraft)
            .where(*which)
            .returning(RequisitionDraft.id, RequisitionDraft.patient_id, _HELD.label("held"))
        )
        rows = list(gone)
        return [(row.id, row.patient_id) for row in rows if row.held] if rows else None
