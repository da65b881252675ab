"""How codes of the catalogue are read; no session, no clock, no request."""

import re

_UNDOTTED = re.compile(r"^[A-Z][0-9][0-9AB][0-9A-Z]{1,4}$")


def icd10_code(text: str) -> str:
    """The code as ICD-10-CM writes it: upper-case, with a dot behind the third character,
    however it was typed (``e119``, ``E11.9``, ``e11 9``)."""
    plain = "".join(c for c in text.upper() if c.isascii() and c.isalnum())
    return plain if len(plain) <= 3 else f"{plain[:3]}.{plain[3:]}"


def with_dot(word: str) -> str:
    """A word of a search: a code typed without its dot gets it, anything else stays."""
    return icd10_code(word) if _UNDOTTED.match(word) else word
