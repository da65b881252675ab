"""Reads the CSV files that spreadsheets write."""

import csv
import io


def decode_csv(content: bytes) -> str | None:
    """Decode UTF-8 (with or without a byte order mark) or Windows-1252; else return None."""
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        # UTF-16 and spreadsheets in their own format have zero bytes.
        return None if "\0" in text else text
    return None


def read_rows(text: str) -> list[list[str]]:
    """Read the rows of CSV text, with any line ends.

    Raises:
        csv.Error: the quotes are wrong.
    """
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))
