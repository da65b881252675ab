"""Chooses the writer of a format."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

from app.contract.enumerations import ExportFormat
from app.server.exports.source import ExportColumn, ExportRow
from app.server.exports.writers.csv_file import CsvFile
from app.server.exports.writers.xlsx_file import XlsxFile


class ExportFile(Protocol):
    """A file that is written row by row."""

    def write_rows(self, rows: Iterable[ExportRow]) -> None:
        """Write rows in the order of the columns."""
        ...

    def close(self) -> None:
        """Complete the file."""
        ...

    def discard(self) -> None:
        """Close the file without completing it."""
        ...


def open_export_file(
    kind: ExportFormat, path: Path, columns: Sequence[ExportColumn], title: str, folder: Path
) -> ExportFile:
    """Open a new file of this format; ``folder`` is for temporary files."""
    if kind is ExportFormat.CSV:
        return CsvFile(path, columns)
    return XlsxFile(path, columns, title, folder)
