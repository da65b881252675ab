"""Rules for the kinds and names of files."""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from app.basics.text import compose_nfc

NAME_MAX_BYTES = 200
"""The limit of a name without extension and number; file systems allow 255 bytes."""

_SEPARATORS = re.compile(r"[/\\]")
_SPECIAL = re.compile(r'[<>:"|?*;%]')
_SPACES = re.compile(r"\s+")
_RESERVED_NAMES = frozenset(
    {"CON", "PRN", "AUX", "NUL"} | {f"{port}{n}" for port in ("COM", "LPT") for n in range(1, 10)}
)
"""Device names on Windows, which are reserved with any extension."""


class Document(Protocol):
    """A stored document of a record."""

    @property
    def name(self) -> str:
        """The name, which differs from those of the record's other documents."""
        ...


NamedDocument = TypeVar("NamedDocument", bound=Document)


@dataclass(frozen=True)
class Kind:
    """An accepted kind of file; the first of its ``extensions`` is the default."""

    media_type: str
    extensions: tuple[str, ...]
    signatures: tuple[bytes, ...]


KINDS = (
    Kind("application/pdf", ("pdf",), (b"%PDF-",)),
    Kind("image/png", ("png",), (b"\x89PNG\r\n\x1a\n",)),
    Kind("image/jpeg", ("jpg", "jpeg", "jpe", "jfif"), (b"\xff\xd8\xff",)),
    Kind("image/tiff", ("tif", "tiff"), (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")),
)
_EXTENSIONS = frozenset(extension for kind in KINDS for extension in kind.extensions)


def detect_kind(content: bytes) -> Kind | None:
    """Detect the kind of a file from its content, whatever its name; None if not accepted.

    The signature must be at the very start, because other programs may read a file with a later
    signature as another kind.
    """
    return next((kind for kind in KINDS if content.startswith(kind.signatures)), None)


def sanitize_name(raw_name: str | None, kind: Kind) -> str:
    """Turn a sent name into a harmless name for a file of this kind.

    Only the last part of a path is used. Invisible characters, and characters with a meaning in
    file systems, shells and headers, are removed or replaced. A wrong extension is replaced when
    it belongs to another accepted kind, and otherwise stays part of the name.
    """
    text = _SEPARATORS.split(raw_name or "")[-1]
    text = "".join(c for c in text if c.isspace() or not unicodedata.category(c).startswith("C"))
    # Removed characters may have separated blanks or accents, so collapse and compose afterwards.
    text = _SPECIAL.sub("_", compose_nfc(_SPACES.sub(" ", text))).rstrip(". ")
    stem, _, extension = text.rpartition(".")
    if extension.lower() not in _EXTENSIONS or "." not in text:
        stem, extension = text, kind.extensions[0]
    elif extension.lower() not in kind.extensions:
        extension = kind.extensions[0]
    stem = _truncate_text(stem.strip(". "), NAME_MAX_BYTES).rstrip(". ") or "document"
    if stem.partition(".")[0].rstrip().upper() in _RESERVED_NAMES:
        stem = f"_{stem}"
    return f"{stem}.{extension.lower()}"


def make_unique_name(name: str, existing_names: Iterable[str]) -> str:
    """Return the name, with ' (2)', ' (3)' ... before its extension if it already exists.

    Case is ignored, as in many file systems.
    """
    used_names = {existing_name.casefold() for existing_name in existing_names}
    stem, dot, extension = name.rpartition(".")
    candidate, number = name, 2
    while candidate.casefold() in used_names:
        candidate = f"{stem} ({number}){dot}{extension}"
        number += 1
    return candidate


def find_by_name(documents: Iterable[NamedDocument], name: str) -> NamedDocument | None:
    """Return the document with this name, or None; older names may not be in normal form."""
    normalized_name = compose_nfc(name)
    return next((item for item in documents if compose_nfc(item.name) == normalized_name), None)


def _truncate_text(text: str, max_bytes: int) -> str:
    """Truncate text to this number of UTF-8 bytes, between two characters."""
    return text.encode()[:max_bytes].decode(errors="ignore")
