"""SQL of ZIP codes."""

from collections.abc import Collection

from sqlalchemy import or_, select

from app.server.addresses.models import ZipCode
from app.server.database.repository import Repository


class ZipCodeRepository(Repository):
    """ZIP codes, which everybody may read."""

    async def zip_code(self, code: str | None) -> ZipCode | None:
        """The ZIP code of five digits, or None when there is no such."""
        if not code:
            return None
        return await self.session.scalar(select(ZipCode).where(ZipCode.code == code))

    async def zip_code_by_id(self, zip_code_id: int | None) -> ZipCode | None:
        """The ZIP code of this id; None where none is given."""
        return await self.session.get(ZipCode, zip_code_id) if zip_code_id else None

    async def zip_codes(
        self, ids: Collection[int] = (), codes: Collection[str] = ()
    ) -> list[ZipCode]:
        """The ZIP codes of these ids and of these five digits; what does not exist is missing."""
        if not ids and not codes:
            return []
        wanted = or_(ZipCode.id.in_(list(ids)), ZipCode.code.in_(list(codes)))
        return list(await self.session.scalars(select(ZipCode).where(wanted)))
