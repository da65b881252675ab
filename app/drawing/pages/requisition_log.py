"""The requisition log: a list of requisitions, one line each."""

from collections.abc import Sequence
from io import BytesIO

from app.drawing.pages.facts import RequisitionLog, RequisitionLogLine
from app.drawing.pages.lettering import MUTED
from app.drawing.pages.sheet import (
    LANDSCAPE,
    LEFT,
    Cell,
    Column,
    Sheet,
    create_canvas,
    format_time,
)

_SIZE = 7.5
_ACROSS = LANDSCAPE[0] - 2 * LEFT
_COLUMNS = (
    Column("#", 20, right=True),
    Column("Requisition", 58),
    Column("Collected", 50),
    Column("Patient", 104),
    Column("Birth date", 50),
    Column("Client, place", 100),
    Column("Tests", 74),
    Column("Names of the tests", _ACROSS - 544),
    Column("Signed", 34),
    Column("Status", 54),
)


def draw_requisition_log(log: RequisitionLog) -> bytes:
    """Draw the log as one PDF; every page repeats its head."""
    out = BytesIO()
    canvas = create_canvas(out, "Requisition log", size=LANDSCAPE)
    sheet = Sheet(canvas, log.lab, "Requisition log", log.printed, size=LANDSCAPE)
    sheet.draw_title("Requisition log", _format_count(log.lines))
    sheet.begin_table(_COLUMNS)
    for number, line in enumerate(log.lines, start=1):
        sheet.draw_row(_COLUMNS, _build_cells(number, line), size=_SIZE)
    sheet.end_table()
    sheet.close()
    sheet.canvas.save()
    return out.getvalue()


def _format_count(lines: Sequence[RequisitionLogLine]) -> str:
    return "1 requisition" if len(lines) == 1 else f"{len(lines):,} requisitions"


def _build_cells(number: int, line: RequisitionLogLine) -> tuple[Cell, ...]:
    place = ", ".join(part for part in (line.unit, line.room) if part)
    return (
        Cell(str(number), color=MUTED),
        Cell(line.code, bold=True),
        Cell(format_time(line.collection)),
        Cell(line.patient, bold=True),
        Cell(f"{line.birth_date:%m/%d/%Y}"),
        Cell("\n".join(part for part in (line.client, place) if part)),
        Cell(", ".join(test.code for test in line.tests), bold=True),
        Cell(", ".join(test.name for test in line.tests), color=MUTED),
        Cell("Yes" if line.is_signed else "No"),
        Cell(line.status),
    )
