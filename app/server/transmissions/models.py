"""Transmissions and their attempts; the sent content is not stored."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Instant, Small, Table, TextColumn, UserId
from app.server.database.scope import Through, ThroughAny
from app.server.database.writes import Writes


class Transmission(Table):
    """Requisitions sent to one address or number, or a notice about them.

    Attributes:
        key: identifies it outside of the portal: an e-mail's Message-ID contains it, and is the
            same for every attempt.
        kind: a ``CopyType``.
        subject: what it is about (``rules.Subject``).
        status: a ``SendStatus``.
        trouble: the reason of the last failure (``rules.Trouble``).
        sender: the name of the sender that accepted it.
        reference: the provider's id.
    """

    __tablename__ = "transmissions"
    __scope__ = ThroughAny(
        "transmission_requisitions", "transmission_id", "requested_by", worker_may="SIU"
    )
    __writes__ = Writes(
        all_but=("key", "kind", "subject", "destination", "requested_by", "requested_by_name")
    )
    __table_args__ = (
        Index(
            "ix_transmissions_under_way",
            "status",
            postgresql_where=text("status IN ('queued', 'sending')"),
        ),
    )

    id: Mapped[Id]
    key: Mapped[UUID] = mapped_column(unique=True)
    kind: Mapped[TextColumn]
    subject: Mapped[TextColumn] = mapped_column(server_default=text("'forms'"))
    destination: Mapped[TextColumn]
    status: Mapped[TextColumn]
    attempts: Mapped[Small] = mapped_column(server_default=text("0"))
    trouble: Mapped[TextColumn | None]
    sender: Mapped[TextColumn | None]
    reference: Mapped[TextColumn | None]
    requested_by: Mapped[UserId]
    requested_by_name: Mapped[TextColumn]
    created_at: Mapped[CreatedAt]
    next_try_at: Mapped[Instant | None]
    sent_at: Mapped[Instant | None]
    delivered_at: Mapped[Instant | None]


class TransmissionRequisition(Table):
    """A requisition of a transmission."""

    __tablename__ = "transmission_requisitions"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        staff_may="SI",
        client_may="SI",
        physician_may="SI",
        patient_may="SI",
    )
    __table_args__ = (Index(None, "requisition_id"),)

    transmission_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("transmissions.id"), primary_key=True
    )
    requisition_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("requisitions.id"), primary_key=True
    )
    position: Mapped[Small]


class SendAttempt(Table):
    """An attempt to send: inserted before anything is sent, and updated after the answer.

    An attempt without an end was interrupted, and may have been sent. ``started_at`` is before its
    content was read, and ``outcome`` is a ``rules.Outcome``.
    """

    __tablename__ = "send_attempts"
    __scope__ = Through(
        "transmissions",
        "transmission_id",
        staff_may="SIU",
        client_may="S",
        physician_may="S",
        patient_may="S",
    )
    __writes__ = Writes(only=("ended_at", "outcome", "trouble", "reference"))
    __table_args__ = (UniqueConstraint("transmission_id", "number"),)

    id: Mapped[Id]
    transmission_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("transmissions.id"))
    number: Mapped[Small]
    sender: Mapped[TextColumn]
    started_at: Mapped[Instant]
    ended_at: Mapped[Instant | None]
    outcome: Mapped[TextColumn | None]
    trouble: Mapped[TextColumn | None]
    reference: Mapped[TextColumn | None]
