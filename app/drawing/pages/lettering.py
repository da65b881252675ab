"""Measures, wraps, and draws text in one font size."""

import re
from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from app.drawing.typefaces import FALLBACK, prepare_text, split_typefaces

INK = HexColor(0x1C2127)
MUTED = HexColor(0x5F6B7C)
RULE = HexColor(0xD3D8DE)
WASH = HexColor(0xF4F6F8)
ACCENT = HexColor(0x0F5C6E)
"""The teal of the brand, dark enough for small text on paper."""
CRITICAL = HexColor(0xAC2F33)
CRITICAL_WASH = HexColor(0xFBEDED)

_PLAIN, _STRONG = "Helvetica", "Helvetica-Bold"
_SYMBOLS = "≤≥≠≈∞"
"""Frequent in reference ranges; every PDF reader has a typeface with them."""
_SMALLEST = 0.67
_WORDS = re.compile(f"[{_SYMBOLS}]+| |[^ {_SYMBOLS}]+")
_WIDTHS = {
    False: tuple(pdfmetrics.getFont(_PLAIN).widths),
    True: tuple(pdfmetrics.getFont(_STRONG).widths),
}


def _is_plain(word: str) -> bool:
    try:
        word.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def _split_runs(text: str, bold: bool) -> list[tuple[str, str]]:
    """Split ``text`` where the typeface changes: (name of the typeface, characters).

    The letters of a word share a typeface unless it lacks some of them; signs such as '≥' are not
    letters.
    """
    base_font = _STRONG if bold else _PLAIN
    runs: list[tuple[str, str]] = []
    # The Greek mu becomes the micro sign, which Helvetica has.
    for word in _WORDS.findall(prepare_text(text.replace("\u03bc", "\u00b5"))):
        if word[0] in _SYMBOLS:
            pieces = [("Symbol", word)]
        elif word == " " and runs:
            pieces = [(runs[-1][0], word)]
        else:
            pieces = [(base_font, word)] if _is_plain(word) else split_typefaces(word, bold)
        for name, piece in pieces:
            if runs and runs[-1][0] == name:
                runs[-1] = (name, runs[-1][1] + piece)
            else:
                runs.append((name, piece))
    return runs


@lru_cache(maxsize=16_384)
def measure_width(text: str, bold: bool, size: float) -> float:
    """Return the width of ``text`` on one line in points."""
    try:
        return sum(map(_WIDTHS[bold].__getitem__, text.encode("cp1252"))) * size / 1000
    except UnicodeEncodeError:
        return sum(pdfmetrics.stringWidth(run, name, size) for name, run in _split_runs(text, bold))


def _split_word(word: str, width: float, bold: bool, size: float) -> list[str]:
    """Split a word that is wider than the line into pieces that fit."""
    pieces: list[str] = []
    piece = ""
    for character in word:
        if piece and measure_width(piece + character, bold, size) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


@lru_cache(maxsize=16_384)
def break_lines(text: str, width: float, bold: bool, size: float) -> tuple[str, ...]:
    """Wrap ``text`` into lines of at most ``width`` points; keeps its line ends."""
    if "\n" in text or "\r" in text:
        return tuple(
            line
            for paragraph in text.splitlines()
            for line in break_lines(paragraph, width, bold, size)
        )
    if measure_width(text, bold, size) <= width:
        return (text.strip(),)
    lines: list[str] = []
    current = ""
    for whole in text.split():
        fits = measure_width(whole, bold, size) <= width
        for word in [whole] if fits else _split_word(whole, width, bold, size):
            longer = f"{current} {word}" if current else word
            if current and measure_width(longer, bold, size) > width:
                lines.append(current)
                current = word
            else:
                current = longer
    return (*lines, current)


@lru_cache(maxsize=16_384)
def fit_words(text: str, width: float, bold: bool, size: float) -> float:
    """Return ``size``, or a smaller one in which no word of ``text`` must be split.

    The result is at least two thirds of ``size``; a word that is still too long is split.
    """
    if measure_width(text, bold, size) <= width:
        return size
    widest = max(measure_width(word, bold, size) for word in text.split())
    if widest <= width:
        return size
    # A little smaller, so that rounding does not split the word.
    return max(size * width / widest, size * _SMALLEST) - 0.01


class Pen:
    """Draws text on a canvas and sets font and color only when they change."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self._font: tuple[str, float] | None = None
        self._color: Color | None = None

    def reset(self) -> None:
        """Forget font and color, because a new page has the canvas's defaults."""
        self._font = self._color = None

    def set_color(self, color: Color) -> None:
        """Set the color of the following text and shapes."""
        if self._color is not color:
            self.canvas.setFillColor(color)
            self._color = color

    def _set_font(self, name: str, size: float) -> None:
        if self._font != (name, size):
            self.canvas.setFont(name, size)
            self._font = (name, size)

    def draw_text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 9,
        bold: bool = False,
        color: Color = INK,
        right: bool = False,
    ) -> None:
        """Draw a line with its baseline at ``y``; ``x`` is its start, or its end if ``right``."""
        if not text:
            return
        self.set_color(color)
        if right:
            x -= measure_width(text, bold, size)
        try:
            text.encode("cp1252")
        except UnicodeEncodeError:
            for name, run in _split_runs(text, bold):
                self._set_font(name, size)
                if bold and name == FALLBACK:
                    self._draw_thicker(x, y, run, size, color)
                else:
                    self.canvas.drawString(x, y, run)
                x += pdfmetrics.stringWidth(run, name, size)
            return
        self._set_font(_STRONG if bold else _PLAIN, size)
        self.canvas.drawString(x, y, text)

    def _draw_thicker(self, x: float, y: float, text: str, size: float, color: Color) -> None:
        """Draw with an outline, because the typeface has no bold weight."""
        self.canvas.saveState()
        self.canvas.setStrokeColor(color)
        self.canvas.setLineWidth(size / 28)
        self.canvas.drawString(x, y, text, mode=2)  # filled and outlined
        self.canvas.restoreState()
