"""An order with its history: who received, signed, released, corrected, read, and sent it."""

from reportlab.pdfgen.canvas import Canvas

from app.basics.dates import format_date_time
from app.drawing.pages.common import build_heading, build_party_block, build_patient_block
from app.drawing.pages.document import Document
from app.drawing.pages.facts import HistoryLine, OrderDetailsPage
from app.drawing.pages.lettering import MUTED
from app.drawing.pages.paper import CONTENT_WIDTH
from app.drawing.pages.sheet import Cell, Column, Sheet

_INDENT = 10.0
_TESTS = (Column("Test", CONTENT_WIDTH - 150), Column("Status", 150))
_HISTORY = (
    Column("When", 92),
    Column("What", 110),
    Column("Who", 120),
    Column("Details", CONTENT_WIDTH - 322),
)


class OrderDetailsPdf(Document[OrderDetailsPage]):
    """Orders with their history as one PDF, each starting on a new page."""

    def _draw(self, page: OrderDetailsPage) -> None:
        _draw_page(self._canvas, page)


def _draw_page(canvas: Canvas, page: OrderDetailsPage) -> None:
    # A loose second page must still identify the patient.
    heading = build_heading(page.code, page.patient)
    sheet = Sheet(canvas, page.lab, heading, page.printed)
    sheet.draw_letterhead("Order details", page.code, page.status)
    sheet.draw_facts(
        [
            ("Collected", format_date_time(page.collected) or "Not stated"),
            ("Received", format_date_time(page.received) or "Not stated"),
            ("Reported", format_date_time(page.reported) or "Not yet"),
            ("Requisition", page.requisition_code or "Not stated"),
            ("Bill to", page.bill_to or "Not stated"),
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
    sheet.draw_heading("Tests", keep=40)
    sheet.begin_table(_TESTS)
    for name, status, level in page.tests:
        sheet.draw_row(_TESTS, (Cell(name, indent=_INDENT * level), Cell(status, color=MUTED)))
    sheet.end_table()
    sheet.draw_heading("History", keep=40)
    sheet.begin_table(_HISTORY)
    for line in page.history:
        sheet.draw_row(_HISTORY, _build_cells(line), size=8)
    sheet.end_table()
    sheet.close()


def _build_cells(line: HistoryLine) -> tuple[Cell, ...]:
    return (
        Cell(format_date_time(line.at)),
        Cell(line.event, bold=True),
        Cell(line.person),
        Cell(line.detail, color=MUTED),
    )
