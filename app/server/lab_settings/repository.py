"""SQL for the lab's settings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select, text
from sqlalchemy.dialects.postgresql import insert

from app.contract.enumerations import ReasonKind
from app.contract.limits import LAB_DATA_HISTORY_MAX
from app.server.audit.models import AuditEvent
from app.server.database.repository import Repository
from app.server.lab_settings.fields import GROUPS
from app.server.lab_settings.models import CollectionSite, LabSetting, Reason

AUDIT_KIND = "lab-settings"
_CHANGE_LOCK = 6_301
"""The advisory lock of a change; a group may have no row yet that could be locked."""


@dataclass(frozen=True)
class StoredSettings:
    """The groups of settings; ``version`` grows with each change of one of them."""

    groups: Mapping[str, Mapping[str, Any]]
    version: int


@dataclass(frozen=True)
class StoredChange:
    """A change in the audit log: old and new values by the names of the fields."""

    at: datetime
    user: str | None
    detail: Mapping[str, Mapping[str, Any]]


class SettingRepository(Repository):
    """The lab's settings, in groups."""

    async def load_group(self, name: str) -> dict[str, Any]:
        """Load a group of settings; empty when the lab has set none."""
        value = await self.session.scalar(select(LabSetting.value).where(LabSetting.name == name))
        return value or {}

    async def lock_settings(self) -> None:
        """Wait until nobody else changes settings; the lock ends with the transaction."""
        await self.session.execute(select(func.pg_advisory_xact_lock(_CHANGE_LOCK)))

    async def knows_time_zone(self, name: str) -> bool:
        """Whether the database knows a time zone, in which it will date releases (ADR 45)."""
        statement = text("SELECT true FROM pg_timezone_names WHERE name = :name")
        return await self.session.scalar(statement, {"name": name}) is True

    async def load_settings(self) -> StoredSettings:
        """Load the settings of the lab's form."""
        statement = select(LabSetting.name, LabSetting.value, LabSetting.version)
        rows = (await self.session.execute(statement.where(LabSetting.name.in_(GROUPS)))).all()
        groups = {name: value for name, value, _ in rows}
        # A group that is saved for the first time adds 1, so every change raises the sum.
        return StoredSettings(groups, 1 + sum(version for _, _, version in rows))

    async def load_history(self) -> Sequence[StoredChange]:
        """Load the newest changes from the audit log."""
        statement = (
            select(AuditEvent.at, func.name_of_user(AuditEvent.user_id), AuditEvent.detail)
            .where(AuditEvent.kind == AUDIT_KIND, AuditEvent.action == "change")
            .order_by(AuditEvent.at.desc(), AuditEvent.id.desc())
            .limit(LAB_DATA_HISTORY_MAX)
        )
        rows = await self.session.execute(statement)
        return [StoredChange(at, user, detail or {}) for at, user, detail in rows]

    async def save_groups(self, groups: Mapping[str, Mapping[str, Any]]) -> None:
        """Insert or replace these groups."""
        for name, value in groups.items():
            statement = insert(LabSetting).values(name=name, value=value)
            await self.session.execute(
                statement.on_conflict_do_update(
                    index_elements=[LabSetting.name],
                    set_={"value": statement.excluded.value, "version": LabSetting.version + 1},
                )
            )


class ReasonRepository(Repository):
    """The lab's lists of reasons and of collection sites."""

    async def list_reasons(self, kind: ReasonKind) -> Sequence[Reason]:
        """Return the reasons of a kind, in the lab's order."""
        statement = (
            select(Reason)
            .where(Reason.kind == kind, Reason.active)
            .order_by(Reason.position, Reason.code)
        )
        return (await self.session.scalars(statement)).all()

    async def load_names(self, *kinds: ReasonKind) -> dict[ReasonKind, dict[str, str]]:
        """Load the lab's words for the reasons of these kinds, by code."""
        names, _ = await self.load_names_and_ended(*kinds)
        return names

    async def load_names_and_ended(
        self, *kinds: ReasonKind
    ) -> tuple[dict[ReasonKind, dict[str, str]], dict[ReasonKind, set[str]]]:
        """Load the words of ``load_names``, and the codes that the lab no longer uses."""
        rows = await self.session.scalars(select(Reason).where(Reason.kind.in_(kinds)))
        names: dict[ReasonKind, dict[str, str]] = {kind: {} for kind in kinds}
        ended_codes: dict[ReasonKind, set[str]] = {kind: set() for kind in kinds}
        for row in rows:
            names[ReasonKind(row.kind)][row.code] = row.words
            if not row.active:
                ended_codes[ReasonKind(row.kind)].add(row.code)
        return names, ended_codes

    async def list_collection_sites(self) -> Sequence[CollectionSite]:
        """Return the lab's collection sites, in its order."""
        statement = (
            select(CollectionSite)
            .where(CollectionSite.active)
            .order_by(CollectionSite.position, CollectionSite.name)
        )
        return (await self.session.scalars(statement)).all()
