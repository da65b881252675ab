"""What is known of files before a record names them."""

from uuid import UUID

from sqlalchemy import Index
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Table, Words
from app.server.database.scope import OwnRows


class PendingUpload(Table):
    """Bytes that are being stored and that no record names yet.

    The row is there before the bytes are, and goes in the transaction that adds the record. What
    is left of an upload that failed or crashed is found by it, so that nothing has to be
    concluded from what a store happens to hold.
    """

    __tablename__ = "pending_uploads"
    __scope__ = OwnRows(may="SID", worker_may="SD")
    __table_args__ = (Index(None, "created_at"),)

    key: Mapped[Words] = mapped_column(primary_key=True)
    user_id: Mapped[UUID]
    created_at: Mapped[CreatedAt]
