"""Which commands a printer understands, and the bytes made of them (O 9)."""

import base64
import binascii
from dataclasses import dataclass

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.desktop.printers.port import Language

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Label:
    """One label in all the forms that the portal draws it in; ``image`` is base64 PNG."""

    title: str
    image: str
    zpl: str
    epl: str


def guess_language(name: str) -> Language | None:
    """The first guess: ZPL or ZEBRA in a printer's name means ZPL, EPL means EPL2 (O 9)."""
    upper = name.upper()
    if "ZPL" in upper or "ZEBRA" in upper:
        return "zpl"
    return "epl" if "EPL" in upper else None


def commands(labels: list[Label], language: Language, copies: int) -> bytes:
    """The labels as one stream, whole sets after one another.

    ZPL is UTF-8 (the label says ``^CI28``). EPL2 carries raw bytes, pictures among them: its text
    has one character a byte, and what is more than a byte can not be one of ours.
    """
    if language == "zpl":
        one_set = b"".join(_line(label.zpl).encode() for label in labels)
    else:
        one_set = b"".join(_line(label.epl).encode("latin-1", "replace") for label in labels)
    return one_set * copies


def _line(text: str) -> str:
    return text if text.endswith("\n") else text + "\n"


def pictures(labels: list[Label], copies: int) -> tuple[bytes, ...]:
    """The labels' PNG files, whole sets after one another."""
    found = []
    for index, label in enumerate(labels):
        text = label.image.partition(",")[2] if label.image.startswith("data:") else label.image
        try:
            picture = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            picture = b""
        if not picture.startswith(_PNG):
            field = FieldError(f"labels.{index}.image", messages.VALUE_INVALID)
            raise BadInput(messages.VALIDATION_ERROR, errors=(field,))
        found.append(picture)
    return tuple(found) * copies
