"""The result report (42 CFR 493.1291(c))."""

from collections.abc import Sequence
from io import BytesIO

from app.contract.enumerations import CRITICAL_FLAGS, NOT_ABNORMAL_FLAGS
from app.drawing.pages.common import party_block, patient_block
from app.drawing.pages.facts import OrderResultsPage, ResultLine
from app.drawing.pages.lettering import ACCENT, CRITICAL, CRITICAL_WASH, INK, MUTED
from app.drawing.pages.sheet import LEFT, RIGHT, Cell, Column, Sheet, new_canvas, when

_ACROSS = RIGHT - LEFT
_RESULTS = (
    Column("Test", 190),
    Column("Result", 110),
    Column("Flag", 34),
    Column("Unit", 72),
    Column("Reference range", _ACROSS - 406),
)
_WIDE = (Column("", _ACROSS),)
_INDENT = 10.0
_FLAGS = (
    "L low   H high   LL / HH critical   A abnormal   AA critical abnormal   "
    "POS positive   < / > beyond the measuring range"
)


def order_results_pdf(pages: Sequence[OrderResultsPage]) -> bytes:
    """The reports of ``pages`` as one PDF, each beginning on a page of its own."""
    out = BytesIO()
    canvas = new_canvas(out, "Laboratory report" if len(pages) == 1 else "Laboratory reports")
    for page in pages:
        # A loose second page must still say whose it is (493.1291(c)(1)).
        heading = f"{page.code}   {page.patient.name}   {page.patient.birth_date:%m/%d/%Y}"
        sheet = Sheet(canvas, page.lab, heading, page.printed)
        _draw(sheet, page)
        sheet.close()
    canvas.save()
    return out.getvalue()


def _draw(sheet: Sheet, page: OrderResultsPage) -> None:
    sheet.letterhead("Laboratory report", page.code, page.status)
    sheet.facts(
        [
            ("Collected", when(page.collected) or "Not stated"),
            ("Received", when(page.received) or "Not stated"),
            ("Reported", when(page.reported) or "Not yet"),
            ("Specimen condition", page.specimen_condition),
        ]
    )
    sheet.columns(
        [
            patient_block(page.patient),
            party_block("Ordering physician", page.physician),
            party_block("Client", page.client),
        ],
        label=54,
    )
    source = ", ".join(page.specimens)
    order = [("Requisition", page.requisition_code), ("Source", source), ("Fasting", page.fasting)]
    sheet.y -= 8
    sheet.paragraph("     ".join(f"{a}  {b}" for a, b in order if b), size=8, colour=MUTED)
    if page.alert:
        _alert(sheet, page.alert)
    _results(sheet, page.results)
    if page.comment:
        sheet.section("Comments", keep=12)
        sheet.paragraph(page.comment)
    sheet.need(20)
    sheet.y -= 16
    sheet.pen.text(LEFT, sheet.y, _FLAGS, size=7, colour=MUTED)


def _alert(sheet: Sheet, alert: str) -> None:
    sheet.y -= 8
    sheet.wash(LEFT, sheet.y, _ACROSS, 18, CRITICAL_WASH)
    words = f"{alert}: at least one result needs immediate attention."
    sheet.pen.text(LEFT + 8, sheet.y - 12.4, words, size=9, bold=True, colour=CRITICAL)
    sheet.y -= 18


def _results(sheet: Sheet, results: Sequence[ResultLine]) -> None:
    sheet.section("Results", keep=60)
    sheet.begin_table(_RESULTS)
    for line in results:
        indent = _INDENT * line.level
        notes = [*line.comments]
        if line.is_corrected:
            notes.insert(0, line.correction or "Corrected result")
        if line.is_panel:
            sheet.row(
                _WIDE, (Cell(line.name, bold=True, colour=ACCENT, indent=indent),), keep=18, size=9
            )
        else:
            _result(sheet, line, indent, rule=not notes)
        for place, note in enumerate(notes, start=1):
            cell = Cell(note, colour=MUTED, indent=indent + _INDENT)
            sheet.row(_WIDE, (cell,), size=8, line=place == len(notes))
    sheet.end_table()


def _result(sheet: Sheet, line: ResultLine, indent: float, *, rule: bool) -> None:
    abnormal = line.flag is not None and line.flag not in NOT_ABNORMAL_FLAGS
    critical = line.flag in CRITICAL_FLAGS
    colour = CRITICAL if critical else INK
    value = line.status if line.value is None else line.value
    if line.is_corrected:
        value = f"{value} (corrected)"
    flag = (line.flag.value if line.flag else "") if abnormal else ""
    cells = (
        Cell(line.name, bold=abnormal, indent=indent),
        Cell(value, bold=abnormal, colour=MUTED if line.value is None else colour),
        Cell(flag, bold=True, colour=colour),
        Cell(line.unit or "", colour=MUTED),
        Cell(line.reference_range or "", colour=MUTED),
    )
    ground = CRITICAL_WASH if critical else None
    sheet.row(_RESULTS, cells, ground=ground, line=rule, keep=0 if rule else 12)
