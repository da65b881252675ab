"""Saved searches."""

from typing import Any

from sqlalchemy import UniqueConstraint
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Table, TextColumn, UserId, Version
from app.server.database.scope import OwnRows


class SavedSearch(Table):
    """A named search that only its owner sees: conditions, columns in order, and sort.

    A later release of the portal may lack one of its columns; opening the search then says so.
    """

    __tablename__ = "saved_searches"
    __scope__ = OwnRows(may="SIUD")
    __table_args__ = (UniqueConstraint("user_id", "name"),)

    id: Mapped[Id]
    user_id: Mapped[UserId]
    name: Mapped[TextColumn]
    query: Mapped[dict[str, Any]] = mapped_column(JSONB)
    columns: Mapped[list[str]] = mapped_column(JSONB)
    sort: Mapped[TextColumn]
    created_at: Mapped[CreatedAt]
    version: Mapped[Version]
