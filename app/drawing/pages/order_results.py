"""The result report (42 CFR 493.1291(c))."""

from collections.abc import Sequence

from app.basics.dates import format_date_time
from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS, ResultFlag
from app.drawing.pages.common import build_heading, build_party_block, build_patient_block
from app.drawing.pages.document import Document
from app.drawing.pages.facts import OrderResultsPage, ResultLine
from app.drawing.pages.lettering import ACCENT, CRITICAL, CRITICAL_WASH, INK, MUTED
from app.drawing.pages.paper import BOTTOM, CONTENT_WIDTH, LEFT
from app.drawing.pages.sheet import Cell, Column, Sheet

_RESULTS = (
    Column("Test", 190),
    Column("Result", 110),
    Column("Flag", 34),
    Column("Unit", 72),
    Column("Reference range", CONTENT_WIDTH - 406),
)
_WIDE = (Column("", CONTENT_WIDTH),)
_INDENT = 10.0
_PANEL_KEEP = 32.0  # points for the first test below a panel, with a note
_FACT_MAX = 22  # characters that fit beside the other times
FLAGS = (
    "L low   H high   LL / HH critical   A abnormal   AA critical abnormal   "
    "POS positive   < / > beyond the measuring range"
)
"""The meaning of the flags of results."""
_INTERPRETATIONS = {
    ResultFlag.SUSCEPTIBLE: "susceptible",
    ResultFlag.SUSCEPTIBLE_DOSE_DEPENDENT: "susceptible, dose dependent",
    ResultFlag.INTERMEDIATE: "intermediate",
    ResultFlag.RESISTANT: "resistant",
    ResultFlag.NOT_SUSCEPTIBLE: "not susceptible",
}
_METHODS = "µg/mL MIC   mm zone diameter"
_LEGEND_LEADING = 7.0
_LEGEND_BOTTOM = BOTTOM - 12.5  # the last baseline that is clear of the footer


class OrderResultsPdf(Document[OrderResultsPage]):
    """Reports as one PDF, each starting on a new page."""

    def _draw(self, page: OrderResultsPage) -> None:
        # A loose second page must still identify the patient (493.1291(c)(1)).
        heading = build_heading(page.code, page.patient)
        if page.watermark:
            heading += f"   {page.watermark}"
        sheet = Sheet(self._canvas, page.lab, heading, page.printed, watermark=page.watermark)
        _draw_page(sheet, page)
        sheet.close()


def draw_order_results(pages: Sequence[OrderResultsPage]) -> bytes:
    """Draw the reports as one PDF, each starting on a new page."""
    document = OrderResultsPdf("Laboratory report" if len(pages) == 1 else "Laboratory reports")
    document.add(pages)
    return document.finish()


def _draw_page(sheet: Sheet, page: OrderResultsPage) -> None:
    is_long = len(page.specimen_condition) > _FACT_MAX
    title = page.watermark or "Laboratory report"
    # Nobody may scan a preview as if it were a report.
    sheet.draw_letterhead(title, page.code, page.status, has_barcode=not page.watermark)
    sheet.draw_facts(
        [
            ("Collected", format_date_time(page.collected) or "Not stated"),
            ("Received", format_date_time(page.received) or "Not stated"),
            ("Reported", format_date_time(page.reported) or "Not yet"),
            ("Specimen condition", "See below" if is_long else page.specimen_condition),
        ]
    )
    sheet.draw_columns(
        [
            build_patient_block(page.patient),
            build_party_block("Ordering physician", page.physician),
            build_party_block("Client", page.client),
        ],
        label=54,
    )
    source = ", ".join(page.specimens)
    order = [("Requisition", page.requisition_code), ("Source", source), ("Fasting", page.fasting)]
    sheet.y -= 8
    sheet.draw_paragraph("     ".join(f"{a}  {b}" for a, b in order if b), size=8, color=MUTED)
    if is_long:
        sheet.draw_paragraph(f"Specimen condition: {page.specimen_condition}")
    for lead, text in page.alerts:
        sheet.draw_alert(f"{lead}:", text)
    _draw_results(sheet, page.results)
    if page.cancellations:
        sheet.draw_heading("Canceled tests", keep=12)
        for text in page.cancellations:
            sheet.draw_paragraph(text)
    if page.additions:
        sheet.draw_heading("Added tests", keep=12)
        for text in page.additions:
            sheet.draw_paragraph(text)
    if page.comment:
        sheet.draw_heading("Comments", keep=12)
        sheet.draw_paragraph(page.comment)
        if page.comment_note:
            sheet.draw_paragraph(page.comment_note, color=MUTED)
    _draw_legend(sheet, _list_legend(page.results))


def _list_legend(results: Sequence[ResultLine]) -> list[str]:
    """List the lines of the legend; it explains only interpretations that the report has."""
    found_marks = {line.interpretation for line in results}
    marks = [f"{mark} {text}" for mark, text in _INTERPRETATIONS.items() if mark in found_marks]
    return [FLAGS, "   ".join([*marks, _METHODS])] if marks else [FLAGS]


def _draw_legend(sheet: Sheet, lines: Sequence[str]) -> None:
    # On a full page the legend is between text and footer, so that it is never alone on a page.
    sheet.y = max(sheet.y - 16, _LEGEND_BOTTOM + _LEGEND_LEADING * (len(lines) - 1))
    for number, line in enumerate(lines):
        y = sheet.y - _LEGEND_LEADING * number
        sheet.pen.draw_text(LEFT, y, line, size=7, color=MUTED)


def _draw_results(sheet: Sheet, results: Sequence[ResultLine]) -> None:
    sheet.draw_heading("Results", keep=60)
    sheet.begin_table(_RESULTS)
    names: list[str] = []
    for line in results:
        # An antibiotic at the top of a page still names its organism and culture.
        names = names[: line.level]
        sheet.continued = " · ".join(names)
        names.append(line.name)
        indent = _INDENT * line.level
        notes = [*line.corrections, *line.comments]
        if line.is_corrected and not line.corrections:
            notes.insert(0, "Corrected result")
        if line.is_panel:
            is_critical = line.flag in CRITICAL_FLAGS
            name = Cell(
                line.name, bold=True, color=CRITICAL if is_critical else ACCENT, indent=indent
            )
            background = CRITICAL_WASH if is_critical else None
            sheet.draw_row(_WIDE, (name,), keep=_PANEL_KEEP, size=9, background=background)
        else:
            _draw_result(sheet, line, indent, rule=not notes)
        sheet.continued = " · ".join(names)
        for number, note in enumerate(notes, start=1):
            cell = Cell(note, color=MUTED, indent=indent + _INDENT)
            sheet.draw_row(_WIDE, (cell,), size=8, line=number == len(notes))
    sheet.end_table()


def _draw_result(sheet: Sheet, line: ResultLine, indent: float, *, rule: bool) -> None:
    is_abnormal = line.flag is not None and line.flag not in NOT_ABNORMAL_FLAGS
    is_critical = line.flag in CRITICAL_FLAGS
    color = CRITICAL if is_critical else INK
    value = line.status if line.value is None else line.value
    if line.interpretation:
        value = f"{value}  {line.interpretation}".lstrip()
    if line.is_corrected:
        value = f"{value} (corrected)"
    flag = line.flag.value if line.flag and is_abnormal else ""
    cells = (
        Cell(line.name, bold=is_abnormal, indent=indent),
        Cell(value, bold=is_abnormal, color=MUTED if line.value is None else color),
        Cell(flag, bold=True, color=color),
        Cell(line.unit or "", color=MUTED),
        Cell(line.reference_range or "", color=MUTED),
    )
    background = CRITICAL_WASH if is_critical else None
    sheet.draw_row(_RESULTS, cells, background=background, line=rule, keep=0 if rule else 12)
