"""The audit journal."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Table, Words
from app.server.database.scope import Journal

_HISTORY = {"patients": ("patient", "change"), "requisitions": ("requisition", "cancel")}
"""Acts that are part of a record's history: whoever sees the record sees that they were done."""


class AuditEvent(Table):
    """One act on some records. ``detail`` names fields, counts and states, never patient data."""

    __tablename__ = "audit_events"
    __scope__ = Journal(history=_HISTORY)
    __table_args__ = (
        Index(None, "kind", "at"),
        # A patient's timeline, out of a journal that holds a row for every page anybody looked at.
        Index(
            "ix_audit_events_history",
            text("(record_ids[1])"),
            "kind",
            postgresql_where=text(
                " OR ".join(
                    f"(kind = '{kind}' AND action = '{action}')"
                    for kind, action in _HISTORY.values()
                )
            ),
        ),
    )

    id: Mapped[Id]
    at: Mapped[CreatedAt]
    user_id: Mapped[UUID | None]
    role: Mapped[Words]
    action: Mapped[Words]
    kind: Mapped[Words]
    record_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    request_id: Mapped[Words]
    detail: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
