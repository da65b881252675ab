"""The typefaces of labels and pages: DejaVu Sans Condensed, regular and bold.

See LICENSE.txt. They cover Latin with all accents, Greek, Cyrillic, Hebrew, Arabic, Armenian, and
Georgian. Other characters (Chinese, Japanese, Korean, emoji) print as a box, so that a reader sees
the gap.
"""

import unicodedata
from functools import cache, lru_cache
from pathlib import Path

from PIL import ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from app.basics.text import compose_nfc
from app.drawing.scripts import reorder_visually

MISSING = "\u25a1"
"""WHITE SQUARE, drawn for a character that the typefaces lack."""

REGULAR, BOLD = "PortalSans", "PortalSans-Bold"
"""The names of the typefaces in reportlab."""

_FILES = {REGULAR: "DejaVuSansCondensed.ttf", BOLD: "DejaVuSansCondensed-Bold.ttf"}


def _get_path(name: str) -> Path:
    return Path(__file__).parent / _FILES[name]


@cache
def _register_fonts() -> frozenset[int]:
    """Register the typefaces with reportlab and return the code points that both cover."""
    covered: list[frozenset[int]] = []
    for name in _FILES:
        font = TTFont(name, str(_get_path(name)))
        pdfmetrics.registerFont(font)
        covered.append(frozenset(font.face.charToGlyph))
    return covered[0] & covered[1]


def get_page_font(bold: bool) -> str:
    """Return reportlab's name of the typeface, registered on first use."""
    _register_fonts()
    return BOLD if bold else REGULAR


@lru_cache(maxsize=64)
def load_image_font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
    """Load the Pillow font; ``size`` in dots. Basic layout draws the same on every machine."""
    return ImageFont.truetype(
        str(_get_path(BOLD if bold else REGULAR)), size, layout_engine=ImageFont.Layout.BASIC
    )


def remove_controls(text: str) -> str:
    """Normalize to NFC on one line, with single spaces and without control characters."""
    characters = (
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return " ".join(compose_nfc("".join(characters)).split())


def prepare_text(text: str) -> str:
    """Return ``text`` in visual order, with a box for each character that cannot be drawn."""
    if text.isascii():
        return text
    covered = _register_fonts()
    return "".join(
        character if ord(character) in covered else MISSING
        for character in reorder_visually(text)
        if ord(character) in covered or not unicodedata.combining(character)
    )
