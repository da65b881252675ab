"""Reads the data files that stand beside this module."""

import csv
import gzip
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

FOLDER = Path(__file__).parent


def read_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a CSV file (UTF-8, with a head line), plain or gzipped."""
    raw = (FOLDER / name).read_bytes()
    text = (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")
    yield from csv.DictReader(StringIO(text))
