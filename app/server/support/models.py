"""Supplies of the lab, and what people have written to it."""

from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import BigInt, CreatedAt, Ended, Id, Instant, Small, Table, TextColumn
from app.server.database.scope import OwnRows, Reference
from app.server.database.writes import Writes


class SupplyCategory(Ended, Table):
    """A category of supplies that clients may ask for, in the lab's order."""

    __tablename__ = "supply_categories"
    __scope__ = Reference()

    id: Mapped[Id]
    name: Mapped[TextColumn] = mapped_column(unique=True)
    position: Mapped[Small]


class Supply(Ended, Table):
    """A supply, for example a box of tubes."""

    __tablename__ = "supplies"
    __scope__ = Reference()

    id: Mapped[Id]
    category_id: Mapped[BigInt] = mapped_column(ForeignKey("supply_categories.id"), index=True)
    code: Mapped[TextColumn] = mapped_column(unique=True)
    name: Mapped[TextColumn]
    position: Mapped[Small]


class SupportRequest(Table):
    """A message or a supply request, and the progress of its e-mail to the lab.

    Attributes:
        key: part of the e-mail's Message-ID.
        supplies: categories with their supplies, as they were named then.
        next_try_at: None when the e-mail was sent or has failed.
        failed_at: the end of the last try that failed.
    """

    __tablename__ = "support_requests"
    __scope__ = OwnRows(may="SI", worker_may="SU")
    __writes__ = Writes(only=("attempts", "next_try_at", "sent_at", "failed_at", "trouble"))
    __table_args__ = (
        Index(None, "next_try_at", postgresql_where=text("next_try_at IS NOT NULL")),
        Index(None, "user_id", "id"),
    )

    id: Mapped[Id]
    key: Mapped[UUID] = mapped_column(unique=True)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    kind: Mapped[TextColumn]
    name: Mapped[TextColumn]
    email: Mapped[TextColumn]
    phone: Mapped[TextColumn | None]
    client: Mapped[TextColumn | None]
    message: Mapped[TextColumn]
    supplies: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, server_default=text("'[]'"))
    created_at: Mapped[CreatedAt]
    attempts: Mapped[Small] = mapped_column(server_default=text("0"))
    next_try_at: Mapped[Instant | None]
    sent_at: Mapped[Instant | None]
    failed_at: Mapped[Instant | None]
    trouble: Mapped[TextColumn | None]
