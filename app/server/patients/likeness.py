"""Rules for when two patient records look like the same person.

Names are compared only by their letters. Case, accents, spaces, hyphens, and apostrophes are
ignored, so O'NEIL-GARCIA, ONEIL GARCIA and Ónéil Garcia are the same name.
"""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from app.contract.enumerations import LookAlikeReason

_SHORT_FORM = 3
"""The least number of letters with which one name may be the short form of another."""
_LETTERS_MAX = 100
_NAME_REASONS = frozenset(
    {LookAlikeReason.SAME_NAME, LookAlikeReason.SIMILAR_NAME, LookAlikeReason.NAMES_SWAPPED}
)


@dataclass(frozen=True)
class Person:
    """The compared values of a patient. ``ssn`` is the keyed hash; unknown values are empty."""

    last_name: str = ""
    first_name: str = ""
    birth_date: date | None = None
    ssn: bytes | None = None


def extract_letters(name: str | None) -> str:
    """Return the letters and digits of a name, without case and accents."""
    text = unicodedata.normalize("NFKD", (name or "")[:_LETTERS_MAX]).casefold()
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text if c.isalnum())


def are_names_similar(first: str, second: str) -> bool:
    """Whether one name may be the other, shortened or mistyped by a letter or two."""
    shorter, longer = sorted((extract_letters(first), extract_letters(second)), key=len)
    if not shorter:
        return False
    if shorter == longer or (len(shorter) >= _SHORT_FORM and longer.startswith(shorter)):
        return True
    max_typos = _get_max_typos(len(shorter))
    return count_typos(shorter, longer, max_typos) <= max_typos


def count_typos(first: str, second: str, max_count: int) -> int:
    """Count the letters that were added, omitted, replaced or swapped with their neighbor.

    Counting stops at ``max_count`` + 1.
    """
    previous_row = row = list(range(len(second) + 1))
    for i, a in enumerate(first, start=1):
        next_row = [i]
        for j, b in enumerate(second, start=1):
            best = min(row[j] + 1, next_row[j - 1] + 1, row[j - 1] + (a != b))
            # The first letter has no neighbor before it, but its count is never above this one.
            if j > 1 and a == second[j - 2] and first[i - 2] == b:
                best = min(best, previous_row[j - 2] + 1)
            next_row.append(best)
        if min(next_row) > max_count:  # No later row has a smaller number.
            return max_count + 1
        previous_row, row = row, next_row
    return min(row[-1], max_count + 1)


def find_reasons(typed_person: Person, candidate: Person) -> tuple[LookAlikeReason, ...]:
    """Find why two people look alike, the strongest reason first; empty if they do not.

    They look alike with the same social security number, or with the same birth date and names
    that are equal, similar or swapped.
    """
    reasons: list[LookAlikeReason] = []
    if typed_person.ssn is not None and typed_person.ssn == candidate.ssn:
        reasons.append(LookAlikeReason.SAME_SSN)
    if typed_person.birth_date is not None and typed_person.birth_date == candidate.birth_date:
        reasons.append(LookAlikeReason.SAME_BIRTH_DATE)
    name_reason = _find_name_reason(typed_person, candidate)
    if name_reason is not None:
        reasons.append(name_reason)
    is_look_alike = LookAlikeReason.SAME_SSN in reasons or (
        LookAlikeReason.SAME_BIRTH_DATE in reasons and _NAME_REASONS.intersection(reasons)
    )
    return tuple(reasons) if is_look_alike else ()


def build_rank_key(reasons: Collection[LookAlikeReason]) -> tuple[bool, int, int]:
    """Build the sort key of look-alikes: a shared number first, then more, stronger reasons."""
    order = list(LookAlikeReason)
    positions = [order.index(reason) for reason in reasons]
    return LookAlikeReason.SAME_SSN not in reasons, -len(positions), sum(positions)


def _find_name_reason(typed_person: Person, candidate: Person) -> LookAlikeReason | None:
    typed_names = extract_letters(typed_person.last_name), extract_letters(typed_person.first_name)
    last_name, first_name = names = (
        extract_letters(candidate.last_name),
        extract_letters(candidate.first_name),
    )
    swapped_names = first_name, last_name
    if not all(names):
        return None
    if typed_names == names:
        return LookAlikeReason.SAME_NAME
    if typed_names == swapped_names:
        return LookAlikeReason.NAMES_SWAPPED
    if _are_both_similar(typed_names, names):
        return LookAlikeReason.SIMILAR_NAME
    if _are_both_similar(typed_names, swapped_names):
        return LookAlikeReason.NAMES_SWAPPED
    return None


def _are_both_similar(names: tuple[str, str], other_names: tuple[str, str]) -> bool:
    return all(map(are_names_similar, names, other_names))


def _get_max_typos(length: int) -> int:
    """Return how many typing errors a name of this length may have."""
    if length <= _SHORT_FORM:
        return 0
    return 1 if length < 8 else 2
