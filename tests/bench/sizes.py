"""How many records each part fills a database with, and how many it needs."""

import os
from collections.abc import Collection
from dataclasses import dataclass

from tests.bench import acts, exports, greedy, people
from tests.bench.rows import CLIENTS

SMALL = 10_000
"""Lists and results are compared with a database of this size."""


@dataclass(frozen=True)
class Size:
    """The number of records of a part: ``variable`` in the environment, or the default."""

    variable: str
    default: int
    least: int = CLIENTS
    """By default, a record for each client."""

    @property
    def value(self) -> int:
        """The number to use."""
        return int(os.environ.get(self.variable, self.default))


_MILLION = 1_000_000
SIZES = {
    "lists": Size("BENCH_ROWS", _MILLION, SMALL),
    "patients": Size("BENCH_ROWS", _MILLION),
    "search": Size("BENCH_ROWS", _MILLION),
    "results": Size("BENCH_ROWS", _MILLION, SMALL),
    "acts": Size("BENCH_ROWS", _MILLION, acts.LEAST_ROWS),
    "writes": Size("BENCH_ROWS", _MILLION),
    "greedy": Size("BENCH_GREEDY_ROWS", 100_000, greedy.LEAST_ROWS),
    "export": Size("BENCH_EXPORT_ROWS", 100_000, exports.FEW_ROWS),
    "audit": Size("BENCH_ROWS", _MILLION),
    "people": Size("BENCH_PEOPLE", 100_000, people.LEAST_PEOPLE),
}
"""The parts that fill a database."""


def find_small_sizes(parts: Collection[str]) -> list[str]:
    """Find parts whose database would be too small to measure, each as a line."""
    return [
        f"{part}: {size.variable} is {size.value:,}, but this part needs at least {size.least:,}"
        for part, size in SIZES.items()
        if part in parts and size.value < size.least
    ]
