"""Measuring, breaking and setting text in one size of type."""

import re
from functools import lru_cache

from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from app.drawing.typefaces import page_font, printable

INK = HexColor(0x1C2127)
MUTED = HexColor(0x5F6B7C)
RULE = HexColor(0xD3D8DE)
WASH = HexColor(0xF4F6F8)
ACCENT = HexColor(0x1D4A78)
CRITICAL = HexColor(0xAC2F33)
CRITICAL_WASH = HexColor(0xFBEDED)

_PLAIN, _STRONG = "Helvetica", "Helvetica-Bold"
_SYMBOLS = "≤≥≠≈∞"
"""Frequent in reference ranges, and in a typeface that every reader has."""
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


def _runs(text: str, bold: bool) -> list[tuple[str, str]]:
    """``text`` cut where the typeface changes: (name of the typeface, characters).

    A word is never set in two typefaces because of one letter; signs like '≥' are no letters.
    """
    plain = _STRONG if bold else _PLAIN
    runs: list[tuple[str, str]] = []
    for word in _WORDS.findall(printable(text.replace("\u03bc", "\u00b5"))):
        if word[0] in _SYMBOLS:
            name = "Symbol"
        elif word == " " and runs:
            name = runs[-1][0]
        else:
            name = plain if _is_plain(word) else page_font(bold)
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + word)
        else:
            runs.append((name, word))
    return runs


@lru_cache(maxsize=16_384)
def text_width(text: str, bold: bool, size: float) -> float:
    """Points that ``text`` takes on one line."""
    try:
        return sum(map(_WIDTHS[bold].__getitem__, text.encode("cp1252"))) * size / 1000
    except UnicodeEncodeError:
        return sum(pdfmetrics.stringWidth(words, name, size) for name, words in _runs(text, bold))


def _pieces(word: str, width: float, bold: bool, size: float) -> list[str]:
    """A word that is wider than the line, cut into pieces that are not."""
    pieces: list[str] = []
    piece = ""
    for character in word:
        if piece and text_width(piece + character, bold, size) > width:
            pieces.append(piece)
            piece = ""
        piece += character
    return [*pieces, piece]


@lru_cache(maxsize=16_384)
def break_lines(text: str, width: float, bold: bool, size: float) -> tuple[str, ...]:
    """``text`` in lines no wider than ``width`` points; line ends in the text are kept."""
    if "\n" in text or "\r" in text:
        return tuple(
            line
            for paragraph in text.splitlines()
            for line in break_lines(paragraph, width, bold, size)
        )
    if text_width(text, bold, size) <= width:
        return (text.strip(),)
    lines: list[str] = []
    current = ""
    for whole in text.split():
        for word in (
            [whole] if text_width(whole, bold, size) <= width else _pieces(whole, width, bold, size)
        ):
            longer = f"{current} {word}" if current else word
            if current and text_width(longer, bold, size) > width:
                lines.append(current)
                current = word
            else:
                current = longer
    return (*lines, current)


class Pen:
    """Sets text on a canvas, and tells it only about changes of type and colour."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self._font: tuple[str, float] | None = None
        self._colour: Color | None = None

    def forget(self) -> None:
        """A new page begins, and with it the canvas's own defaults."""
        self._font = self._colour = None

    def fill(self, colour: Color) -> None:
        """What is drawn next is of this colour."""
        if self._colour is not colour:
            self.canvas.setFillColor(colour)
            self._colour = colour

    def _type(self, name: str, size: float) -> None:
        if self._font != (name, size):
            self.canvas.setFont(name, size)
            self._font = (name, size)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 9,
        bold: bool = False,
        colour: Color = INK,
        right: bool = False,
    ) -> None:
        """One line with its baseline at ``y``; ``x`` is its start, or its end when ``right``."""
        if not words:
            return
        self.fill(colour)
        if right:
            x -= text_width(words, bold, size)
        try:
            words.encode("cp1252")
        except UnicodeEncodeError:
            for name, run in _runs(words, bold):
                self._type(name, size)
                self.canvas.drawString(x, y, run)
                x += pdfmetrics.stringWidth(run, name, size)
            return
        self._type(_STRONG if bold else _PLAIN, size)
        self.canvas.drawString(x, y, words)
