"""Pages that are filled from top to bottom with text and tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from reportlab.lib.colors import Color

from app.drawing.pages.lettering import (
    ACCENT,
    CRITICAL,
    CRITICAL_WASH,
    INK,
    MUTED,
    break_lines,
    fit_words,
    measure_width,
)
from app.drawing.pages.paper import BOTTOM, LEFT, Paper
from app.drawing.pages.running_head import draw_continuation

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


class Sheet(Paper):
    """The pages of one document, with flowing text and tables.

    ``continued`` names the rows to which the next row of a table belongs; a page that begins with
    it repeats them.
    """

    continued = ""
    _repeated_columns: Sequence[Column] = ()

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

    def _repeat_head(self) -> None:
        if self._repeated_columns:
            self._draw_table_head(self._repeated_columns)
            if self.continued:
                self.y = draw_continuation(
                    self.pen, self.continued, LEFT + _CELL_PADDING_X, self.right, self.y
                )

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
