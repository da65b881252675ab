"""SQL for the lab's settings."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from app.contract.enumerations import ReasonKind
from app.server.database.repository import Repository
from app.server.lab_settings.models import LabSetting, Reason


class SettingRepository(Repository):
    """The lab's settings, in groups."""

    async def load_group(self, name: str) -> dict[str, Any]:
        """Load a group of settings; empty when the lab has set none."""
        value = await self.session.scalar(select(LabSetting.value).where(LabSetting.name == name))
        return value or {}


class ReasonRepository(Repository):
    """The lab's lists of reasons."""

    async def list_reasons(self, kind: ReasonKind) -> Sequence[Reason]:
        """Return the reasons of a kind, in the lab's order."""
        statement = select(Reason).where(Reason.kind == kind).order_by(Reason.position)
        return (await self.session.scalars(statement)).all()
