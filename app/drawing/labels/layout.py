"""The content of a label and the position of its elements."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from app.basics.dates import format_date_time
from app.drawing.code128 import QUIET_MODULES, BarcodeImpossible, count_modules, require_payload
from app.drawing.labels.elements import Barcode, Box, Element, Text
from app.drawing.labels.stock import LabelStock
from app.drawing.typefaces import measure_on_image, remove_controls

_DESIGN_DPI = 203
_MODULE_WIDEST = 0.0125
"""In inches. Wider bars only take space: a hand scanner reads 10 mil from a foot away."""
_ELLIPSIS = "..."


@dataclass(frozen=True)
class LabelContent:
    """The facts of one label (DECISIONS, 'labels').

    Attributes:
        patient_name: 'LAST, FIRST'.
        sex: one letter.
        code: the code of the requisition or order.
        collection: if it is a date or at midnight, the time is unknown.
        number: the number of the tube, or None for the label of the form.
        count: how many tubes the requisition has.
        title: container and specimen.
        copy: 1 for the first label of this tube or form, 2 if there is one already, and so on.
    """

    patient_name: str
    birth_date: date | None
    sex: str
    code: str
    collection: datetime | date | None
    client: str
    container: str
    specimen: str
    number: int | None
    count: int
    title: str
    copy: int


def measure_width(text: str, height: int, bold: bool) -> float:
    """Return the width of ``text`` in dots in the image; printer fonts are narrower."""
    return measure_on_image(text, height, bold)


def cut_to_fit(text: str, width: int, height: int, bold: bool) -> str:
    """Return ``text``, or as much of its beginning as fits before three dots."""
    if measure_width(text, height, bold) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if measure_width(text[:middle].rstrip() + _ELLIPSIS, height, bold) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + _ELLIPSIS


def cut_name_to_fit(name: str, width: int, height: int) -> str:
    """Shorten 'LAST, FIRST' to ``width``, the last name first, so that the first name shows."""
    last, comma, first = name.partition(", ")
    if not comma or measure_width(name, height, bold=True) <= width:
        return cut_to_fit(name, width, height, bold=True)
    tail = cut_to_fit(first, width // 3, height, bold=True)
    free_width = width - round(measure_width(f", {tail}", height, bold=True)) - 1
    return f"{cut_to_fit(last, free_width, height, bold=True)}, {tail}"


def format_count(number: int | None, count: int, copy: int = 1) -> str:
    """Format as '1 of 3', or as '3 tubes' on the label of the form.

    A later label of the same tube says so: 'COPY 2  1 of 3'.
    """
    if number is not None:
        text = f"{number} of {count}"
    else:
        text = "1 tube" if count == 1 else f"{count} tubes"
    return text if copy == 1 else f"COPY {copy}  {text}"


def lay_out(content: LabelContent, stock: LabelStock) -> list[Element]:
    """Place the elements of ``content`` on ``stock``.

    Raises :class:`~app.drawing.code128.BarcodeImpossible` for a code outside ``[A-Z0-9-]`` or one
    whose bars and quiet zones do not fit.
    """
    scale = stock.dpi / _DESIGN_DPI
    vertical = stock.height / _DESIGN_DPI  # the design is one inch high

    def scale_x(design: float) -> int:
        return round(design * scale)

    def scale_y(design: float) -> int:
        return round(design * vertical)

    left = scale_x(12)
    width = stock.width - 2 * left
    half = round(width * 0.48)

    def fit_line(
        text: str, y: float, sizes: tuple[int, ...], free_width: int, *, bold: bool = False
    ) -> Text:
        line = remove_controls(text)
        # The largest size that fits; text is cut only in the smallest.
        heights = [min(scale_x(size), scale_y(size)) for size in sizes]
        height = next(
            (h for h in heights if measure_width(line, h, bold) <= free_width), heights[-1]
        )
        return Text(left, scale_y(y), free_width, height, line, bold=bold)

    def shorten(element: Text) -> Text:
        short_text = cut_to_fit(element.text, element.width, element.height, element.bold)
        return replace(element, text=short_text)

    code = require_payload(content.code)
    bars = _place_barcode(code, stock, y=scale_y(60), height=scale_y(66))
    count = format_count(content.number, content.count, content.copy)
    count_height = min(scale_x(20), scale_y(20))
    count_room = round(measure_width(count, count_height, bold=True)) + scale_x(8)
    right = left + width
    name = fit_line(content.patient_name, 5, (29, 26, 23, 20), width, bold=True)
    birth = f"DOB {content.birth_date:%m/%d/%Y}" if content.birth_date else ""
    birth_line = fit_line(f"{birth} {content.sex}".strip(), 37, (20, 18), half)
    collection_line = fit_line(format_date_time(content.collection), 37, (20, 18), width - half)
    specimen = shorten(fit_line(content.specimen, 158, (20, 18, 16), round(width * 0.5)))
    specimen_width = (
        measure_width(specimen.text, specimen.height, bold=False) + scale_x(8)
        if specimen.text
        else 0
    )
    container_room = width - round(specimen_width)
    bottom = shorten(fit_line(content.client, 180, (19, 17), width - count_room))
    return [
        replace(name, text=cut_name_to_fit(name.text, width, name.height)),
        birth_line,
        Text(
            right - collection_line.width,
            collection_line.y,
            collection_line.width,
            collection_line.height,
            collection_line.text,
            "right",
        ),
        bars,
        Text(left, scale_y(129), width, min(scale_x(23), scale_y(23)), code, "center", bold=True),
        Box(left, scale_y(153), width, max(1, scale_x(1.4))),
        shorten(fit_line(content.container, 158, (20, 18, 16), container_room, bold=True)),
        replace(specimen, x=right - specimen.width, align="right"),
        bottom,
        Text(right - count_room, bottom.y, count_room, count_height, count, "right", bold=True),
    ]


def _place_barcode(code: str, stock: LabelStock, *, y: int, height: int) -> Barcode:
    modules = count_modules(code)
    module = min(
        stock.width // (modules + 2 * QUIET_MODULES), max(1, int(stock.dpi * _MODULE_WIDEST))
    )
    if module < 1:
        raise BarcodeImpossible("The code is too long for a barcode on this label")
    return Barcode((stock.width - modules * module) // 2, y, height, module, code)
