"""Writes rows as an XLSX workbook with one sheet, each row to disk before the next one."""

from collections.abc import Callable, Iterable, Sequence
from datetime import time
from pathlib import Path

from app.contract import messages
from app.server.exports.source import CellType, ExportColumn, ExportRow
from app.server.exports.writers.cells import may_be_formula, parse_day, parse_moment, parse_number

CELL_MAX = 32_767
"""Characters that a cell can hold."""
ROWS_MAX = 1_048_576
"""Rows that a sheet can hold, the heading included."""
_SHEET_NAME_MAX = 31
_OPTIONS = {
    # Only the current row is in memory.
    "constant_memory": True,
    # Every cell is written by its type; no text becomes a formula, a link, or a number.
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}


class SheetFullError(Exception):
    """More rows than a sheet can hold."""


class XlsxFile:
    """An XLSX file: a frozen heading with a filter, numbers as numbers, and days as days.

    Args:
        folder: where the rows are until the file is closed.
    """

    def __init__(
        self, path: Path, columns: Sequence[ExportColumn], title: str, folder: Path
    ) -> None:
        # Imported here, because it takes 3 MB that only processes with XLSX exports need.
        from xlsxwriter import Workbook

        self._book = Workbook(str(path), {**_OPTIONS, "tmpdir": str(folder)})
        self._sheet = self._book.add_worksheet(title[:_SHEET_NAME_MAX])
        self._count = 1
        heading = self._book.add_format({"bold": True, "bottom": 1})
        self._day = self._book.add_format({"num_format": "mm/dd/yyyy"})
        self._moment = self._book.add_format({"num_format": "mm/dd/yyyy hh:mm AM/PM"})
        # The text stays text even after somebody edits its cell.
        self._text = self._book.add_format({"quote_prefix": True})
        self._sheet.freeze_panes(1, 0)
        for index, column in enumerate(columns):
            self._sheet.set_column(index, index, column.width)
            self._sheet.write_string(0, index, column.heading, heading)
        writers: dict[CellType, Callable[[int, int, str], None]] = {
            CellType.TEXT: self._write_text,
            CellType.NUMBER: self._write_number,
            CellType.DATE: self._write_day,
            CellType.MOMENT: self._write_moment,
        }
        self._writers = [writers[column.type] for column in columns]

    def write_rows(self, rows: Iterable[ExportRow]) -> None:
        """Write rows in the order of the columns.

        Raises:
            SheetFullError: the sheet can hold no more rows.
        """
        for row in rows:
            if self._count >= ROWS_MAX:
                raise SheetFullError
            for index, (write, cell) in enumerate(zip(self._writers, row, strict=True)):
                if cell is not None and cell != "":
                    write(self._count, index, cell)
            self._count += 1

    def close(self) -> None:
        """Write the workbook, and close the file."""
        last = len(self._writers) - 1
        self._sheet.autofilter(0, 0, max(self._count - 1, 0), last)
        self._book.close()

    def discard(self) -> None:
        """Close the temporary file of the rows, without writing the workbook."""
        self._sheet.row_data_fh.close()

    def _write_text(self, row: int, index: int, text: str) -> None:
        if len(text) > CELL_MAX:
            note = messages.EXPORT_CELL_SHORTENED
            text = text[: CELL_MAX - len(note)] + note
        self._sheet.write_string(row, index, text, self._text if may_be_formula(text) else None)

    def _write_number(self, row: int, index: int, text: str) -> None:
        number = parse_number(text)
        if number is None:
            self._write_text(row, index, text)
        else:
            self._sheet.write_number(row, index, float(number))

    def _write_day(self, row: int, index: int, text: str) -> None:
        day = parse_day(text)
        if day is None:
            self._write_text(row, index, text)
        else:
            self._sheet.write_datetime(row, index, day, self._day)

    def _write_moment(self, row: int, index: int, text: str) -> None:
        moment = parse_moment(text)
        if moment is None:
            self._write_text(row, index, text)
            return
        # Midnight means that the time is not known (DECISIONS).
        cell_format = self._day if moment.time() == time() else self._moment
        self._sheet.write_datetime(row, index, moment, cell_format)
