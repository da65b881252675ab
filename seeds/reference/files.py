"""Reads the data files in the folder of this module."""

import csv
import gzip
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).parent


def read_rows(name: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a CSV file (UTF-8, with a header), plain or gzipped."""
    raw = (FOLDER / name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
    yield from csv.DictReader(StringIO(text))
