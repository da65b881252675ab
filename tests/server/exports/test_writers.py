"""Files of exports: what spreadsheets and programs read from them."""

import csv
import zipfile
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from app.contract import messages
from app.contract.enumerations import ExportFormat
from app.server.exports.source import CellType, ExportColumn
from app.server.exports.writers import xlsx_file
from app.server.exports.writers.cells import may_be_formula, neutralize_formula
from app.server.exports.writers.choose import open_export_file

COLUMNS = (
    ExportColumn("name", "Name"),
    ExportColumn("value", "Value", CellType.NUMBER),
    ExportColumn("born", "Born", CellType.DATE),
    ExportColumn("collected", "Collected", CellType.MOMENT),
)
# Texts that PostgreSQL can store: without NUL and lone surrogates.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=40)
STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", " =", "＝", "＋", "－", "＠")


def write_file(kind: ExportFormat, rows: list[list[str | None]], folder: Path) -> Path:
    """Write rows to a file, in two batches, and return its path."""
    path = folder / f"rows.{kind}"
    file = open_export_file(kind, path, COLUMNS, "Results", folder)
    file.write_rows(rows[:1])
    file.write_rows(rows[1:])
    file.close()
    return path


def read_csv(path: Path) -> list[list[str]]:
    """Read a CSV file as a strict program does."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file, strict=True))


def read_cells(path: Path) -> list[list[object]]:
    """Read the values of a workbook's sheet."""
    book = load_workbook(path)
    return [[cell.value for cell in row] for row in book["Results"].iter_rows()]


class TestNeutralizing:
    """Text that a spreadsheet might take for a formula."""

    @pytest.mark.parametrize("start", STARTS)
    def test_puts_an_apostrophe_before_formulas(self, start: str) -> None:
        assert neutralize_formula(f"{start}cmd|' /C calc'!A0") == f"'{start}cmd|' /C calc'!A0"

    @pytest.mark.parametrize("text", ["-5.2", "+3", "-0.5", "12", "<5", ">=200", "A=1", "", "1-2"])
    def test_leaves_numbers_and_other_text(self, text: str) -> None:
        assert neutralize_formula(text) == text

    @given(TEXTS)
    def test_text_is_neutralized_only_once(self, text: str) -> None:
        assert neutralize_formula(neutralize_formula(text)) == neutralize_formula(text)
        assert not may_be_formula(neutralize_formula(text))

    @given(st.sampled_from(STARTS), TEXTS)
    def test_only_a_plain_number_stays_as_it_is(self, start: str, text: str) -> None:
        cell = start + text
        if neutralize_formula(cell) == cell:
            assert Decimal(cell).is_finite()


class TestCsv:
    """CSV files."""

    @given(st.lists(TEXTS, max_size=5))
    def test_preserves_every_text(self, texts: list[str]) -> None:
        with TemporaryDirectory() as folder:
            rows = [[text, None, None, None] for text in texts]
            path = write_file(ExportFormat.CSV, rows, Path(folder))
            [heading, *cells] = read_csv(path)
        assert heading == ["Name", "Value", "Born", "Collected"]
        assert [row[0] for row in cells] == [neutralize_formula(text) for text in texts]

    def test_has_a_byte_order_mark_and_standard_line_ends(self, tmp_path: Path) -> None:
        path = write_file(ExportFormat.CSV, [['a "b", c', "-5.20", "1970-01-02", None]], tmp_path)
        assert path.read_bytes() == (
            b'\xef\xbb\xbfName,Value,Born,Collected\r\n"a ""b"", c",-5.20,1970-01-02,\r\n'
        )

    def test_leaves_out_an_unknown_time(self, tmp_path: Path) -> None:
        rows = [
            [None, None, None, "2026-03-04T00:00:00"],
            [None, None, None, "2026-03-04T07:30:00"],
        ]
        [_, *cells] = read_csv(write_file(ExportFormat.CSV, rows, tmp_path))
        assert [row[3] for row in cells] == ["2026-03-04", "2026-03-04 07:30"]


class TestXlsx:
    """XLSX files."""

    def test_has_numbers_days_and_moments(self, tmp_path: Path) -> None:
        rows = [
            ["LOPEZ", "-5.2", "1970-01-02", "2026-03-04T07:30:00"],
            [None, None, "1890-05-06", "2026-03-04T00:00:00"],
        ]
        [_, first, second] = read_cells(write_file(ExportFormat.XLSX, rows, tmp_path))
        parse = datetime.fromisoformat
        assert first == ["LOPEZ", -5.2, parse("1970-01-02"), parse("2026-03-04T07:30")]
        # Spreadsheets have no days as early as 1890, so this one stays text.
        assert second == [None, None, "1890-05-06", parse("2026-03-04")]

    def test_keeps_a_number_of_too_many_digits_as_text(self, tmp_path: Path) -> None:
        rows = [[None, "12345678901234567.5", None, None]]
        assert (
            read_cells(write_file(ExportFormat.XLSX, rows, tmp_path))[1][1] == "12345678901234567.5"
        )

    @given(st.sampled_from(STARTS), TEXTS)
    def test_has_no_formula(self, start: str, text: str) -> None:
        with TemporaryDirectory() as folder:
            rows = [[start + text, None, None, None]]
            path = write_file(ExportFormat.XLSX, rows, Path(folder))
            with zipfile.ZipFile(path) as book:
                sheet = book.read("xl/worksheets/sheet1.xml").decode()
            cell = load_workbook(path)["Results"]["A2"]
        assert "<f>" not in sheet
        assert cell.data_type != "f"
        assert 't="inlineStr"' in sheet

    def test_marks_text_that_looks_like_a_formula(self, tmp_path: Path) -> None:
        rows = [["=1+1", None, None, None], ["plain", None, None, None]]
        sheet = load_workbook(write_file(ExportFormat.XLSX, rows, tmp_path))["Results"]
        assert sheet["A2"].quotePrefix
        assert not sheet["A3"].quotePrefix

    def test_freezes_the_heading_and_filters_it(self, tmp_path: Path) -> None:
        sheet = load_workbook(write_file(ExportFormat.XLSX, [["A", None, None, None]], tmp_path))[
            "Results"
        ]
        assert sheet.freeze_panes == "A2"
        assert sheet.auto_filter.ref == "A1:D2"
        assert sheet.column_dimensions["A"].width > 10

    def test_says_that_a_long_text_was_shortened(self, tmp_path: Path) -> None:
        rows = [["x" * 40_000, None, None, None]]
        value = str(read_cells(write_file(ExportFormat.XLSX, rows, tmp_path))[1][0])
        assert len(value) == xlsx_file.CELL_MAX
        assert value.endswith(messages.EXPORT_CELL_SHORTENED)

    def test_rejects_more_rows_than_a_sheet_holds(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert xlsx_file.ROWS_MAX == 1_048_576
        monkeypatch.setattr(xlsx_file, "ROWS_MAX", 3)
        with pytest.raises(xlsx_file.SheetFullError):
            write_file(ExportFormat.XLSX, [["A", None, None, None]] * 3, tmp_path)

    def test_leaves_no_temporary_file(self, tmp_path: Path) -> None:
        path = write_file(ExportFormat.XLSX, [["A", None, None, None]], tmp_path)
        assert list(tmp_path.iterdir()) == [path]
