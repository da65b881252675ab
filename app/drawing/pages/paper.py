"""The pages of a document: letterhead, running head, watermark, and footer."""

from datetime import datetime
from io import BytesIO

from reportlab import rl_config
from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import landscape, letter
from reportlab.pdfgen.canvas import Canvas

from app.basics.dates import format_timestamp
from app.drawing.code128 import count_modules, encode_bars
from app.drawing.pages.facts import Lab
from app.drawing.pages.lettering import (
    ACCENT,
    CRITICAL,
    INK,
    MUTED,
    RULE,
    WASH,
    Pen,
    break_lines,
    measure_width,
)
from app.drawing.pages.running_head import draw_running_head

# Binary streams: encoding them as text costs an eighth of the time and a quarter of the size.
rl_config.useA85 = 0

PORTRAIT = letter
LANDSCAPE = landscape(letter)
WIDTH, HEIGHT = PORTRAIT
LEFT = 43.0
RIGHT = WIDTH - LEFT
CONTENT_WIDTH = RIGHT - LEFT
"""The width between the margins of a portrait page, in points."""
LANDSCAPE_CONTENT_WIDTH = LANDSCAPE[0] - 2 * LEFT
_MARGIN = 34
BOTTOM = 52.0
"""Points; only the footer is below."""


class Paper:
    """One document (a requisition, a report) of a PDF with as many pages as it needs.

    Pages after the first repeat ``heading``, so that a loose page can be identified. Every page has
    ``watermark`` across it. ``y`` is where the next content begins.
    """

    def __init__(
        self,
        canvas: Canvas,
        lab: Lab,
        heading: str,
        printed_at: datetime,
        *,
        watermark: str = "",
        size: tuple[float, float] = PORTRAIT,
    ) -> None:
        self.canvas = canvas
        self.pen = Pen(canvas)
        self.lab = lab
        self.heading = heading
        self.printed = printed_at
        self.watermark = watermark
        self.page = 1
        self.width, self.height = size
        self.right = self.width - LEFT
        self.top = self.height - _MARGIN
        self.y = self.top
        # The name of a PDF form that every page draws; the last page fills in the total number.
        self._total = f"pages-{canvas.getPageNumber()}"

    def draw_letterhead(
        self, title: str, code: str, note: str = "", *, has_barcode: bool = True
    ) -> None:
        """Draw the lab on the left; title, barcode, and code on the right."""
        pen, top = self.pen, self.y
        y = self._draw_lab_and_title(title)
        if has_barcode:
            self.draw_barcode(code, self.right, top - 44, height=30, right=True)
        pen.draw_text(self.right, top - 55, code, size=10, bold=True, right=True)
        if note:
            code_width = measure_width(code, bold=True, size=10) + 8
            pen.draw_text(self.right - code_width, top - 55, note, size=8, color=MUTED, right=True)
        self.y = min(y + 6, top - 60) - 4
        self.draw_rule(color=ACCENT, weight=1.2)

    def draw_title(self, title: str, note: str) -> None:
        """Draw the lab on the left and the title on the right, for a document without a code."""
        top = self.y
        y = self._draw_lab_and_title(title)
        self.pen.draw_text(self.right, top - 20, note, size=9, color=MUTED, right=True)
        self.y = min(y + 6, top - 26) - 4
        self.draw_rule(color=ACCENT, weight=1.2)

    def _draw_lab_and_title(self, title: str) -> float:
        """Draw the lab and the title, and return the y where the lab's lines end."""
        pen, top = self.pen, self.y
        lab_width = self.right - LEFT - 190
        y = top - 12
        for line in break_lines(self.lab.name, lab_width, bold=True, size=15):
            pen.draw_text(LEFT, y, line, size=15, bold=True, color=ACCENT)
            y -= 18
        for part in (self.lab.address, self._format_contact(), self._format_license()):
            for line in break_lines(part, lab_width, bold=False, size=8) if part else ():
                pen.draw_text(LEFT, y, line, size=8, color=MUTED)
                y -= 10.4
        pen.draw_text(
            self.right, top - 8, title.upper(), size=8, bold=True, color=MUTED, right=True
        )
        return y

    def _format_contact(self) -> str:
        channels = (("Phone", self.lab.phone), ("Fax", self.lab.fax), ("", self.lab.email))
        parts = [
            f"{name} {value}".strip() for name, value in (*channels, ("", self.lab.url)) if value
        ]
        return "   ".join(parts)

    def _format_license(self) -> str:
        parts = (("CLIA", self.lab.clia), ("Laboratory director:", self.lab.director))
        return "   ".join(f"{name} {value}" for name, value in parts if value)

    def reserve(self, height: float) -> None:
        """Start a new page unless ``height`` points are free on this one."""
        if self.y - height < BOTTOM:
            self.start_page()

    def start_page(self) -> None:
        """End this page and start the next with the heading."""
        self._end_page(f"Page {self.page} of", has_total=False)
        self.pen.reset()
        self.page += 1
        self.y = draw_running_head(
            self.pen, self.heading, self.lab.name, LEFT, self.right, self.top
        )
        self.draw_rule()
        self.y -= 6
        self._repeat_head()

    def _repeat_head(self) -> None:
        """Draw below the running head what this page repeats from the one before it."""

    def close(self) -> None:
        """End the last page and fill in the total number of pages."""
        if self.page == 1:
            self._end_page("Page 1 of 1")
            return
        self._end_page(f"Page {self.page} of", has_total=False)
        self.canvas.beginForm(self._total)
        self.canvas.setFont("Helvetica", 7.5)
        self.canvas.setFillColor(MUTED)
        self.canvas.drawString(0, 0, str(self.page))
        self.canvas.endForm()

    def _end_page(self, page_text: str, *, has_total: bool = True) -> None:
        if self.watermark:
            self._draw_watermark()
        self._draw_footer(page_text, has_total=has_total)
        self.canvas.showPage()

    def _draw_watermark(self) -> None:
        """Draw the watermark over the page: a light outline, so that the text stays legible."""
        canvas = self.canvas
        canvas.saveState()
        canvas.translate(self.width / 2, self.height / 2)
        canvas.rotate(52)
        size = 110.0 * min(1.0, 660 / measure_width(self.watermark, bold=True, size=110))
        canvas.setFillColor(CRITICAL)
        canvas.setFillAlpha(0.06)
        canvas.setStrokeColor(CRITICAL)
        canvas.setStrokeAlpha(0.3)
        canvas.setLineWidth(0.9)
        text = canvas.beginText(
            -measure_width(self.watermark, bold=True, size=size) / 2, -size * 0.36
        )
        text.setFont("Helvetica-Bold", size)
        text.setTextRenderMode(2)  # filled and outlined
        text.textOut(self.watermark)
        canvas.drawText(text)
        canvas.restoreState()
        self.pen.reset()

    def _draw_footer(self, page_text: str, *, has_total: bool = True) -> None:
        self.canvas.setStrokeColor(RULE)
        self.canvas.setLineWidth(0.5)
        self.canvas.line(LEFT, BOTTOM - 14, self.right, BOTTOM - 14)
        y = BOTTOM - 25
        self.pen.draw_text(
            LEFT, y, f"Printed {format_timestamp(self.printed)}", size=7.5, color=MUTED
        )
        if has_total:
            self.pen.draw_text(self.right, y, page_text, size=7.5, color=MUTED, right=True)
            return
        self.pen.draw_text(self.right - 12, y, page_text, size=7.5, color=MUTED, right=True)
        self.canvas.saveState()
        self.canvas.translate(self.right - 9.5, y)
        self.canvas.doForm(self._total)
        self.canvas.restoreState()

    def draw_rule(self, *, color: Color = RULE, weight: float = 0.5) -> None:
        """Draw a line across the page at the cursor."""
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(weight)
        self.canvas.line(LEFT, self.y, self.right, self.y)

    def draw_background(
        self, x: float, top: float, width: float, height: float, color: Color = WASH
    ) -> None:
        """Fill a rectangle behind the following text."""
        self.pen.set_color(color)
        self.canvas.rect(x, top - height, width, height, stroke=0, fill=1)

    def draw_barcode(
        self, code: str, x: float, y: float, *, height: float, right: bool = False
    ) -> None:
        """Draw Code 128 with bars of 1.05 points (14.6 mil), narrower for a long code."""
        module = min(1.05, 172 / count_modules(code))
        if right:
            x -= count_modules(code) * module
        path = self.canvas.beginPath()
        for index, width in enumerate(encode_bars(code)):
            if index % 2 == 0:
                path.rect(x, y, width * module, height)
            x += width * module
        self.pen.set_color(INK)
        self.canvas.drawPath(path, stroke=0, fill=1)


def create_canvas(
    file: BytesIO,
    title: str,
    canvas_type: type[Canvas] = Canvas,
    *,
    size: tuple[float, float] = PORTRAIT,
) -> Canvas:
    """Create a canvas whose file properties contain the title, but no date and no person."""
    canvas = canvas_type(file, pagesize=size, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("")
    canvas.setAuthor("")
    canvas.setSubject("")
    return canvas
