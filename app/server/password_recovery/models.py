"""Requests for a new password."""

from uuid import UUID

from sqlalchemy import ForeignKey, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Instant, Small, Table
from app.server.database.scope import Accounts
from app.server.database.writes import Writes


class PasswordRecovery(Table):
    """A request for a new password, and the link that was sent for it.

    The worker makes the link's secret when it sends the e-mail, so that only a hash of the secret
    is ever stored. A link is used once, until ``expires_at``.

    Attributes:
        is_invitation: whether the link lets a new user choose the first password; it then lives
            longer.
        key: part of the e-mail's Message-ID.
        next_try_at: None when the e-mail was sent or has failed.
        failed_at: the end of the last try that failed.
    """

    __tablename__ = "password_recoveries"
    __scope__ = Accounts()
    __writes__ = Writes(
        only=(
            "token_hash",
            "expires_at",
            "attempts",
            "next_try_at",
            "sent_at",
            "failed_at",
            "used_at",
        )
    )
    __table_args__ = (Index(None, "next_try_at", postgresql_where=text("next_try_at IS NOT NULL")),)

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    is_invitation: Mapped[bool] = mapped_column(server_default=text("false"))
    key: Mapped[UUID] = mapped_column(unique=True)
    token_hash: Mapped[bytes | None] = mapped_column(LargeBinary, unique=True)
    expires_at: Mapped[Instant | None]
    created_at: Mapped[CreatedAt]
    attempts: Mapped[Small] = mapped_column(server_default=text("0"))
    next_try_at: Mapped[Instant | None]
    sent_at: Mapped[Instant | None]
    failed_at: Mapped[Instant | None]
    used_at: Mapped[Instant | None]
