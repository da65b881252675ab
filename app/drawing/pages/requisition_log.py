"""The requisition log: a list of requisitions, one line each."""

from collections.abc import Sequence

from app.basics.dates import format_date_time
from app.drawing.pages.facts import RequisitionLog, RequisitionLogLine
from app.drawing.pages.lettering import MUTED
from app.drawing.pages.log import draw_log
from app.drawing.pages.paper import LANDSCAPE_CONTENT_WIDTH
from app.drawing.pages.sheet import Cell, Column, format_day

_COLUMNS = (
    Column("#", 20, right=True),
    Column("Requisition", 58),
    Column("Collected", 50),
    Column("Patient", 104),
    Column("Birth date", 50),
    Column("Client, place", 100),
    Column("Tests", 74),
    Column("Names of the tests", LANDSCAPE_CONTENT_WIDTH - 544),
    Column("Signed", 34),
    Column("Status", 54),
)


def draw_requisition_log(log: RequisitionLog) -> bytes:
    """Draw the log as one PDF."""
    rows = (_build_cells(number, line) for number, line in enumerate(log.lines, start=1))
    return draw_log(
        "Requisition log", _format_count(log.lines), log.lab, log.printed, _COLUMNS, rows
    )


def _format_count(lines: Sequence[RequisitionLogLine]) -> str:
    return "1 requisition" if len(lines) == 1 else f"{len(lines):,} requisitions"


def _build_cells(number: int, line: RequisitionLogLine) -> tuple[Cell, ...]:
    place = ", ".join(part for part in (line.unit, line.room) if part)
    return (
        Cell(str(number), color=MUTED),
        Cell(line.code, bold=True),
        Cell(format_date_time(line.collection)),
        Cell(line.patient, bold=True),
        Cell(format_day(line.birth_date)),
        Cell("\n".join(part for part in (line.client, place) if part)),
        Cell(", ".join(test.code for test in line.tests), bold=True),
        Cell(", ".join(test.name for test in line.tests), color=MUTED),
        Cell("Yes" if line.is_signed else "No"),
        Cell(line.status),
    )
