"""Looks ZIP codes up."""

from collections.abc import Collection

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.addresses.models import ZipCode


async def zip_code(session: AsyncSession, code: str | None) -> ZipCode | None:
    """The ZIP code of five digits, or None when there is no such."""
    if not code:
        return None
    return await session.scalar(select(ZipCode).where(ZipCode.code == code))


async def zip_codes(
    session: AsyncSession, ids: Collection[int] = (), codes: Collection[str] = ()
) -> list[ZipCode]:
    """The ZIP codes of these ids and of these five digits; what does not exist is missing."""
    if not ids and not codes:
        return []
    wanted = or_(ZipCode.id.in_(list(ids)), ZipCode.code.in_(list(codes)))
    return list(await session.scalars(select(ZipCode).where(wanted)))
