"""SQL for physicians."""

from collections.abc import Sequence

from sqlalchemy import select

from app.server.database.repository import Repository, build_ids_condition
from app.server.physicians.models import Physician


class PhysicianRepository(Repository):
    """The directory of physicians, which every user may read."""

    async def find_physician(self, physician_id: int | None) -> Physician | None:
        """Find a physician by id."""
        if physician_id is None:
            return None
        return await self.session.scalar(select(Physician).where(Physician.id == physician_id))

    async def list_physicians(self, ids: Sequence[int]) -> list[Physician]:
        """Return the physicians with these ids."""
        return list(
            await self.session.scalars(
                select(Physician).where(build_ids_condition(Physician.id, ids))
            )
        )

    async def find_by_npi(self, npi: str | None) -> Physician | None:
        """Find a physician by NPI."""
        if not npi:
            return None
        return await self.session.scalar(select(Physician).where(Physician.npi == npi))
