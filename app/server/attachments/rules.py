"""Which files are taken, and under which names; no session, no clock, no request."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from app.basics.text import composed

NAME_MAX_BYTES = 200
"""Of the name without its extension and number; file systems end at 255 bytes."""

_SEPARATORS = re.compile(r"[/\\]")
_ODD = re.compile(r'[<>:"|?*;%]')
_SPACES = re.compile(r"\s+")
_RESERVED = frozenset(
    {"CON", "PRN", "AUX", "NUL"} | {f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10)}
)
"""Names of devices on Windows, with any extension."""


@dataclass(frozen=True)
class Kind:
    """A kind of file that is taken; the first of its ``extensions`` is the usual one."""

    media_type: str
    extensions: tuple[str, ...]
    starts: tuple[bytes, ...]


KINDS = (
    Kind("application/pdf", ("pdf",), (b"%PDF-",)),
    Kind("image/png", ("png",), (b"\x89PNG\r\n\x1a\n",)),
    Kind("image/jpeg", ("jpg", "jpeg", "jpe", "jfif"), (b"\xff\xd8\xff",)),
    Kind("image/tiff", ("tif", "tiff"), (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
)
_KNOWN = frozenset(extension for kind in KINDS for extension in kind.extensions)


def kind_of(content: bytes) -> Kind | None:
    """The kind by what the file holds, whatever it is called; None: not one that is taken.

    The mark must be the file's very beginning: one that comes later may sit in a file that other
    programs take for something else.
    """
    return next((kind for kind in KINDS if content.startswith(kind.starts)), None)


def safe_name(sent: str | None, kind: Kind) -> str:
    """A harmless name for a file of this kind.

    Only the last part of a path counts. Characters that no eye sees or that file systems,
    shells and headers give a meaning go. A lying extension gets the right one: one that belongs
    to another of our kinds is replaced, anything else stays part of the name.
    """
    text = _SEPARATORS.split(sent or "")[-1]
    text = "".join(c for c in text if c.isspace() or not unicodedata.category(c).startswith("C"))
    # Blanks and normal form come after what is dropped: two blanks, or an accent and its letter,
    # may meet only then.
    text = _ODD.sub("_", composed(_SPACES.sub(" ", text))).rstrip(". ")
    stem, _, extension = text.rpartition(".")
    if extension.lower() not in _KNOWN or "." not in text:
        stem, extension = text, kind.extensions[0]
    elif extension.lower() not in kind.extensions:
        extension = kind.extensions[0]
    stem = _shortened(stem.strip(". "), NAME_MAX_BYTES).rstrip(". ") or "document"
    if stem.partition(".")[0].rstrip().upper() in _RESERVED:
        stem = f"_{stem}"
    return f"{stem}.{extension.lower()}"


def free_name(name: str, taken: Iterable[str]) -> str:
    """The name, or with ' (2)', ' (3)' ... before its extension when it is taken already.

    Names that differ in case only are the same name to many a file system.
    """
    used = {each.casefold() for each in taken}
    stem, dot, extension = name.rpartition(".")
    candidate, number = name, 2
    while candidate.casefold() in used:
        candidate = f"{stem} ({number}){dot}{extension}"
        number += 1
    return candidate


def _shortened(text: str, most: int) -> str:
    """The text cut to so many bytes of UTF-8, between two characters."""
    return text.encode()[:most].decode(errors="ignore")
