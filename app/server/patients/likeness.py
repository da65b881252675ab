"""When two patients look like one person; no session, no clock, no request.

Names are compared by their letters alone: case, accents, spaces, hyphens and apostrophes do not
count, so that O'NEIL-GARCIA, ONEIL GARCIA and Ónéil Garcia are one name.
"""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from app.contract.enumerations import LookAlikeReason

_SHORT_FORM = 3
_LETTERS_MAX = 100
_NAMED = frozenset(
    {LookAlikeReason.SAME_NAME, LookAlikeReason.SIMILAR_NAME, LookAlikeReason.NAMES_SWAPPED}
)


@dataclass(frozen=True)
class Person:
    """A patient as far as likeness goes. ``ssn`` is the keyed hash; unknown parts are empty."""

    last_name: str = ""
    first_name: str = ""
    birth_date: date | None = None
    ssn: bytes | None = None


def letters(name: str | None) -> str:
    """The name's letters and digits alone, without case and accents."""
    kept = unicodedata.normalize("NFKD", (name or "")[:_LETTERS_MAX]).casefold()
    kept = unicodedata.normalize("NFKD", kept)
    return "".join(c for c in kept if c.isalnum())


def names_are_similar(one: str, other: str) -> bool:
    """Whether one name may be the other, cut short or mistyped by a letter or two."""
    a, b = sorted((letters(one), letters(other)), key=len)
    if not a:
        return False
    if a == b or (len(a) >= _SHORT_FORM and b.startswith(a)):
        return True
    return typing_errors(a, b, _allowed_errors(len(a))) <= _allowed_errors(len(a))


def typing_errors(one: str, other: str, most: int) -> int:
    """How many letters were added, left out, exchanged or transposed with their neighbour; any
    number above ``most`` means more than that."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        following = [i]
        for j, b in enumerate(other, start=1):
            best = min(row[j] + 1, following[j - 1] + 1, row[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                best = min(best, before[j - 2] + 1)
            following.append(best)
        if min(following) > most and min(row) > most:
            return most + 1
        before, row = row, following
    return row[-1]


def reasons(asked: Person, known: Person) -> tuple[LookAlikeReason, ...]:
    """Why the two look alike, the strongest reason first; empty when they do not.

    Two look alike who have one social security number, or one birth date and names that are
    equal, similar or exchanged.
    """
    found: list[LookAlikeReason] = []
    if asked.ssn is not None and asked.ssn == known.ssn:
        found.append(LookAlikeReason.SAME_SSN)
    if asked.birth_date is not None and asked.birth_date == known.birth_date:
        found.append(LookAlikeReason.SAME_BIRTH_DATE)
    name = _name_reason(asked, known)
    if name is not None:
        found.append(name)
    alike = LookAlikeReason.SAME_SSN in found or (
        LookAlikeReason.SAME_BIRTH_DATE in found and _NAMED.intersection(found)
    )
    return tuple(found) if alike else ()


def strength(found: Collection[LookAlikeReason]) -> tuple[bool, int, int]:
    """A sort key: a shared number first, then the more and the stronger the reasons."""
    order = list(LookAlikeReason)
    places = [order.index(reason) for reason in found]
    return LookAlikeReason.SAME_SSN not in found, -len(places), sum(places)


def _name_reason(asked: Person, known: Person) -> LookAlikeReason | None:
    mine = letters(asked.last_name), letters(asked.first_name)
    theirs = letters(known.last_name), letters(known.first_name)
    if not all(mine) or not all(theirs):
        return None
    if mine == theirs:
        return LookAlikeReason.SAME_NAME
    if mine == theirs[::-1]:
        return LookAlikeReason.NAMES_SWAPPED
    if all(names_are_similar(a, b) for a, b in zip(mine, theirs, strict=True)):
        return LookAlikeReason.SIMILAR_NAME
    if all(names_are_similar(a, b) for a, b in zip(mine, theirs[::-1], strict=True)):
        return LookAlikeReason.NAMES_SWAPPED
    return None


def _allowed_errors(length: int) -> int:
    if length < _SHORT_FORM + 1:
        return 0
    return 1 if length < 8 else 2
