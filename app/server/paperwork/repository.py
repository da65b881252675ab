"""SQL of prints of labels."""

from collections.abc import Collection

from sqlalchemy import func, select

from app.server.database.repository import (
    ScopedRepository,
    build_ids_condition,
    build_scope_predicate,
)
from app.server.paperwork.models import LabelPrint
from app.server.requisitions.models import Requisition

_LOCK_SPACE = 7_305_120
"""The first number of the advisory lock that lets one print at a time count the copies."""


class LabelPrintRepository(ScopedRepository):
    """Prints of requisitions' labels within the actor's scope."""

    async def lock_copies(self, requisition_ids: Collection[int]) -> None:
        """Wait until no other transaction counts copies of these requisitions."""
        for requisition_id in sorted(requisition_ids):
            await self.session.execute(
                select(func.pg_advisory_xact_lock(_LOCK_SPACE, requisition_id % 2**31))
            )

    async def list_by_requisitions(self, requisition_ids: Collection[int]) -> list[LabelPrint]:
        """Return the prints of these requisitions, which the caller has checked; newest first."""
        prints = await self.session.scalars(
            select(LabelPrint)
            .where(build_ids_condition(LabelPrint.requisition_id, requisition_ids))
            .order_by(LabelPrint.id.desc())
        )
        return list(prints)

    async def list_by_job(self, job: str) -> list[LabelPrint]:
        """Return the parts of a print job in the actor's scope."""
        prints = await self.session.scalars(
            select(LabelPrint)
            .join(Requisition, Requisition.id == LabelPrint.requisition_id)
            .where(LabelPrint.job == job, build_scope_predicate(Requisition, self.actor))
            .with_for_update(of=LabelPrint)
        )
        return list(prints)
