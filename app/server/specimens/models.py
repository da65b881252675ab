"""The tubes of an order."""

from sqlalchemy import BigInteger, ForeignKey, Index, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Id, Small, Table, TextColumn, UserId
from app.server.database.scope import Through
from app.server.database.writes import Writes


class Specimen(Table):
    """A tube of an order, as its label names it: a container with its specimen, and its number.

    A rejected tube stays, and a new row with the same number is expected in its place.

    Attributes:
        state: a ``SpecimenState``.
        conditions: codes of the lab's list.
        replaces_id: the rejected tube that this one replaces.
        collected_at: the collection of a replacement; other tubes were collected with the order.
        reason: the code of a rejection.
    """

    __tablename__ = "specimens"
    __scope__ = Through("orders", "order_id", staff_may="SIU", client_may="S")
    __writes__ = Writes(all_but=("number", "replaces_id"))
    __table_args__ = (
        Index("uq_specimens_replaces_id", "replaces_id", unique=True),
        Index(
            "uq_specimens_number",
            "order_id",
            "number",
            unique=True,
            postgresql_where=text("state <> 'rejected'"),
        ),
        Index(None, "order_id"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    number: Mapped[Small]
    container: Mapped[TextColumn]
    specimen: Mapped[TextColumn]
    state: Mapped[TextColumn]
    conditions: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    condition_words: Mapped[TextColumn | None]
    replaces_id: Mapped[int | None] = mapped_column(BigInteger, ForeignKey("specimens.id"))
    collected_at: Mapped[ClinicalTime | None]
    received_at: Mapped[ClinicalTime | None]
    received_by: Mapped[UserId | None]
    reason: Mapped[TextColumn | None]
    reason_words: Mapped[TextColumn | None]
    rejected_at: Mapped[ClinicalTime | None]
    rejected_by: Mapped[UserId | None]
