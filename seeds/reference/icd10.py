"""Billable ICD-10-CM codes from ``simple-icd-10-cm`` (public domain data).

The package parses ten megabytes of XML on import, which takes three seconds. Therefore the codes
are stored beside this module as ``icd10.csv.gz``. After a new release of the package, run
``python -m seeds.reference.write_icd10`` to write that file again.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from seeds.reference.files import read_rows

RELEASE = "FY2026, April 1, 2026"

VALID_FROM = date(2015, 10, 1)
"""The first day of ICD-10-CM. The package does not say when a code became valid, so every code is
valid from this day."""

FILE = "icd10.csv.gz"


@dataclass(frozen=True, slots=True)
class DiagnosisRow:
    """A billable leaf code; ``valid_to`` is the last day on which it may be used, if any."""

    code: str
    description: str
    valid_from: date
    valid_to: date | None
    release: str

    @property
    def search_text(self) -> str:
        """The code with and without its dot, and the description, in upper case."""
        return f"{self.code} {self.code.replace('.', '')} {self.description}".upper()


def list_diagnoses() -> Iterator[DiagnosisRow]:
    """Yield all billable codes of the release, in code order."""
    for row in read_rows(FILE):
        yield DiagnosisRow(row["code"], row["description"], VALID_FROM, None, RELEASE)
