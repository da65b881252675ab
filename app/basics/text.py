"""Text rules shared by all slices: upper-casing and the masks of O 5."""

import re
import unicodedata
from typing import overload

_SPACES = re.compile(r"\s+")
_NOT_DIGITS = re.compile(r"[^0-9]")
_CONTROL = {i: None for i in range(32) if i not in (9, 10, 13)} | {127: None}
# Two names that look alike must be alike, and none may turn the text around it: characters that
# only say which way to write, and those without a width.
_UNSEEN = dict.fromkeys(
    (
        *(0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF),
        *range(0x202A, 0x202F),
        *range(0x2066, 0x206A),
    )
)
_REMOVED = _CONTROL | _UNSEEN
_JOINERS = "\u200c\u200d"
_FIRST_MARK = "\u0300"
_MARKS_IN_A_ROW = 30
"""No writing needs more on one letter (Unicode's stream-safe format has the same limit)."""
_JOINED = frozenset({"Ll", "Lm", "Lo", "Lt", "Lu", "Mc", "Me", "Mn", "Sk", "So"})


def clean(text: str | None) -> str | None:
    """Trimmed, NFC, without control and invisible characters; empty becomes ``None``.

    A joiner stays between letters or emoji: Persian and Indic words and many emoji need it.
    """
    if text is None:
        return None
    return composed(visible(text)).strip() or None


def composed(text: str) -> str:
    """NFC, without what is more than 30 accents and other marks in a row.

    The only way to normal form in this house: a hundred thousand marks on one letter take Python
    ten seconds, four times as many sixteen times as long, and meanwhile everybody waits.
    """
    if text.isascii() or max(text) < _FIRST_MARK:
        return text
    kept: list[str] = []
    marks = 0
    for char in text:
        marks = marks + 1 if unicodedata.category(char)[0] == "M" else 0
        if marks <= _MARKS_IN_A_ROW:
            kept.append(char)
    return unicodedata.normalize("NFC", "".join(kept))


def visible(text: str) -> str:
    """Without control and invisible characters, and otherwise as it is."""
    seen = text.translate(_REMOVED)
    return _without_loose_joiners(seen) if any(joiner in seen for joiner in _JOINERS) else seen


def _without_loose_joiners(text: str) -> str:
    kept: list[str] = []
    for char, following in zip(text, (*text[1:], " "), strict=True):
        if char in _JOINERS and not (kept and _is_joined(kept[-1]) and _is_joined(following)):
            continue
        kept.append(char)
    return "".join(kept)


def _is_joined(char: str) -> bool:
    """Whether this is of a letter (with its marks) or of an emoji."""
    return unicodedata.category(char) in _JOINED


def capitalise(text: str | None) -> str | None:
    """Upper-case with single spaces, as names and addresses are kept (DECISIONS)."""
    cleaned = clean(text)
    # Capitals of composed letters may come apart: those of 'ΐ' are three characters.
    return composed(_SPACES.sub(" ", cleaned).upper()) if cleaned else None


def digits(text: str | None) -> str | None:
    """Only the digits of a masked value ('000-00-0000'); ``None`` when there are none."""
    return (_NOT_DIGITS.sub("", text) or None) if text else None


@overload
def mask_phone(text: str) -> str: ...
@overload
def mask_phone(text: None) -> None: ...
def mask_phone(text: str | None) -> str | None:
    """Ten digits as '000-000-0000'; anything else unchanged."""
    number = digits(text)
    return f"{number[:3]}-{number[3:6]}-{number[6:]}" if number and len(number) == 10 else text


def mask_ssn(text: str | None) -> str | None:
    """Nine digits as '000-00-0000'; anything else unchanged."""
    number = digits(text)
    return f"{number[:3]}-{number[3:5]}-{number[5:]}" if number and len(number) == 9 else text
