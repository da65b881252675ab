"""What a label says, and where everything stands on it."""

from dataclasses import dataclass, replace
from datetime import date, datetime, time

from app.drawing.code128 import QUIET_MODULES, BarcodeImpossible, module_count, require_payload
from app.drawing.labels.elements import Barcode, Box, Element, Text
from app.drawing.labels.stock import LabelStock
from app.drawing.typefaces import picture_font, printable, without_controls

_DESIGN_DPI = 203
_MODULE_WIDEST = 0.0125
"""Inches. Wider bars only cost room; a hand scanner reads 10 mil from a foot away."""
_CUT = "..."


@dataclass(frozen=True)
class LabelContent:
    """The facts of one label (DECISIONS, 'labels').

    ``patient_name`` is 'LAST, FIRST'; ``code`` is the requisition's or order's code; a
    ``collection`` at midnight, or a plain date, means that the time is unknown; ``number`` of
    ``count`` tells the labels of one requisition apart; ``title`` is container and specimen.
    """

    patient_name: str
    birth_date: date
    code: str
    collection: datetime | date | None
    client: str
    container: str
    number: int
    count: int
    title: str


def text_width(text: str, height: int, bold: bool) -> float:
    """Dots that ``text`` takes in the picture; printer fonts of that height are narrower."""
    return picture_font(height, bold).getlength(printable(text))


def cut_to_fit(text: str, width: int, height: int, bold: bool) -> str:
    """``text``, or as much of its beginning as fits before three dots."""
    if text_width(text, height, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + _CUT, height, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + _CUT


def name_to_fit(name: str, width: int, height: int) -> str:
    """'LAST, FIRST' within ``width``; a long last name gives way so that the first still shows."""
    last, comma, first = name.partition(", ")
    if not comma or text_width(name, height, True) <= width:
        return cut_to_fit(name, width, height, True)
    tail = cut_to_fit(first, width // 3, height, True)
    room = width - round(text_width(f", {tail}", height, True)) - 1
    return f"{cut_to_fit(last, room, height, True)}, {tail}"


def collection_words(collection: datetime | date | None) -> str:
    """'11/21/2026 08:30'; midnight means that the time is unknown: the date only."""
    if collection is None:
        return ""
    if isinstance(collection, datetime) and collection.time() != time():
        return f"{collection:%m/%d/%Y %H:%M}"
    return f"{collection:%m/%d/%Y}"


def lay_out(content: LabelContent, stock: LabelStock) -> list[Element]:
    """The elements of ``content`` on ``stock``.

    Raises :class:`~app.drawing.code128.BarcodeImpossible` for a code outside ``[A-Z0-9-]`` or one
    whose bars and quiet zones do not fit.
    """
    scale = stock.dpi / _DESIGN_DPI
    vertical = stock.height / 203

    def dots(design: float) -> int:
        return round(design * scale)

    def down(design: float) -> int:
        return round(design * vertical)

    left = dots(12)
    width = stock.width - 2 * left
    half = round(width * 0.46)

    def line(text: str, y: float, sizes: tuple[int, ...], room: int, *, bold: bool = False) -> Text:
        words = without_controls(text)
        # The largest size in which it fits, before anything is cut away.
        heights = [min(dots(size), down(size)) for size in sizes]
        height = next((h for h in heights if text_width(words, h, bold) <= room), heights[-1])
        return Text(left, down(y), room, height, words, bold=bold)

    def fitted(element: Text) -> Text:
        words = cut_to_fit(element.text, element.width, element.height, element.bold)
        return replace(element, text=words)

    code = require_payload(content.code)
    bars = _barcode(code, stock, y=down(60), height=down(66))
    count = f"{content.number} of {content.count}"
    count_height = min(dots(20), down(20))
    count_room = round(text_width(count, count_height, True)) + dots(8)
    right = left + width
    name = line(content.patient_name, 5, (29, 26, 23, 20), width, bold=True)
    born = line(f"DOB {content.birth_date:%m/%d/%Y}", 37, (20, 18), half)
    taken = line(collection_words(content.collection), 37, (20, 18), width - half)
    bottom = fitted(line(content.client, 180, (19, 17), width - count_room))
    return [
        replace(name, text=name_to_fit(name.text, width, name.height)),
        born,
        Text(right - taken.width, taken.y, taken.width, taken.height, taken.text, "right"),
        bars,
        Text(left, down(129), width, min(dots(23), down(23)), code, "center", True),
        Box(left, down(153), width, max(1, dots(1.4))),
        fitted(line(content.container, 158, (20, 18, 16), width, bold=True)),
        bottom,
        Text(right - count_room, bottom.y, count_room, count_height, count, "right", True),
    ]


def _barcode(code: str, stock: LabelStock, *, y: int, height: int) -> Barcode:
    modules = module_count(code)
    module = min(
        stock.width // (modules + 2 * QUIET_MODULES), max(1, int(stock.dpi * _MODULE_WIDEST))
    )
    if module < 1:
        raise BarcodeImpossible("The code is too long for a barcode on this label")
    return Barcode((stock.width - modules * module) // 2, y, height, module, code)
