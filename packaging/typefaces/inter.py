"""Cuts Inter to the characters, weights, and features that the portal uses.

    .venv/bin/python packaging/typefaces/inter.py

A slow connection then loads half as much before it shows text in its typeface. Run it after an
update of the npm package `inter-ui`.
"""

from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

UI = Path(__file__).parents[2] / "ui"
SOURCE = UI / "node_modules" / "inter-ui" / "variable-latin" / "InterVariable-subset.woff2"
TARGET = UI / "src" / "app" / "inter" / "latin.woff2"
WEIGHTS = (400, 700)
CHARACTERS = (
    *range(0x20, 0x100),
    *(0x131, 0x152, 0x153, 0x2BB, 0x2BC, 0x2C6, 0x2DA, 0x2DC),
    *range(0x2000, 0x2070),
    *(0x20AC, 0x2122, 0x2191, 0x2193, 0x2212),
)
"""The same as in ``ui/src/app/fonts.css``."""
FEATURES = ["calt", "ccmp", "cv05", "cv08", "kern", "locl", "mark", "mkmk", "tnum", "zero"]
"""Those of ``ui/src/app/app.css``, and those that browsers turn on by themselves."""


def cut_typeface() -> None:
    """Write the typeface."""
    font = TTFont(SOURCE, recalcTimestamp=False)
    options = Options(layout_features=FEATURES, hinting=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": WEIGHTS})
    font.flavor = "woff2"
    TARGET.parent.mkdir(exist_ok=True)
    font.save(TARGET)


if __name__ == "__main__":
    cut_typeface()
