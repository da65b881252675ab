"""Passwords that are guessed first: common ones, and words of the person or of the lab.

``zxcvbn`` has the 30,000 most common passwords of published leaks. Hardly any of them has a digit
and a symbol, as P 5 requires; people add those around a word ('Summer-2026!') or use them in
place of letters ('P@ssw0rd1!'). So the word without them is looked up, too.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from app.contract.limits import PASSWORD_SYMBOLS, PASSWORD_WORD_MIN_LENGTH

_LEETSPEAK = str.maketrans("@430!1$57+", "aaeoiisstt")
_DECORATION = "0123456789" + PASSWORD_SYMBOLS
_DECORATION_MAX = 6
"""With more characters around it, a common word is only a part of the password."""
_PUBLISHED_WORDS = frozenset({"portal"})
"""The word of the demo accounts' password, which our documents name."""
_WORD = re.compile(r"[a-z0-9]+")


def is_common(password: str) -> bool:
    """Whether a password is a common one, even with digits and symbols around or in it."""
    text = password.lower()
    cores = {text, text.strip(PASSWORD_SYMBOLS), text.strip(_DECORATION), text.rstrip(_DECORATION)}
    cores |= {core.translate(_LEETSPEAK) for core in cores}
    return any(
        len(text) - len(core) <= _DECORATION_MAX
        and (core in _PUBLISHED_WORDS or core in _load_common_passwords())
        for core in cores
    )


def build_own_words(*names: str | None) -> frozenset[str]:
    """Build the words that a password may not contain, from names and the start of an e-mail.

    They are the words of each name, and the name without spaces. Words shorter than
    PASSWORD_WORD_MIN_LENGTH occur in too many innocent passwords.
    """
    words: set[str] = set()
    for name in names:
        parts = _WORD.findall(_remove_accents(name or "").lower())
        words.update(parts, ["".join(parts)])
    return frozenset(word for word in words if len(word) >= PASSWORD_WORD_MIN_LENGTH)


def contains_any(password: str, words: Iterable[str]) -> bool:
    """Whether a password contains one of these words, even with symbols for letters."""
    text = password.lower()
    forms = {text, text.translate(_LEETSPEAK), "".join(_WORD.findall(text))}
    return any(word in form for word in words for form in forms)


def _remove_accents(text: str) -> str:
    decomposed_text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed_text if not unicodedata.combining(c))


@cache
def _load_common_passwords() -> frozenset[str]:
    # Loaded by the first new password: it takes a fifth of a second.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS  # noqa: PLC0415

    return frozenset(FREQUENCY_LISTS["passwords"])
