"""Validates the paths that windows may show and that may be opened as documents."""

import re

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.desktop.relay.paths import PREFIXES, is_plain_path

_LENGTH_MAX = 2_048
# Printable ASCII without spaces, quotes, and backslashes; other characters are percent-encoded.
_CHARACTERS = re.compile(r"/[!#-\[\]-~]*")
_NOT_SCREENS = ("/device/", "/jspm", "/assets/", "/capabilities", "/fhir/", *PREFIXES)


def _build_error() -> BadInput:
    field = FieldError("path", messages.PATH_NOT_OF_PORTAL)
    return BadInput(messages.PATH_NOT_OF_PORTAL, errors=(field,))


def _require_plain(path: str) -> str:
    address = path.partition("?")[0]
    if (
        len(path) > _LENGTH_MAX
        or not _CHARACTERS.fullmatch(path)
        or not is_plain_path(address.encode("ascii"))
    ):
        raise _build_error()
    return path


def validate_screen_path(path: str) -> str:
    """Return a path of the user interface ("/secured/results/order;id=12"), or raise a 400."""
    if f"{_require_plain(path).partition('?')[0]}/".startswith(_NOT_SCREENS):
        raise _build_error()
    return path


def validate_document_path(path: str) -> str:
    """Return a path of the portal's API that may be opened as a document, or raise a 400."""
    if not _require_plain(path).startswith("/api/") or "#" in path:
        raise _build_error()
    return path
