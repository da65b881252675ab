"""SQL of one physician."""

from collections.abc import Sequence

from sqlalchemy import select

from app.server.database.repository import Repository, among
from app.server.physicians.models import Physician


class PhysicianRepository(Repository):
    """The directory of physicians, which everybody may read."""

    async def physician(self, physician_id: int | None) -> Physician | None:
        """A physician by id."""
        if physician_id is None:
            return None
        return await self.session.scalar(select(Physician).where(Physician.id == physician_id))

    async def physicians(self, ids: Sequence[int]) -> list[Physician]:
        """The physicians of these ids; unknown ones are missing."""
        return list(await self.session.scalars(select(Physician).where(among(Physician.id, ids))))

    async def by_npi(self, npi: str | None) -> Physician | None:
        """A physician by NPI."""
        if not npi:
            return None
        return await self.session.scalar(select(Physician).where(Physician.npi == npi))
