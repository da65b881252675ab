"""The cumulative report: selected results of a patient, with a column per order."""

from collections.abc import Iterator, Sequence
from io import BytesIO

from reportlab.lib.colors import Color

from app.basics.dates import format_date_time
from app.drawing.pages.common import build_heading, build_patient_block
from app.drawing.pages.facts import (
    CumulativeCell,
    CumulativeLine,
    CumulativePage,
    CumulativeSection,
)
from app.drawing.pages.lettering import CRITICAL, CRITICAL_WASH, INK, MUTED
from app.drawing.pages.order_results import FLAGS
from app.drawing.pages.paper import LANDSCAPE, LANDSCAPE_CONTENT_WIDTH, create_canvas
from app.drawing.pages.sheet import Cell, Column, Sheet

_TITLE = "Cumulative results"
_NAME_WIDTH, _RANGE_WIDTH, _VALUE_WIDTH = 150.0, 80.0, 68.0
_COLUMNS_MAX = int((LANDSCAPE_CONTENT_WIDTH - _NAME_WIDTH - _RANGE_WIDTH) / _VALUE_WIDTH)
_SIZE, _NOTES_SIZE = 8.0, 6.8
_NOTES = (
    "Rows are separate where unit or method differ. A range below a value differs from that of "
    "the row. N is normal. A value without a flag was not judged; it is not necessarily normal."
)


def draw_cumulative_results(pages: Sequence[CumulativePage]) -> bytes:
    """Draw the reports as one PDF, each patient starting on a new page."""
    file = BytesIO()
    canvas = create_canvas(file, _TITLE, size=LANDSCAPE)
    for page in pages:
        heading = build_heading(page.patient.code, page.patient)
        sheet = Sheet(canvas, page.lab, heading, page.printed, size=LANDSCAPE)
        _draw_page(sheet, page)
        sheet.close()
    canvas.save()
    return file.getvalue()


def _draw_page(sheet: Sheet, page: CumulativePage) -> None:
    sheet.draw_title(_TITLE, _format_period(page))
    sheet.draw_columns([build_patient_block(page.patient)], label=54)
    for section in page.sections:
        for start in range(0, len(section.columns), _COLUMNS_MAX):
            _draw_table(sheet, section, start)
    _draw_orders(sheet, page)
    sheet.reserve(34)
    sheet.y -= 10
    sheet.draw_paragraph(FLAGS, size=7, color=MUTED)
    sheet.draw_paragraph(_NOTES, size=7, color=MUTED)


def _format_period(page: CumulativePage) -> str:
    days = sorted(
        {column.collected.date() for section in page.sections for column in section.columns}
    )
    first, last = f"{days[0]:%m/%d/%Y}", f"{days[-1]:%m/%d/%Y}"
    return f"Collected {first}" if first == last else f"Collected {first} to {last}"


def _draw_table(sheet: Sheet, section: CumulativeSection, start: int) -> None:
    """Draw the orders from ``start`` that fit side by side, and the lines with results in them."""
    end = start + _COLUMNS_MAX
    visible_columns = section.columns[start:end]
    lines = [(line, line.cells[start:end]) for line in section.lines if any(line.cells[start:end])]
    columns = (
        Column("Test", _NAME_WIDTH),
        Column("Reference range", _RANGE_WIDTH),
        *(Column(format_date_time(column.collected), _VALUE_WIDTH) for column in visible_columns),
    )
    # The last column takes what is left of the page, so that rows have its full width.
    rest = LANDSCAPE_CONTENT_WIDTH - sum(column.width for column in columns)
    columns = (*columns[:-1], Column(columns[-1].title, _VALUE_WIDTH + rest))
    sheet.draw_heading(section.title, keep=60)
    sheet.begin_table(columns)
    for line, cells in lines:
        _draw_line(sheet, columns, line, cells)
    sheet.end_table()


def _draw_line(
    sheet: Sheet,
    columns: Sequence[Column],
    line: CumulativeLine,
    cells: Sequence[CumulativeCell | None],
) -> None:
    rows = [
        (Cell(line.name, bold=True), Cell(line.reference_range), *map(_build_value, cells)),
    ]
    if line.about or any(cell and cell.notes for cell in cells):
        notes = (Cell("\n".join(cell.notes) if cell else "", color=MUTED) for cell in cells)
        rows.append((Cell(line.about, color=MUTED), Cell(""), *notes))
    background = CRITICAL_WASH if any(cell and cell.is_critical for cell in cells) else None
    for number, row in enumerate(rows, start=1):
        is_last = number == len(rows)
        sheet.draw_row(
            columns,
            row,
            size=_SIZE if number == 1 else _NOTES_SIZE,
            background=background,
            line=is_last,
            keep=0 if is_last else 12,
        )


def _build_value(cell: CumulativeCell | None) -> Cell:
    if cell is None:
        return Cell("")
    color: Color = CRITICAL if cell.is_critical else INK
    parts = [cell.text, cell.flag.value if cell.flag else ""]
    return Cell(" ".join(part for part in parts if part), bold=cell.is_abnormal, color=color)


def _draw_orders(sheet: Sheet, page: CumulativePage) -> None:
    columns = (
        Column("Collected", 110),
        Column("Order", 110),
        Column("Client", LANDSCAPE_CONTENT_WIDTH - 220),
    )
    sheet.draw_heading("Orders", keep=40)
    sheet.begin_table(columns)
    for collection, code, client in _list_orders(page):
        sheet.draw_row(columns, (Cell(collection), Cell(code, bold=True), Cell(client)), size=_SIZE)
    sheet.end_table()


def _list_orders(page: CumulativePage) -> Iterator[tuple[str, str, str]]:
    orders = {column.code: column for section in page.sections for column in section.columns}
    for column in sorted(orders.values(), key=lambda order: order.collected, reverse=True):
        yield format_date_time(column.collected), column.code, column.client or ""
