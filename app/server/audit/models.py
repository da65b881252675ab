"""The audit log."""

from typing import Any
from uuid import UUID

from sqlalchemy import BigInteger, Index, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Table, TextColumn
from app.server.database.scope import InsertOnly
from app.server.database.writes import Writes

_HISTORY = {"patients": ("patient", "change"), "requisitions": ("requisition", "cancel")}
"""Kind and action of audit rows that belong to a record's history, visible with the record."""


DENIED_ACTIONS = (
    "fail-password-change",
    "fail-second-factor",
    "fail-sign-in",
    "fail-sign-up",
    "refuse",
    "refuse-sign-in",
)
DENIED_ROWS = "action IN ({})".format(", ".join(f"'{action}'" for action in DENIED_ACTIONS))
"""SQL of the rows of denied acts."""


class AuditEvent(Table):
    """An act on some records. ``detail`` has field names and counts, never patient data.

    Nobody can write a row in another's name, and the database sets its time.
    """

    __tablename__ = "audit_events"
    __scope__ = InsertOnly(author="user_id", gatekeeper_kind="user", history=_HISTORY)
    __writes__ = Writes(insert_all_but=("id", "at"))
    __table_args__ = (
        Index(None, "kind", "at"),
        # Four indexes serve the viewer: all rows, rows by person, by record, and denied acts.
        Index(None, "at", "id"),
        Index(None, "user_id", "at", "id", postgresql_include=["action"]),
        Index("ix_audit_events_record_ids", "record_ids", postgresql_using="gin"),
        Index("ix_audit_events_denied", "at", "id", postgresql_where=text(DENIED_ROWS)),
        # Serves a patient's timeline. Partial, because every viewed page adds a row, too.
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
    role: Mapped[TextColumn]
    action: Mapped[TextColumn]
    kind: Mapped[TextColumn]
    record_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    request_id: Mapped[TextColumn]
    detail: Mapped[dict[str, Any] | None] = mapped_column(JSONB)
