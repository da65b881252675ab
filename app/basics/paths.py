"""Rejects request paths that no file and no record can have."""

import re
from urllib.parse import unquote_to_bytes

_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_PLAIN_PATH = re.compile(rb"[A-Za-z0-9/._-]{1,255}")
"""Most paths, which need no further check."""
_NAME_MAX_BYTES = 255
"""The longest name of a file; the parameters of a screen, after a semicolon, may be longer."""


def is_possible_path(raw_path: bytes) -> bool:
    """Whether a path, as sent, could name something.

    Broken percent signs, bytes that are not UTF-8, control characters, and names of over 255 bytes
    raise errors deep inside libraries and file systems.
    """
    if _PLAIN_PATH.fullmatch(raw_path):
        return True
    if _BROKEN_ESCAPE.search(raw_path):
        return False
    decoded_path = unquote_to_bytes(raw_path.partition(b"?")[0])
    try:
        text = decoded_path.decode()
    except UnicodeDecodeError:
        return False
    names = (segment.partition(b";")[0] for segment in decoded_path.split(b"/"))
    return not _CONTROL.search(text) and all(len(name) <= _NAME_MAX_BYTES for name in names)
