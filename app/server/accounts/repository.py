"""SQL of one user, session or refresh token; runs as the gatekeeper or on one's own row."""

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
    """Accounts."""

    async def user_by_email(self, email: str) -> User | None:
        """The active user of an e-mail (lower case)."""
        return await self.session.scalar(select(User).where(User.email == email, User.active))

    async def user(self, user_id: UUID) -> User | None:
        """A user by id."""
        return await self.session.get(User, user_id)

    async def registrations(self, user_id: UUID) -> list[Registration]:
        """A user's registrations, first one first."""
        statement = (
            select(Registration).where(Registration.user_id == user_id).order_by(Registration.id)
        )
        return list(await self.session.scalars(statement))

    async def attempt(self, email_hash: bytes, at: datetime) -> SignInAttempt:
        """Failed sign-ins of an e-mail, none so far where this is the first. Locked: whoever else
        tries the same e-mail waits for this transaction."""
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

    async def forget_failures(self, email_hash: bytes) -> None:
        """A successful sign-in starts anew."""
        await self.session.execute(
            delete(SignInAttempt).where(SignInAttempt.email_hash == email_hash)
        )

    async def refresh_token(self, token_hash: bytes) -> RefreshToken | None:
        """A refresh token by its hash, locked so that two uses can not both be the first."""
        return await self.session.scalar(
            select(RefreshToken).where(RefreshToken.token_hash == token_hash).with_for_update()
        )

    async def user_session(self, session_id: UUID) -> UserSession | None:
        """A signed-in session."""
        return await self.session.get(UserSession, session_id)

    async def end_session(self, session_id: UUID, at: datetime) -> None:
        """End a session; its tokens die with it."""
        await self.session.execute(
            update(UserSession)
            .where(UserSession.id == session_id, UserSession.ended_at.is_(None))
            .values(ended_at=at)
        )
