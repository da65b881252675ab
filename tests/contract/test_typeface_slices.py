"""Screens have the same Han, Hangul, and Kana as paper (``packaging/typefaces/slice.py``)."""

import re

from fontTools.ttLib import TTFont

from app.dependencies import ROOT

SOURCE = ROOT / "app" / "drawing" / "typefaces" / "DroidSansFallback.ttf"
FOLDER = ROOT / "ui" / "src" / "app" / "eastAsian"
_RULE = re.compile(r"url\('\./(\w+\.woff2)'\).*?unicode-range: ([^;]+);", re.DOTALL)


def read_slices() -> dict[str, set[int]]:
    """Return the blocks of 256 characters that the style sheet names, by file."""
    rules = _RULE.findall((FOLDER / "typeface.css").read_text())
    return {name: {int(block, 16) for block in re.findall(r"U\+(\w+)\?\?", text)}
            for name, text in rules}  # fmt: skip


def test_slices_contain_every_character_of_the_print_typeface() -> None:
    slices = read_slices()
    assert set(slices) == {path.name for path in FOLDER.glob("*.woff2")} - {"probe.woff2"}
    paper = {point for point in TTFont(SOURCE).getBestCmap() if 0x2C00 <= point <= 0xFFFF}
    assert {ord("王"), ord("김"), ord("さ")} <= paper
    for name, blocks in slices.items():
        expected = {point for point in paper if point // 256 in blocks}
        assert set(TTFont(FOLDER / name).getBestCmap()) == expected, name
        paper -= expected
    assert paper == set()
