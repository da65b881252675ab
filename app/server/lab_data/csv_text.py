"""Lines of CSV files, and cells that spreadsheets would take for formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from app.basics.csv_text import decode_csv, read_rows
from app.basics.errors import FieldError
from app.contract import messages
from app.server.lab_data.errors import FileUnreadable

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")
_FORMULA = re.compile(r"'*[=+\-@]")
_ESCAPED_CELL = re.compile(r"'+[=+\-@]")


def write_csv(lines: Iterable[Sequence[str]]) -> bytes:
    """Write a CSV file in UTF-8 with a byte order mark, which Excel needs."""
    text = io.StringIO(newline="")
    csv.writer(text).writerows([[escape_cell(cell) for cell in line] for line in lines])
    return text.getvalue().encode("utf-8-sig")


def read_csv(content: bytes) -> list[list[str]]:
    """Read the lines of a CSV file.

    Raises:
        FileUnreadable: the encoding is unknown, or the quotes are wrong.
    """
    text = decode_csv(content)
    if text is None:
        raise build_file_error(messages.LAB_DATA_FILE_ENCODING)
    try:
        return [[unescape_cell(cell.strip()) for cell in line] for line in read_rows(text)]
    except csv.Error as error:
        raise build_file_error(messages.LAB_DATA_FILE_NO_CSV) from error


def escape_cell(cell: str) -> str:
    """Return the cell, with an apostrophe before text that a spreadsheet would compute."""
    is_formula = _FORMULA.match(cell) and not _NUMBER.fullmatch(cell)
    return f"'{cell}" if is_formula else cell


def unescape_cell(cell: str) -> str:
    """Return the cell without the apostrophe of ``escape_cell``."""
    return cell[1:] if _ESCAPED_CELL.match(cell) else cell


def build_file_error(message: str) -> FileUnreadable:
    """Build the error about a file."""
    return FileUnreadable.of(FieldError("content", message))
