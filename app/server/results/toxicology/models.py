"""Toxicology: reference tables, results with all their versions, and assessments."""

from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, Numeric, Text, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import (
    ClinicalTime,
    Ended,
    Id,
    Numbered,
    Small,
    Table,
    TextColumn,
    UserId,
)
from app.server.database.scope import Reference, Through
from app.server.database.writes import Writes
from app.server.results.entry.models import (
    VERSION_SCOPE,
    WITHHELD_COLUMNS,
    ResultVersion,
    build_version_indexes,
)
from app.server.results.locks import RESULT_IDENTITY, build_entry_lock, build_release_lock


class ToxicologySubstance(Numbered, Ended, Table):
    """A drug or a metabolite; finding a critical one unexpectedly is a critical result."""

    __tablename__ = "toxicology_substances"
    __scope__ = Reference()

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    drug_class: Mapped[TextColumn]
    is_critical: Mapped[bool] = mapped_column(server_default=text("false"))


class ToxicologyMetabolite(Numbered, Ended, Table):
    """A metabolite that the body makes from a substance, in one step."""

    __tablename__ = "toxicology_metabolites"
    __scope__ = Reference()

    parent: Mapped[TextColumn] = mapped_column(
        ForeignKey("toxicology_substances.name"), primary_key=True
    )
    metabolite: Mapped[TextColumn] = mapped_column(
        ForeignKey("toxicology_substances.name"), primary_key=True, index=True
    )


class ToxicologyName(Numbered, Ended, Table):
    """An ingredient of a brand, a salt, or a combination."""

    __tablename__ = "toxicology_names"
    __scope__ = Reference()

    name: Mapped[TextColumn] = mapped_column(primary_key=True)
    ingredient: Mapped[TextColumn] = mapped_column(primary_key=True)


class ToxicologyTest(Numbered, Table):
    """How a test of the catalog works: its method, cut-off, and detection window.

    The test's specimen is in the catalog.

    Attributes:
        targets: the substances that it detects.
        low, high: the limits of a valid specimen, both inclusive.
        unit: the unit of cut-off and limits. Values in another unit are not judged (ADR 102).
    """

    __test__ = False
    __tablename__ = "toxicology_tests"
    __scope__ = Reference()

    test_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("lab_tests.id"), primary_key=True)
    method: Mapped[TextColumn]
    targets: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default=text("'{}'"))
    cut_off: Mapped[Decimal | None] = mapped_column(Numeric)
    detection_window: Mapped[TextColumn | None]
    low: Mapped[Decimal | None] = mapped_column(Numeric)
    high: Mapped[Decimal | None] = mapped_column(Numeric)
    unit: Mapped[TextColumn | None]
    invented: Mapped[bool] = mapped_column(server_default=text("false"))

    @property
    def has_limits(self) -> bool:
        """Whether it judges numbers, which must then be in its unit."""
        return any(limit is not None for limit in (self.cut_off, self.low, self.high))


class ToxicologyResult(ResultVersion, Table):
    """A version of a test's result; a correction adds a version, and earlier ones stay.

    Method, cut-off, limits, unit, window, and lab are those by which it was judged (ADR 107).

    Attributes:
        is_detected: None for tests of the specimen.
        method: None if a portal from before ADR 107 entered it; then its limits are not known.
        low, high: the limits of a valid specimen, for its tests.
        measured: the value before ``dilution`` multiplied it.
        first_value: the value that a repeat replaced.
        is_confirmed: whether somebody confirmed an unusual value.
    """

    __tablename__ = "toxicology_results"
    __scope__ = VERSION_SCOPE
    __writes__ = Writes(all_but=RESULT_IDENTITY)
    __locks__ = (
        # A correction adds a version, and the earlier one is no longer current.
        build_release_lock("is_current", *WITHHELD_COLUMNS),
        build_entry_lock(*WITHHELD_COLUMNS),
    )
    __table_args__ = build_version_indexes("toxicology_results")

    value: Mapped[TextColumn]
    is_detected: Mapped[bool | None]
    method: Mapped[TextColumn | None]
    unit: Mapped[TextColumn | None]
    cut_off: Mapped[Decimal | None] = mapped_column(Numeric)
    low: Mapped[Decimal | None] = mapped_column(Numeric)
    high: Mapped[Decimal | None] = mapped_column(Numeric)
    detection_window: Mapped[TextColumn | None]
    performing_lab: Mapped[TextColumn | None]
    measured: Mapped[TextColumn | None]
    dilution: Mapped[Decimal | None] = mapped_column(Numeric)
    first_value: Mapped[TextColumn | None]
    is_confirmed: Mapped[bool] = mapped_column(server_default=text("false"))
    comment: Mapped[TextColumn | None]
    reason_code: Mapped[TextColumn | None]
    reason: Mapped[TextColumn | None]
    explanation: Mapped[TextColumn | None]
    entered_by: Mapped[UserId | None]
    entered_at: Mapped[ClinicalTime]
    released_by: Mapped[UserId | None]
    released_by_name: Mapped[TextColumn | None]


class ToxicologyAssessment(Table):
    """The verdicts on an order's released results, as of one release.

    They are stored with the basis of their judgment: the reported medications, the edition of the
    reference tables, and why the specimen is invalid, if it is. The newest is in force.
    """

    __tablename__ = "toxicology_assessments"
    __scope__ = Through(
        "orders",
        "order_id",
        staff_may="SI",
        client_may="S",
        physician_may="S",
        patient_may="S",
    )
    __table_args__ = (
        Index("uq_toxicology_assessments_revision", "order_id", "revision", unique=True),
    )

    id: Mapped[Id]
    order_id: Mapped[int] = mapped_column(BigInteger, ForeignKey("orders.id"))
    revision: Mapped[Small]
    medications: Mapped[list[str]] = mapped_column(ARRAY(Text))
    edition: Mapped[TextColumn | None]
    specimen_fault: Mapped[TextColumn | None]
    verdicts: Mapped[list[dict[str, Any]]] = mapped_column(JSONB)
    released_by: Mapped[UserId | None]
    released_at: Mapped[ClinicalTime]
