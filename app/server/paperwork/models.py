"""Prints of labels: who printed which labels where, and with which outcome."""

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.dialects.postgresql import ARRAY, TEXT
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import CreatedAt, Id, Instant, Small, Table, TextColumn, UserId
from app.server.database.scope import Through
from app.server.database.writes import Writes


class LabelPrint(Table):
    """The labels of one requisition in one print job.

    Attributes:
        labels: the keys of the labels, in order.
        place: the position of the requisition's first label in one set.
        job_labels: the number of labels of one set.
        copies: the number of sets in the job.
        state: a ``PrintState``.
        printed: how many labels were printed, copies included.
        unknown: how many labels may have been printed, copies included.
        missing: the keys of the labels of which no copy was printed.
    """

    __tablename__ = "label_prints"
    __scope__ = Through(
        "requisitions",
        "requisition_id",
        staff_may="SIU",
        client_may="SIU",
        physician_may="SIU",
        patient_may="SIU",
    )
    __writes__ = Writes(only=("state", "printed", "unknown", "missing", "reason", "ended_at"))
    __table_args__ = (UniqueConstraint("job", "requisition_id"), Index(None, "requisition_id"))

    id: Mapped[Id]
    job: Mapped[TextColumn]
    requisition_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("requisitions.id"))
    labels: Mapped[list[str]] = mapped_column(ARRAY(TEXT))
    place: Mapped[Small]
    job_labels: Mapped[Small]
    copies: Mapped[Small]
    copy_number: Mapped[Small]
    printer: Mapped[TextColumn]
    workstation: Mapped[TextColumn]
    printed_by: Mapped[UserId]
    printed_by_name: Mapped[TextColumn]
    created_at: Mapped[CreatedAt]
    state: Mapped[TextColumn] = mapped_column(server_default=text("'started'"))
    printed: Mapped[Small] = mapped_column(server_default=text("0"))
    unknown: Mapped[Small] = mapped_column(server_default=text("0"))
    missing: Mapped[list[str]] = mapped_column(ARRAY(TEXT), server_default=text("'{}'"))
    reason: Mapped[TextColumn | None]
    ended_at: Mapped[Instant | None]
