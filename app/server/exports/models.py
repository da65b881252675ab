"""Exports of rows to files."""

from typing import Any

from sqlalchemy import BigInteger, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    BigInt,
    CreatedAt,
    Id,
    Instant,
    Small,
    Table,
    TextColumn,
    UserId,
)
from app.server.database.scope import OwnRows
from app.server.database.writes import Writes


class Export(Table):
    """An export that only its owner sees.

    Attributes:
        kind: the name of its source.
        parameters: the filters of the source.
        attempt: the number of the run that writes it. An earlier run that only seemed dead can no
            longer change anything.
        role, scope_ids: the access with which the file was made.
        trouble: a ``rules.Trouble``.
        key: finds the file's bytes in the file store, from the last step until the file expires.
        removed_at: when the owner hid the export, which can be restored until its file is deleted.
    """

    __tablename__ = "exports"
    __scope__ = OwnRows(may="SIU", worker_may="SUD")
    __writes__ = Writes(all_but=("kind", "name", "format", "parameters"))
    __table_args__ = (
        Index(None, "user_id", "id"),
        Index(
            "ix_exports_unfinished",
            "state",
            postgresql_where=text("state IN ('queued', 'running')"),
        ),
    )

    id: Mapped[Id]
    user_id: Mapped[UserId]
    kind: Mapped[TextColumn]
    name: Mapped[TextColumn]
    format: Mapped[TextColumn]
    parameters: Mapped[dict[str, Any]] = mapped_column(JSONB)
    state: Mapped[TextColumn]
    attempt: Mapped[Small] = mapped_column(server_default=text("0"))
    role: Mapped[TextColumn | None]
    scope_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger), server_default=text("'{}'"))
    rows_expected: Mapped[BigInt | None]
    rows_written: Mapped[BigInt] = mapped_column(server_default=text("0"))
    trouble: Mapped[str | None] = mapped_column(Text)
    key: Mapped[str | None] = mapped_column(Text, unique=True)
    size: Mapped[BigInt | None]
    created_at: Mapped[CreatedAt]
    started_at: Mapped[Instant | None]
    finished_at: Mapped[Instant | None]
    expires_at: Mapped[Instant | None]
    removed_at: Mapped[Instant | None]
