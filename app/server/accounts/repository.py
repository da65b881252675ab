"""SQL of users, sessions, and refresh tokens, for the gatekeeper or the actor's own account."""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, select, update
from sqlalchemy.dialects.postgresql import insert

from app.server.accounts.models import (
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

    async def find_refresh_token(self, token_hash: bytes) -> RefreshToken | None:
        """Find a refresh token by its hash, and lock it so that concurrent uses wait."""
        return await self.session.scalar(
            select(RefreshToken).where(RefreshToken.token_hash == token_hash).with_for_update()
        )

    async def find_session(self, session_id: UUID) -> UserSession | None:
        """Find a session by id."""
        return await self.session.get(UserSession, session_id)

    async def end_session(self, session_id: UUID, at: datetime) -> None:
        """End a session, which invalidates its tokens."""
        await self.session.execute(
            update(UserSession)
            .where(UserSession.id == session_id, UserSession.ended_at.is_(None))
            .values(ended_at=at)
        )
