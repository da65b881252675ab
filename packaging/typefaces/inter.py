"""Cuts Inter to the characters, weights, and features that the portal uses.

    .venv/bin/python packaging/typefaces/inter.py

A slow connection then loads half as much before it shows text in its typeface. Run it after an
update of the npm package `inter-ui`.
"""

import re
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

UI = Path(__file__).parents[2] / "ui"
SOURCE = UI / "node_modules" / "inter-ui" / "variable-latin" / "InterVariable-subset.woff2"
TARGET = UI / "src" / "app" / "inter" / "latin.woff2"
WEIGHTS = (400, 700)
FEATURES = ["calt", "ccmp", "cv05", "cv08", "kern", "locl", "mark", "mkmk", "tnum", "zero"]
"""The features of ``ui/src/app/app.css``, and those that browsers turn on by default."""


def list_characters() -> list[int]:
    """List the visible characters for which browsers load the typeface (``unicode-range``)."""
    [rule] = [r for r in (UI / "src/app/fonts.css").read_text().split("}") if TARGET.name in r]
    ranges = re.findall(r"U\+([0-9A-F]+)(?:-([0-9A-F]+))?", rule)
    return [
        character
        for first, last in ranges
        for character in range(max(int(first, 16), ord(" ")), int(last or first, 16) + 1)
    ]


def cut_typeface() -> None:
    """Write the typeface."""
    font = TTFont(SOURCE, recalcTimestamp=False)
    options = Options(layout_features=FEATURES, hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=list_characters())
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": WEIGHTS})
    font.flavor = "woff2"
    TARGET.parent.mkdir(exist_ok=True)
    font.save(TARGET)


if __name__ == "__main__":
    cut_typeface()
