"""Decodes long base64 text in steps, so that other threads of the process get their turns."""

import base64
import binascii
import tempfile
from collections.abc import Iterator

from app.basics.long_text import LongText

_SPACES = b" \t\r\n\f\v"
_STEP_CHARACTERS = 64_000
_HEAD_BYTES = 200
"""Longer than the head of any data URL: 'data:', a media type, and ';base64,'."""


def strip_data_url(text: str | LongText) -> str | LongText:
    """Return the base64 text of a data URL; other text is returned as it is."""
    if isinstance(text, str):
        return text.partition(",")[2] if text.startswith("data:") else text
    head = text.read_start(_HEAD_BYTES)
    if not head.startswith(b"data:"):
        return text
    comma = head.find(b",")
    return text.skip(text.length if comma < 0 else comma + 1)


def decode_base64(text: str | LongText, max_bytes: int) -> bytes | None:
    """Decode base64 text, ignoring white space; None if the content exceeds the limit.

    Raises:
        ValueError: the text is not base64.
    """
    size = 0
    # A join would copy megabytes in one step; a file is read without the interpreter's lock.
    with tempfile.SpooledTemporaryFile(max_size=_STEP_CHARACTERS, buffering=0) as file:
        for step in _decode_steps(text):
            size += len(step)
            if size > max_bytes:
                return None
            file.write(step)
        file.seek(0)
        return file.read()


def _decode_steps(text: str | LongText) -> Iterator[bytes]:
    pieces = _slice_text(text) if isinstance(text, str) else text.read_pieces(_STEP_CHARACTERS)
    rest = b""
    is_padded = False
    for piece in pieces:
        rest += piece.translate(None, _SPACES)
        length = len(rest) // 4 * 4
        step, rest = rest[:length], rest[length:]
        if is_padded and step:
            raise ValueError("padding before the end")
        is_padded = is_padded or step.endswith(b"=")
        yield _decode_step(step)
    if rest:
        raise ValueError("not base64")


def _slice_text(text: str) -> Iterator[bytes]:
    for start in range(0, len(text), _STEP_CHARACTERS):
        yield text[start : start + _STEP_CHARACTERS].encode("ascii")


def _decode_step(step: bytes) -> bytes:
    try:
        return base64.b64decode(step, validate=True)
    except binascii.Error as error:
        raise ValueError("not base64") from error
