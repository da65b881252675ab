"""SQL for the lab's settings."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from app.contract.enumerations import ReasonKind
from app.server.database.repository import Repository
from app.server.lab_settings.models import CollectionSite, LabSetting, Reason


class SettingRepository(Repository):
    """The lab's settings, in groups."""

    async def load_group(self, name: str) -> dict[str, Any]:
        """Load a group of settings; empty when the lab has set none."""
        value = await self.session.scalar(select(LabSetting.value).where(LabSetting.name == name))
        return value or {}


class ReasonRepository(Repository):
    """The lab's lists of reasons and of collection sites."""

    async def list_reasons(self, kind: ReasonKind) -> Sequence[Reason]:
        """Return the reasons of a kind, in the lab's order."""
        statement = select(Reason).where(Reason.kind == kind).order_by(Reason.position)
        return (await self.session.scalars(statement)).all()

    async def load_words(self, *kinds: ReasonKind) -> dict[ReasonKind, dict[str, str]]:
        """Load the lab's words for the reasons of these kinds, by code."""
        rows = await self.session.scalars(select(Reason).where(Reason.kind.in_(kinds)))
        words: dict[ReasonKind, dict[str, str]] = {kind: {} for kind in kinds}
        for row in rows:
            words[ReasonKind(row.kind)][row.code] = row.words
        return words

    async def list_collection_sites(self) -> Sequence[CollectionSite]:
        """Return the lab's collection sites, in its order."""
        statement = select(CollectionSite).order_by(CollectionSite.position)
        return (await self.session.scalars(statement)).all()
