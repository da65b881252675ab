"""Clients with their physicians, units and rooms."""

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Ended, Id, Small, Table, TextColumn, Version
from app.server.database.scope import Rows, Through


class Client(Table):
    """A facility that orders.

    A physician sees the clients that they work with, a patient sees their own.
    """

    __tablename__ = "clients"
    __scope__ = Rows(
        client="id",
        physician=(
            "{t}id IN (SELECT l.client_id FROM client_physicians l "
            "WHERE l.physician_id = ANY({ids}))"
        ),
        patient="{t}id IN (SELECT p.client_id FROM patients p WHERE p.id = ANY({ids}))",
        client_may="S",
    )

    id: Mapped[Id]
    code: Mapped[TextColumn] = mapped_column(unique=True)
    name: Mapped[TextColumn]
    address: Mapped[TextColumn | None]
    zip_code_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("zip_codes.id"))
    zip_code_plus4: Mapped[TextColumn | None]
    phone: Mapped[TextColumn | None]
    fax: Mapped[TextColumn | None]
    # The address for the lab's notices, which have no clinical content.
    notice_email: Mapped[TextColumn | None]
    web_access: Mapped[bool] = mapped_column(server_default=text("true"))
    default_bill_to: Mapped[Small | None]
    # Whether requisitions of this client need an ordering physician.
    requires_physician: Mapped[bool] = mapped_column(server_default=text("false"))
    version: Mapped[Version]


class ClientPhysician(Table):
    """A physician who works with a client."""

    __tablename__ = "client_physicians"
    __scope__ = Rows(
        client="client_id",
        physician="physician_id",
        patient="{t}client_id IN (SELECT p.client_id FROM patients p WHERE p.id = ANY({ids}))",
        staff_may="SID",
        client_may="S",
    )
    __table_args__ = (Index(None, "physician_id", "client_id"),)

    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"), primary_key=True)
    physician_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("physicians.id"), primary_key=True
    )


class Unit(Ended, Table):
    """A ward or wing of a client."""

    __tablename__ = "units"
    __scope__ = Through("clients", "client_id", client_may="S")

    id: Mapped[Id]
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"), index=True)
    name: Mapped[TextColumn]


class Room(Ended, Table):
    """A room of a client, with or without a unit."""

    __tablename__ = "rooms"
    __scope__ = Through("clients", "client_id", client_may="S")

    id: Mapped[Id]
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"), index=True)
    unit_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("units.id"), index=True)
    name: Mapped[TextColumn]
