"""Which addresses the windows may show and the relay may fetch for them."""

import re

from app.basics.errors import BadInput, FieldError
from app.contract import messages
from app.desktop.relay.endpoint import PREFIXES
from app.desktop.relay.portal import is_plain_path

_LENGTH = 2_048
# Printable ASCII without spaces, quotes and backslashes: everything else arrives percent-encoded.
_CHARACTERS = re.compile(r"/[!#-\[\]-~]*")
_NOT_SCREENS = ("/device/", "/jspm", "/assets/", "/capabilities", "/fhir/", *PREFIXES)


def _refuse() -> BadInput:
    field = FieldError("path", messages.PATH_NOT_OF_PORTAL)
    return BadInput(messages.PATH_NOT_OF_PORTAL, errors=(field,))


def _plain(path: str) -> str:
    address = path.partition("?")[0]
    if (
        len(path) > _LENGTH
        or not _CHARACTERS.fullmatch(path)
        or not is_plain_path(address.encode("ascii"))
    ):
        raise _refuse()
    return path


def screen_path(path: str) -> str:
    """A path of the user interface ("/secured/results/order;id=12"), or a 400."""
    if f"{_plain(path).partition('?')[0]}/".startswith(_NOT_SCREENS):
        raise _refuse()
    return path


def document_path(path: str) -> str:
    """A path of the portal's API whose answer may be opened as a document, or a 400."""
    if not _plain(path).startswith("/api/") or "#" in path:
        raise _refuse()
    return path
