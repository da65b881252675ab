"""The lab's own tables of microbiology: organisms, antibiotics, breakpoints, and rules."""

from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Index, Numeric, Text, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from app.server.database.base import Ended, Id, Numbered, Small, Table, TextColumn
from app.server.database.scope import Reference


class OrganismName(Numbered, Ended, Table):
    """An organism that a culture may grow.

    Attributes:
        snomed: its code; empty where the code is not licensed.
        group_code: the group that breakpoints and rules name.
        is_flora: it is not a pathogen.
        is_interim: it stands for organisms that are not identified yet ('gram-negative rods').
    """

    __tablename__ = "organisms"
    __scope__ = Reference()

    code: Mapped[TextColumn] = mapped_column(primary_key=True)
    name: Mapped[TextColumn]
    group_code: Mapped[TextColumn]
    is_flora: Mapped[bool] = mapped_column(server_default=text("false"))
    is_interim: Mapped[bool] = mapped_column(server_default=text("false"))
    snomed: Mapped[TextColumn | None]


class Antibiotic(Numbered, Ended, Table):
    """An antibiotic with its class, in the order of the report."""

    __tablename__ = "antibiotics"
    __scope__ = Reference()

    code: Mapped[TextColumn] = mapped_column(primary_key=True)
    name: Mapped[TextColumn]
    class_name: Mapped[TextColumn]
    position: Mapped[Small]


class CultureTerm(Numbered, Ended, Table):
    """A source, site, quantity, finding, or mark of resistance that cultures use.

    Attributes:
        words: the explanation of a mark on the report.
        is_interim: the finding applies only to a preliminary result.
        excludes_growth: the finding cannot be true together with an organism ('No growth').
    """

    __tablename__ = "culture_terms"
    __scope__ = Reference()

    kind: Mapped[TextColumn] = mapped_column(primary_key=True)
    code: Mapped[TextColumn] = mapped_column(primary_key=True)
    name: Mapped[TextColumn]
    words: Mapped[TextColumn | None]
    is_interim: Mapped[bool] = mapped_column(server_default=text("false"))
    is_critical: Mapped[bool] = mapped_column(server_default=text("false"))
    excludes_growth: Mapped[bool] = mapped_column(server_default=text("false"))
    position: Mapped[Small]


class Breakpoint(Ended, Table):
    """A row of the lab's own breakpoint table, in ug/mL or mm; the newest edition is in force.

    Attributes:
        applies_to: the code of an organism or of a group.
        source: limits the row to specimens of that source.
    """

    __tablename__ = "breakpoints"
    __scope__ = Reference()
    __table_args__ = (
        CheckConstraint("method IN ('MIC', 'ZONE')", name="method"),
        Index(
            "uq_breakpoints_row",
            "edition",
            "applies_to",
            "antibiotic",
            "method",
            "source",
            unique=True,
            postgresql_nulls_not_distinct=True,
        ),
    )

    id: Mapped[Id]
    edition: Mapped[TextColumn]
    applies_to: Mapped[TextColumn]
    antibiotic: Mapped[TextColumn] = mapped_column(ForeignKey("antibiotics.code"))
    method: Mapped[TextColumn]
    source: Mapped[TextColumn | None]
    susceptible: Mapped[Decimal] = mapped_column(Numeric)
    dose_dependent: Mapped[Decimal | None] = mapped_column(Numeric)
    resistant: Mapped[Decimal | None] = mapped_column(Numeric)
    invented: Mapped[bool] = mapped_column(server_default=text("false"))


class IntrinsicResistance(Numbered, Ended, Table):
    """An antibiotic to which an organism is resistant, by nature or by its mark.

    Attributes:
        applies_to: the code of an organism, of a group, or of a mark of resistance.
    """

    __tablename__ = "intrinsic_resistances"
    __scope__ = Reference()

    applies_to: Mapped[TextColumn] = mapped_column(primary_key=True)
    antibiotic: Mapped[TextColumn] = mapped_column(ForeignKey("antibiotics.code"), primary_key=True)


class CascadeRule(Ended, Table):
    """A rule that leaves an antibiotic off reports unless, for example, another one is R."""

    __tablename__ = "cascade_rules"
    __scope__ = Reference()

    id: Mapped[Id]
    applies_to: Mapped[TextColumn | None]
    antibiotic: Mapped[TextColumn] = mapped_column(ForeignKey("antibiotics.code"))
    unless_antibiotic: Mapped[TextColumn | None] = mapped_column(ForeignKey("antibiotics.code"))
    unless_interpretations: Mapped[list[str]] = mapped_column(
        ARRAY(Text), server_default=text("'{}'")
    )
    unless_source: Mapped[TextColumn | None]


class CriticalCultureRule(Ended, Table):
    """A kind of culture that the lab must call about: source, and organism, mark, or finding."""

    __tablename__ = "critical_culture_rules"
    __scope__ = Reference()
    # An empty rule would make every culture critical.
    __table_args__ = (
        CheckConstraint(
            "NOT active OR num_nonnulls(source, applies_to, mark, finding) > 0",
            name="names_something",
        ),
    )

    id: Mapped[Id]
    source: Mapped[TextColumn | None]
    applies_to: Mapped[TextColumn | None]
    mark: Mapped[TextColumn | None]
    finding: Mapped[TextColumn | None]
