"""SQL of uploads that are under way."""

from datetime import timedelta

from sqlalchemy import delete, func

from app.server.attachments.models import PendingUpload
from app.server.database.repository import Repository


class UploadRepository(Repository):
    """Notes of bytes that are coming, until a record names them."""

    async def end(self, key: str) -> bool:
        """Remove the note of a key; whether it was still there."""
        ended = await self.session.scalar(
            delete(PendingUpload).where(PendingUpload.key == key).returning(PendingUpload.key)
        )
        return ended is not None

    async def remove_older(self, than: timedelta) -> list[str]:
        """Remove the notes that are older; their keys."""
        keys = await self.session.scalars(
            delete(PendingUpload)
            .where(PendingUpload.created_at < func.now() - than)
            .returning(PendingUpload.key)
        )
        return list(keys)
