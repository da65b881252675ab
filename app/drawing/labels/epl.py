"""Writes a label in EPL2.

EPL2 has no Unicode: text is encoded in Windows code page 1252; text outside it becomes an image.
Quotes and backslashes are escaped, and line ends are removed. EPL2 contains raw bytes, which the
result represents as Latin-1 characters, one per byte.
"""

from app.drawing.labels.elements import Barcode, Box, Element, Text, is_in_printer_font
from app.drawing.labels.png import draw_text_image
from app.drawing.labels.stock import LabelStock

# Fonts of a 203 dpi printer: number, width (with the gap) and height of a character in dots.
_FONTS = ((4, 16, 24), (3, 14, 20), (2, 12, 16), (1, 10, 12))
_ELLIPSIS = "..."
_DESIGN_DPI = 203


def escape_string(text: str) -> str:
    """Encode ``text`` for EPL2's quotes: cp1252 bytes as Latin-1, with escapes."""
    one_line = text.replace("\r", "").replace("\n", "")
    escaped_text = one_line.replace("\\", "\\\\").replace('"', '\\"')
    return escaped_text.encode("cp1252").decode("latin-1")


def write_epl(elements: list[Element], stock: LabelStock) -> str:
    """Write one label; ``N`` clears the printer's buffer, ``P1`` prints one copy."""
    body = "".join(
        _write_element(element, stock)
        for element in elements
        if not isinstance(element, Text) or element.text
    )
    # The leading line feed ends a partial command in the printer's buffer. 'I8,A,001' selects 8
    # bits, code page 1252, and the USA.
    return f"\nN\nI8,A,001\nq{stock.width}\nQ{stock.height},24\n{body}P1\n"


def _write_element(element: Element, stock: LabelStock) -> str:
    match element:
        case Text():
            return _write_text(element, stock)
        case Barcode(x, y, height, module, code):
            # '1B' is Code 128, code set B, as in the image of a label. It has no wide bars.
            return f'B{x},{y},0,1B,{module},{module},{height},N,"{code}"\n'
        case Box(x, y, width, height):
            return f"LO{x},{y},{width},{height}\n"


def _write_text(element: Text, stock: LabelStock) -> str:
    if not is_in_printer_font(element.text):
        return _write_image(element)
    # Resident fonts have the same printed size on every printer, so more dots above 203 dpi.
    scale = 1.0 if stock.dpi <= _DESIGN_DPI else stock.dpi / _DESIGN_DPI
    name, letter_width = _choose_font(element, scale)
    letters_max = int(element.width // letter_width)
    text = element.text
    if len(text) > letters_max:
        text = text[: max(0, letters_max - len(_ELLIPSIS))].rstrip() + _ELLIPSIS
    spare = element.width - round(len(text) * letter_width)
    offset = {"left": 0, "center": spare // 2, "right": spare}[element.align]
    return f'A{element.x + offset},{element.y},0,{name},1,1,N,"{escape_string(text)}"\n'


def _choose_font(element: Text, scale: float) -> tuple[int, float]:
    for name, letter_width, letter_height in _FONTS:
        fits = len(element.text) * letter_width * scale <= element.width
        if letter_height * scale <= element.height and fits:
            return name, letter_width * scale
    smallest_font, letter_width, _ = _FONTS[-1]
    return smallest_font, letter_width * scale


def _write_image(element: Text) -> str:
    """Write ``GW``: rows of whole bytes, where a set bit leaves the dot white."""
    picture = draw_text_image(element)
    row_bytes = (picture.width + 7) // 8
    padded_picture = picture.crop((0, 0, row_bytes * 8, picture.height))
    rows = bytearray(padded_picture.tobytes())
    spare = row_bytes * 8 - picture.width
    if spare:
        for end in range(row_bytes - 1, len(rows), row_bytes):
            rows[end] |= (1 << spare) - 1
    data = bytes(rows).decode("latin-1")
    return f"GW{element.x},{element.y},{row_bytes},{picture.height},{data}\n"
