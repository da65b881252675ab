"""Clinical results with all their versions."""

from decimal import Decimal

from sqlalchemy import Numeric, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Small, Table, TextColumn, UserId
from app.server.database.writes import Writes
from app.server.results.entry.models import (
    VERSION_SCOPE,
    WITHHELD_COLUMNS,
    ResultVersion,
    build_version_indexes,
)
from app.server.results.locks import RESULT_IDENTITY, build_entry_lock, build_release_lock


class Result(ResultVersion, Table):
    """A version of an analyte's result; a correction adds a version, and earlier ones stay.

    An order has one result of an analyte, even if several of its panels contain it: the result
    belongs to one of their rows, and the others show it.

    Only users who enter results see an unreleased version, and only the lab sees one that is under
    review or withdrawn (``withheld``); the policies enforce it too.

    Range, limits, method, and lab are those by which the value was judged.

    Attributes:
        value: what is reported: text, or ``sign`` and ``number``.
        measured: the value before ``dilution`` multiplied it.
        first_value: the value that a repeat replaced.
        formula: the formula that calculated the value; None for typed values.
        comment_for: the unreleased value that the comment was written for, if the portal has
            calculated another one since.
        previous_value: the patient's earlier value that it was compared with.
        is_confirmed: whether somebody confirmed an implausible value.
        reason, reason_words: why the result was corrected.
        released_by: None if the version was released automatically.
        autoverified_version: the version of the rule that released it automatically.
        waits_for: why no rule released it: an ``automation.rules.Obstacle``.
    """

    __tablename__ = "results"
    __scope__ = VERSION_SCOPE
    __writes__ = Writes(all_but=RESULT_IDENTITY)
    __locks__ = (
        # A correction adds a version, and the earlier one is no longer current.
        build_release_lock("is_current", *WITHHELD_COLUMNS),
        build_entry_lock(
            "verified_by",
            "verified_at",
            "autoverified_version",
            "waits_for",
            *WITHHELD_COLUMNS,
        ),
    )
    __table_args__ = build_version_indexes("results")

    value: Mapped[TextColumn]
    sign: Mapped[TextColumn | None]
    number: Mapped[Decimal | None] = mapped_column(Numeric)
    measured: Mapped[TextColumn | None]
    dilution: Mapped[Decimal | None] = mapped_column(Numeric)
    first_value: Mapped[TextColumn | None]
    formula: Mapped[TextColumn | None]
    comment: Mapped[TextColumn | None]
    comment_for: Mapped[TextColumn | None]
    flag: Mapped[TextColumn | None]
    unit: Mapped[TextColumn | None]
    method: Mapped[TextColumn | None]
    performing_lab: Mapped[TextColumn | None]
    reference_range: Mapped[TextColumn | None]
    range_comment: Mapped[TextColumn | None]
    low: Mapped[Decimal | None] = mapped_column(Numeric)
    high: Mapped[Decimal | None] = mapped_column(Numeric)
    critical_low: Mapped[Decimal | None] = mapped_column(Numeric)
    critical_high: Mapped[Decimal | None] = mapped_column(Numeric)
    previous_value: Mapped[TextColumn | None]
    previous_at: Mapped[ClinicalTime | None]
    is_delta_exceeded: Mapped[bool] = mapped_column(server_default=text("false"))
    is_confirmed: Mapped[bool] = mapped_column(server_default=text("false"))
    reason: Mapped[TextColumn | None]
    reason_words: Mapped[TextColumn | None]
    entered_by: Mapped[UserId | None]
    entered_at: Mapped[ClinicalTime]
    verified_by: Mapped[UserId | None]
    verified_at: Mapped[ClinicalTime | None]
    released_by: Mapped[UserId | None]
    autoverified_version: Mapped[Small | None]
    waits_for: Mapped[TextColumn | None]
