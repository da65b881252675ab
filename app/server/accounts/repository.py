"""SQL of users, sessions, and refresh tokens, for the gatekeeper or the actor's account."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert

from app.server.accounts.models import (
    KnownDevice,
    RefreshToken,
    Registration,
    SignInAttempt,
    User,
    UserSession,
)
from app.server.database.repository import Repository


class AccountRepository(Repository):
    """Users with their registrations, sessions, refresh tokens, and failed sign-ins."""

    async def find_user_by_email(self, email: str) -> User | None:
        """Find the active user with this e-mail address, which must be in lower case."""
        return await self.session.scalar(select(User).where(User.email == email, User.active))

    async def find_user(self, user_id: UUID) -> User | None:
        """Find a user by id."""
        return await self.session.get(User, user_id)

    async def lock_user(self, user_id: UUID) -> User | None:
        """Find a user, and lock the row, so that changes of the password wait for each other.

        Inserts that refer to the user do not wait.
        """
        statement = select(User).where(User.id == user_id).with_for_update(key_share=True)
        return await self.session.scalar(statement)

    async def list_registrations(self, user_id: UUID) -> list[Registration]:
        """Return a user's registrations, oldest first."""
        statement = (
            select(Registration).where(Registration.user_id == user_id).order_by(Registration.id)
        )
        return list(await self.session.scalars(statement))

    async def lock_attempt(self, email_hash: bytes, at: datetime) -> SignInAttempt:
        """Lock and return the failed sign-ins of an e-mail; the row is created if there is none.

        Concurrent attempts with the same e-mail wait for this transaction.
        """
        statement = (
            insert(SignInAttempt)
            .values(email_hash=email_hash, failures=0, last_failure_at=at)
            .on_conflict_do_update(
                index_elements=[SignInAttempt.email_hash],
                set_={"failures": SignInAttempt.failures},  # changes nothing, but locks the row
            )
            .returning(SignInAttempt)
        )
        return (await self.session.scalars(statement)).one()

    async def delete_failures(self, email_hash: bytes) -> None:
        """Delete the failures of an e-mail after a successful sign-in."""
        await self.session.execute(
            delete(SignInAttempt).where(SignInAttempt.email_hash == email_hash)
        )

    async def give_back_failure(self, email_hash: bytes) -> None:
        """Undo the count of a failure, which was counted before the password was verified."""
        await self.session.execute(
            update(SignInAttempt)
            .where(SignInAttempt.email_hash == email_hash)
            .values(failures=func.greatest(SignInAttempt.failures - 1, 0))
        )

    async def find_device(self, email: str, token_hash: bytes, at: datetime) -> KnownDevice | None:
        """Find a device that the account with this e-mail knows."""
        return await self.session.scalar(
            select(KnownDevice)
            .join(User, User.id == KnownDevice.user_id)
            .where(
                KnownDevice.token_hash == token_hash,
                User.email == email,
                KnownDevice.expires_at > at,
            )
        )

    async def extend_device(self, token_hash: bytes, expires_at: datetime) -> None:
        """Extend the time for which an account knows a device."""
        await self.session.execute(
            update(KnownDevice)
            .where(KnownDevice.token_hash == token_hash)
            .values(expires_at=expires_at)
        )

    async def change_password(self, user_id: UUID, password_hash: str) -> None:
        """Store the hash of a new password."""
        await self.session.execute(
            update(User)
            .where(User.id == user_id)
            .values(password_hash=password_hash, version=User.version + 1)
        )

    async def delete_devices(self, user_id: UUID) -> None:
        """Delete the devices that an account knows."""
        await self.session.execute(delete(KnownDevice).where(KnownDevice.user_id == user_id))

    async def delete_oldest_devices(self, user_id: UUID, *, remaining_count: int) -> None:
        """Delete all but the newest devices that an account knows."""
        newest = (
            select(KnownDevice.token_hash)
            .where(KnownDevice.user_id == user_id)
            .order_by(KnownDevice.expires_at.desc())
            .limit(remaining_count)
        )
        await self.session.execute(
            delete(KnownDevice).where(
                KnownDevice.user_id == user_id, KnownDevice.token_hash.not_in(newest)
            )
        )

    async def find_refresh_token(self, token_hash: bytes) -> RefreshToken | None:
        """Find a refresh token by its hash, and lock it so that concurrent uses wait."""
        return await self.session.scalar(
            select(RefreshToken).where(RefreshToken.token_hash == token_hash).with_for_update()
        )

    async def find_session(self, session_id: UUID) -> UserSession | None:
        """Find a session by id."""
        return await self.session.get(UserSession, session_id)

    async def list_open_sessions(self, user_id: UUID, at: datetime) -> Sequence[UserSession]:
        """Return the sessions of a user that are open, the last used first."""
        statement = (
            select(UserSession)
            .where(
                UserSession.user_id == user_id,
                UserSession.ended_at.is_(None),
                UserSession.expires_at > at,
            )
            .order_by(UserSession.last_used_at.desc())
        )
        return (await self.session.scalars(statement)).all()

    async def end_sessions(
        self, user_id: UUID, at: datetime, *, except_id: UUID | None = None
    ) -> None:
        """End all sessions of a user except the session ``except_id``."""
        statement = update(UserSession).where(
            UserSession.user_id == user_id, UserSession.ended_at.is_(None)
        )
        if except_id is not None:
            statement = statement.where(UserSession.id != except_id)
        await self.session.execute(statement.values(ended_at=at))

    async def end_session(self, session_id: UUID, at: datetime) -> None:
        """End a session, which invalidates its tokens."""
        await self.session.execute(
            update(UserSession)
            .where(UserSession.id == session_id, UserSession.ended_at.is_(None))
            .values(ended_at=at)
        )
