"""Printer languages, and the bytes of a print job (O 9)."""

import base64
import binascii
import re
from dataclasses import dataclass

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.desktop.printers.port import Adjustments, Language, Printer, PrintForm, PrintJob

_PNG = b"\x89PNG\r\n\x1a\n"
_MM_PER_INCH = 25.4
# Models of Zebra speak ZPL unless their driver or name says EPL.
_ZPL = re.compile(r"ZPL|ZEBRA|ZDESIGNER|\bZTC\b")
_EPL = re.compile(r"EPL|ELTRON")
_DENSITY = re.compile(r"\b(203|300|600) ?DPI")
# EPL has darkness 0 to 15 where ZPL has 0 to 30.
_EPL_DARKNESS_DIVISOR = 2


@dataclass(frozen=True)
class Label:
    """One label in every form that the portal draws; ``image`` is a PNG in base64."""

    title: str
    image: str
    zpl: str
    epl: str


def guess_language(name: str, *facts: str) -> Language | None:
    """Guess from a printer's name: ZPL or ZEBRA means ZPL, EPL means EPL2 (O 9).

    Otherwise its model, its device id, and its address decide.
    """
    upper = name.upper()
    if "ZPL" in upper or "ZEBRA" in upper:
        return "zpl"
    if "EPL" in upper:
        return "epl"
    description = " ".join(facts).upper()
    if "ZPL" not in description and _EPL.search(description):
        return "epl"
    return "zpl" if _ZPL.search(description) else None


def guess_density(*facts: str) -> int | None:
    """Return the dots per inch in a printer's name or model; None if neither has them."""
    match = _DENSITY.search(" ".join(facts).upper())
    return int(match[1]) if match else None


def build_print_job(printer: Printer, labels: list[Label], copies: int) -> PrintJob:
    """Return the job in the printer's language, or as images; one complete set per copy.

    Raises ``BadInput`` for a broken image.
    """
    form: PrintForm = printer.language or "png"
    texts = [label.zpl if form == "zpl" else label.epl for label in labels]
    if form == "png" or not all(texts):
        return PrintJob(printer, decode_images(labels) * copies, "png")
    encode = _encode_zpl if form == "zpl" else _encode_epl
    one_set = tuple(encode(text, printer) for text in texts)
    return PrintJob(printer, one_set * copies, form)


def _encode_zpl(text: str, printer: Printer) -> bytes:
    """Encode a label in ZPL (UTF-8 by its ``^CI28``), with the printer's settings.

    Every label contains the settings, because a printer forgets them when it is off.
    """
    settings = printer.adjustments
    lines = f"~SD{settings.darkness:02d}" if settings.darkness is not None else ""
    inside = f"^PR{settings.speed}" if settings.speed is not None else ""
    if settings.offset_x or settings.offset_y:
        across, down = _measure_offset(settings, printer.dpi)
        inside += f"^LS{-across}^LT{down}"
    return _end_line(lines + text.replace("^XA", f"^XA{inside}", 1)).encode()


def _encode_epl(text: str, printer: Printer) -> bytes:
    """Encode a label in EPL2: raw bytes, so its text has one character per byte."""
    settings = printer.adjustments
    lines = f"S{settings.speed}\n" if settings.speed is not None else ""
    if settings.darkness is not None:
        lines += f"D{settings.darkness // _EPL_DARKNESS_DIVISOR}\n"
    if settings.offset_x or settings.offset_y:
        across, down = _measure_offset(settings, printer.dpi)
        lines += f"R{max(0, across)},{max(0, down)}\n"
    if lines:
        text = text.replace("\nN\n", f"\n{lines}N\n", 1)
    return _end_line(text).encode("latin-1", "replace")


def _measure_offset(settings: Adjustments, dpi: int) -> tuple[int, int]:
    """Return the offsets in dots."""
    across, down = settings.offset_x, settings.offset_y
    return round(across * dpi / _MM_PER_INCH), round(down * dpi / _MM_PER_INCH)


def _end_line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def decode_images(labels: list[Label]) -> tuple[bytes, ...]:
    """Decode the labels' PNG files, or raise ``BadInput``."""
    images = []
    for index, label in enumerate(labels):
        text = label.image.partition(",")[2] if label.image.startswith("data:") else label.image
        try:
            image = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            image = b""
        if not image.startswith(_PNG):
            field = FieldError(f"labels.{index}.image", messages.VALUE_INVALID)
            raise BadInput(messages.VALIDATION_ERROR, errors=(field,))
        images.append(image)
    return tuple(images)
