"""The backups that this database knows."""

from sqlalchemy.orm import Mapped

from app.server.database.base import BigInt, CreatedAt, Id, Table, TextColumn
from app.server.database.scope import Rows
from app.server.database.writes import Writes


class Backup(Table):
    """A finished backup; the command ``backup`` inserts it with the owner's rights (ADR 68)."""

    __tablename__ = "backups"
    __scope__ = Rows(staff_may="S", worker_may="S")
    __writes__ = Writes(only=())

    id: Mapped[Id]
    at: Mapped[CreatedAt]
    version: Mapped[TextColumn]
    revision: Mapped[TextColumn]
    bytes: Mapped[BigInt]
    files: Mapped[BigInt]
