"""The label in ZPL II.

Text that people typed can never become a command: every field is announced by ``^FH_`` and every
character with a meaning (``^ ~ _ \\``), and all that is not ASCII, travels as hexadecimal UTF-8
(``^CI28``). Control characters are gone before. The result is plain ASCII.
"""

from PIL import Image

from app.drawing.labels.elements import Barcode, Box, Element, Text, in_printer_font
from app.drawing.labels.png import text_picture
from app.drawing.labels.stock import LabelStock

_COMMANDS = "^~_\\"
_JUSTIFY = {"left": "L", "center": "C", "right": "R"}


def field_data(text: str) -> str:
    """``text`` as the data of a field announced by ``^FH_``."""
    return "".join(
        character
        if " " <= character <= "}" and character not in _COMMANDS
        else "".join(f"_{byte:02X}" for byte in character.encode("utf-8"))
        for character in text
    )


def graphic(picture: Image.Image) -> str:
    """A picture as ``^GFA``: rows of whole bytes, a set bit burns a dot."""
    across = (picture.width + 7) // 8
    # Pillow's '1' pads rows to bytes and has 1 for white; inverted, the padding must stay clear.
    padded = Image.new("1", (across * 8, picture.height), 1)
    padded.paste(picture, (0, 0))
    rows = bytes(byte ^ 0xFF for byte in padded.tobytes())
    return f"^GFA,{len(rows)},{len(rows)},{across},{rows.hex().upper()}"


def write_zpl(elements: list[Element], stock: LabelStock) -> str:
    """One label, one ``^XA`` ... ``^XZ``."""
    body = "\n".join(_command(element) for element in elements if not _is_blank(element))
    return f"^XA^CI28^PW{stock.width}^LL{stock.height}^LH0,0\n{body}\n^XZ\n"


def _is_blank(element: Element) -> bool:
    return isinstance(element, Text) and not element.text


def _command(element: Element) -> str:
    match element:
        case Text():
            return _text(element)
        case Barcode(x, y, height, module, code):
            # '>:' starts in code set B and stays there.
            return f"^FO{x},{y}^BY{module}^BCN,{height},N,N,N,N^FH_^FD>:{code}^FS"
        case Box(x, y, width, height):
            return f"^FO{x},{y}^GB{width},{height},{min(width, height)}^FS"


def _text(element: Text) -> str:
    place = f"^FO{element.x},{element.y}"
    # Some printers take '\\&' for a line break even when its backslash travels as hexadecimal.
    if "\\" in element.text or not in_printer_font(element.text):
        return f"{place}{graphic(text_picture(element))}^FS"
    font = f"^A0N,{element.height},{element.height}"
    # A field block would read '\&' in the data, so only our own aligned texts get one.
    block = "" if element.align == "left" else f"^FB{element.width},1,0,{_JUSTIFY[element.align]}"
    return f"{place}{font}{block}^FH_^FD{field_data(element.text)}^FS"
