"""Answers already given, by idempotency key."""

from uuid import UUID

from sqlalchemy import Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Small, Table, Words
from app.server.database.scope import OwnRows


class IdempotencyKey(Table):
    """A write that was answered; the same key from the same user gets the same answer again.

    ``body`` is encrypted with a key outside the database: answers hold patients' data.
    """

    __tablename__ = "idempotency_keys"
    __scope__ = OwnRows(worker_may="SD")
    __table_args__ = (Index(None, "created_at"),)

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[Words] = mapped_column(primary_key=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[Small | None]
    headers: Mapped[Words | None]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
