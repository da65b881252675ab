"""Tables of users, as administrators see them."""

from uuid import UUID

from sqlalchemy import BigInteger, Identity, Index
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import BigInt, Instant, Table, TextColumn
from app.server.database.scope import AdministeredRows


class UserEntry(Table):
    """A user in the directory: all that administrators may see, so no password (ADR 59).

    Triggers fill the row from users, registrations, and patients. Names are in upper case, for
    searches.

    Attributes:
        number: the id of the row in a grid.
        admin_client_ids: the clients whose administrators see the user: the clients of a client
            user, or of a patient user's patients. 0 means an assignment without a client.
    """

    __tablename__ = "user_directory"
    __scope__ = AdministeredRows(client="{t}admin_client_ids && {ids}")
    __table_args__ = (
        Index(None, "last_name", "first_name", "id"),
        Index(None, "first_name", "id"),
        Index(None, "role", "last_name", "first_name", "id"),
        Index(None, "admin_client_ids", postgresql_using="gin"),
        Index(None, "patient_ids", postgresql_using="gin"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger, Identity(), unique=True)
    email: Mapped[TextColumn]
    username: Mapped[TextColumn]
    last_name: Mapped[TextColumn]
    first_name: Mapped[TextColumn]
    role: Mapped[TextColumn]
    active: Mapped[bool]
    client_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    physician_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    patient_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    admin_client_ids: Mapped[list[int]] = mapped_column(ARRAY(BigInteger))
    last_login_at: Mapped[Instant | None]
    version: Mapped[BigInt]
