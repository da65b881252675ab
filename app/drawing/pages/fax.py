"""Requisitions as a fax: a cover without a word about patients, and a line at the head of every
page that says who sent it, when, to where, and which page it is (47 CFR 68.318(d))."""

from dataclasses import dataclass
from datetime import datetime

from reportlab.pdfgen.canvas import Canvas

from app.drawing.pages.facts import Lab
from app.drawing.pages.lettering import INK, MUTED, Pen, break_lines, text_width
from app.drawing.pages.requisition import RequisitionsPdf
from app.drawing.pages.sheet import HEIGHT, LEFT, RIGHT, Sheet

_LINE = HEIGHT - 22
_SIZE = 8.0


@dataclass(frozen=True)
class FaxCover:
    """Who sends to which number, when, how many forms, and what a wrong reader must know."""

    lab: Lab
    number: str
    sent: datetime
    forms: int
    warning: str


class FaxPdf(RequisitionsPdf):
    """Like the forms themselves, behind a cover."""

    def __init__(self, cover: FaxCover) -> None:
        kind = type("FaxCanvas", (_StampedCanvas,), {"cover": cover})
        super().__init__("Fax", kind)
        _draw_cover(self._canvas, cover)


class _StampedCanvas(Canvas):
    """Writes the line on each page as it is finished."""

    cover: FaxCover

    def showPage(self) -> None:  # noqa: N802 - reportlab's name
        """See ``Canvas.showPage``."""
        pen, cover = Pen(self), self.cover
        page = f"PAGE {self.getPageNumber()}"
        sender = "  ".join(each for each in (cover.lab.name, cover.lab.fax) if each)
        words = f"{cover.sent:%m/%d/%Y %H:%M}   FROM {sender}   TO {cover.number}"
        room = RIGHT - LEFT - text_width(page, True, _SIZE) - 12
        pen.text(LEFT, _LINE, break_lines(words, room, False, _SIZE)[0], size=_SIZE)
        pen.text(RIGHT, _LINE, page, size=_SIZE, bold=True, right=True)
        super().showPage()


def _draw_cover(canvas: Canvas, cover: FaxCover) -> None:
    sheet = Sheet(canvas, cover.lab, "", cover.sent)
    sheet.y -= 10
    sheet.title("Fax", f"{cover.sent:%m/%d/%Y %H:%M}")
    sheet.y -= 26
    named = (
        ("To", cover.number),
        ("From", cover.lab.name),
        ("Phone", cover.lab.phone or ""),
        ("Fax", cover.lab.fax or ""),
        ("Content", f"{cover.forms} laboratory form{'' if cover.forms == 1 else 's'}"),
    )
    for name, value in named:
        if value:
            sheet.y -= 22
            sheet.pen.text(LEFT, sheet.y, name, size=10, colour=MUTED)
            sheet.pen.text(LEFT + 80, sheet.y, value, size=13, bold=True)
    sheet.y -= 30
    sheet.rule()
    sheet.y -= 8
    sheet.paragraph(cover.warning, size=11, colour=INK)
    canvas.showPage()
