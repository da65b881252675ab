"""Requisitions and results as a fax, with a cover that names no patient.

The first line of every page shows the sender, time, recipient, and page number (47 CFR 68.318(d)).
"""

from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from app.basics.dates import format_timestamp
from app.drawing.pages.facts import Lab
from app.drawing.pages.lettering import INK, MUTED, Pen, break_lines, measure_width
from app.drawing.pages.order_results import OrderResultsPdf
from app.drawing.pages.paper import HEIGHT, LEFT, RIGHT
from app.drawing.pages.requisition import RequisitionsPdf
from app.drawing.pages.sheet import Sheet

_FIRST_LINE_Y = HEIGHT - 22
_SIZE = 8.0


@dataclass(frozen=True)
class FaxCover:
    """The facts of the cover of a fax.

    Attributes:
        content: what follows, without patient data.
        warning: for people who receive the fax by mistake.
        mark: what the recipient must notice.
    """

    lab: Lab
    number: str
    sent: datetime
    content: str
    warning: str
    mark: str = ""


class FaxPdf(RequisitionsPdf):
    """The forms behind a cover."""

    def __init__(self, cover: FaxCover) -> None:
        super().__init__("Fax", _build_canvas_type(cover))
        _draw_cover(self._canvas, cover)


class FaxResultsPdf(OrderResultsPdf):
    """Result reports behind a cover."""

    def __init__(self, cover: FaxCover) -> None:
        super().__init__("Fax", _build_canvas_type(cover))
        _draw_cover(self._canvas, cover)


def _build_canvas_type(cover: FaxCover) -> type[Canvas]:
    return type("FaxCanvas", (_StampedCanvas,), {"cover": cover})


class _StampedCanvas(Canvas):
    """Writes the first line on each page when the page ends."""

    cover: FaxCover

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """See ``Canvas.showPage``."""
        pen, cover = Pen(self), self.cover
        page = f"PAGE {self.getPageNumber()}"
        sender = "  ".join(part for part in (cover.lab.name, cover.lab.fax) if part)
        text = f"{format_timestamp(cover.sent)}   FROM {sender}   TO {cover.number}"
        free_width = RIGHT - LEFT - measure_width(page, bold=True, size=_SIZE) - 12
        pen.draw_text(
            LEFT,
            _FIRST_LINE_Y,
            break_lines(text, free_width, bold=False, size=_SIZE)[0],
            size=_SIZE,
        )
        pen.draw_text(RIGHT, _FIRST_LINE_Y, page, size=_SIZE, bold=True, right=True)
        super().showPage()


def _draw_cover(canvas: Canvas, cover: FaxCover) -> None:
    sheet = Sheet(canvas, cover.lab, "", cover.sent)
    sheet.y -= 10
    sheet.draw_title("Fax", format_timestamp(cover.sent))
    sheet.y -= 26
    if cover.mark:
        sheet.draw_alert(cover.mark, "")
        sheet.y -= 8
    facts = (
        ("To", cover.number),
        ("From", cover.lab.name),
        ("Phone", cover.lab.phone or ""),
        ("Fax", cover.lab.fax or ""),
        ("Content", cover.content),
    )
    for name, value in facts:
        if value:
            sheet.y -= 22
            sheet.pen.draw_text(LEFT, sheet.y, name, size=10, color=MUTED)
            sheet.pen.draw_text(LEFT + 80, sheet.y, value, size=13, bold=True)
    sheet.y -= 30
    sheet.draw_rule()
    sheet.y -= 8
    sheet.draw_paragraph(cover.warning, size=11, color=INK)
    canvas.showPage()
