"""The requisition log: a list of requisitions, one line each."""

from collections.abc import Sequence
from io import BytesIO

from app.drawing.pages.facts import RequisitionLog, RequisitionLogLine
from app.drawing.pages.lettering import MUTED
from app.drawing.pages.sheet import LEFT, RIGHT, Cell, Column, Sheet, new_canvas, when

_SIZE = 7.5
_COLUMNS = (
    Column("#", 20, right=True),
    Column("Requisition", 58),
    Column("Collected", 52),
    Column("Patient", 98),
    Column("Birth date", 46),
    Column("Client, place", 96),
    Column("Tests", RIGHT - LEFT - 458),
    Column("Signed", 34),
    Column("Status", 54),
)


def requisition_log_pdf(log: RequisitionLog) -> bytes:
    """The log as one PDF; its head is repeated on every page."""
    out = BytesIO()
    sheet = Sheet(new_canvas(out, "Requisition log"), log.lab, "Requisition log", log.printed)
    sheet.title("Requisition log", _count(log.lines))
    sheet.begin_table(_COLUMNS)
    for number, line in enumerate(log.lines, start=1):
        sheet.row(_COLUMNS, _cells(number, line), size=_SIZE)
    sheet.end_table()
    sheet.close()
    sheet.canvas.save()
    return out.getvalue()


def _count(lines: Sequence[RequisitionLogLine]) -> str:
    return "1 requisition" if len(lines) == 1 else f"{len(lines):,} requisitions"


def _cells(number: int, line: RequisitionLogLine) -> tuple[Cell, ...]:
    place = ", ".join(each for each in (line.unit, line.room) if each)
    return (
        Cell(str(number), colour=MUTED),
        Cell(line.code, bold=True),
        Cell(when(line.collection)),
        Cell(line.patient, bold=True),
        Cell(f"{line.birth_date:%m/%d/%Y}"),
        Cell("\n".join(each for each in (line.client, place) if each)),
        Cell(", ".join(line.tests)),
        Cell("Yes" if line.is_signed else "No"),
        Cell(line.status),
    )
