"""Bill types, payers, medications, reasons, and collection sites."""

from dataclasses import dataclass
from functools import cache

from app.contract.enumerations import ReasonKind
from seeds.reference.files import read_rows


@dataclass(frozen=True, slots=True)
class PayerRow:
    """A payer; ``medicare_part_b`` payers may require a medical necessity notice."""

    name: str
    medicare_part_b: bool
    bill_type: str


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """A reason to choose from a list, with its position in the list of its kind."""

    kind: ReasonKind
    code: str
    words: str


OTHER_BILL_TYPE = "OTHER"
"""The bill type of a payer without a known type."""


@cache
def list_bill_types() -> tuple[str, ...]:
    """Return the kinds of coverage, in the order of the dropdown."""
    return tuple(row["name"] for row in read_rows("bill_types.csv"))


@cache
def list_payers() -> tuple[PayerRow, ...]:
    """Return all payers, by name."""
    return tuple(
        PayerRow(row["name"], row["medicare_part_b"] == "true", row["bill_type"])
        for row in read_rows("payers.csv")
    )


@cache
def list_diagnosis_terms() -> dict[str, str]:
    """Return the code of a diagnosis by everyday word or abbreviation; we wrote the list."""
    return {row["term"]: row["code"] for row in read_rows("diagnosis_terms.csv")}


@cache
def list_collection_sites() -> tuple[str, ...]:
    """Return the names of collection sites, in order."""
    return tuple(row["name"] for row in read_rows("collection_sites.csv"))


@cache
def list_reasons() -> tuple[ReasonRow, ...]:
    """Return the reasons for corrections, rejections, cancellations, and others, in order."""
    return tuple(
        ReasonRow(ReasonKind(row["kind"]), row["code"], row["words"])
        for row in read_rows("reasons.csv")
    )


@cache
def list_medications() -> tuple[str, ...]:
    """Return generic names in upper case, in alphabetical order."""
    return tuple(row["name"] for row in read_rows("medications.csv"))
