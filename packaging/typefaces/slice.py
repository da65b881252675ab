"""Cuts the typeface of Han, Hangul, and Kana into slices that a browser loads one by one.

    .venv/bin/python packaging/typefaces/slice.py

It is the typeface that labels and pages print with, so screen and paper show the same. The script
writes a file for each slice, the style sheet that names them, and the empty typeface of the probe.
It takes a minute.
"""

from io import BytesIO
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "app" / "drawing" / "typefaces" / "DroidSansFallback.ttf"
FOLDER = ROOT / "ui" / "src" / "app" / "eastAsian"
FIRST, LAST = 0x2C00, 0xFFFF
"""The code points of the slices. Those before belong to Inter (``ui/src/app/fonts.css``)."""
SLICE_POINTS = 256
SLICE_CHARACTERS_MIN = 64
"""A slice with fewer characters joins the one before it."""


def list_slices(points: list[int]) -> list[list[int]]:
    """Group the code points, each group being one file."""
    groups: list[list[int]] = []
    for start in range(FIRST, LAST + 1, SLICE_POINTS):
        group = [point for point in points if start <= point < start + SLICE_POINTS]
        if group and len(group) < SLICE_CHARACTERS_MIN and groups:
            groups[-1] += group
        elif group:
            groups.append(group)
    return groups


def format_range(points: list[int]) -> str:
    """Return a CSS unicode-range of the blocks that contain these code points."""
    blocks = sorted({point // SLICE_POINTS for point in points})
    return ", ".join(f"U+{block:X}??" for block in blocks)


def build_slice(points: list[int]) -> bytes:
    """Build a WOFF2 file of these characters."""
    font = TTFont(SOURCE)
    options = Options(flavor="woff2", hinting=False, desubroutinize=True, notdef_outline=False)
    options.layout_features = []
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    font.flavor = "woff2"
    return _save_font(font)


def build_probe() -> bytes:
    """Build the empty typeface that a browser loads before it draws a character of any slice."""
    builder = FontBuilder(unitsPerEm=1000, isTTF=True)
    builder.setupGlyphOrder([".notdef"])
    builder.setupCharacterMap({})
    pen = TTGlyphPen(None)
    # Browsers reject a typeface without any outline.
    for draw, point in ((pen.moveTo, (0, 0)), (pen.lineTo, (0, 1)), (pen.lineTo, (1, 0))):
        draw(point)
    pen.closePath()
    builder.setupGlyf({".notdef": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (0, 0)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Probe", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.font.flavor = "woff2"
    return _save_font(builder.font)


def _save_font(font: TTFont) -> bytes:
    file = BytesIO()
    font.save(file)
    return file.getvalue()


def main() -> None:
    """Write all files, and remove those of earlier runs."""
    points = sorted(point for point in TTFont(SOURCE).getBestCmap() if FIRST <= point <= LAST)
    for old in FOLDER.glob("*.woff2"):
        old.unlink()
    rules = []
    for group in list_slices(points):
        name = f"{group[0]:04x}.woff2"
        (FOLDER / name).write_bytes(build_slice(group))
        rules.append(
            "@font-face {\n"
            "  font-family: 'Portal East Asian';\n"
            "  font-display: swap;\n"
            f"  src: url('./{name}') format('woff2');\n"
            f"  unicode-range: {format_range(group)};\n"
            "}\n"
        )
    (FOLDER / "probe.woff2").write_bytes(build_probe())
    head = "/* Written by packaging/typefaces/slice.py. License in public/licenses. */\n"
    (FOLDER / "typeface.css").write_text(head + "\n".join(rules))


if __name__ == "__main__":
    main()
