"""Text rules shared by all slices: cleaning, upper-casing, and the masks of O 5."""

import math
import re
import unicodedata
from typing import overload

_SPACES = re.compile(r"\s+")
_NOT_DIGITS = re.compile(r"[^0-9]")
_CONTROL = {i: None for i in range(32) if i not in (9, 10, 13)} | {127: None}
# Directional marks and characters without width: names that look alike must be equal, and a name
# must not reverse the text around it.
_INVISIBLE = dict.fromkeys(
    (
        0x061C,
        0x200B,
        0x200E,
        0x200F,
        0x2060,
        0xFEFF,
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
)
_REMOVED_CHARACTERS = _CONTROL | _INVISIBLE
_JOINERS = "\u200c\u200d"
_FIRST_COMBINING_MARK = "\u0300"
_MARKS_MAX = 30
"""No script needs more marks on one letter; Unicode's stream-safe format has the same limit."""
_JOINABLE_CATEGORIES = frozenset({"Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Sk", "So"})


def clean_text(text: str | None) -> str | None:
    """Clean text: trim, compose (NFC), remove invisible characters; empty becomes None.

    Joiners stay between letters or emoji, where Persian and Indic words and many emoji need them.
    """
    if text is None:
        return None
    return compose_nfc(remove_invisible(text)).strip() or None


def compose_nfc(text: str) -> str:
    """Normalize text to NFC, with at most 30 combining marks in a row.

    Always use this instead of ``unicodedata``, whose time grows with the square of the marks on one
    letter: a hundred thousand marks block all other requests for ten seconds.
    """
    if text.isascii() or max(text) < _FIRST_COMBINING_MARK:
        return text
    chars: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= _MARKS_MAX:
            chars.append(char)
    return unicodedata.normalize("NFC", "".join(chars))


def remove_invisible(text: str) -> str:
    """Remove control characters and invisible characters."""
    # Checked first, because most texts have none, and a file of 50,000 rows has half a million.
    if text.isascii() and text.isprintable():
        return text
    text = text.translate(_REMOVED_CHARACTERS)
    return _remove_loose_joiners(text) if any(joiner in text for joiner in _JOINERS) else text


def _remove_loose_joiners(text: str) -> str:
    chars: list[str] = []
    for char, next_char in zip(text, (*text[1:], " "), strict=True):
        if char in _JOINERS and not (chars and _can_join(chars[-1]) and _can_join(next_char)):
            continue
        chars.append(char)
    return "".join(chars)


def _can_join(char: str) -> bool:
    """Whether the character is part of a letter (with its marks) or of an emoji."""
    return unicodedata.category(char) in _JOINABLE_CATEGORIES


def to_upper_case(text: str | None) -> str | None:
    """Clean text and convert it to upper case with single spaces (DECISIONS)."""
    clean = clean_text(text)
    # Upper-casing may decompose a letter: 'ΐ' becomes three characters.
    return compose_nfc(_SPACES.sub(" ", clean).upper()) if clean else None


def keep_digits(text: str | None) -> str | None:
    """Return the digits of a masked value ('000-00-0000'), or None if it has no digits."""
    return (_NOT_DIGITS.sub("", text) or None) if text else None


@overload
def mask_phone(text: str) -> str: ...
@overload
def mask_phone(text: None) -> None: ...
def mask_phone(text: str | None) -> str | None:
    """Format ten digits as '000-000-0000'; anything else stays unchanged."""
    number = keep_digits(text)
    return f"{number[:3]}-{number[3:6]}-{number[6:]}" if number and len(number) == 10 else text


def mask_ssn(text: str | None) -> str | None:
    """Format nine digits as '000-00-0000'; anything else stays unchanged."""
    number = keep_digits(text)
    return f"{number[:3]}-{number[3:5]}-{number[5:]}" if number and len(number) == 9 else text


def format_wait(seconds: int) -> str:
    """Format a wait in seconds; two minutes or more in minutes, rounded up."""
    is_short = seconds < 120
    count, unit = (seconds, "second") if is_short else (math.ceil(seconds / 60), "minute")
    return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
