"""Pathology reports, with their addenda and revisions."""

from sqlalchemy.orm import Mapped

from app.server.database.base import ClinicalTime, Small, Table, TextColumn, UserId
from app.server.database.writes import Writes
from app.server.results.entry.models import (
    VERSION_SCOPE,
    WITHHELD_COLUMNS,
    ResultVersion,
    build_version_indexes,
)
from app.server.results.locks import RESULT_IDENTITY, build_entry_lock, build_release_lock


class PathologyReport(ResultVersion, Table):
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
    __scope__ = VERSION_SCOPE
    __writes__ = Writes(all_but=RESULT_IDENTITY)
    __locks__ = (
        build_release_lock(*WITHHELD_COLUMNS),
        build_entry_lock("number", *WITHHELD_COLUMNS),
    )
    __table_args__ = build_version_indexes(
        "pathology_reports", unique_name="open", unique_where="is_current AND released_at IS NULL"
    )

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
