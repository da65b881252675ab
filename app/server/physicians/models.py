"""Physicians, a directory that every signed-in user may search."""

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Id, Table, TextColumn, Version
from app.server.database.scope import Reference


class Physician(Table):
    """An ordering physician, identified by NPI."""

    __tablename__ = "physicians"
    __scope__ = Reference()
    __table_args__ = (Index(None, "last_name", "first_name"),)

    id: Mapped[Id]
    npi: Mapped[TextColumn] = mapped_column(unique=True)
    first_name: Mapped[TextColumn]
    last_name: Mapped[TextColumn]
    address: Mapped[TextColumn | None]
    zip_code_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("zip_codes.id"))
    phone: Mapped[TextColumn | None]
    fax: Mapped[TextColumn | None]
    version: Mapped[Version]
