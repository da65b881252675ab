"""The typefaces of labels and pages: DejaVu Sans Condensed, regular and bold (see LICENSE.txt).

They cover Latin with all its accents, Greek, Cyrillic, Hebrew, Arabic, Armenian and Georgian.
What they lack (Chinese, Japanese, Korean, emoji) prints as a visible box, never as nothing: a
reader must see that something is missing.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from app.basics.text import composed
from app.drawing.scripts import visual

MISSING = "\u25a1"
"""WHITE SQUARE, set in place of a character that the typefaces lack."""

REGULAR, BOLD = "PortalSans", "PortalSans-Bold"
"""The names under which reportlab knows them."""

_FILES = {REGULAR: "DejaVuSansCondensed.ttf", BOLD: "DejaVuSansCondensed-Bold.ttf"}


def _path(name: str) -> Path:
    return Path(__file__).parent / _FILES[name]


@cache
def _registered() -> frozenset[int]:
    """Make the typefaces known to reportlab; answers the code points that both cover."""
    covered: list[frozenset[int]] = []
    for name in _FILES:
        font = TTFont(name, str(_path(name)))
        pdfmetrics.registerFont(font)
        covered.append(frozenset(font.face.charToGlyph))
    return covered[0] & covered[1]


def page_font(bold: bool) -> str:
    """The reportlab name, registered on first use."""
    _registered()
    return BOLD if bold else REGULAR


@lru_cache(maxsize=64)
def picture_font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """The Pillow font; ``size`` in dots. Basic layout, so that every machine draws alike."""
    return ImageFont.truetype(
        str(_path(BOLD if bold else REGULAR)), size, layout_engine=ImageFont.Layout.BASIC
    )


def without_controls(text: str) -> str:
    """NFC, one line, no control, format or private characters, single spaces."""
    kept = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return " ".join(composed("".join(kept)).split())


def printable(text: str) -> str:
    """``text`` as it is set: in visual order, with a box for each character we can't draw."""
    if text.isascii():
        return text
    covered = _registered()
    return "".join(
        character if ord(character) in covered else MISSING
        for character in visual(text)
        if ord(character) in covered or not unicodedata.combining(character)
    )
