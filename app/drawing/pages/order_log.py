"""The order log: a list of orders, one line each."""

from collections.abc import Sequence

from app.basics.dates import format_date_time
from app.drawing.pages.facts import OrderLog, OrderLogLine
from app.drawing.pages.lettering import CRITICAL, MUTED
from app.drawing.pages.log import draw_log
from app.drawing.pages.paper import LANDSCAPE_CONTENT_WIDTH
from app.drawing.pages.sheet import Cell, Column, format_day

_COLUMNS = (
    Column("#", 20, right=True),
    Column("Order", 58),
    Column("Collected", 50),
    Column("Received", 50),
    Column("Reported", 50),
    Column("Patient", 92),
    Column("Birth date", 50),
    Column("Client, place", 86),
    Column("Tests", LANDSCAPE_CONTENT_WIDTH - 616),
    Column("Signed", 32),
    Column("Read", 32),
    Column("Status", 52),
    Column("Alert", 44),
)


def draw_order_log(log: OrderLog) -> bytes:
    """Draw the log as one PDF."""
    rows = (_build_cells(number, line) for number, line in enumerate(log.lines, start=1))
    return draw_log("Order log", _format_count(log.lines), log.lab, log.printed, _COLUMNS, rows)


def _format_count(lines: Sequence[OrderLogLine]) -> str:
    return "1 order" if len(lines) == 1 else f"{len(lines):,} orders"


def _build_cells(number: int, line: OrderLogLine) -> tuple[Cell, ...]:
    return (
        Cell(str(number), color=MUTED),
        Cell(line.code, bold=True),
        Cell(format_date_time(line.collected)),
        Cell(format_date_time(line.received)),
        Cell(format_date_time(line.reported)),
        Cell(line.patient, bold=True),
        Cell(format_day(line.birth_date)),
        Cell("\n".join(part for part in (line.client, line.place) if part)),
        Cell(", ".join(test.code for test in line.tests), bold=True),
        Cell("Yes" if line.is_signed else "No"),
        Cell("Yes" if line.is_acknowledged else "No"),
        Cell(line.status),
        Cell(line.alert, bold=True, color=CRITICAL),
    )
