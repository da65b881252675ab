"""Writes a label as an image with one bit per dot, as a thermal print head prints it."""

from io import BytesIO

from PIL import Image, ImageDraw

from app.drawing.code128 import encode_bars
from app.drawing.labels.elements import Barcode, Box, Element, Text
from app.drawing.labels.stock import LabelStock
from app.drawing.typefaces import draw_on_image, measure_on_image

_BLACK, _WHITE = 0, 1


def draw_text_image(element: Text) -> Image.Image:
    """Draw one line of text in an image of its box, slightly higher for descenders."""
    picture = Image.new("1", (element.width, element.height + element.height // 8), _WHITE)
    _draw_text(ImageDraw.Draw(picture), element, 0, 0)
    return picture


def write_png(elements: list[Element], stock: LabelStock) -> bytes:
    """Write the PNG with the stock's density, so that it prints in true size."""
    picture = Image.new("1", (stock.width, stock.height), _WHITE)
    pen = ImageDraw.Draw(picture)
    for element in elements:
        match element:
            case Text():
                _draw_text(pen, element, element.x, element.y)
            case Barcode():
                _draw_barcode(pen, element)
            case Box(x, y, width, height):
                pen.rectangle((x, y, x + width - 1, y + height - 1), fill=_BLACK)
    file = BytesIO()
    picture.save(file, "PNG", dpi=(stock.dpi, stock.dpi))
    return file.getvalue()


def _draw_text(pen: ImageDraw.ImageDraw, element: Text, x: int, y: int) -> None:
    size, bold = element.height, element.bold
    spare = element.width - round(measure_on_image(element.text, size, bold))
    offset = {"left": 0, "center": spare // 2, "right": spare}[element.align]
    baseline = y + element.measure_baseline()
    draw_on_image(pen, x + offset, baseline, element.text, size=size, bold=bold, fill=_BLACK)


def _draw_barcode(pen: ImageDraw.ImageDraw, element: Barcode) -> None:
    x = element.x
    bottom = element.y + element.height - 1
    for index, modules in enumerate(encode_bars(element.code)):
        width = modules * element.module
        is_bar = index % 2 == 0
        if is_bar:
            pen.rectangle((x, element.y, x + width - 1, bottom), _BLACK)
        x += width
