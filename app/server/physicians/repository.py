"""SQL of one physician."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.physicians.models import Physician


async def physician(session: AsyncSession, physician_id: int | None) -> Physician | None:
    """A physician by id."""
    if physician_id is None:
        return None
    return await session.scalar(select(Physician).where(Physician.id == physician_id))


async def by_npi(session: AsyncSession, npi: str | None) -> Physician | None:
    """A physician by NPI."""
    if not npi:
        return None
    return await session.scalar(select(Physician).where(Physician.npi == npi))
