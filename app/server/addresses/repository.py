"""SQL for ZIP codes."""

from collections.abc import Collection

from sqlalchemy import or_, select

from app.server.addresses.models import ZipCode
from app.server.database.repository import Repository


class ZipCodeRepository(Repository):
    """ZIP codes, which everybody may read."""

    async def find_zip_code(self, code: str | None) -> ZipCode | None:
        """Find a ZIP code by its five digits."""
        if not code:
            return None
        return await self.session.scalar(select(ZipCode).where(ZipCode.code == code))

    async def find_zip_code_by_id(self, zip_code_id: int | None) -> ZipCode | None:
        """Find a ZIP code by id; None for no id."""
        return await self.session.get(ZipCode, zip_code_id) if zip_code_id else None

    async def find_zip_codes(
        self, ids: Collection[int] = (), codes: Collection[str] = ()
    ) -> list[ZipCode]:
        """Find ZIP codes by ids and by five digits."""
        if not ids and not codes:
            return []
        condition = or_(ZipCode.id.in_(list(ids)), ZipCode.code.in_(list(codes)))
        return list(await self.session.scalars(select(ZipCode).where(condition)))
