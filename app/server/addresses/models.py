"""ZIP codes of the United States."""

from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Id, Table, TextColumn
from app.server.database.scope import Reference


class ZipCode(Table):
    """A five-digit ZIP code with its city and state."""

    __tablename__ = "zip_codes"
    __scope__ = Reference()

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    city: Mapped[TextColumn]
    state: Mapped[TextColumn]
