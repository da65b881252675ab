"""Pathology reports, with their addenda and revisions."""

from sqlalchemy import BigInteger, ForeignKey, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Id, Small, Table, TextColumn, UserId
from app.server.database.scope import ENTERING_RESULTS, Through
from app.server.database.writes import Writes
from app.server.results.entry.models import VISIBLE, WITHHELD_COLUMNS, Releasable
from app.server.results.locks import RESULT_IDENTITY, build_entry_lock, build_release_lock


class PathologyReport(Releasable, Table):
    """A report of a test, an addendum to it, or a revision of it; released ones never change.

    A report that was withdrawn before its release is not current. Names and the reason are stored
    as they were, because they are part of the report.

    Attributes:
        kind: one of the unreleased kinds (ADR 30).
        number: the number of a released report among those of its kind, withheld ones included. It
            is stored, because people outside the lab could not count withheld reports.
        flag: the pathologist's own judgment.
    """

    __tablename__ = "pathology_reports"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SIU",
        client_may="SIU",
        client_restriction=f"({VISIBLE}) OR {ENTERING_RESULTS}",
        client_writes=ENTERING_RESULTS,
        physician_may="S",
        patient_may="S",
        restriction=VISIBLE,
    )
    __writes__ = Writes(all_but=RESULT_IDENTITY)
    __locks__ = (
        build_release_lock(*WITHHELD_COLUMNS),
        build_entry_lock("number", *WITHHELD_COLUMNS),
    )
    __table_args__ = (
        Index(
            "uq_pathology_reports_open",
            "order_test_id",
            unique=True,
            postgresql_where=text("is_current AND released_at IS NULL"),
        ),
        Index("uq_pathology_reports_revision", "order_test_id", "revision", unique=True),
        Index(None, "order_id"),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    order_test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("order_tests.id"))
    revision: Mapped[Small]
    is_current: Mapped[bool] = mapped_column(server_default=text("true"))
    kind: Mapped[Small]
    number: Mapped[Small | None]
    content: Mapped[TextColumn]
    flag: Mapped[TextColumn | None]
    signed_out_by: Mapped[TextColumn | None]
    performing_lab: Mapped[TextColumn | None]
    reason_code: Mapped[TextColumn | None]
    reason: Mapped[TextColumn | None]
    explanation: Mapped[TextColumn | None]
    entered_by: Mapped[UserId | None]
    entered_at: Mapped[ClinicalTime]
    released_by: Mapped[UserId | None]
    released_by_name: Mapped[TextColumn | None]
