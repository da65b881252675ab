"""Uploads in progress."""

from uuid import UUID

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Table, TextColumn
from app.server.database.scope import OwnRows


class PendingUpload(Table):
    """Bytes that are being stored and have no record yet.

    The row is inserted before the bytes are stored, and deleted in the transaction that adds the
    record. After a failure or crash it leads to the remaining bytes, so that nothing has to be
    inferred from the content of the store.
    """

    __tablename__ = "pending_uploads"
    __scope__ = OwnRows(may="SID", worker_may="SD")
    __table_args__ = (Index(None, "created_at"),)

    key: Mapped[TextColumn] = mapped_column(primary_key=True)
    user_id: Mapped[UUID]
    created_at: Mapped[CreatedAt]
