"""'Who looked at my record': every access to a patient's records, one line each."""

from app.basics.dates import format_date_time
from app.drawing.pages.facts import AccessLine, AccessReport
from app.drawing.pages.lettering import CRITICAL, MUTED
from app.drawing.pages.log import draw_log
from app.drawing.pages.paper import LANDSCAPE_CONTENT_WIDTH
from app.drawing.pages.sheet import Cell, Column, format_day

_COLUMNS = (
    Column("#", 30, right=True),
    Column("Time", 90),
    Column("Person", 150),
    Column("Role", 90),
    Column("What", LANDSCAPE_CONTENT_WIDTH - 500),
    Column("Records", 140),
)


def draw_access_report(report: AccessReport) -> bytes:
    """Draw the report as one PDF, newest first."""
    rows = (_build_cells(number, line) for number, line in enumerate(report.lines, start=1))
    title = f"Access report: {report.patient} ({report.code})"
    if report.birth_date is not None:
        title += f", born {format_day(report.birth_date)}"
    return draw_log(title, _format_count(report), report.lab, report.printed, _COLUMNS, rows)


def _format_count(report: AccessReport) -> str:
    period = f"{report.first:%m/%d/%Y} to {report.last:%m/%d/%Y}"
    if report.total > len(report.lines):
        return f"{period}: the newest {len(report.lines):,} of {report.total:,} accesses"
    return f"{period}: {report.total:,} access{'' if report.total == 1 else 'es'}"


def _build_cells(number: int, line: AccessLine) -> tuple[Cell, ...]:
    return (
        Cell(str(number), color=MUTED),
        Cell(format_date_time(line.at)),
        Cell(line.person, bold=True),
        Cell(line.role),
        Cell(line.what, color=CRITICAL) if line.is_denied else Cell(line.what),
        Cell(line.records),
    )
