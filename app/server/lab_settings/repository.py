"""SQL for the lab's settings."""

from typing import Any

from sqlalchemy import select

from app.server.database.repository import Repository
from app.server.lab_settings.models import LabSetting


class SettingRepository(Repository):
    """The lab's settings, in groups."""

    async def load_group(self, name: str) -> dict[str, Any]:
        """Load a group of settings; empty when the lab has set none."""
        value = await self.session.scalar(select(LabSetting.value).where(LabSetting.name == name))
        return value or {}
