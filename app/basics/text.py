"""Text rules shared by all slices: upper-casing and the masks of O 5."""

import re
import unicodedata

_SPACES = re.compile(r"\s+")
_NOT_DIGITS = re.compile(r"[^0-9]")
_CONTROL = {i: None for i in range(32) if i not in (9, 10, 13)} | {127: None}


def clean(text: str | None) -> str | None:
    """Trimmed, NFC, without control characters; empty becomes ``None``."""
    if text is None:
        return None
    return unicodedata.normalize("NFC", text).translate(_CONTROL).strip() or None


def capitalise(text: str | None) -> str | None:
    """Upper-case with single spaces, as names and addresses are kept (DECISIONS)."""
    cleaned = clean(text)
    return _SPACES.sub(" ", cleaned).upper() if cleaned else None


def digits(text: str | None) -> str | None:
    """Only the digits of a masked value ('000-00-0000'); ``None`` when there are none."""
    return (_NOT_DIGITS.sub("", text) or None) if text else None


def mask_phone(text: str | None) -> str | None:
    """Ten digits as '000-000-0000'; anything else unchanged."""
    number = digits(text)
    return f"{number[:3]}-{number[3:6]}-{number[6:]}" if number and len(number) == 10 else text


def mask_ssn(text: str | None) -> str | None:
    """Nine digits as '000-00-0000'; anything else unchanged."""
    number = digits(text)
    return f"{number[:3]}-{number[3:5]}-{number[5:]}" if number and len(number) == 9 else text
