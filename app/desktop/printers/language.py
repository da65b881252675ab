"""Printer languages, and the bytes of a print job (O 9)."""

import base64
import binascii
from dataclasses import dataclass

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.desktop.printers.port import Language

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Label:
    """One label in every form that the portal draws; ``image`` is a PNG in base64."""

    title: str
    image: str
    zpl: str
    epl: str


def guess_language(name: str) -> Language | None:
    """Guess from a printer's name: ZPL or ZEBRA means ZPL, EPL means EPL2 (O 9)."""
    upper = name.upper()
    if "ZPL" in upper or "ZEBRA" in upper:
        return "zpl"
    return "epl" if "EPL" in upper else None


def join_commands(labels: list[Label], language: Language, copies: int) -> bytes:
    """Join the labels to one byte stream, one complete set per copy.

    ZPL is UTF-8 (the label contains ``^CI28``). EPL2 contains raw bytes, so its text has one
    character per byte.
    """
    if language == "zpl":
        one_set = b"".join(_end_line(label.zpl).encode() for label in labels)
    else:
        one_set = b"".join(_end_line(label.epl).encode("latin-1", "replace") for label in labels)
    return one_set * copies


def _end_line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def decode_images(labels: list[Label], copies: int) -> tuple[bytes, ...]:
    """Decode the labels' PNG files, one complete set per copy; raises ``BadInput``."""
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
    return tuple(images) * copies
