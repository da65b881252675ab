"""Counts the parts and the depth of a JSON text while its bytes arrive."""

import re

from app.contract import messages

_REST_OF_STRING = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_OPENING_BRACKETS = b"[{"


class JsonMeter:
    """Counts strings, commas, and brackets of a text that arrives in pieces.

    A parser holds the interpreter's lock until it is done, so a text is measured before it is
    parsed. A text that is not JSON may have any count; the parser rejects it. JSON in UTF-16 or
    UTF-32, which Python would parse, has bytes that look like quotes and hide the rest of the text,
    so it counts as over the limit. Its zero bytes show what it is: JSON in UTF-8 has none.

    ``longest`` locates the longest string without a backslash: its first byte after the quote and
    its length.
    """

    def __init__(self, parts_max: int, depth_max: int) -> None:
        self.longest = (0, 0)
        self._parts_left = parts_max
        self._depth_left = depth_max
        self._is_in_string = False
        self._is_escaping = False
        self._is_plain = True
        self._string_start = 0
        self._bytes_before = 0

    def measure(self, piece: bytes) -> str | None:
        """Count one piece; return the message of the limit that the text exceeds, or None."""
        if b"\0" in piece:
            return messages.BODY_NOT_JSON
        position, end = 0, len(piece)
        if self._is_escaping and end:
            self._is_escaping = False
            position = 1
        while position < end:
            if self._is_in_string:
                position = self._skip_string(piece, position)
            else:
                position = self._count_until_string(piece, position)
                if not position:
                    return messages.BODY_TOO_COMPLEX
        self._bytes_before += end
        return None

    def _skip_string(self, piece: bytes, start: int) -> int:
        if piece.find(b'"', start) < 0 and piece.find(b"\\", start) < 0:
            return len(piece)  # sixteen times faster in the middle of a long string
        match = _REST_OF_STRING.match(piece, start)
        assert match is not None  # it matches an empty text too
        position = match.end()
        self._is_plain = self._is_plain and piece.find(b"\\", start, position + 1) < 0
        if position < len(piece):
            # This is a quote, or a backslash that escapes the first byte of the next piece.
            self._is_in_string = self._is_escaping = piece[position : position + 1] == b"\\"
            if not self._is_in_string:
                self._note_string(self._bytes_before + position)
        return position + 1

    def _note_string(self, end: int) -> None:
        length = end - self._string_start
        if self._is_plain and length > self.longest[1]:
            self.longest = (self._string_start, length)

    def _count_until_string(self, piece: bytes, start: int) -> int:
        """Count the values before the next string. Return where it starts, or 0 beyond a limit."""
        quote = piece.find(b'"', start)
        end = len(piece) if quote < 0 else quote
        self._parts_left -= piece.count(b",", start, end) + 1
        self._is_in_string = quote >= 0
        self._is_plain = True
        self._string_start = self._bytes_before + quote + 1
        for match in _BRACKET.finditer(piece, start, end):
            if match.group() in _OPENING_BRACKETS:
                self._depth_left -= 1
                self._parts_left -= 1
            else:
                self._depth_left += 1
            if min(self._parts_left, self._depth_left) < 0:
                return 0
        return end + 1 if self._parts_left >= 0 else 0
