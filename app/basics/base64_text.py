"""Decodes long base64 text in steps, so that other threads of the process get their turns."""

import base64
import binascii

_SPACES = b" \t\r\n\f\v"
_STEP_CHARACTERS = 1_000_000


def strip_data_url(text: str) -> str:
    """Return the base64 text of a data URL; other text is returned as it is."""
    return text.partition(",")[2] if text.startswith("data:") else text


def decode_base64(text: str, max_bytes: int) -> bytes | None:
    """Decode base64 text, ignoring white space; None if it is over the limit.

    Raises:
        ValueError: it is not base64.
    """
    steps: list[bytes] = []
    size = 0
    rest = b""
    for start in range(0, len(text), _STEP_CHARACTERS):
        piece = text[start : start + _STEP_CHARACTERS].encode("ascii")
        rest += piece.translate(None, _SPACES)
        length = len(rest) // 4 * 4
        is_last = start + _STEP_CHARACTERS >= len(text)
        step, rest = (rest, b"") if is_last else (rest[:length], rest[length:])
        if not is_last and step.endswith(b"="):
            raise ValueError("padding before the end")
        try:
            steps.append(base64.b64decode(step, validate=True))
        except binascii.Error as error:
            raise ValueError("not base64") from error
        size += len(steps[-1])
        if size > max_bytes:
            return None
    return b"".join(steps)
