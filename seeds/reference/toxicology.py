"""Toxicology: substances, metabolites, names, and how the tests work.

Drug classes and metabolites are common knowledge. Cut-offs, detection windows, and the limits of a
valid specimen are invented: plausible, but not for use with patients.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from app.contract.enumerations import ToxicologyMethod
from seeds.reference.files import read_rows

EDITION = "2026-1 (invented)"
"""The edition of these tables, which each assessment names."""
ABNORMAL_RESULT = "ABNORMAL"
"""The label of an unexpected positive."""


@dataclass(frozen=True, slots=True)
class SubstanceRow:
    """A drug or a metabolite; an unexpected positive of a critical one is critical."""

    name: str
    drug_class: str
    is_critical: bool


@dataclass(frozen=True, slots=True)
class ToxicologyTestRow:
    """How a test of the catalog works; ``targets`` are the substances that it detects."""

    test: str
    method: ToxicologyMethod
    cut_off: Decimal | None
    detection_window: str | None
    low: Decimal | None
    high: Decimal | None
    targets: tuple[str, ...]


@cache
def list_substances() -> tuple[SubstanceRow, ...]:
    """Return all substances, by class."""
    return tuple(
        SubstanceRow(row["name"], row["drug_class"], row["is_critical"] == "true")
        for row in read_rows("toxicology_substances.csv")
    )


@cache
def list_metabolites() -> dict[str, tuple[str, ...]]:
    """Return what the body makes of a substance in one step, by substance."""
    metabolites: dict[str, tuple[str, ...]] = {}
    for row in read_rows("toxicology_metabolites.csv"):
        parent = row["parent"]
        metabolites[parent] = (*metabolites.get(parent, ()), row["metabolite"])
    return metabolites


@cache
def list_names() -> dict[str, tuple[str, ...]]:
    """Return the ingredients of brands, salts, and combinations, by name."""
    return {
        row["name"]: tuple(row["ingredients"].split("|"))
        for row in read_rows("toxicology_names.csv")
    }


@cache
def list_toxicology_tests() -> tuple[ToxicologyTestRow, ...]:
    """Return how each toxicology test works, in the order of the file."""
    return tuple(
        ToxicologyTestRow(
            test=row["test"],
            method=ToxicologyMethod(row["method"]),
            cut_off=_parse_number(row["cut_off"]),
            detection_window=row["detection_window"] or None,
            low=_parse_number(row["low"]),
            high=_parse_number(row["high"]),
            targets=tuple(row["targets"].split("|")) if row["targets"] else (),
        )
        for row in read_rows("toxicology_tests.csv")
    )


def _parse_number(text: str) -> Decimal | None:
    return Decimal(text) if text else None
