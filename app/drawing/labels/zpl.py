"""Writes a label in ZPL II.

Text from people can never become a command: every field begins with ``^FH_``, and special
characters (``^ ~ _ \\``) and all non-ASCII characters are written as hexadecimal UTF-8 (``^CI28``).
The caller has removed control characters. The result is ASCII.
"""

from PIL import Image

from app.drawing.labels.elements import Barcode, Box, Element, Text, is_in_printer_font
from app.drawing.labels.png import draw_text_image
from app.drawing.labels.stock import LabelStock

_COMMANDS = "^~_\\"
_JUSTIFY = {"left": "L", "center": "C", "right": "R"}


def escape_field(text: str) -> str:
    """Encode ``text`` as the data of a field that begins with ``^FH_``."""
    return "".join(_escape_character(character) for character in text)


def _escape_character(character: str) -> str:
    if " " <= character <= "}" and character not in _COMMANDS:
        return character
    return "".join(f"_{byte:02X}" for byte in character.encode("utf-8"))


def encode_image(picture: Image.Image) -> str:
    """Encode an image as ``^GFA``: rows of whole bytes, where a set bit prints a dot."""
    row_bytes = (picture.width + 7) // 8
    # In Pillow's mode '1', 1 is white. After the inversion the padding must stay white.
    padded_picture = Image.new("1", (row_bytes * 8, picture.height), 1)
    padded_picture.paste(picture, (0, 0))
    rows = bytes(byte ^ 0xFF for byte in padded_picture.tobytes())
    return f"^GFA,{len(rows)},{len(rows)},{row_bytes},{rows.hex().upper()}"


def write_zpl(elements: list[Element], stock: LabelStock) -> str:
    """Write one label, from ``^XA`` to ``^XZ``."""
    body = "\n".join(_write_element(element) for element in elements if not _is_blank(element))
    return f"^XA^CI28^PW{stock.width}^LL{stock.height}^LH0,0\n{body}\n^XZ\n"


def _is_blank(element: Element) -> bool:
    return isinstance(element, Text) and not element.text


def _write_element(element: Element) -> str:
    match element:
        case Text():
            return _write_text(element)
        case Barcode(x, y, height, module, code):
            # '>:' selects code set B.
            return f"^FO{x},{y}^BY{module}^BCN,{height},N,N,N,N^FH_^FD>:{code}^FS"
        case Box(x, y, width, height):
            return f"^FO{x},{y}^GB{width},{height},{min(width, height)}^FS"


def _write_text(element: Text) -> str:
    origin = f"^FO{element.x},{element.y}"
    # Some printers read '\\&' as a line break even if the backslash is hexadecimal.
    if "\\" in element.text or not is_in_printer_font(element.text):
        return f"{origin}{encode_image(draw_text_image(element))}^FS"
    font = f"^A0N,{element.height},{element.height}"
    # A field block interprets '\&' in the data, so only our own aligned texts use one.
    block = "" if element.align == "left" else f"^FB{element.width},1,0,{_JUSTIFY[element.align]}"
    return f"{origin}{font}{block}^FH_^FD{escape_field(element.text)}^FS"
