"""SQL of acceptances."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from app.server.database.repository import Repository
from app.server.legal.models import LegalAcceptance
from app.server.legal.rules import LegalDocument


class LegalRepository(Repository):
    """The acceptances of the actor."""

    async def load_accepted_times(self) -> dict[tuple[str, str], datetime]:
        """Load the times at which the actor accepted documents, by document and version."""
        rows = await self.session.scalars(
            select(LegalAcceptance).where(LegalAcceptance.user_id == self.actor.user_id)
        )
        return {(row.document, row.version): row.accepted_at for row in rows}

    async def add(self, document: LegalDocument, version: str) -> bool:
        """Record that the actor accepts a version, and return False if that was recorded before."""
        values = {"user_id": self.actor.user_id, "document": document, "version": version}
        statement = insert(LegalAcceptance).values(values).on_conflict_do_nothing()
        added_id = await self.session.scalar(statement.returning(LegalAcceptance.id))
        return added_id is not None
