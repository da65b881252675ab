"""A log: a landscape list of records, one line each."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from io import BytesIO

from app.drawing.pages.facts import Lab
from app.drawing.pages.paper import LANDSCAPE, create_canvas
from app.drawing.pages.sheet import Cell, Column, Sheet

_SIZE = 7.5


def draw_log(
    title: str,
    count: str,
    lab: Lab,
    printed_at: datetime,
    columns: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
) -> bytes:
    """Draw the rows as one PDF, with their count ('3 orders'); every page repeats the header."""
    file = BytesIO()
    canvas = create_canvas(file, title, size=LANDSCAPE)
    sheet = Sheet(canvas, lab, title, printed_at, size=LANDSCAPE)
    sheet.draw_title(title, count)
    sheet.begin_table(columns)
    for row in rows:
        sheet.draw_row(columns, row, size=_SIZE)
    sheet.end_table()
    sheet.close()
    sheet.canvas.save()
    return file.getvalue()
