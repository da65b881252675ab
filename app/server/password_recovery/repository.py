"""SQL of password recoveries, for the gatekeeper."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update

from app.server.accounts.models import User
from app.server.database.repository import Repository
from app.server.password_recovery.models import PasswordRecovery
from app.server.transmissions.rules import RetryPolicy


class RecoveryRepository(Repository):
    """Requests for new passwords."""

    async def claim_due_email(self, now: datetime, policy: RetryPolicy) -> PasswordRecovery | None:
        """Return the request whose e-mail is due, and postpone it for other workers.

        It is due again after the policy's wait unless it was sent meanwhile.
        """
        recovery = await self.session.scalar(
            select(PasswordRecovery)
            .where(PasswordRecovery.next_try_at <= now)
            .order_by(PasswordRecovery.next_try_at)
            .limit(1)
            .with_for_update(skip_locked=True)
        )
        if recovery is not None:
            recovery.attempts += 1
            recovery.next_try_at = now + policy.compute_wait(recovery.attempts)
        return recovery

    async def record_failure(self, recovery_id: int, failed_at: datetime) -> None:
        """Record when a try to send the e-mail failed."""
        await self.session.execute(
            update(PasswordRecovery)
            .where(PasswordRecovery.id == recovery_id)
            .values(failed_at=failed_at)
        )

    async def end_email(self, recovery_id: int, *, sent_at: datetime | None) -> None:
        """Record when the e-mail was sent, or, with None, that it cannot be sent."""
        await self.session.execute(
            update(PasswordRecovery)
            .where(PasswordRecovery.id == recovery_id)
            .values(next_try_at=None, sent_at=sent_at)
        )

    async def find_email(self, user_id: UUID) -> str | None:
        """Return the address of an active account."""
        return await self.session.scalar(select(User.email).where(User.id == user_id, User.active))

    async def find_valid(
        self, token_hash: bytes, now: datetime, *, lock: bool = False
    ) -> PasswordRecovery | None:
        """Find the request whose link is valid now, of an active account."""
        statement = (
            select(PasswordRecovery)
            .join(User, User.id == PasswordRecovery.user_id)
            .where(
                PasswordRecovery.token_hash == token_hash,
                PasswordRecovery.used_at.is_(None),
                PasswordRecovery.expires_at > now,
                User.active,
            )
        )
        if lock:
            statement = statement.with_for_update(of=PasswordRecovery)
        return await self.session.scalar(statement)

    async def end_links(self, user_id: UUID, now: datetime) -> None:
        """Make all links of a user invalid, and send no more of them."""
        await self.session.execute(
            update(PasswordRecovery)
            .where(PasswordRecovery.user_id == user_id, PasswordRecovery.used_at.is_(None))
            .values(used_at=now, next_try_at=None)
        )

    async def delete_older_than(self, at: datetime, *, is_invitation: bool) -> None:
        """Delete requests, or invitations, made before this time."""
        await self.session.execute(
            delete(PasswordRecovery).where(
                PasswordRecovery.created_at < at,
                PasswordRecovery.is_invitation.is_(is_invitation),
            )
        )
