"""The description of a label: a few placed elements, all measures in dots from the top left."""

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center", "right"]


@dataclass(frozen=True)
class Text:
    """One line within a box ``width`` wide; ``height`` is the font's, capitals are 0.73 of it."""

    x: int
    y: int
    width: int
    height: int
    text: str
    align: Align = "left"
    bold: bool = False

    def baseline(self) -> int:
        """Where the letters stand, from the top of the box."""
        return round(self.height * 0.76)


@dataclass(frozen=True)
class Barcode:
    """Code 128; ``x`` is the first bar, ``module`` the width of the narrowest one."""

    x: int
    y: int
    height: int
    module: int
    code: str


@dataclass(frozen=True)
class Box:
    """A filled rectangle; thin ones are rules."""

    x: int
    y: int
    width: int
    height: int


Element = Text | Barcode | Box


def in_printer_font(text: str) -> bool:
    """Whether printers can set ``text`` themselves; they know the letters of cp1252.

    Anything else is sent as a picture of the text.
    """
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True
