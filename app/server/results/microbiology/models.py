"""Cultures with all their versions."""

from sqlalchemy import BigInteger, ForeignKey, ForeignKeyConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import ClinicalTime, Small, Table, TextColumn, UserId
from app.server.database.scope import ENTERING_RESULTS, Through
from app.server.database.writes import Writes
from app.server.results.entry.models import (
    VERSION_SCOPE,
    WITHHELD_COLUMNS,
    ResultVersion,
    build_version_indexes,
)
from app.server.results.locks import build_release_lock


class CultureVersion(ResultVersion, Table):
    """A version of the culture of a test, with its parts in the tables below.

    Each save adds a version, and only its release changes it. ``stage`` is the stage of the
    release. Codes are stored with their names at the time of entry.
    """

    __tablename__ = "cultures"
    __scope__ = VERSION_SCOPE
    __writes__ = Writes(
        only=(
            "is_current",
            "stage",
            "released_by",
            "released_by_name",
            "released_at",
            *WITHHELD_COLUMNS,
        )
    )
    # A correction adds a version, and the earlier one is no longer current.
    __locks__ = (build_release_lock("is_current", *WITHHELD_COLUMNS),)
    __table_args__ = build_version_indexes("cultures")

    is_critical: Mapped[bool] = mapped_column(server_default=text("false"))
    is_abnormal: Mapped[bool] = mapped_column(server_default=text("false"))
    source: Mapped[TextColumn | None]
    source_name: Mapped[TextColumn | None]
    site: Mapped[TextColumn | None]
    site_name: Mapped[TextColumn | None]
    collected_at: Mapped[ClinicalTime | None]
    result: Mapped[TextColumn | None]
    comment: Mapped[TextColumn | None]
    preliminary_comment: Mapped[TextColumn | None]
    breakpoint_edition: Mapped[TextColumn | None]
    performing_lab: Mapped[TextColumn | None]
    reason_code: Mapped[TextColumn | None]
    reason: Mapped[TextColumn | None]
    explanation: Mapped[TextColumn | None]
    entered_by: Mapped[UserId | None]
    entered_at: Mapped[ClinicalTime]
    stage: Mapped[TextColumn | None]
    released_by: Mapped[UserId | None]
    released_by_name: Mapped[TextColumn | None]


_UNRELEASED_CULTURE = (
    "EXISTS (SELECT 1 FROM cultures c WHERE c.id = culture_id AND c.released_at IS NULL)"
)


def _follow_culture(restriction: str = "") -> Through:
    """Return the scope of a part, which is visible with its culture and never changes."""
    return Through(
        "cultures",
        "culture_id",
        staff_may="SI",
        client_may="SI",
        client_writes=ENTERING_RESULTS,
        client_restriction=f"{restriction} OR {ENTERING_RESULTS}" if restriction else "",
        physician_may="S",
        patient_may="S",
        restriction=restriction,
        inserts=_UNRELEASED_CULTURE,
    )


class CultureFinding(Table):
    """A direct finding of a culture's version, such as that of a Gram stain."""

    __tablename__ = "culture_findings"
    __scope__ = _follow_culture()

    culture_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("cultures.id"), primary_key=True)
    position: Mapped[Small] = mapped_column(primary_key=True)
    code: Mapped[TextColumn]
    name: Mapped[TextColumn]
    is_interim: Mapped[bool]
    is_critical: Mapped[bool]
    quantity: Mapped[TextColumn | None]
    quantity_name: Mapped[TextColumn | None]


class CultureOrganism(Table):
    """An organism of a culture's version. ``mark`` is a kind of resistance, such as MRSA."""

    __tablename__ = "culture_organisms"
    __scope__ = _follow_culture()

    culture_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("cultures.id"), primary_key=True)
    position: Mapped[Small] = mapped_column(primary_key=True)
    code: Mapped[TextColumn]
    group_code: Mapped[TextColumn]
    name: Mapped[TextColumn]
    is_flora: Mapped[bool]
    is_interim: Mapped[bool]
    quantity: Mapped[TextColumn | None]
    quantity_name: Mapped[TextColumn | None]
    mark: Mapped[TextColumn | None]
    mark_name: Mapped[TextColumn | None]
    comment: Mapped[TextColumn | None]
    organism_comment: Mapped[TextColumn | None]


class CultureSusceptibility(Table):
    """An antibiotic of an organism; a suppressed one is visible only to the lab.

    Attributes:
        value: as entered.
        is_manual: whether the interpretation was set by hand.
        limits: from the lab's breakpoint table at the time of entry.
    """

    __tablename__ = "culture_susceptibilities"
    __scope__ = _follow_culture("NOT is_suppressed")
    __table_args__ = (
        ForeignKeyConstraint(
            ["culture_id", "organism_position"],
            ["culture_organisms.culture_id", "culture_organisms.position"],
        ),
    )

    culture_id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    organism_position: Mapped[Small] = mapped_column(primary_key=True)
    position: Mapped[Small] = mapped_column(primary_key=True)
    antibiotic: Mapped[TextColumn]
    antibiotic_name: Mapped[TextColumn]
    method: Mapped[TextColumn]
    value: Mapped[TextColumn | None]
    interpretation: Mapped[TextColumn | None]
    is_manual: Mapped[bool]
    reporting: Mapped[TextColumn]
    is_suppressed: Mapped[bool]
    limits: Mapped[TextColumn | None]
    comment: Mapped[TextColumn | None]
