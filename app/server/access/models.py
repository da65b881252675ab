"""Stored answers by idempotency key, and the use of quotas."""

from uuid import UUID

from sqlalchemy import Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Instant, Small, Table, TextColumn
from app.server.database.scope import OwnRows, SealedRows
from app.server.database.writes import Writes


class IdempotencyKey(Table):
    """The answer to a write; the same key from the same user gets it again.

    ``body`` holds patient data and is encrypted with a key outside the database.
    """

    __tablename__ = "idempotency_keys"
    __scope__ = OwnRows(worker_may="SD")
    __writes__ = Writes(only=("status", "headers", "body"))
    __table_args__ = (Index(None, "created_at"),)

    user_id: Mapped[UUID] = mapped_column(primary_key=True)
    key: Mapped[TextColumn] = mapped_column(primary_key=True)
    request_hash: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[Small | None]
    headers: Mapped[TextColumn | None]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]


class QuotaCount(Table):
    """When a person or an address, stored as a hash, has the full quota again.

    Only the functions ``use_quota`` and ``return_quota`` read and write the rows, without revealing
    those of others; the worker deletes rows of those whose quota is full again.
    """

    __tablename__ = "quota_counts"
    __scope__ = SealedRows(worker_may="SD")
    __table_args__ = (Index(None, "free_at"),)

    quota: Mapped[TextColumn] = mapped_column(primary_key=True)
    subject: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    free_at: Mapped[Instant]
