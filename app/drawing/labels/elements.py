"""The elements of a label; all measures are dots from the top left."""

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Text:
    """One line of text in a box; ``height`` is the font's, and capitals are 0.73 times as high."""

    x: int
    y: int
    width: int
    height: int
    text: str
    align: Align = "left"
    bold: bool = False

    def measure_baseline(self) -> int:
        """Return the distance of the baseline from the top of the box."""
        return round(self.height * 0.76)


@dataclass(frozen=True)
class Barcode:
    """A Code 128 barcode.

    Attributes:
        x: the left edge of the first bar.
        module: the width of the narrowest bar.
    """

    x: int
    y: int
    height: int
    module: int
    code: str


@dataclass(frozen=True)
class Box:
    """A filled rectangle, or a line if it is thin."""

    x: int
    y: int
    width: int
    height: int


Element = Text | Barcode | Box


def is_in_printer_font(text: str) -> bool:
    """Whether the printer's font has all letters of ``text`` (cp1252).

    Other texts are sent as an image.
    """
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
