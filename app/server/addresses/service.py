"""Looks ZIP codes up."""

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from app.server.access.schemas import Shape
from app.server.addresses.models import ZipCode


class ZipCodeShape(Shape):
    """A ZIP code with its place."""

    id: int
    code: str
    city: str
    state: str


async def zip_code(session: AsyncSession, code: str | None) -> ZipCode | None:
    """The ZIP code of five digits, or None when there is no such."""
    if not code:
        return None
    return await session.scalar(select(ZipCode).where(ZipCode.code == code))
