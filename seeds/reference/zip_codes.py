"""ZIP codes of the United States, from the package ``zipcodes``, which carries its data."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import zipcodes

_list_all: Callable[[], list[dict[str, Any]]] = zipcodes.list_all


@dataclass(frozen=True, slots=True)
class ZipCodeRow:
    """A five-digit code with its city (upper-cased, as addresses are kept) and state."""

    code: str
    city: str
    state: str


def zip_codes() -> Iterator[ZipCodeRow]:
    """Every active code once, in code order."""
    seen: set[str] = set()
    for entry in sorted(_list_all(), key=lambda each: each["zip_code"]):
        code = entry["zip_code"]
        if entry["active"] and code not in seen:
            seen.add(code)
            yield ZipCodeRow(code, entry["city"].upper(), entry["state"])
