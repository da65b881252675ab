"""ZIP codes of the United States, from the data in the package ``zipcodes``."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import zipcodes

_list_all: Callable[[], list[dict[str, Any]]] = zipcodes.list_all


@dataclass(frozen=True, slots=True)
class ZipCodeRow:
    """A five-digit code with its state and its city, which is in upper case as in addresses."""

    code: str
    city: str
    state: str


def list_zip_codes() -> Iterator[ZipCodeRow]:
    """Yield each active code once, in code order."""
    codes: set[str] = set()
    for row in sorted(_list_all(), key=lambda row: row["zip_code"]):
        code = row["zip_code"]
        if row["active"] and code not in codes:
            codes.add(code)
            yield ZipCodeRow(code, row["city"].upper(), row["state"])
