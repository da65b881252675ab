"""Notices of critical results, with their results, calls, and alerts."""

from uuid import UUID

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    ClinicalTime,
    CreatedAt,
    Ended,
    Id,
    Instant,
    Small,
    Table,
    TextColumn,
    UserId,
    Version,
)
from app.server.database.scope import Rows, Through
from app.server.database.writes import Lock, Writes


class CriticalContact(Ended, Table):
    """A person or office of a client to notify of critical results, in order of ``position``.

    Only the lab sees it.
    """

    __tablename__ = "critical_contacts"
    __scope__ = Rows()
    __table_args__ = (UniqueConstraint("client_id", "position"),)

    id: Mapped[Id]
    client_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("clients.id"))
    position: Mapped[Small]
    name: Mapped[TextColumn]
    duty: Mapped[TextColumn | None]
    phone: Mapped[TextColumn | None]
    email: Mapped[TextColumn | None]
    # When the contact can be reached, in words.
    hours: Mapped[TextColumn | None]


class CriticalNotice(Table):
    """The task of the lab to notify a client of an order's critical results.

    An order has one open notice at most.

    Attributes:
        level: the position of the contact that was alerted last, or 0 for nobody yet.
        escalate_at: when the next contact is alerted; None when somebody knows the results or no
            contact is left.
        told_at: when somebody read the results back.
    """

    __tablename__ = "critical_notices"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SIU",
        client_may="S",
        physician_may="S",
        patient_may="",
    )
    __writes__ = Writes(all_but=("opened_at",))
    __locks__ = (Lock("closed", when="OLD.closed_at IS NOT NULL"),)
    __table_args__ = (
        Index(
            "uq_critical_notices_open",
            "order_id",
            unique=True,
            postgresql_where=text("closed_at IS NULL"),
        ),
        Index(None, "escalate_at", postgresql_where=text("closed_at IS NULL")),
        Index(None, "order_id"),
        Index(None, "opened_at"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    opened_at: Mapped[Instant]
    due_at: Mapped[Instant]
    level: Mapped[Small] = mapped_column(server_default=text("0"))
    escalate_at: Mapped[Instant | None]
    told_at: Mapped[Instant | None]
    closed_at: Mapped[Instant | None]
    closed_by: Mapped[UserId | None]
    closed_by_name: Mapped[TextColumn | None]
    closing_note: Mapped[TextColumn | None]
    version: Mapped[Version]


class CriticalItem(Table):
    """A critical result as it was released. Only the lab sees it here.

    Others read results on the order page, which hides what is under review or withdrawn.

    Attributes:
        replaced_at: when the result stopped being what clients see.
        replaced_by: what clients see instead; None while the result is under review or withdrawn.
        corrects: the critical result that the client knows, if this result replaces it and is not
            critical. The client must be notified of this result, too.
    """

    __tablename__ = "critical_items"
    __scope__ = Through(
        "critical_notices", "notice_id", staff_may="SIU", client_may="S", restriction="false"
    )
    __writes__ = Writes(only=("replaced_at", "replaced_by"))
    __table_args__ = (UniqueConstraint("order_test_id", "released_at", "result"),)

    id: Mapped[Id]
    notice_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("critical_notices.id"), index=True
    )
    order_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    name: Mapped[TextColumn]
    result: Mapped[TextColumn]
    flag: Mapped[TextColumn | None]
    released_at: Mapped[ClinicalTime]
    replaced_at: Mapped[Instant | None]
    replaced_by: Mapped[TextColumn | None]
    corrects: Mapped[TextColumn | None]


class CriticalCall(Table):
    """An attempt by the lab to notify somebody of a notice's results.

    Attributes:
        method: a ``TellingMethod``.
        is_told: whether the person was reached.
        has_read_back: whether the person repeated the results.
    """

    __tablename__ = "critical_calls"
    __scope__ = Through(
        "critical_notices",
        "notice_id",
        staff_may="SI",
        client_may="S",
        physician_may="S",
        patient_may="",
    )

    id: Mapped[Id]
    notice_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("critical_notices.id"), index=True
    )
    told_name: Mapped[TextColumn]
    method: Mapped[TextColumn]
    is_told: Mapped[bool]
    has_read_back: Mapped[bool]
    note: Mapped[TextColumn | None]
    made_by: Mapped[UserId]
    made_by_name: Mapped[TextColumn]
    made_at: Mapped[Instant]


class CriticalAlert(Table):
    """An e-mail to a contact, without clinical content.

    The lab calls contacts without an address.

    Attributes:
        key: part of the e-mail's Message-ID, the same for every attempt.
        next_try_at: None when the alert was sent or has failed.
        trouble: the reason of the last failure (``transmissions.rules.Trouble``).
    """

    __tablename__ = "critical_alerts"
    __scope__ = Through(
        "critical_notices",
        "notice_id",
        staff_may="SIU",
        client_may="",
        physician_may="",
        patient_may="",
    )
    __writes__ = Writes(only=("attempts", "next_try_at", "sent_at", "trouble"))
    __table_args__ = (Index(None, "next_try_at", postgresql_where=text("next_try_at IS NOT NULL")),)

    id: Mapped[Id]
    notice_id: Mapped[int] = mapped_column(
        BigInteger, ForeignKey("critical_notices.id"), index=True
    )
    key: Mapped[UUID] = mapped_column(unique=True)
    position: Mapped[Small]
    name: Mapped[TextColumn]
    email: Mapped[TextColumn | None]
    created_at: Mapped[CreatedAt]
    attempts: Mapped[Small] = mapped_column(server_default=text("0"))
    next_try_at: Mapped[Instant | None]
    sent_at: Mapped[Instant | None]
    trouble: Mapped[TextColumn | None]
