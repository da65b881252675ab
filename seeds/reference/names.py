"""Payers and medications."""

from dataclasses import dataclass
from functools import cache

from seeds.reference.files import read_rows


@dataclass(frozen=True, slots=True)
class PayerRow:
    """An insurance payer; the mark says where a medical necessity notice may be due."""

    name: str
    medicare_part_b: bool


@cache
def payers() -> tuple[PayerRow, ...]:
    """All payers, by name."""
    return tuple(
        PayerRow(row["name"], row["medicare_part_b"] == "true") for row in read_rows("payers.csv")
    )


@cache
def medications() -> tuple[str, ...]:
    """Generic names, upper-cased, in alphabetical order."""
    return tuple(row["name"] for row in read_rows("medications.csv"))
