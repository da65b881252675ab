"""Bill types, payers and medications."""

from dataclasses import dataclass
from functools import cache

from seeds.reference.files import read_rows


@dataclass(frozen=True, slots=True)
class PayerRow:
    """An insurance payer; the mark says where a medical necessity notice may be due."""

    name: str
    medicare_part_b: bool
    bill_type: str


OTHER_BILL_TYPE = "OTHER"
"""The bill type of a payer of whom nothing is known."""


@cache
def bill_types() -> tuple[str, ...]:
    """The kinds of coverage, in the order in which they are offered."""
    return tuple(row["name"] for row in read_rows("bill_types.csv"))


@cache
def payers() -> tuple[PayerRow, ...]:
    """All payers, by name."""
    return tuple(
        PayerRow(row["name"], row["medicare_part_b"] == "true", row["bill_type"])
        for row in read_rows("payers.csv")
    )


@cache
def medications() -> tuple[str, ...]:
    """Generic names, upper-cased, in alphabetical order."""
    return tuple(row["name"] for row in read_rows("medications.csv"))
