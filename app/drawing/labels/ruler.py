"""A label that shows whether a printer's density, size, and offsets are right."""

from collections.abc import Sequence

from app.drawing.labels.elements import Box, Element, Text
from app.drawing.labels.epl import write_epl
from app.drawing.labels.png import write_png
from app.drawing.labels.stock import Label, LabelStock
from app.drawing.labels.zpl import write_zpl
from app.drawing.typefaces import remove_controls

_MM_PER_INCH = 25.4
_TITLE = "TEST LABEL"


def draw_ruler_label(lines: Sequence[str], stock: LabelStock) -> Label:
    """Draw a frame at the edges, a ruler in millimeters and one in inches, and some lines.

    The frame is complete if size and offsets are right, and the rulers are true if the density is.
    """
    elements = [*_draw_frame(stock), *_draw_rulers(stock), *_write_lines(lines, stock)]
    return Label(
        title=_TITLE,
        png=write_png(elements, stock),
        zpl=write_zpl(elements, stock),
        epl=write_epl(elements, stock),
    )


def _draw_frame(stock: LabelStock) -> list[Element]:
    thickness = max(2, stock.dpi // 100)
    right, bottom = stock.width - thickness, stock.height - thickness
    return [
        Box(0, 0, stock.width, thickness),
        Box(0, bottom, stock.width, thickness),
        Box(0, 0, thickness, stock.height),
        Box(right, 0, thickness, stock.height),
    ]


def _draw_rulers(stock: LabelStock) -> list[Element]:
    """Draw marks for each millimeter along the top, and each eighth of an inch at the bottom."""
    thickness, unit = max(1, stock.dpi // 150), stock.dpi // 20
    marks: list[Element] = []
    for number in range(1, int(stock.width_in * _MM_PER_INCH)):
        is_centimeter = number % 10 == 0
        length = unit * 2 if is_centimeter else unit
        marks.append(Box(round(number * stock.dpi / _MM_PER_INCH), 0, thickness, length))
    for number in range(1, int(stock.width_in * 8)):
        is_inch = number % 8 == 0
        length = unit * 2 if is_inch else unit
        marks.append(Box(round(number * stock.dpi / 8), stock.height - length, thickness, length))
    return marks


def _write_lines(lines: Sequence[str], stock: LabelStock) -> list[Element]:
    height = stock.dpi // 8
    top = stock.height // 2 - height * len(lines) // 2
    left = stock.dpi // 10
    return [
        Text(left, top + height * index, stock.width - 2 * left, height, remove_controls(line))
        for index, line in enumerate(lines)
    ]
