"""The typefaces of labels and pages: DejaVu Sans Condensed and Droid Sans Fallback.

DejaVu, regular and bold, covers Latin with all accents, Greek, Cyrillic, Hebrew, Arabic, Armenian,
and Georgian. Droid draws what it lacks: Han, Hangul, and Kana. It has one weight, so bold text is
drawn thicker. See the licenses beside the files. Other characters (emoji, rare Han) print as a
box, so that a reader sees the gap.
"""

import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path

from PIL import ImageDraw, ImageFont
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont

from app.basics.text import compose_nfc
from app.drawing.scripts import reorder_visually

MISSING = "\u25a1"
"""WHITE SQUARE, drawn for a character that the typefaces lack."""

REGULAR, BOLD, FALLBACK = "PortalSans", "PortalSans-Bold", "PortalSans-Fallback"
"""The names of the typefaces in reportlab."""

_FILES = {
    REGULAR: "DejaVuSansCondensed.ttf",
    BOLD: "DejaVuSansCondensed-Bold.ttf",
    FALLBACK: "DroidSansFallback.ttf",
}
_FALLBACK_SIZE = 0.86
"""A Han character fills its square, so it is drawn smaller, within the box of a label's line."""


def _get_path(name: str) -> Path:
    return Path(__file__).parent / _FILES[name]


@cache
def _register_font(name: str) -> frozenset[int]:
    """Register the typeface with reportlab, and return its code points."""
    font = TTFont(name, str(_get_path(name)))
    pdfmetrics.registerFont(font)
    return frozenset(font.face.charToGlyph)


def _is_in_main(character: str) -> bool:
    point = ord(character)
    return point in _register_font(REGULAR) and point in _register_font(BOLD)


def _is_covered(character: str) -> bool:
    return _is_in_main(character) or ord(character) in _register_font(FALLBACK)


def split_typefaces(text: str, bold: bool) -> list[tuple[str, str]]:
    """Split prepared text where the typeface changes: (name in reportlab, characters)."""
    main = BOLD if bold else REGULAR
    _register_font(main)
    return [
        (main if is_main else FALLBACK, "".join(run))
        for is_main, run in groupby(text, lambda letter: letter.isascii() or _is_in_main(letter))
    ]


@lru_cache(maxsize=64)
def _load_image_font(name: str, size: int) -> ImageFont.FreeTypeFont:
    """Load the Pillow font; ``size`` in dots. Basic layout draws the same on every machine."""
    if name == FALLBACK:
        size = max(1, int(size * _FALLBACK_SIZE))
    return ImageFont.truetype(str(_get_path(name)), size, layout_engine=ImageFont.Layout.BASIC)


def measure_on_image(text: str, size: int, bold: bool) -> float:
    """Return the width of ``text`` in dots, as ``draw_on_image`` draws it."""
    return sum(
        _load_image_font(name, size).getlength(run)
        for name, run in split_typefaces(prepare_text(text), bold)
    )


def draw_on_image(
    pen: ImageDraw.ImageDraw, x: int, y: int, text: str, *, size: int, bold: bool, fill: int
) -> None:
    """Draw ``text`` with its baseline at ``y``."""
    left = float(x)
    for name, run in split_typefaces(prepare_text(text), bold):
        font = _load_image_font(name, size)
        pen.text((left, y), run, fill=fill, font=font, anchor="ls")
        if bold and name == FALLBACK:
            pen.text((left + 1, y), run, fill=fill, font=font, anchor="ls")
        left += font.getlength(run)


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
    return "".join(
        character if _is_covered(character) else MISSING
        for character in reorder_visually(text)
        if _is_covered(character) or not unicodedata.combining(character)
    )
