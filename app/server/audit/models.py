"""The audit journal."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Table, Words
from app.server.database.scope import Journal


class AuditEvent(Table):
    """One act on some records. ``detail`` names fields, counts and states, never patient data."""

    __tablename__ = "audit_events"
    __scope__ = Journal()
    __table_args__ = (Index(None, "kind", "at"),)

    id: Mapped[Id]
    at: Mapped[CreatedAt]
    user_id: Mapped[UUID | None]
    role: Mapped[Words]
    action: Mapped[Words]
    kind: Mapped[Words]
    record_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    request_id: Mapped[Words]
    detail: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
