"""Acceptances of the lab's notice and terms."""

from uuid import UUID

from sqlalchemy import ForeignKey, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Table, TextColumn
from app.server.database.scope import OwnRows


class LegalAcceptance(Table):
    """A person's acceptance of one version of a document. The row never changes."""

    __tablename__ = "legal_acceptances"
    __scope__ = OwnRows(may="SI")
    __table_args__ = (UniqueConstraint("user_id", "document", "version"),)

    id: Mapped[Id]
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    document: Mapped[TextColumn]
    version: Mapped[TextColumn]
    accepted_at: Mapped[CreatedAt]
