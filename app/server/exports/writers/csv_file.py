"""Writes rows as CSV (RFC 4180) in UTF-8, with the byte order mark that spreadsheets need."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from app.server.exports.source import CellType, ExportColumn, ExportRow
from app.server.exports.writers.cells import format_moment, neutralize_formula


class CsvFile:
    """A CSV file; only the current row is in memory."""

    def __init__(self, path: Path, columns: Sequence[ExportColumn]) -> None:
        self._types = [column.type for column in columns]
        self._file = path.open("w", encoding="utf-8-sig", newline="")
        self._writer = csv.writer(self._file, lineterminator="\r\n")
        self._writer.writerow([neutralize_formula(column.heading) for column in columns])

    def write_rows(self, rows: Iterable[ExportRow]) -> None:
        """Write rows in the order of the columns."""
        types = self._types
        self._writer.writerows(
            [_format_cell(kind, cell) for kind, cell in zip(types, row, strict=True)]
            for row in rows
        )

    def close(self) -> None:
        """Write what is pending, and close the file."""
        self._file.close()

    def discard(self) -> None:
        """Close the file without completing it."""
        self._file.close()


def _format_cell(kind: CellType, cell: str | None) -> str:
    if cell is None:
        return ""
    return neutralize_formula(format_moment(cell) if kind is CellType.MOMENT else cell)
