"""The lab's tables of microbiology; cultures/NOTICE.md says what is invented."""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from app.contract.enumerations import CultureTermKind, SusceptibilityMethod
from seeds.reference.files import read_rows


@dataclass(frozen=True, slots=True)
class OrganismRow:
    """An organism with its group, with the columns of the table ``organisms``."""

    code: str
    name: str
    group_code: str
    is_flora: bool
    is_interim: bool
    snomed: str | None


@dataclass(frozen=True, slots=True)
class AntibioticRow:
    """An antibiotic with its class, in the order of the report."""

    code: str
    name: str
    class_name: str
    position: int


@dataclass(frozen=True, slots=True)
class CultureTermRow:
    """A source, site, quantity, finding, or mark."""

    kind: CultureTermKind
    code: str
    name: str
    words: str | None
    is_interim: bool
    is_critical: bool
    excludes_growth: bool
    position: int


@dataclass(frozen=True, slots=True)
class BreakpointRow:
    """A row of the invented breakpoint table."""

    edition: str
    applies_to: str
    antibiotic: str
    method: SusceptibilityMethod
    source: str | None
    susceptible: Decimal
    dose_dependent: Decimal | None
    resistant: Decimal | None
    invented: bool


@dataclass(frozen=True, slots=True)
class CascadeRow:
    """A row of the cascade table."""

    applies_to: str | None
    antibiotic: str
    unless_antibiotic: str | None
    unless_interpretations: tuple[str, ...]
    unless_source: str | None


@dataclass(frozen=True, slots=True)
class CriticalRuleRow:
    """A row of the table of critical cultures."""

    source: str | None
    applies_to: str | None
    mark: str | None
    finding: str | None


@cache
def list_organisms() -> tuple[OrganismRow, ...]:
    """Return the organisms in the order of the file."""
    return tuple(
        OrganismRow(
            row["code"],
            row["name"],
            row["group"],
            row["is_flora"] == "true",
            row["is_interim"] == "true",
            row["snomed"] or None,
        )
        for row in read_rows("cultures/organisms.csv")
    )


@cache
def list_antibiotics() -> tuple[AntibioticRow, ...]:
    """Return the antibiotics in the order of the report."""
    return tuple(
        AntibioticRow(row["code"], row["name"], row["class"], position)
        for position, row in enumerate(read_rows("cultures/antibiotics.csv"))
    )


@cache
def list_culture_terms() -> tuple[CultureTermRow, ...]:
    """Return the terms of all kinds in the order of the file."""
    return tuple(
        CultureTermRow(
            CultureTermKind(row["kind"]),
            row["code"],
            row["name"],
            row["words"] or None,
            row["is_interim"] == "true",
            row["is_critical"] == "true",
            row["excludes_growth"] == "true",
            position,
        )
        for position, row in enumerate(read_rows("cultures/terms.csv"))
    )


@cache
def list_breakpoints() -> tuple[BreakpointRow, ...]:
    """Return the invented breakpoints."""
    return tuple(
        BreakpointRow(
            row["edition"],
            row["applies_to"],
            row["antibiotic"],
            SusceptibilityMethod(row["method"]),
            row["source"] or None,
            Decimal(row["susceptible"]),
            Decimal(row["dose_dependent"]) if row["dose_dependent"] else None,
            Decimal(row["resistant"]) if row["resistant"] else None,
            row["invented"] == "true",
        )
        for row in read_rows("cultures/breakpoints.csv")
    )


@cache
def list_intrinsic_resistances() -> tuple[tuple[str, str], ...]:
    """Return pairs: an organism or group, and an antibiotic that it resists."""
    return tuple(
        (row["applies_to"], row["antibiotic"])
        for row in read_rows("cultures/intrinsic_resistances.csv")
    )


@cache
def list_cascade_rules() -> tuple[CascadeRow, ...]:
    """Return the invented cascade."""
    return tuple(
        CascadeRow(
            row["applies_to"] or None,
            row["antibiotic"],
            row["unless_antibiotic"] or None,
            tuple(row["unless_interpretations"].split("|"))
            if row["unless_interpretations"]
            else (),
            row["unless_source"] or None,
        )
        for row in read_rows("cultures/cascade_rules.csv")
    )


@cache
def list_critical_rules() -> tuple[CriticalRuleRow, ...]:
    """Return the invented table of critical cultures."""
    return tuple(
        CriticalRuleRow(
            row["source"] or None,
            row["applies_to"] or None,
            row["mark"] or None,
            row["finding"] or None,
        )
        for row in read_rows("cultures/critical_rules.csv")
    )
