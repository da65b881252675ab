"""Reorders and shapes right-to-left text for drawing.

reportlab and Pillow's basic layout draw Arabic and Hebrew from left to right in stored order, with
unjoined letters. We print names and short notes in English pages, so this module implements only
the parts of the Unicode bidirectional algorithm that they need (runs, numbers, brackets), and joins
Arabic letters with presentation forms. Text without right-to-left letters is returned unchanged.
"""

import re
import unicodedata
from functools import cache

_RIGHT_TO_LEFT = ("R", "AL")
_NUMBER = re.compile(
    r"[0-9\u0660-\u0669\u06f0-\u06f9]+(?:[.,:/-][0-9\u0660-\u0669\u06f0-\u06f9]+)*"
)
_MIRRORED_BRACKETS = str.maketrans("()[]{}<>«»", ")(][}{><»«")
_FORMS = ("<isolated>", "<final>", "<initial>", "<medial>")
_LAM = "\u0644"
_TATWEEL = "\u0640"


@cache
def _load_arabic_forms() -> dict[str, dict[str, str]]:
    """Return the presentation characters of each letter and lam-alef pair, by form."""
    forms: dict[str, dict[str, str]] = {}
    for point in (*range(0xFB50, 0xFBB2), *range(0xFE80, 0xFEFD)):
        form, _, letters = unicodedata.decomposition(chr(point)).partition(" ")
        if form in _FORMS:
            base = "".join(chr(int(code, 16)) for code in letters.split())
            forms.setdefault(base, {})[form] = chr(point)
    return forms


def _is_transparent(unit: str) -> bool:
    return unicodedata.category(unit[0]) in ("Mn", "Me", "Cf")


def _joins_forward(letter: str) -> bool:
    return letter == _TATWEEL or "<initial>" in _load_arabic_forms().get(letter, {})


def _joins_backward(letter: str) -> bool:
    return letter == _TATWEEL or "<final>" in _load_arabic_forms().get(letter, {})


def _shape_arabic(text: str) -> str:
    """Join each lam with its alef, and choose the form of each letter by its neighbors."""
    units: list[str] = []
    for character in text:
        if units and units[-1] == _LAM and _LAM + character in _load_arabic_forms():
            units[-1] += character
        else:
            units.append(character)
    positions = [i for i, unit in enumerate(units) if not _is_transparent(unit)]
    shaped_units = list(units)
    for index, position in enumerate(positions):
        forms = _load_arabic_forms().get(units[position])
        if not forms:
            continue
        before = units[positions[index - 1]] if index else ""
        after = units[positions[index + 1]] if index + 1 < len(positions) else ""
        is_joined_before = _joins_forward(before) and "<final>" in forms
        is_joined_after = _joins_backward(after[:1]) and "<initial>" in forms
        # In the order of _FORMS: isolated, final, initial, medial.
        form = _FORMS[(2 if is_joined_after else 0) + (1 if is_joined_before else 0)]
        shaped_units[position] = forms.get(form) or forms.get("<isolated>") or units[position]
    return "".join(shaped_units)


def _reverse_run(run: str) -> str:
    """Reverse a right-to-left run; numbers and accents keep their order."""
    clusters: list[str] = []
    index = 0
    while index < len(run):
        number = _NUMBER.match(run, index)
        if number:
            clusters.append(number.group())
            index = number.end()
            continue
        if clusters and unicodedata.combining(run[index]):
            clusters[-1] += run[index]
        else:
            clusters.append(run[index].translate(_MIRRORED_BRACKETS))
        index += 1
    return "".join(reversed(clusters))


def reorder_visually(text: str) -> str:
    """Return ``text`` in the order in which it is drawn from left to right."""
    if text.isascii():
        return text
    is_right = [unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text]
    if not any(is_right):
        return text
    parts: list[str] = []
    index = 0
    while index < len(text):
        if not is_right[index]:
            parts.append(text[index])
            index += 1
            continue
        end = index
        ahead = index
        # A run includes blanks, signs, and numbers if more right-to-left letters follow.
        while ahead < len(text) and unicodedata.bidirectional(text[ahead]) != "L":
            if is_right[ahead] or (ahead == end and unicodedata.combining(text[ahead])):
                end = ahead + 1
            ahead += 1
        parts.append(_reverse_run(_shape_arabic(text[index:end])))
        index = end
    return "".join(parts)
