"""Pages that are filled from top to bottom, with a heading and a footer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
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
    CRITICAL_WASH,
    INK,
    MUTED,
    RULE,
    WASH,
    Pen,
    break_lines,
    fit_words,
    measure_width,
)
from app.drawing.pages.running_head import draw_continuation, draw_running_head

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

LEADING = 1.24
_CELL_PADDING_Y = 2.6
_CELL_PADDING_X = 3.0


def format_day(day: date | None) -> str:
    """Format as '11/21/2026'; empty without a day."""
    return f"{day:%m/%d/%Y}" if day else ""


@dataclass(frozen=True)
class Column:
    """A column of a table, ``width`` points wide."""

    title: str
    width: float
    right: bool = False


@dataclass(frozen=True)
class Cell:
    """The text of a cell and its style; ``indent`` in points."""

    text: str
    bold: bool = False
    color: Color = INK
    indent: float = 0


def _divide_width(facts: Sequence[tuple[str, str]], width: float) -> list[float]:
    """Return the width of each fact: equal shares, or by the texts if one needs more."""
    share = width / len(facts)
    needs = [measure_width(value, bold=True, size=9.5) + 14.5 for _, value in facts]
    if max(needs) <= share or sum(needs) > width:
        return [share] * len(facts)
    spare = (width - sum(needs)) / len(facts)
    return [need + spare for need in needs]


class Sheet:
    """One document (a requisition, a report) of a PDF with as many pages as it needs.

    Pages after the first repeat ``heading``, so that a loose page can be identified. Every page has
    ``watermark`` across it. ``continued`` names the rows to which the next row of a table belongs;
    a page that begins with it repeats them.
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
        self._repeated_columns: Sequence[Column] = ()
        self.continued = ""

    # -- pages ---------------------------------------------------------------------------

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
        """End this page and start the next with the heading and the header of an open table."""
        self._end_page(f"Page {self.page} of", has_total=False)
        self.pen.reset()
        self.page += 1
        self.y = draw_running_head(
            self.pen, self.heading, self.lab.name, LEFT, self.right, self.top
        )
        self.draw_rule()
        self.y -= 6
        if self._repeated_columns:
            self._draw_table_head(self._repeated_columns)
            if self.continued:
                self.y = draw_continuation(
                    self.pen, self.continued, LEFT + _CELL_PADDING_X, self.right, self.y
                )

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

    # -- shapes --------------------------------------------------------------------------

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

    # -- flowing text -------------------------------------------------------------------

    def draw_heading(self, title: str, *, keep: float = 40) -> None:
        """Draw a section heading; ``keep`` points below it stay on the same page."""
        self.reserve(keep + 20)
        self.y -= 15.5
        self.pen.draw_text(LEFT, self.y, title.upper(), size=7.5, bold=True, color=ACCENT)
        self.y -= 3.5

    def draw_paragraph(
        self, text: str, *, size: float = 9, color: Color = INK, indent: float = 0
    ) -> None:
        """Draw wrapped text over the whole width, on as many pages as it needs."""
        for line in break_lines(text, self.right - LEFT - indent, bold=False, size=size):
            self.reserve(size * LEADING)
            self.y -= size * LEADING
            self.pen.draw_text(LEFT + indent, self.y, line, size=size, color=color)

    def draw_alert(self, lead: str, text: str) -> None:
        """Draw a bold ``lead`` and wrapped text on a red background."""
        indent = 18 + measure_width(lead, bold=True, size=9)
        lines = (
            break_lines(text, self.right - LEFT - indent - 8, bold=False, size=9) if text else ()
        )
        height = 7 + 11 * max(1, len(lines))
        self.reserve(height + 8)
        self.y -= 8
        self.draw_background(LEFT, self.y, self.right - LEFT, height, CRITICAL_WASH)
        y = self.y - 12.4
        self.pen.draw_text(LEFT + 8, y, lead, size=9, bold=True, color=CRITICAL)
        for index, line in enumerate(lines):
            self.pen.draw_text(LEFT + indent, y - 11 * index, line, size=9)
        self.y -= height

    def draw_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Draw short facts side by side, each with its name above the value."""
        widths = _divide_width(facts, self.right - LEFT)
        lines = [
            break_lines(value, width - 14, bold=True, size=9.5)
            for (_, value), width in zip(facts, widths, strict=True)
        ]
        height = 18.5 + 12 * max(len(value_lines) for value_lines in lines)
        self.y -= 7
        self.draw_background(LEFT, self.y, self.right - LEFT, height)
        x = LEFT + 8
        for (name, _), width, value_lines in zip(facts, widths, lines, strict=True):
            self.pen.draw_text(x, self.y - 11, name.upper(), size=6.3, color=MUTED)
            for row, line in enumerate(value_lines):
                self.pen.draw_text(x, self.y - 23 - 12 * row, line, size=9.5, bold=True)
            x += width
        self.y -= height

    def draw_columns(
        self, blocks: Sequence[tuple[str, str, Sequence[tuple[str, str]]]], *, label: float = 62
    ) -> None:
        """Draw blocks side by side: a heading, a bold first line, then lines with names."""
        # The first block has the longest lines and is a third wider than the others.
        width = (self.right - LEFT) / (len(blocks) + 0.33)
        top = self.y - 16
        lowest = top
        for index, (heading, lead, rows) in enumerate(blocks):
            x = LEFT + (index + 0.33) * width if index else LEFT
            text_width = (width if index else width * 1.33) - 14
            y = top
            self.pen.draw_text(x, y, heading.upper(), size=7.5, bold=True, color=ACCENT)
            y -= 15
            for line in break_lines(lead, text_width, bold=True, size=11):
                self.pen.draw_text(x, y, line, size=11, bold=True)
                y -= 13
            for name, value in rows:
                if not value:
                    continue
                self.pen.draw_text(x, y, name, size=8, color=MUTED)
                for line in break_lines(value, text_width - label, bold=False, size=8.5):
                    self.pen.draw_text(x + label, y, line, size=8.5)
                    y -= 10.8
            lowest = min(lowest, y)
        self.y = lowest + 5

    # -- tables --------------------------------------------------------------------------

    def _draw_table_head(self, columns: Sequence[Column]) -> None:
        self.y -= 8.5
        x = LEFT
        for column in columns:
            start = x + column.width - _CELL_PADDING_X if column.right else x + _CELL_PADDING_X
            self.pen.draw_text(
                start, self.y, column.title.upper(), size=6.3, color=MUTED, right=column.right
            )
            x += column.width
        self.y -= 4
        self.draw_rule()

    def begin_table(self, columns: Sequence[Column]) -> None:
        """Draw the header of a table, which every page repeats until :meth:`end_table`."""
        self.reserve(40)
        self._draw_table_head(columns)
        self._repeated_columns = columns

    def end_table(self) -> None:
        """End the table."""
        self._repeated_columns, self.continued = (), ""

    def draw_row(
        self,
        columns: Sequence[Column],
        cells: Sequence[Cell],
        *,
        size: float = 8.5,
        background: Color | None = None,
        line: bool = True,
        keep: float = 0,
    ) -> None:
        """Draw a row of wrapped cells, on one page if it fits.

        ``keep`` points after the row stay on its page.
        """
        step = size * LEADING
        text_widths = [
            column.width - 2 * _CELL_PADDING_X - cell.indent
            for cell, column in zip(cells, columns, strict=True)
        ]
        sizes = [
            fit_words(cell.text, text_width, cell.bold, size)
            for cell, text_width in zip(cells, text_widths, strict=True)
        ]
        cell_lines = [
            break_lines(cell.text, text_width, cell.bold, font_size) if cell.text else ()
            for cell, text_width, font_size in zip(cells, text_widths, sizes, strict=True)
        ]
        count = max(1, *map(len, cell_lines)) if cell_lines else 1
        height = count * step + 2 * _CELL_PADDING_Y
        self.reserve(min(height + keep, self.top - BOTTOM - 60))
        if background is not None:
            self.draw_background(
                LEFT, self.y, self.right - LEFT, min(height, self.y - BOTTOM), background
            )
        self.y -= _CELL_PADDING_Y
        for index in range(count):
            self.reserve(step)
            self.y -= step
            x = LEFT
            for column, cell, lines, font_size in zip(
                columns, cells, cell_lines, sizes, strict=True
            ):
                if index < len(lines):
                    start = (
                        x + column.width - _CELL_PADDING_X
                        if column.right
                        else x + _CELL_PADDING_X + cell.indent
                    )
                    self.pen.draw_text(
                        start,
                        self.y + step * 0.24,
                        lines[index],
                        size=font_size,
                        bold=cell.bold,
                        color=cell.color,
                        right=column.right,
                    )
                x += column.width
        self.y -= _CELL_PADDING_Y
        if line:
            self.draw_rule()


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
