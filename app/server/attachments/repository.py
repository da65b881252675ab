"""SQL for uploads in progress."""

from datetime import timedelta

from sqlalchemy import delete, func

from app.server.attachments.models import PendingUpload
from app.server.database.repository import Repository


class UploadRepository(Repository):
    """Pending uploads."""

    async def delete(self, key: str) -> bool:
        """Delete a pending upload, and return whether it still existed."""
        deleted_key = await self.session.scalar(
            delete(PendingUpload).where(PendingUpload.key == key).returning(PendingUpload.key)
        )
        return deleted_key is not None

    async def delete_older(self, age: timedelta) -> list[str]:
        """Delete pending uploads older than this age, and return their keys."""
        keys = await self.session.scalars(
            delete(PendingUpload)
            .where(PendingUpload.created_at < func.now() - age)
            .returning(PendingUpload.key)
        )
        return list(keys)
