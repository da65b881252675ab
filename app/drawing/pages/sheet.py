"""A page with a cursor that walks down it, and the head and foot that every page has."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time
from io import BytesIO

from reportlab import rl_config
from reportlab.lib.colors import Color
from reportlab.lib.pagesizes import letter
from reportlab.pdfgen.canvas import Canvas

from app.drawing.code128 import bar_widths, module_count
from app.drawing.pages.facts import Lab
from app.drawing.pages.lettering import (
    ACCENT,
    INK,
    MUTED,
    RULE,
    WASH,
    Pen,
    break_lines,
    text_width,
)

# Streams stay binary: their text form costs an eighth of the time and a quarter of the size.
rl_config.useA85 = 0

WIDTH, HEIGHT = letter
LEFT = 43.0
RIGHT = WIDTH - LEFT
TOP = HEIGHT - 34
BOTTOM = 52.0
"""Points; nothing but the foot stands below."""

LEADING = 1.24
_PAD = 2.6
_ACROSS_PAD = 3.0


def when(moment: datetime | None) -> str:
    """'11/21/2026 08:30'; midnight means that the time is unknown: the date only."""
    if moment is None:
        return ""
    return f"{moment:%m/%d/%Y}" if moment.time() == time() else f"{moment:%m/%d/%Y %H:%M}"


@dataclass(frozen=True)
class Column:
    """A column of a table, ``width`` points wide."""

    title: str
    width: float
    right: bool = False


@dataclass(frozen=True)
class Cell:
    """Words in a cell and how they look; ``indent`` in points."""

    text: str
    bold: bool = False
    colour: Color = INK
    indent: float = 0


class Sheet:
    """One document (a requisition, a report) of a PDF: as many pages as it needs.

    ``heading`` is repeated small on the pages after the first, so that a loose page can be told.
    """

    def __init__(self, canvas: Canvas, lab: Lab, heading: str, printed: datetime) -> None:
        self.canvas = canvas
        self.pen = Pen(canvas)
        self.lab = lab
        self.heading = heading
        self.printed = printed
        self.page = 1
        self.y = TOP
        self._form = f"pages-{canvas.getPageNumber()}"
        self._repeat: Sequence[Column] = ()

    # -- pages ---------------------------------------------------------------------------

    def letterhead(self, title: str, code: str, note: str = "") -> None:
        """The lab on the left; what this is, its barcode and its code on the right."""
        pen, top = self.pen, self.y
        y = self._lab_and_title(title)
        self.barcode(code, RIGHT, top - 44, height=30, right=True)
        pen.text(RIGHT, top - 55, code, size=10, bold=True, right=True)
        if note:
            taken = text_width(code, True, 10) + 8
            pen.text(RIGHT - taken, top - 55, note, size=8, colour=MUTED, right=True)
        self.y = min(y + 6, top - 60) - 4
        self.rule(colour=ACCENT, weight=1.2)

    def title(self, title: str, note: str) -> None:
        """The lab on the left; on the right what this is, for a document without a code."""
        top = self.y
        y = self._lab_and_title(title)
        self.pen.text(RIGHT, top - 20, note, size=9, colour=MUTED, right=True)
        self.y = min(y + 6, top - 26) - 4
        self.rule(colour=ACCENT, weight=1.2)

    def _lab_and_title(self, title: str) -> float:
        """Draw them; where the lab's lines end."""
        pen, top = self.pen, self.y
        narrow = RIGHT - LEFT - 190
        y = top - 12
        for line in break_lines(self.lab.name, narrow, True, 15):
            pen.text(LEFT, y, line, size=15, bold=True, colour=ACCENT)
            y -= 18
        for part in (self.lab.address, self._reach()):
            for line in break_lines(part, narrow, False, 8) if part else ():
                pen.text(LEFT, y, line, size=8, colour=MUTED)
                y -= 10.4
        pen.text(RIGHT, top - 8, title.upper(), size=8, bold=True, colour=MUTED, right=True)
        return y

    def _reach(self) -> str:
        named = (("Phone", self.lab.phone), ("Fax", self.lab.fax), ("", self.lab.email))
        parts = [f"{name} {value}".strip() for name, value in (*named, ("", self.lab.url)) if value]
        return "   ".join(parts)

    def need(self, height: float) -> None:
        """Go to a new page unless ``height`` points are left on this one."""
        if self.y - height < BOTTOM:
            self.new_page()

    def new_page(self) -> None:
        """End this page and begin the next, repeating the heading and an open table's head."""
        self._foot(f"Page {self.page} of", later=True)
        self.canvas.showPage()
        self.pen.forget()
        self.page += 1
        self.y = TOP
        self.pen.text(LEFT, self.y - 8, self.heading, size=8.5, bold=True)
        self.pen.text(RIGHT, self.y - 8, self.lab.name, size=8.5, colour=MUTED, right=True)
        self.y -= 15
        self.rule()
        self.y -= 6
        if self._repeat:
            self._table_head(self._repeat)

    def close(self) -> None:
        """The foot of the last page; only now the number of pages is known."""
        if self.page == 1:
            self._foot("Page 1 of 1")
            self.canvas.showPage()
            return
        self._foot(f"Page {self.page} of", later=True)
        self.canvas.showPage()
        self.canvas.beginForm(self._form)
        self.canvas.setFont("Helvetica", 7.5)
        self.canvas.setFillColor(MUTED)
        self.canvas.drawString(0, 0, str(self.page))
        self.canvas.endForm()

    def _foot(self, pages: str, *, later: bool = False) -> None:
        self.canvas.setStrokeColor(RULE)
        self.canvas.setLineWidth(0.5)
        self.canvas.line(LEFT, BOTTOM - 14, RIGHT, BOTTOM - 14)
        y = BOTTOM - 25
        self.pen.text(LEFT, y, f"Printed {self.printed:%m/%d/%Y %H:%M}", size=7.5, colour=MUTED)
        if not later:
            self.pen.text(RIGHT, y, pages, size=7.5, colour=MUTED, right=True)
            return
        self.pen.text(RIGHT - 12, y, pages, size=7.5, colour=MUTED, right=True)
        self.canvas.saveState()
        self.canvas.translate(RIGHT - 9.5, y)
        self.canvas.doForm(self._form)
        self.canvas.restoreState()

    # -- marks ---------------------------------------------------------------------------

    def rule(self, *, colour: Color = RULE, weight: float = 0.5) -> None:
        """A line across the page at the cursor."""
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(weight)
        self.canvas.line(LEFT, self.y, RIGHT, self.y)

    def wash(self, x: float, top: float, width: float, height: float, colour: Color = WASH) -> None:
        """A quiet ground behind what is drawn next."""
        self.pen.fill(colour)
        self.canvas.rect(x, top - height, width, height, stroke=0, fill=1)

    def barcode(self, code: str, x: float, y: float, *, height: float, right: bool = False) -> None:
        """Code 128 with narrow bars of 1.05 points (14.6 mil), fewer where the code is long."""
        module = min(1.05, 172 / module_count(code))
        if right:
            x -= module_count(code) * module
        path = self.canvas.beginPath()
        for place, width in enumerate(bar_widths(code)):
            if place % 2 == 0:
                path.rect(x, y, width * module, height)
            x += width * module
        self.pen.fill(INK)
        self.canvas.drawPath(path, stroke=0, fill=1)

    # -- text that flows -----------------------------------------------------------------

    def section(self, title: str, *, keep: float = 40) -> None:
        """A small heading; ``keep`` points below it stay on the same page."""
        self.need(keep + 20)
        self.y -= 15.5
        self.pen.text(LEFT, self.y, title.upper(), size=7.5, bold=True, colour=ACCENT)
        self.y -= 3.5

    def paragraph(
        self, words: str, *, size: float = 9, colour: Color = INK, indent: float = 0
    ) -> None:
        """Words over the whole width, line by line, over as many pages as they need."""
        for line in break_lines(words, RIGHT - LEFT - indent, False, size):
            self.need(size * LEADING)
            self.y -= size * LEADING
            self.pen.text(LEFT + indent, self.y, line, size=size, colour=colour)

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """A band of short facts side by side: a small name above each value."""
        width = (RIGHT - LEFT) / len(facts)
        lines = [break_lines(value, width - 14, True, 9.5) for _, value in facts]
        height = 18.5 + 12 * max(len(each) for each in lines)
        self.y -= 7
        self.wash(LEFT, self.y, RIGHT - LEFT, height)
        for place, (name, _) in enumerate(facts):
            x = LEFT + place * width + 8
            self.pen.text(x, self.y - 11, name.upper(), size=6.3, colour=MUTED)
            for row, line in enumerate(lines[place]):
                self.pen.text(x, self.y - 23 - 12 * row, line, size=9.5, bold=True)
        self.y -= height

    def columns(
        self, blocks: Sequence[tuple[str, str, Sequence[tuple[str, str]]]], *, label: float = 62
    ) -> None:
        """Blocks side by side: a heading, a bold first line, then named lines."""
        # The first block has the longest lines and gets a third more room than the others.
        width = (RIGHT - LEFT) / (len(blocks) + 0.33)
        top = self.y - 16
        lowest = top
        for place, (heading, lead, rows) in enumerate(blocks):
            x = LEFT + (place + 0.33) * width if place else LEFT
            room = (width if place else width * 1.33) - 14
            y = top
            self.pen.text(x, y, heading.upper(), size=7.5, bold=True, colour=ACCENT)
            y -= 15
            for line in break_lines(lead, room, True, 11):
                self.pen.text(x, y, line, size=11, bold=True)
                y -= 13
            for name, value in rows:
                if not value:
                    continue
                self.pen.text(x, y, name, size=8, colour=MUTED)
                for line in break_lines(value, room - label, False, 8.5):
                    self.pen.text(x + label, y, line, size=8.5)
                    y -= 10.8
            lowest = min(lowest, y)
        self.y = lowest + 5

    # -- tables --------------------------------------------------------------------------

    def _table_head(self, columns: Sequence[Column]) -> None:
        self.y -= 8.5
        x = LEFT
        for column in columns:
            at = x + column.width - _ACROSS_PAD if column.right else x + _ACROSS_PAD
            self.pen.text(
                at, self.y, column.title.upper(), size=6.3, colour=MUTED, right=column.right
            )
            x += column.width
        self.y -= 4
        self.rule()

    def begin_table(self, columns: Sequence[Column]) -> None:
        """The head of a table; it is repeated on every page until :meth:`end_table`."""
        self.need(40)
        self._table_head(columns)
        self._repeat = columns

    def end_table(self) -> None:
        """The table is complete."""
        self._repeat = ()

    def row(
        self,
        columns: Sequence[Column],
        cells: Sequence[Cell],
        *,
        size: float = 8.5,
        ground: Color | None = None,
        line: bool = True,
        keep: float = 0,
    ) -> None:
        """A row of wrapped cells. It stays whole unless it is taller than a page; ``keep``
        points after it stay on its page."""
        step = size * LEADING
        broken = [
            break_lines(cell.text, column.width - 2 * _ACROSS_PAD - cell.indent, cell.bold, size)
            if cell.text
            else ()
            for cell, column in zip(cells, columns, strict=True)
        ]
        count = max(1, *map(len, broken)) if broken else 1
        height = count * step + 2 * _PAD
        self.need(min(height + keep, TOP - BOTTOM - 60))
        if ground is not None:
            self.wash(LEFT, self.y, RIGHT - LEFT, min(height, self.y - BOTTOM), ground)
        self.y -= _PAD
        for place in range(count):
            self.need(step)
            self.y -= step
            x = LEFT
            for column, cell, lines in zip(columns, cells, broken, strict=True):
                if place < len(lines):
                    at = (
                        x + column.width - _ACROSS_PAD
                        if column.right
                        else x + _ACROSS_PAD + cell.indent
                    )
                    self.pen.text(
                        at,
                        self.y + step * 0.24,
                        lines[place],
                        size=size,
                        bold=cell.bold,
                        colour=cell.colour,
                        right=column.right,
                    )
                x += column.width
        self.y -= _PAD
        if line:
            self.rule()


def new_canvas(out: BytesIO, title: str, kind: type[Canvas] = Canvas) -> Canvas:
    """A canvas whose file says what it is, but neither when nor for whom it was made."""
    canvas = kind(out, pagesize=letter, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setCreator("")
    canvas.setAuthor("")
    canvas.setSubject("")
    return canvas
