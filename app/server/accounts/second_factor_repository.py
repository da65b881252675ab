"""SQL of second factors and recovery codes, for the gatekeeper."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, select, update

from app.server.accounts.models import RecoveryCode, SecondFactor, User
from app.server.database.repository import Repository
from app.server.lab_settings.models import LabSetting
from app.server.lab_settings.rules import SIGN_IN

HAS_SECOND_FACTOR: ColumnElement[bool] = (
    exists()
    .where(SecondFactor.user_id == User.id, SecondFactor.confirmed_at.is_not(None))
    .correlate(User)
)
"""Whether the user of a statement has a second factor."""
SIGN_IN_SETTING: ColumnElement[Any] = (
    select(LabSetting.value).where(LabSetting.name == SIGN_IN).scalar_subquery()
)
"""The lab's settings of sign-in; null if there are none."""


class SecondFactorRepository(Repository):
    """Second factors and recovery codes."""

    async def load_protection(self, user_id: UUID) -> tuple[bool, dict[str, Any]]:
        """Load whether a user has a second factor, and the lab's settings of sign-in."""
        row = (
            await self.session.execute(
                select(HAS_SECOND_FACTOR, SIGN_IN_SETTING).where(User.id == user_id)
            )
        ).one()
        return bool(row[0]), row[1] or {}

    async def lock_factor(self, user_id: UUID) -> SecondFactor | None:
        """Lock and return a user's second factor, so that concurrent uses of a code wait."""
        return await self.session.scalar(
            select(SecondFactor).where(SecondFactor.user_id == user_id).with_for_update()
        )

    async def use_recovery_code(self, user_id: UUID, code_hash: bytes, at: datetime) -> bool:
        """Mark a recovery code as used; return whether the user had this code, unused."""
        used_id = await self.session.scalar(
            update(RecoveryCode)
            .where(
                RecoveryCode.user_id == user_id,
                RecoveryCode.code_hash == code_hash,
                RecoveryCode.used_at.is_(None),
            )
            .values(used_at=at)
            .returning(RecoveryCode.id)
        )
        return used_id is not None

    async def count_recovery_codes(self, user_id: UUID) -> int:
        """Count the unused recovery codes of a user."""
        statement = select(func.count()).where(
            RecoveryCode.user_id == user_id, RecoveryCode.used_at.is_(None)
        )
        return await self.session.scalar(statement) or 0

    async def replace_recovery_codes(self, user_id: UUID, hashes: Sequence[bytes]) -> None:
        """Replace all recovery codes of a user."""
        await self.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
        for code_hash in hashes:
            await self.insert(RecoveryCode(user_id=user_id, code_hash=code_hash))

    async def delete_factor(self, user_id: UUID) -> None:
        """Delete a user's second factor and recovery codes."""
        await self.session.execute(delete(RecoveryCode).where(RecoveryCode.user_id == user_id))
        await self.session.execute(delete(SecondFactor).where(SecondFactor.user_id == user_id))
